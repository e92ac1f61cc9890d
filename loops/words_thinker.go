package loops

import "regexp"

// What a product thinker cannot read: places in files, shell commands, record ids.
//
// How a false alarm is avoided: a file's name alone is no place ("invoice.pdf", "Node.js"), a line or a path of source
// code is; a host and its port is neither. A word that is also a command ("find", "make", "go", "sort") counts only with
// what makes it one: an option, a pipe, backticks. An id is a short abbreviation with a number of two digits or more; names
// that people know are listed below, capitalised words ("Formula-1") are names, and so are two capitals ("CX-30").

const (
	sourceExt = `(?:go|py|ts|tsx|js|jsx|mjs|cjs|java|kt|rs|c|cc|cpp|cxx|h|hpp|cs|rb|php|swift|scala|sql|sh|bash|ps1|lua|vue|svelte|ex|exs|erl|clj|hs|dart|proto|tf)`
	anyExt    = `(?:` + sourceExt + `|html?|css|scss|md|mdx|rst|txt|json|jsonl|ya?ml|toml|xml|ini|cfg|conf|env|lock|log|csv|tmpl|gradle|mod)`
)

var (
	// file.go:12, pages/welcome.html:12:4, file.go#L12, file.go line 12.
	fileLine = regexp.MustCompile(`(?i)[\w-]\.` + anyExt + `(?::\d+|#L\d+|\(\d+(?:,\d+)?\)|,? (?:at |on |in )?(?:line|zeile|linha|linea|línea|ligne)s? \d+)|\b(?:Dockerfile|Makefile):\d+`)
	// line 12 of file.go.
	lineOfFile = regexp.MustCompile(`(?i)\b(?:lines?|zeilen?|linhas?|l[ií]neas?|lignes?) \d+(?:-\d+)? (?:of|in|from|de|do|da|del|en|von|dans|du) [^ ]*[\w-]\.` + anyExt + `\b`)
	// loops/stop.go, ./src/app.ts, /etc/passwd.
	sourcePath = regexp.MustCompile(`(?:^|[\s"'(` + "`" + `])(?:(?:\.{0,2}/)?(?:[\w.@-]+/)+[\w.@-]+\.` + sourceExt + `\b|/(?:etc|usr|var|home|opt|tmp|bin|srv|root|dev|proc)/[\w./-]+)`)

	commandAnywhere = regexp.MustCompile(
		`\bgit (?:push|pull|fetch|rebase|checkout|clone|reset|rev-parse|cherry-pick|revert|ls-files|stash|add \S|commit -|branch -|log -|diff -|show [0-9a-f]|tag -|merge -)` +
			`|\b(?:npm|pnpm|yarn|pip3?|cargo|brew|gem|composer|poetry|apt|apt-get|dnf|yum) (?:install|run|exec|ci|add|build|test|update|publish|audit)\b` +
			`|\b(?:npx|pipx|uvx) [a-z@]` +
			`|\bgo (?:test|build|run|vet|install|mod|generate) (?:\./|-|tidy)` +
			`|\bmake -[a-zA-Z]` +
			`|\b(?:docker|podman|kubectl|helm|terraform|systemctl|gcloud|aws|az|ansible-playbook) (?:run|exec|build|push|pull|compose|apply|get|delete|describe|logs|rollout|install|upgrade|plan|init|destroy|start|stop|restart|status|enable|s3|ec2)\b` +
			`|\bsudo [a-z]` +
			`|\b(?:ls|rm|cp|mv|cat|grep|rg|find|sed|awk|tar|ps|du|df|chmod|chown|curl|wget|ssh|scp|rsync|tail|head|xargs|kill|mkdir|psql|python3?|node|bash|sh) --?[a-zA-Z]` +
			`|\b(?:curl|wget) https?://|\bchmod [0-7+]|\bpython3? [\w./-]+\.py\b|\bnode [\w./-]+\.js\b|\bbash [\w./-]+\.sh\b|\brm [\w./*-]*[/*]` +
			`|\| ?(?:grep|head|tail|sort|wc|xargs|awk|sed|tee|less|jq)\b|&& ?(?:git|cd|ls|rm|npm|make|go|find|cat|echo|docker)\b` +
			`|(?:^|\n)\s*[$#] [a-z./]`)
	// Between backticks a bare command is one as well.
	commandAlone = regexp.MustCompile(`^\s*[$#]?\s*(?:git|ls|cd|rm|cp|mv|cat|grep|find|sed|awk|tar|curl|wget|ssh|scp|make|npm|npx|pnpm|yarn|pip3?|go|cargo|docker|podman|kubectl|helm|terraform|sudo|python3?|node|bash|sh|psql|redis-cli|systemctl|brew|apt|apt-get) [^\s]|^\s*(?:ls|pwd|make|env|top|ps)\s*$|^\s*\$ `)
)

// commandParts are what every command above has one of, for a cheap look before the patterns.
var commandParts = []string{ //nolint:gochecknoglobals // a table
	"git ", "`", "|", "&&", "$ ", "# ", " -", "sudo ", "make -", "npm ", "yarn ", "pip", "cargo ", "brew ", "gem ", "composer ", "poetry ", "apt", "dnf ", "yum ",
	"npx ", "uvx ", "go ", "docker ", "podman ", "kubectl ", "helm ", "terraform ", "systemctl ", "gcloud ", "aws ", "az ", "ansible-playbook ",
	"curl ", "wget ", "chmod ", "python", "node ", "bash ", "rm ",
}

// recordPrefixes are what trackers and decision records put before a number.
var recordPrefixes = set("adr itd rfd prd trd drd dec epic story task bug issue ticket req us pr mr tkt inc chg cr spec feat pbi jira proj gh ggl defect req tc uc") //nolint:gochecknoglobals // a table

// nameOfNumber are names and words that people read, though they look like ids: standards, models, measures.
var nameOfNumber = set( //nolint:gochecknoglobals // a table
	"utf utc gmt iso iec ieee din en ansi ecma nist fips rfc pep jep wcag owasp pci soc hl icd dsm gdpr cve cwe ean isbn issn upc gtin sku iban bic swift " +
		"sha md aes rsa des crc base int uint float uuid ascii hex rgb rgba arm amd esp stm pic risc ddr usb hdmi wifi wpa tls ssl http https ip ipv tcp udp dns lte mp mpeg jpeg png gif " +
		"gpt llama claude gemini bert yolo mistral phi qwen covid sars cov mers hiv cop pm co vitamin omega " +
		"eur usd gbp brl chf jpy mxn max min top mid pre post under over sub non plus age fsk pegi usk level step part page row day week month year hour size room gate zone line lane seat door floor unit team plan grade " +
		"class form stage phase tier rank road route bus tram flight catch web area bed kids teen vol no nr num dia mes ano ans jahr tag woche monat platz seite linha linea quarto sala " +
		"rav mig ak ar cx mx xc su md boeing airbus apollo formula type typ model serie series version ver build windows iphone ipad pixel galaxy error code err status")
