package loops_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flagstop/internal/embedded"
	"flagstop/loops"

	"github.com/redis/go-redis/v9"
)

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// inBubble runs a story in virtual time, with a keeper that has started.
func inBubble(t *testing.T, story func(t *testing.T, k *keeper)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		story(t, newKeeper(t, embedded.InBubble(t), 4))
	})
}

func TestMessageAloneEndsTheWait(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		end := wait(t.Context(), k.client(time.Hour), rec)
		synctest.Wait()
		wantWaiting(t, end)
		jws := k.outcome(refOf(t, rec))
		k.must(k.rdb.Publish(t.Context(), k.keys.Of("stop-1", "outcome"), jws).Err())
		synctest.Wait()
		want(t, end, jws)
	})
}

func TestOutcomeFromBeforeTheWaitIsFoundAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		jws := k.answer(refOf(t, rec))
		began := time.Now()
		want(t, wait(t.Context(), k.client(time.Hour), rec), jws)
		if took := time.Since(began); took > 0 {
			t.Errorf("Wait took %v, want no time", took)
		}
	})
}

func TestLostMessageIsFoundByTheNextLook(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		end := wait(t.Context(), k.client(0), rec)
		time.Sleep(8 * time.Hour)
		wantWaiting(t, end)
		jws := k.answerSilently(refOf(t, rec))
		began := time.Now()
		want(t, end, jws)
		if took := time.Since(began); took > 40*time.Second {
			t.Errorf("the look came after %v, want at most 30 s and a fifth", took)
		}
	})
}

func TestLooksAreSpread(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		c := k.client(0)
		rec := record("stop-1")
		ref := refOf(t, rec)
		var took []time.Duration
		for range 40 {
			k.raise(rec)
			end := wait(t.Context(), c, rec)
			time.Sleep(2 * time.Second) // past the look after subscribing
			jws := k.answerSilently(ref)
			began := time.Now()
			want(t, end, jws)
			took = append(took, time.Since(began).Round(time.Second))
			k.must(k.rdb.FlushDB(t.Context()).Err())
		}
		seen := map[time.Duration]bool{}
		for _, d := range took {
			seen[d] = true
			if d < 20*time.Second || d > 37*time.Second {
				t.Errorf("a look came %v after the first, want 24 to 36 s", d+2*time.Second)
			}
		}
		if len(seen) < 4 {
			t.Errorf("looks came after %v, want them spread", took)
		}
	})
}

func TestGarbageOnTheChannelChangesNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec, other := record("stop-1"), record("stop-2")
		k.raise(rec)
		end := wait(t.Context(), k.client(time.Hour), rec)
		synctest.Wait()
		forged := newKeeperLike(k).outcome(refOf(t, rec))
		for _, message := range []string{"", "garbage", "\xff", "a.b.c", forged, k.outcome(refOf(t, other)), strings.Repeat("x", 1<<20)} {
			for _, channel := range []string{k.keys.Of("stop-1", "outcome"), k.keys.Refusal(k.keys.Partition("stop-1"), digestOf(rec))} {
				k.must(k.rdb.Publish(t.Context(), channel, message).Err())
			}
		}
		synctest.Wait()
		wantWaiting(t, end)
		want(t, end, k.answer(refOf(t, rec)))
	})
}

// newKeeperLike has a key of its own.
func newKeeperLike(k *keeper) *keeper {
	other := *k
	other.signer = newSigner(k.t)
	return &other
}

func TestMessageThatDoesNotVerifyStillMakesItLook(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		end := wait(t.Context(), k.client(time.Hour), rec)
		synctest.Wait()
		jws := k.answerSilently(refOf(t, rec))
		k.must(k.rdb.Publish(t.Context(), k.keys.Of("stop-1", "outcome"), "garbage").Err())
		synctest.Wait()
		select {
		case got := <-end:
			if got.err != nil || got.outcome.JWS != jws {
				t.Errorf("Wait = %v, %v, want the outcome", got.outcome, got.err)
			}
		default:
			t.Error("Wait has not looked at the key")
		}
	})
}

