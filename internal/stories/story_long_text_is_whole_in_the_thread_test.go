package stories

import (
	"strings"
	"testing"
)

func TestLongTextIsCutOnTheCardAndWholeInTheThreadBeforeTheButtonsCome(t *testing.T) {
	for name, piece := range map[string]string{
		"64 KiB": "0123456789 abcdef ", "entities": "& < > &amp; ", "emoji at the cut": "👩‍👩‍👧‍👦🏳️‍🌈", "right to left": "\u05d0\u05d1\u202e ",
	} {
		t.Run(name, func(t *testing.T) {
			tellLong(t, Options{}, func(t testing.TB, w *World) {
				w.StartBot()
				w.Connected()
				long := "first " + strings.Repeat(piece, 60_000/len(record(map[string]any{"": piece}))) + "last"
				ref := w.Raise(Calls("s1", long))
				w.Shown()
				card := w.SeeText(Facil, "Approve", "first", "The whole text is in the thread.")
				literal(t, card)
				if first := w.Slack.Calls("chat.postMessage")[0]; ArgsShow(first, `"Approve"`) {
					t.Error("the buttons came before the whole text was in the thread")
				}
				var whole strings.Builder
				for _, part := range w.Slack.Thread(Facil, card.TS) {
					literal(t, part)
					whole.WriteString(string(part.Blocks))
				}
				if got, want := strings.Count(whole.String(), asStored(strings.TrimRight(piece, "\u202e "))), strings.Count(long, piece); got < want*9/10 || !strings.Contains(whole.String(), "last") {
					t.Errorf("the thread has the piece %d times, want about %d and the end", got, want)
				}
				w.Click(Bob, card, "Approve", 0)
				w.GoOn(ref, "loop-s1")
				w.SeeText(Facil, "went on", "!Decline…")
			})
		})
	}
}

// asStored is a text as it stands inside of stored JSON.
func asStored(text string) string {
	b := record(map[string]any{"s": text})
	return b[6 : len(b)-2]
}
