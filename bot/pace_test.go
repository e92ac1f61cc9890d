package bot

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestPostsOfAChannelGoOutInOrderAboutOneASecond(t *testing.T) {
	a := &api{answer: says(okPosted)}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				m := hello()
				m.Text = strconv.Itoa(i)
				if _, err := s.Post(t.Context(), "C1", "", m, Stamp{}); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		wg.Wait()
		calls := a.all()
		for i, c := range calls {
			if c.args["text"] != strconv.Itoa(i) {
				t.Errorf("post %d is %v", i, c.args["text"])
			}
			if i > 0 && c.at.Sub(calls[i-1].at) < time.Second {
				t.Errorf("post %d came %v after the one before", i, c.at.Sub(calls[i-1].at))
			}
		}
		if took := calls[5].at.Sub(calls[0].at); took > 6*time.Second {
			t.Errorf("six posts took %v", took)
		}
	})
}

func TestASlowPostIsNotOvertaken(t *testing.T) {
	a := &api{}
	var mu sync.Mutex
	var log []string
	a.answer = func(w http.ResponseWriter, c gotCall) {
		mu.Lock()
		log = append(log, "start "+c.args["text"].(string))
		mu.Unlock()
		if c.args["text"] == "slow" {
			time.Sleep(5 * time.Second)
		}
		mu.Lock()
		log = append(log, "end "+c.args["text"].(string))
		mu.Unlock()
		_, _ = io.WriteString(w, okPosted)
	}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		var wg sync.WaitGroup
		for _, text := range []string{"slow", "next"} {
			wg.Go(func() {
				m := hello()
				m.Text = text
				if _, err := s.Post(t.Context(), "C1", "", m, Stamp{}); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		wg.Wait()
		if want := []string{"start slow", "end slow", "start next", "end next"}; !slices.Equal(log, want) {
			t.Errorf("order = %q, want %q", log, want)
		}
	})
}

func TestOneChannelDoesNotHoldUpAnother(t *testing.T) {
	a := &api{answer: says(okPosted)}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		began := time.Now()
		for _, channel := range []string{"C1", "C2", "C3"} {
			if _, err := s.Post(t.Context(), channel, "", hello(), Stamp{}); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("three channels took %v", took)
		}
	})
}

func TestUpdatesAndAnswersToPeopleDoNotWaitForPosts(t *testing.T) {
	a := &api{answer: says(okPosted)}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if _, err := s.Post(t.Context(), "C1", "", hello(), Stamp{}); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		began := time.Now()
		if err := errors.Join(
			s.Update(t.Context(), "C1", "1.2", hello(), Stamp{}),
			s.Whisper(t.Context(), "C1", "", "U1", hello()),
			s.Respond(t.Context(), "http://slack.test/response/1", hello()),
		); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("an update and two answers waited %v behind posts", took)
		}
		wg.Wait()
	})
}

func TestNoMethodIsCalledMoreOftenThanItsTierInAnyMinute(t *testing.T) {
	a := &api{answer: says(okPosted)}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		for range 130 {
			if err := s.Update(t.Context(), "C1", "1.2", hello(), Stamp{}); err != nil {
				t.Fatal(err)
			}
		}
		calls := a.all()
		if most := mostInAMinute(calls); most > 50 {
			t.Errorf("chat.update was called %d times in a minute, want 50 at most", most)
		}
		if took := calls[129].at.Sub(calls[0].at); took > 4*time.Minute {
			t.Errorf("130 updates took %v", took)
		}
	})
}

func mostInAMinute(calls []gotCall) int {
	most := 0
	for i, from := range calls {
		n := 0
		for _, c := range calls[i:] {
			if c.at.Sub(from.at) < time.Minute {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// limitOnce answers the first call of a method with 429.
func limitOnce(method, after string) func(http.ResponseWriter, gotCall) {
	var once sync.Once
	return func(w http.ResponseWriter, c gotCall) {
		limited := false
		if c.method == method {
			once.Do(func() { limited = true })
		}
		if limited {
			w.Header().Set("Retry-After", after)
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = io.WriteString(w, okPosted)
	}
}

func TestALimitHoldsItsMethodAndNothingElse(t *testing.T) {
	a := &api{answer: limitOnce("chat.postMessage", "7")}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		_, err := s.Post(t.Context(), "C1", "", hello(), Stamp{})
		if failed := asFailed(t, err); failed.Class != ClassRetry || failed.After != 7*time.Second {
			t.Fatalf("limited post = %+v, want retry after 7 s", failed)
		}
		began := time.Now()
		if err := s.Update(t.Context(), "C1", "1.2", hello(), Stamp{}); err != nil || time.Since(began) > 0 {
			t.Errorf("the update came after %v: %v", time.Since(began), err)
		}
		if _, err := s.Post(t.Context(), "C2", "", hello(), Stamp{}); err != nil {
			t.Error(err)
		}
		if waited := time.Since(began); waited != 7*time.Second {
			t.Errorf("the next post of another channel waited %v, want 7 s", waited)
		}
	})
}

func TestAWaitThatIsTooLongFailsAtOnceAndSaysHowLong(t *testing.T) {
	a := &api{answer: limitOnce("chat.update", "120")}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		if err := s.Update(t.Context(), "C1", "1.2", hello(), Stamp{}); err == nil {
			t.Fatal("the limited update succeeded")
		}
		time.Sleep(20 * time.Second)
		began := time.Now()
		failed := asFailed(t, s.Update(t.Context(), "C1", "1.2", hello(), Stamp{}))
		if failed.Class != ClassRetry || failed.After != 100*time.Second || time.Since(began) > 0 {
			t.Errorf("update after %v = %+v, want retry after 100 s at once", time.Since(began), failed)
		}
		if n := len(a.all()); n != 1 {
			t.Errorf("%d calls were sent, want 1", n)
		}
	})
}

func TestALimitThatCameAsAnErrorHoldsToo(t *testing.T) {
	first := true
	a := &api{}
	a.answer = func(w http.ResponseWriter, _ gotCall) {
		if first {
			first = false
			_, _ = io.WriteString(w, `{"ok":false,"error":"rate_limited"}`)
			return
		}
		_, _ = io.WriteString(w, okPosted)
	}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		began := time.Now()
		if err := s.Update(t.Context(), "C1", "1.2", hello(), Stamp{}); err == nil {
			t.Fatal("the limited update succeeded")
		}
		if err := s.Update(t.Context(), "C1", "1.2", hello(), Stamp{}); err != nil {
			t.Error(err)
		}
		if waited := time.Since(began); waited != defaultRetry {
			t.Errorf("waited %v, want %v", waited, defaultRetry)
		}
	})
}

func TestWaitingEndsWithTheContextAndSendsNothing(t *testing.T) {
	a := &api{answer: says(okPosted)}
	inBubble(t, a, func(t *testing.T, s *Slack) {
		if _, err := s.Post(t.Context(), "C1", "", hello(), Stamp{}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(300*time.Millisecond, cancel)
		_, err := s.Post(ctx, "C1", "", hello(), Stamp{})
		if failed := asFailed(t, err); failed.Class != ClassRetry || !errors.Is(err, context.Canceled) {
			t.Errorf("error = %v, want retry because of the context", failed)
		}
		if n := len(a.all()); n != 1 {
			t.Errorf("%d posts were sent, want 1", n)
		}
		if _, err := s.Post(t.Context(), "C1", "", hello(), Stamp{}); err != nil {
			t.Errorf("the channel's turn was not given back: %v", err)
		}
	})
}
