# Two commands do everything on a fresh machine with Go: `make demo` and `make test`.
SHELL := /bin/bash
GO ?= go
TOOLS := -modfile=tools.mod
LDFLAGS := -s -w
export CGO_ENABLED ?= 1

.DEFAULT_GOAL := help
.PHONY: help demo test build lint vuln check needs interop fuzz bench faults empty-root clean pictures

help: ## print what there is to make
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: build ## the main job, without an account: open the page that it prints, click, watch the loops go on
	@bin/flagstop demo

build: ## bin/flagstop, static and stripped
	@CGO_ENABLED=0 $(GO) build -trimpath -ldflags='$(LDFLAGS)' -o bin/flagstop ./cmd/flagstop

needs: ## what the tests need: installed on Debian as root, else named with the command that brings it
	@deploy/ci/needs redis-server chromium

test: needs build ## every test, with the race detector, against a real Redis and a real browser
	$(GO) test -race -timeout 20m $$($(GO) list ./... | grep -v /cmd/)
	$(GO) test -race -timeout 20m ./cmd/... # many processes: alone, so that they keep Slack's three seconds

lint: ## gofmt, go vet, golangci-lint, go fix, go mod tidy
	@deploy/ci/lint

vuln: ## govulncheck, where its data can be had
	@deploy/ci/vuln

interop: needs build ## the stand-in against Slack's own SDKs, the protocol against Node, the examples
	@deploy/ci/interop

empty-root: build ## the binary as another user in an empty root, as the image runs it
	@deploy/ci/empty-root

fuzz: ## every fuzz target for FUZZ seconds (default 10)
	@deploy/ci/fuzz $(or $(FUZZ),10)

bench: ## every benchmark
	$(GO) test -run '^$$' -bench . -benchmem ./...

pictures: needs ## docs/page.png, taken of the demo as it runs
	FLAGSTOP_PICTURES=$(CURDIR)/docs $(GO) test -count=1 -run TestTheDemosPage ./cmd/flagstop

check: lint vuln test interop empty-root ## what .ci/run runs

clean:
	rm -rf bin
