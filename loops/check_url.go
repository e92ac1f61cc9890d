package loops

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// address checks the url of an object that may have one.
func (c *checker) address(o *node, at, text string) {
	if o.get("url") != nil {
		c.url(at+"/url", text)
	}
}

func (c *checker) url(pointer, text string) {
	u, err := url.Parse(text)
	switch {
	case err != nil || strings.IndexFunc(text, oddInURL) >= 0 || !goodPort(u):
		c.fault(codeURL, pointer, "This is no address. Write one such as https://example.com/page, with what is odd in it percent-encoded.")
	case u.Hostname() == "":
		c.fault(codeURL, pointer, "Write the whole address, with its host: https://example.com/page.")
	case u.User != nil:
		c.fault(codeURL, pointer, "A name or a password stands before the host. Leave it out: everybody who sees the stop sees the address.")
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		c.fault(codeURL, pointer, "Use https. Plain http is for addresses on this machine only.")
	}
}

// oddInURL are characters that RFC 3986 has no place for and that can make an address look like another.
func oddInURL(r rune) bool {
	return strings.ContainsRune("<>\"\\`", r) || !unicode.IsGraphic(r) || unicode.IsSpace(r)
}

func goodPort(u *url.URL) bool {
	port := u.Port()
	if port == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

func loopback(host string) bool {
	host = strings.ToLower(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