func TestStoredOutcomeThatDoesNotVerifyIsAnErrorAndChangesNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		ref := refOf(t, rec)
		k.raise(rec)
		c := k.client(0)
		stranger := newKeeperLike(k)
		stranger.answer(ref)
		got := <-wait(t.Context(), c, rec)
		var unknown *loops.UnknownKeyError
		if !errors.As(got.err, &unknown) || unknown.KeyID != stranger.signer.KeyID() {
			t.Errorf("Wait(signed by a stranger) = %v, want an UnknownKeyError of %s", got.err, stranger.signer.KeyID())
		}
		k.must(k.rdb.Set(t.Context(), k.keys.Of(ref.ID, "outcome"), "garbage", 0).Err())
		got = <-wait(t.Context(), c, rec)
		var bad *loops.VerifyError
		if !errors.As(got.err, &bad) {
			t.Errorf("Wait(garbage in the key) = %v, want a VerifyError", got.err)
		}
		if _, err := c.Get(t.Context(), ref); !errors.As(err, &bad) {
			t.Errorf("Get(garbage in the key) = %v, want a VerifyError", err)
		}
		if entries := k.inbox(); len(entries) != 0 {
			t.Errorf("the inbox has %v, want nothing", entries)
		}
		jws := k.answer(ref)
		want(t, wait(t.Context(), c, rec), jws)
	})
}

func TestWithoutAKeyOnlyWhatTheBotStoredIsTaken(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		c, err := loops.NewClient(t.Context(), loops.Options{Redis: k.rdb, Unverified: true, Look: time.Hour})
		k.must(err)
		defer c.Close()
		end := wait(t.Context(), c, rec)
		synctest.Wait()
		k.must(k.rdb.Publish(t.Context(), k.keys.Of("stop-1", "outcome"), k.outcome(refOf(t, rec))).Err())
		synctest.Wait()
		wantWaiting(t, end)
		want(t, end, newKeeperLike(k).answer(refOf(t, rec)))
	})
}

func TestGivingUpLooksOnceMore(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		c := k.client(time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		end := wait(ctx, c, rec)
		synctest.Wait()
		jws := k.answerSilently(refOf(t, rec))
		cancel()
		want(t, end, jws)
	})
}

func TestGivingUpOnAnOpenStopSaysThatItIsOpen(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		began := time.Now()
		got := <-wait(ctx, k.client(0), rec)
		if !errors.Is(got.err, loops.ErrOpen) || !errors.Is(got.err, context.DeadlineExceeded) {
			t.Errorf("Wait = %v, want ErrOpen and DeadlineExceeded", got.err)
		}
		if took := time.Since(began); took != time.Hour {
			t.Errorf("Wait took %v, want %v", took, time.Hour)
		}
	})
}

func TestGivingUpWhileRedisIsAwayTakesThreeSeconds(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		away := redis.NewClient(k.rdb.Options())
		c := k.clientOn(away, 0)
		ctx, cancel := context.WithCancel(t.Context())
		end := wait(ctx, c, rec)
		synctest.Wait()
		k.must(away.Close())
		cancel()
		began := time.Now()
		got := <-end
		if !errors.Is(got.err, context.Canceled) || time.Since(began) > 3*time.Second {
			t.Errorf("Wait = %v after %v, want Canceled within 3 s", got.err, time.Since(began))
		}
	})
}

func TestTwoWaitsOnOneStopBothGetIt(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		c := k.client(time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		one, two, gone := wait(t.Context(), c, rec), wait(t.Context(), c, rec), wait(ctx, c, rec)
		synctest.Wait()
		cancel()
		if got := <-gone; !errors.Is(got.err, context.Canceled) {
			t.Errorf("the wait that gave up = %v, want Canceled", got.err)
		}
		jws := k.answer(refOf(t, rec))
		want(t, one, jws)
		want(t, two, jws)
	})
}

