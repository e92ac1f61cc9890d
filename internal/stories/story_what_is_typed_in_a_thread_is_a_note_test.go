package stories

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"flagstop/internal/standin"
	"flagstop/loops"
	"flagstop/loops/ledger"
)

// notes are the texts of the notes of a stop, and who wrote them, in the order of their names: events come in any.
func notes(w *World, id string) (all []string) {
	w.TB.Helper()
	for _, e := range w.Stop(id).Log {
		if e.Kind == ledger.NoteEntry {
			_, user, _ := strings.Cut(e.By.ID, "/")
			all = append(all, user+": "+e.Text)
		}
	}
	slices.Sort(all)
	return all
}

// kept waits until a stop has exactly these notes.
func kept(t testing.TB, w *World, id string, want ...string) {
	t.Helper()
	w.Until(func() bool { return len(notes(w, id)) >= len(want) }, "%d notes of %s", len(want), id)
	if got := notes(w, id); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the notes are %q, want %q", got, want)
	}
}

func TestWhatIsTypedInACardsThreadIsKeptAndAnswersNothing(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		ref := w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Shown()
		w.Reply(Ana, card, "yes, keep both")
		said(t, w, Ana, 1, "Kept as a note.", "answers nothing", "presses a button on its card")
		if m := w.Told(Ana, 1)[0]; m.ThreadTS != card.TS {
			t.Errorf("she is told in %q, want in the thread", m.ThreadTS)
		}
		w.Reply(Ana, card, "as we said")
		w.Reply(Mallory, card, "a < b && *c* @everyone <!channel>") // who is in no role
		said(t, w, Mallory, 1, "Kept as a note.")
		kept(t, w, "s1", Ana+": as we said", Ana+": yes, keep both", Mallory+": a < b && *c* @everyone <!channel>")
		if s := w.Stop("s1").State; s.Rev != 1 || s.Phase != ledger.Open || len(s.Verdicts) > 0 {
			t.Errorf("it is %s at rev %d with %d verdicts", s.Phase, s.Rev, len(s.Verdicts))
		}
		w.Type(Ana, Ops, "/stops show s1")
		said(t, w, Ana, 2, "note", "as we said")
		literal(t, w.Told(Ana, 2)[1])
		w.Click(Ana, card, "Choose", 0)
		w.GoOn(ref, "loop-s1")
		w.SeeText(Product, "went on")
		w.Reply(Bob, card, "too late for that") // who is told nothing: there is nothing to answer
		w.Until(func() bool { return len(notes(w, "s1")) == 4 }, "a note on what is over")
	})
}

func TestAFloodInAThreadIsKeptInPartAndSaidOnce(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Shown()
		for i := range 12 {
			w.Reply(Mallory, card, fmt.Sprintf("message %d", i))
		}
		w.Told(Mallory, 2)
		w.Until(func() bool {
			all := w.Told(Mallory, 2)
			return Shows(all[0], "Kept as a note") && Shows(all[1], "too many notes") || Shows(all[1], "Kept as a note") && Shows(all[0], "too many notes")
		}, "one word on notes, and one on the flood")
		w.Until(func() bool { return len(notes(w, "s1")) == 6 }, "six notes")
		w.Reply(Bob, card, "and mine")
		said(t, w, Bob, 1, "Kept as a note.")
		if n := len(notes(w, "s1")); n != 7 {
			t.Errorf("%d notes are kept, want 7", n)
		}
	})
}

func TestALongMessageInAThreadIsCutVisibly(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Shown()
		w.Reply(Bob, card, strings.Repeat("&", 3900))
		said(t, w, Bob, 1, "Kept as a note.")
		kept(t, w, "s1", Bob+": "+strings.Repeat("&", 1999)+"…")
	})
}

func TestWhatIsTypedElsewhereIsNoNote(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Shown()
		ctx := t.Context()
		w.must(w.Slack.As(Bob).Post(ctx, Product, "", "keep both, I would say"))
		theirs := w.See(Product, 2)[1]
		w.must(w.Slack.As(Ana).Post(ctx, Product, theirs.TS, "in the thread of another message"))
		w.Reply(Ana, card, "in that of the card")
		said(t, w, Ana, 1, "Kept as a note.")
		kept(t, w, "s1", Ana+": in that of the card")
		if n := len(w.Slack.Calls("conversations.replies")); n != 1 {
			t.Errorf("Slack was asked for %d threads, want one: who wrote the others' first message the event says", n)
		}
	})
}

func TestWhatIsTypedWhileRedisOrSlackIsAwayIsKeptOnce(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Shown()
		b.RedisAway(true)
		w.Reply(Ana, card, "while the store is away")
		w.Pass(time.Minute)
		b.RedisAway(false)
		kept(t, w, "s1", Ana+": while the store is away")
		said(t, w, Ana, 1, "Kept as a note.")
		w.Refusals("internal_error")
		w.Raise(Calls("s2", "ls"))
		other := w.SeeText(Facil, "Approve")
		w.Shown()
		w.Slack.Break(standin.Fault{Method: "conversations.replies", Times: 2, Error: "internal_error"})
		w.Reply(Bob, other, "while Slack is")
		kept(t, w, "s2", Bob+": while Slack is")
		said(t, w, Bob, 1, "Kept as a note.")
		w.Settle()
		kept(t, w, "s1", Ana+": while the store is away")
	})
}

func TestAnEventThatComesAgainIsOneNote(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		b := w.StartBot()
		w.Connected()
		w.Raise(Judgement("s1"))
		card := w.SeeText(Product, "Choose")
		w.Shown()
		died := b.DieAfter(`"entry":"note"`) // the log has it, and Slack hears no ack
		w.Reply(Ana, card, "hello")
		<-died
		b.Stop()
		w.StartBot()
		w.Connected()
		w.Pass(10 * time.Minute) // Slack sends it again, and once more
		kept(t, w, "s1", Ana+": hello")
		if n := len(w.Slack.Ephemerals(Ana)); n > 1 {
			t.Errorf("she was told %d times", n)
		}
		w.told[Ana] = len(w.Slack.Ephemerals(Ana))
		answered(t, w, card)
	})
}

// answered has Ana answer a card, which is as good as before.
func answered(t testing.TB, w *World, card standin.Message) {
	t.Helper()
	w.Click(Ana, card, "Choose", 0)
	w.SeeText(Product, "answered")
	if p := w.Stop("s1").State.Phase; p != ledger.Phase(loops.Answered) {
		t.Errorf("it is %s", p)
	}
}
