package templates_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flagstop/loops"
	"flagstop/templates"
)

func wordsIn(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, src := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAnOperatorReplacesSomeWordsAndKeepsTheOthers(t *testing.T) {
	w, err := templates.Load(wordsIn(t, map[string]string{
		"ours.tmpl": `{{define "silence.waits"}}Sem resposta, espera.{{end}}{{define "button.choose"}}Escolher{{end}}`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	m := w.Card(view(judgement()))
	checkMessage(t, m)
	card := compact(t, m)
	for _, want := range []string{"Sem resposta, espera.", "Escolher: Keep both", "Nothing is recommended."} {
		if !strings.Contains(card, want) {
			t.Errorf("the card does not say %q", want)
		}
	}
	if strings.Contains(compact(t, templates.Default().Card(view(judgement()))), "Escolher") {
		t.Error("the default words changed")
	}
}

func TestFaultyWordsAreRefusedWithTheirFileAndLine(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"not a template":      {"\n{{define \"silence.waits\"}}{{if}}{{end}}", "w.tmpl:2"},
		"an unknown value":    {"\n\n{{define \"silence.waits\"}}{{.Nobody}}{{end}}", "w.tmpl:3"},
		"a value in a branch": {"{{define \"by\"}}{{if .For}}\n{{.Nobody}}{{end}}x{{end}}", "w.tmpl:2"},
		"an unknown name":     {"\n{{define \"silence.wait\"}}It waits.{{end}}", "w.tmpl:2"},
		"nothing said":        {"\n{{define \"silence.waits\"}}{{with .Nothing}}{{end}}{{end}}", "w.tmpl:2"},
		"blank":               {"\n{{define \"silence.waits\"}}{{if .Expired}}x{{end}}{{end}}", "w.tmpl:2"},
		"a long button":       {"\n{{define \"button.run\"}}Approve this call, exactly as it is shown here{{end}}", "w.tmpl:2"},
		"a value in a button": {"\n{{define \"button.run\"}}Run {{.Tool}}{{end}}", "w.tmpl:2"},
		"a long title":        {"\n{{define \"title.edit\"}}Edit the arguments of the call{{end}}", "w.tmpl:2"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := templates.Load(wordsIn(t, map[string]string{"w.tmpl": c.src}))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestADirectoryWithoutWordsIsRefused(t *testing.T) {
	if _, err := templates.Load(t.TempDir()); err == nil {
		t.Error("an empty directory was taken")
	}
	if _, err := templates.Load(filepath.Join(t.TempDir(), "nowhere")); err == nil {
		t.Error("a directory that does not exist was taken")
	}
}

// An operator's words may do to a value what they like: the text of others stays text.
func TestWordsCannotLetTheTextOfOthersOut(t *testing.T) {
	w, err := templates.Load(wordsIn(t, map[string]string{"w.tmpl": `
{{define "option"}}{{slice .Option 2}}{{printf "%s" .Option}}{{printf "%q" .Example}}{{html .Option}}{{b (slice .Option 1 4)}}{{end}}
{{define "silence.waits"}}<!channel> <https://x.example|here> *bold* &amp; @everyone waits{{end}}
{{define "from"}}<@U0ANA> {{.Agent}} {{len .Agent}}{{end}}`}))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range hostile() {
		r := judgement()
		r.Loop.Agent = s
		for i := range r.Questions[0].Schema.Properties[0].Options {
			r.Questions[0].Schema.Properties[0].Options[i].Title = s + "x"
			r.Questions[0].Schema.Properties[0].Options[i].Description = s
		}
		checkMessage(t, w.Card(view(r)))
	}
}

func TestAJudgementSaysThatNothingIsRecommendedAndAFactNever(t *testing.T) {
	w := templates.Default()
	for name, v := range views() {
		if v.End != "" || !v.Thread {
			continue
		}
		m := w.Card(v)
		said := strings.Contains(compact(t, m), "Nothing is recommended.")
		if said != (v.Record.Kind == loops.Judgement) {
			t.Errorf("%s: says that nothing is recommended: %v", name, said)
		}
		if said && !strings.Contains(m.Text, "Nothing is recommended.") {
			t.Errorf("%s: those who hear it are not told that nothing is recommended", name)
		}
	}
}
