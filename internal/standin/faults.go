package standin

import (
	"net/http"
	"slices"
	"time"
)

// Fault is something that goes wrong with the next Times calls of a method ("" is any; "response_url" is a use of a
// response URL).
//
// A Fault with Status, Error or Body answers that and does nothing. Lose and Delay do what was asked first: Lose then
// cuts the connection, or, with Status, Error or Body, answers those after all; Delay then waits.
type Fault struct {
	Method     string
	Times      int                            // 0: until Heal
	Status     int                            // this HTTP status instead of an answer
	RetryAfter string                         // the header, with 429
	Error      string                         // this error with ok false
	Body       string                         // this body
	Lose       bool                           // do it, then cut the connection without an answer
	Delay      time.Duration                  // do it, then wait before answering
	Match      func(args map[string]any) bool // nil: every call. It may not call the Server
}

// Break adds a fault; the first that matches a call befalls it.
func (s *Server) Break(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// Heal takes all faults away.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// nextFault takes one turn of the first fault that matches. The caller holds s.mu.
func (s *Server) nextFault(name string, a args) *Fault {
	for i, f := range s.faults {
		if f.Method != "" && f.Method != name || f.Match != nil && !f.Match(a.decoded()) {
			continue
		}
		hit := *f
		if f.Times > 0 {
			if f.Times--; f.Times == 0 {
				s.faults = slices.Delete(s.faults, i, i+1)
			}
		}
		return &hit
	}
	return nil
}

func (f *Fault) does() bool    { return f.Lose || f.Delay > 0 }
func (f *Fault) answers() bool { return f.Status != 0 || f.Error != "" || f.Body != "" }

// spoil writes the wrong answer.
func (f *Fault) spoil(w http.ResponseWriter) {
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	status := f.Status
	if status == 0 {
		status = http.StatusOK
	}
	if f.Error != "" {
		writeJSON(w, status, object{"ok": false, "error": f.Error})
		return
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(f.Body)) //nolint:gosec // a test asked for these bytes; whoever is gone already misses nothing
}

// after does what comes after the deed, and reports whether the true answer is still to be written.
func (f *Fault) after(w http.ResponseWriter, r *http.Request) bool {
	if f.Delay > 0 {
		wait := time.NewTimer(f.Delay)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-r.Context().Done():
		}
	}
	switch {
	case f.answers():
		f.spoil(w)
		return false
	case f.Lose:
		panic(http.ErrAbortHandler)
	}
	return true
}