func TestOneOfTwoOutcomesMayBeChangedByItsOwner(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		c := k.client(time.Hour)
		one, two := wait(t.Context(), c, rec), wait(t.Context(), c, rec)
		synctest.Wait()
		k.answer(refOf(t, rec))
		a, b := <-one, <-two
		delete(a.outcome.Verdicts, "q")
		if len(b.outcome.Verdicts) != 1 {
			t.Error("the other wait's outcome has lost its verdict")
		}
	})
}

func TestWaitAgainRightAfterLeavingIsHeard(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		c := k.client(time.Hour)
		for range 20 {
			ctx, cancel := context.WithCancel(t.Context())
			left := wait(ctx, c, rec)
			synctest.Wait()
			cancel()
			<-left
			end := wait(t.Context(), c, rec)
			synctest.Wait()
			jws := k.outcome(refOf(t, rec))
			k.must(k.rdb.Publish(t.Context(), k.keys.Of("stop-1", "outcome"), jws).Err())
			synctest.Wait()
			want(t, end, jws)
		}
	})
}

func TestClosedClientEndsItsWaits(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		c := k.client(0)
		end := wait(t.Context(), c, rec)
		synctest.Wait()
		k.must(c.Close())
		if got := <-end; !errors.Is(got.err, loops.ErrClosed) {
			t.Errorf("Wait = %v, want ErrClosed", got.err)
		}
		if got := <-wait(t.Context(), c, rec); !errors.Is(got.err, loops.ErrClosed) {
			t.Errorf("Wait after Close = %v, want ErrClosed", got.err)
		}
	})
}

func TestAMonthOfWaitingInVirtualTime(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		k.raise(rec)
		end := wait(t.Context(), k.client(10*time.Minute), rec)
		time.Sleep(30 * 24 * time.Hour)
		wantWaiting(t, end)
		want(t, end, k.answer(refOf(t, rec)))
	})
}

func TestGetSaysWhatThereIs(t *testing.T) {
	inBubble(t, func(t *testing.T, k *keeper) {
		rec := record("stop-1")
		ref := refOf(t, rec)
		c := k.client(0)
		if _, err := c.Get(t.Context(), ref); !errors.Is(err, loops.ErrUnknown) {
			t.Errorf("Get(never raised) = %v, want ErrUnknown", err)
		}
		k.raise(rec)
		if _, err := c.Get(t.Context(), ref); !errors.Is(err, loops.ErrOpen) {
			t.Errorf("Get(open) = %v, want ErrOpen", err)
		}
		jws := k.answer(ref)
		if o, err := c.Get(t.Context(), ref); err != nil || o.JWS != jws {
			t.Errorf("Get(answered) = %v, %v, want the outcome", o, err)
		}
		var taken *loops.TakenError
		if _, err := c.Get(t.Context(), loops.Ref{ID: ref.ID, Digest: otherDigest}); !errors.As(err, &taken) || taken.Digest != ref.Digest {
			t.Errorf("Get(other bytes) = %v, want a TakenError", err)
		}
		refused := loops.Ref{ID: "stop-9", Digest: otherDigest}
		k.refuse(refused)
		var refusal *loops.RefusedError
		if _, err := c.Get(t.Context(), refused); !errors.As(err, &refusal) || !strings.Contains(err.Error(), "/addressee") {
			t.Errorf("Get(refused) = %v, want a RefusedError with its problem", err)
		}
		for _, bad := range []loops.Ref{{}, {ID: "a b", Digest: someDigest}, {ID: "a"}, {ID: "a", Digest: "sha256:"}, {ID: strings.Repeat("a", 65), Digest: someDigest}} {
			if _, err := c.Get(t.Context(), bad); err == nil || errors.Is(err, loops.ErrUnknown) {
				t.Errorf("Get(%v) = %v, want an error that says what is wrong with it", bad, err)
			}
		}
	})
}
