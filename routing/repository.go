package routing

import "strings"

// Repository is what the configuration says of the repositories that match a pattern. Of the patterns that match one, only
// the most specific counts, whole: nothing is taken over from the others.
type Repository struct {
	Pattern      string            // "acme/shop", or with * for any run of characters, also none and also /
	Channels     map[string]string // role → channel, in the place of the role's own
	SelfApproval bool              // the person whose loop it is may answer its calls
}

// Specific is how specific a pattern is: the characters that it says.
func Specific(pattern string) int { return len(pattern) - strings.Count(pattern, "*") }

// Matches reports whether a pattern matches a repository, case and all.
func Matches(pattern, repository string) bool {
	parts := strings.Split(pattern, "*")
	left, ok := strings.CutPrefix(repository, parts[0])
	if !ok || len(parts) == 1 {
		return ok && left == ""
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		if _, left, ok = strings.Cut(left, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(left, parts[last])
}

// Overlap reports whether some repository matches both patterns.
func Overlap(a, b string) bool {
	// fits[j] says so of the first i bytes of a and the first j of b.
	fits := make([]bool, len(b)+1)
	fits[0] = true
	for j := range len(b) {
		fits[j+1] = fits[j] && b[j] == '*'
	}
	for i := range len(a) {
		before := fits
		fits = make([]bool, len(b)+1)
		fits[0] = before[0] && a[i] == '*'
		for j := range len(b) {
			switch {
			case a[i] == '*' || b[j] == '*':
				fits[j+1] = before[j+1] || fits[j]
			default:
				fits[j+1] = before[j] && a[i] == b[j]
			}
		}
	}
	return fits[len(b)]
}

// Repository is what counts for a repository; the zero value where no pattern matches.
func (c Config) Repository(name string) Repository {
	var best Repository
	for _, r := range c.Repositories {
		if Matches(r.Pattern, name) && (best.Pattern == "" || Specific(r.Pattern) > Specific(best.Pattern)) {
			best = r
		}
	}
	return best
}
