package stories

import (
	"errors"
	"strings"
	"testing"

	"flagstop/loops"
)

func TestAQuestionThatTheProductThinkerCannotAnswerIsRefusedBeforeAPersonSeesIt(t *testing.T) {
	tell(t, Options{}, func(t testing.TB, w *World) {
		w.StartBot()
		technical := strings.Replace(Judgement("pt"), "A person can close", "In router.go:12 a person can close", 1)
		if _, err := w.Loops.Raise(t.Context(), []byte(technical)); err == nil {
			t.Error("the loop's own check let it pass")
		}
		ref := w.RaiseUnchecked("pt", technical) // a loop in another language, without our check
		_, err := w.TryOutcome(ref)
		refused, ok := errors.AsType[*loops.RefusedError](err)
		if !ok || len(refused.Problems) == 0 || !strings.HasPrefix(refused.Problems[0].Pointer, "/questions/0/message") {
			t.Errorf("the loop heard %v, want a refusal that points at the message", err)
		}
	})
}
