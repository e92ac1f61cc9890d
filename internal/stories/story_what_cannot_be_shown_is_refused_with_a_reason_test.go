package stories

import (
	"errors"
	"strings"
	"testing"

	"flagstop/loops"
)

func TestWhatCannotBeShownIsRefusedWithAReasonAndShownToNobody(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		for name, bad := range map[string]struct{ record, pointer, reason string }{
			"invalid UTF-8":      {instead(Judgement("s1"), "Keep both", "Keep \xff both"), "", "UTF-8"},
			"76-character title": {instead(Judgement("s1"), "Keep both", strings.Repeat("x", 76)), "/questions/0/requestedSchema/properties/answer/oneOf/0/title", "60"},
			"more than 64 KiB":   {Calls("s1", strings.Repeat("x", 66_000)), "", "at most 65536"},
			"no JSON":            {`{"v":1,"id":"s1"`, "", ""},
			"an unknown role":    {instead(Judgement("s1"), loops.ProductThinker, "nobody"), "/addressee", ""},
		} {
			ref := w.RaiseUnchecked("s1", bad.record)
			_, err := w.TryOutcome(ref)
			refused, ok := errors.AsType[*loops.RefusedError](err)
			if !ok || len(refused.Problems) == 0 {
				t.Errorf("%s: the loop heard %v, want a refusal", name, err)
				continue
			}
			if p := refused.Problems[0]; p.Pointer != bad.pointer || !strings.Contains(p.Message, bad.reason) {
				t.Errorf("%s: the first problem is %+v, want at %q, with %q", name, p, bad.pointer, bad.reason)
			}
		}
		ref := w.Raise(Judgement("s1")) // the id is free
		w.SeeText(Product, "Choose")
		if _, err := w.Loops.Get(t.Context(), ref); !errors.Is(err, loops.ErrOpen) {
			t.Errorf("the good record is %v, want %v", err, loops.ErrOpen)
		}
	})
}
