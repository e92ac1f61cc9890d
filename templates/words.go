package templates

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"text/template"
)

//go:embed words/*.tmpl
var files embed.FS

// Words are the sentences of cards and modals, parsed from words/*.tmpl or an operator's directory. They hold only our
// own sentences: what they are given is safe wherever a sentence puts it. Words never change and are safe for
// concurrent use.
type Words struct{ set *template.Template }

// Default returns the words that the binary carries.
func Default() *Words { return defaults() }

var defaults = sync.OnceValue(func() *Words { //nolint:gochecknoglobals // parsed once, never changed
	sub, err := fs.Sub(files, "words")
	if err != nil {
		panic(err)
	}
	w := &Words{set: template.New("").Funcs(template.FuncMap{"b": bold})}
	if err := errors.Join(w.add(sub), w.try()); err != nil {
		panic(err) // the tests would have found it
	}
	return w
})

// Load returns the default words with those replaced that dir has: files *.tmpl which define some of the names that
// the default files define. Every template is tried on samples first; an error names the file and the line of
// each fault.
func Load(dir string) (*Words, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("read the words in %s: %w", dir, err)
	}
	defer root.Close() //nolint:errcheck // only read from
	set, err := defaults().set.Clone()
	if err != nil {
		return nil, fmt.Errorf("read the words in %s: %w", dir, err)
	}
	w := &Words{set: set}
	if err := w.add(root.FS()); err != nil {
		return nil, fmt.Errorf("read the words in %s: %w", dir, err)
	}
	if err := errors.Join(w.known(), w.try()); err != nil {
		return nil, fmt.Errorf("try the words in %s: %w", dir, err)
	}
	return w, nil
}

func (w *Words) add(dir fs.FS) error {
	names, err := fs.Glob(dir, "*.tmpl")
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("there is no file *.tmpl in it")
	}
	var faults []error
	for _, name := range names {
		src, err := fs.ReadFile(dir, name)
		if err != nil {
			return err
		}
		if _, err := w.set.New(name).Parse(string(src)); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// known refuses definitions that nothing uses: a misspelt name would change nothing, silently.
func (w *Words) known() error {
	var faults []error
	for _, t := range w.set.Templates() {
		isFile := strings.HasSuffix(t.Name(), ".tmpl")
		if !isFile && defaults().set.Lookup(t.Name()) == nil {
			faults = append(faults, fmt.Errorf("%s: %q is not a sentence of Flagstop", place(t), t.Name()))
		}
	}
	return errors.Join(faults...)
}

func place(t *template.Template) string {
	if t.Tree == nil || t.Root == nil {
		return t.Name()
	}
	at, _ := t.ErrorContext(t.Root)
	return at
}

// sentence renders one sentence.
func (w *Words) sentence(name string, f facts) []piece {
	var b strings.Builder
	if err := w.set.ExecuteTemplate(&b, name, f); err != nil {
		// Every sentence was tried when it was loaded; what fails now is said without words rather than not at all.
		return []piece{{kind: ownPiece, text: name}}
	}
	return parse(b.String())
}

// words renders a sentence as bare text.
func (w *Words) words(name string, f facts) string { return plain(w.sentence(name, f)) }

// try renders every sentence with everything and with next to nothing, and holds it against what it is used for.
func (w *Words) try() error {
	var faults []error
	all := w.set.Templates()
	slices.SortFunc(all, func(a, b *template.Template) int { return strings.Compare(a.Name(), b.Name()) })
	for _, t := range all {
		if strings.HasSuffix(t.Name(), ".tmpl") || t.Name() == "" {
			continue
		}
		for _, f := range samples() {
			faults = append(faults, tryOne(t, f))
		}
	}
	return errors.Join(faults...)
}

func tryOne(t *template.Template, f facts) error {
	var b strings.Builder
	if err := t.Execute(&b, f); err != nil {
		return err
	}
	said := plain(parse(b.String()))
	switch limit := room(t.Name()); {
	case strings.TrimSpace(said) == "":
		return fmt.Errorf("%s: %q says nothing", place(t), t.Name())
	case width(said) > limit:
		return fmt.Errorf("%s: %q is %d characters long and may be %d", place(t), t.Name(), width(said), limit)
	case strings.HasPrefix(t.Name(), "button.") && strings.ContainsRune(b.String(), frameStart):
		return fmt.Errorf("%s: %q is the same on every card: no values", place(t), t.Name())
	}
	return nil
}

// room is how long a sentence may get with the values of a sample.
func room(name string) int {
	kind, _, _ := strings.Cut(name, ".")
	switch kind {
	case "button":
		return 30
	case "title", "submit", "close":
		return 24
	case "select":
		return 75
	case "badge":
		return maxHeader
	default:
		return 800
	}
}
