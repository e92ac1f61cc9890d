package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// reported are the numbers that docs/reports.md has to have, by its sections.
func reported() map[string]string {
	return map[string]string{
		"Slack":                      "1 2 4 5 7 8 9 10 12 13 14 15 16 17 19 22 23 25",
		"Odd inputs":                 "a b c d e f g h i j k l m n",
		"Lost answers and resuming":  "1 2 3 5 6 7 9 10 11 12 13 15 17 18 19",
		"Restart":                    "21 22 24 25 26 27 29",
		"Duplicates, races, mix-ups": "30 31 32 33 34 37 39 40 41 42 43 45 46 47 49",
		"Texts, escaping, limits":    "62 63 64 65 67 69 70 71 73 74 76 77 78",
	}
}

func TestThePageOfReportsNamesTestsThatExist(t *testing.T) {
	page, err := os.ReadFile(root + "/docs/reports.md")
	if err != nil {
		t.Fatal(err)
	}
	exists := testsOf(t)
	sections := reported()
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		title, body, _ := strings.Cut(section, "\n")
		var numbers []string
		for line := range strings.Lines(body) {
			number, covered, ok := rowOf(line)
			if !ok {
				continue
			}
			numbers = append(numbers, number)
			if len(covered) == 0 {
				t.Errorf("%s %s names neither a test nor a file", title, number)
			}
			for _, name := range covered {
				if !exists[name] {
					t.Errorf("%s %s names %s, which does not exist", title, number, name)
				}
			}
		}
		if got := strings.Join(numbers, " "); got != sections[title] {
			t.Errorf("%q has the rows %s, want %s", title, got, sections[title])
		}
		delete(sections, title)
	}
	for title := range sections {
		t.Errorf("the section %q is missing", title)
	}
}

var inBackticks = regexp.MustCompile("`([^`]+)`")

// rowOf reads a row of a table: its number, and what its last cell names in backticks.
func rowOf(line string) (number string, covered []string, ok bool) {
	cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	number = strings.TrimSpace(cells[0])
	if len(cells) < 3 || number == "#" || strings.HasPrefix(number, "-") {
		return "", nil, false
	}
	for _, m := range inBackticks.FindAllStringSubmatch(cells[len(cells)-1], -1) {
		covered = append(covered, m[1])
	}
	return number, covered, true
}

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)

// testsOf is every Go file of this repository, and every test as package.Name.
func testsOf(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		all[filepath.ToSlash(name)] = true
		if !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range testFunc.FindAllSubmatch(source, -1) {
			all[filepath.ToSlash(filepath.Dir(name))+"."+string(m[1])] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
