package loops_test

import "testing"

// A loop that has its record and one that kept only its id and digest hear the same.
func TestTheRecordAndItsReferenceHearTheSameOutcome(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		jws := k.answer(refOf(t, rec))
		want(t, wait(t.Context(), k.client(0), rec), jws)
		o, err := k.client(0).WaitRef(t.Context(), refOf(t, rec))
		if err != nil || o.JWS != jws {
			t.Errorf("WaitRef = %v, %v, want what Wait heard", o, err)
		}
	})
}
