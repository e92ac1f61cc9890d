# syntax=docker/dockerfile:1
# Build: docker build -t flagstop .    Run: docker run --rm --env-file flagstop.env flagstop serve
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/gocache \
    GOCACHE=/gocache CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /flagstop ./cmd/flagstop && /flagstop version

FROM scratch
LABEL org.opencontainers.image.title="flagstop" \
      org.opencontainers.image.description="Answers the stops of autonomous agent loops in Slack" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /flagstop /flagstop
USER 65532:65532
ENTRYPOINT ["/flagstop"]
CMD ["serve"]
