package routing

import (
	"strings"
	"testing"
)

func TestWhichRepositoriesAPatternMatches(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		pattern string
		yes, no []string
	}{
		{"acme/shop", []string{"acme/shop"}, []string{"acme/shop2", "acme/sho", "Acme/shop", ""}},
		{"acme/*", []string{"acme/shop", "acme/", "acme/a/b"}, []string{"acme", "other/acme/"}},
		{"*", []string{"", "acme/shop"}, nil},
		{"*/api", []string{"acme/api", "a/b/api", "/api"}, []string{"api", "acme/api2"}},
		{"acme/*-api", []string{"acme/x-api", "acme/-api"}, []string{"acme/api", "acme/x-api-2"}},
		{"a*a", []string{"aa", "aba"}, []string{"a", "ab"}},
		{"*b*b*", []string{"bb", "abcbd"}, []string{"b", "ab"}},
		{"a*b*b", []string{"abb", "axbybzb"}, []string{"ab", "abx"}},
	} {
		for _, r := range row.yes {
			if !Matches(row.pattern, r) {
				t.Errorf("%q does not match %q", row.pattern, r)
			}
		}
		for _, r := range row.no {
			if Matches(row.pattern, r) {
				t.Errorf("%q matches %q", row.pattern, r)
			}
		}
	}
}

// TestPatternsOverlapWhereARepositoryMatchesBoth tries all repositories of up to five letters of two.
func TestPatternsOverlapWhereARepositoryMatchesBoth(t *testing.T) {
	t.Parallel()
	words := []string{""}
	for i := 0; len(words[i]) < 5; i++ {
		words = append(words, words[i]+"a", words[i]+"b")
	}
	patterns := []string{"", "*", "**", "a", "a*", "*a", "b*", "*b", "a*b", "b*a", "*a*", "*b*", "a*b*", "*a*b", "ab", "ab*", "aab", "ba*a"}
	for _, a := range patterns {
		for _, b := range patterns {
			want := false
			for _, w := range words {
				want = want || Matches(a, w) && Matches(b, w)
			}
			if got := Overlap(a, b); got != want {
				t.Errorf("Overlap(%q, %q) = %t, want %t", a, b, got, want)
			}
		}
	}
}

func TestTheMostSpecificPatternCountsWhole(t *testing.T) {
	t.Parallel()
	c := house()
	c.Repositories = []Repository{
		{Pattern: "*", Channels: map[string]string{"facilitator": "C0ALL", "security": "C0ALLSEC"}, SelfApproval: true},
		{Pattern: "acme/*", Channels: map[string]string{"facilitator": "C0ACME"}},
		{Pattern: "acme/shop", SelfApproval: true},
	}
	for _, row := range []struct{ role, repository, want string }{
		{"facilitator", "acme/api", "C0ACME"},
		{"security", "acme/api", "C0SEC"}, // not C0ALLSEC
		{"facilitator", "acme/shop", "C0FACIL"},
		{"facilitator", "other/x", "C0ALL"},
		{"facilitator", "", "C0ALL"},
		{"product-thinker", "other/x", "C0PRODUCT"},
	} {
		if got := Channel(c, row.role, row.repository); got != row.want {
			t.Errorf("Channel(%s, %q) = %q, want %q", row.role, row.repository, got, row.want)
		}
	}
	for repository, want := range map[string]bool{"acme/api": false, "acme/shop": true, "other/x": true} {
		if got := c.Repository(repository).SelfApproval; got != want {
			t.Errorf("Repository(%q).SelfApproval = %t, want %t", repository, got, want)
		}
	}
}

func TestMatchingEndsOnPatternsOfManyStars(t *testing.T) {
	t.Parallel()
	if Matches(strings.Repeat("*a", 40)+"b", strings.Repeat("a", 4000)) {
		t.Error("a pattern that ends in b matches a repository of nothing but a")
	}
}
