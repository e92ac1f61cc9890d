package templates

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Listing is a page of a list of open stops.
type Listing struct {
	Rows    []Row
	Total   int  // that the person may see, on all pages
	Earlier int  // of them, on the pages before
	Hidden  int  // that belong to the list too, and are not the person's to read
	Part    bool // not everything was looked at
	Page    ListPage
}

// ListPage is which page of which list: what the button carries that turns the page.
type ListPage struct {
	Command string `json:"command"` // the slash command that shows it, such as /stops
	What    string `json:"list"`    // mine, all, a role, or a repository
	Page    int    `json:"page"`    // from 1
}

// maxPage is far beyond what is looked at for a list.
const maxPage = 10_000

// Encode writes the page as a JSON object, of at most 500 characters.
func (p ListPage) Encode() string {
	b, err := json.Marshal(p)
	if err != nil { // strings and numbers always marshal
		panic(err)
	}
	return string(b)
}

// ParseListPage reads what Encode wrote. Anything else is an error, which does not repeat what was read.
func ParseListPage(s string) (ListPage, error) {
	var p ListPage
	if json.Unmarshal([]byte(s), &p) != nil || !p.valid() || p.Encode() != s {
		return ListPage{}, fmt.Errorf("read the page of a list: %w", errForeign)
	}
	return p, nil
}

func (p ListPage) valid() bool {
	fits := func(s string, most int) bool {
		return s != "" && utf8.ValidString(s) && len(s) <= most && !strings.ContainsAny(s, " \n")
	}
	return fits(p.Command, 40) && fits(p.What, 200) && p.Page >= 1 && p.Page <= maxPage
}

// next is the page after this one; where nothing is left there is none.
func (p ListPage) next(left int) ListPage {
	if left == 0 || p.Page >= maxPage {
		return ListPage{}
	}
	p.Page++
	return p
}

// words are what shows the page when it is typed.
func (p ListPage) words() string {
	if !p.valid() {
		return ""
	}
	return strings.Join([]string{p.Command, "list", p.What, "page", strconv.Itoa(p.Page)}, " ")
}
