package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	requestTimeout = 15 * time.Second // of one request with its answer
	defaultRetry   = 10 * time.Second // where Slack limits without saying for how long
	quotaRetry     = 15 * time.Minute // where the plan's quota is used up
	longestRetry   = time.Hour        // no Retry-After is believed beyond
	maxAnswer      = 16 << 20         // bytes of an answer
)

// call waits for the method's budget and calls it once. args are url.Values for a method that reads (Slack's
// reading methods take forms only) and anything else is sent as JSON. A nil error means that Slack said ok and that
// result was read.
func (s *Slack) call(ctx context.Context, method string, args, result any) error {
	return s.paced(ctx, method, func() error { return s.exchange(ctx, method, args, result) })
}

// paced does one exchange when the method's budget allows it, holds the method where Slack limits it, and reports the call.
func (s *Slack) paced(ctx context.Context, method string, exchange func() error) error {
	q := s.pace.method(method)
	err := waitTurn(ctx, q, method)
	if err == nil {
		err = exchange()
	}
	if failed, ok := errors.AsType[*SlackError](err); ok {
		if limited(failed) {
			q.hold(time.Now(), failed.After)
		}
		s.observe(method, failed.Class)
		return failed
	}
	s.observe(method, "")
	return nil
}

// waitTurn waits until the queue lets one call of the method through.
func waitTurn(ctx context.Context, q *queue, method string) error {
	ctx, cancel := context.WithTimeout(ctx, longestWait)
	defer cancel()
	leave, after, err := q.enter(ctx)
	if err != nil {
		return &SlackError{Method: method, Class: ClassRetry, After: after, Err: fmt.Errorf("wait for its turn: %w", err)}
	}
	leave()
	return nil
}

// limited reports whether Slack limits the method, in contrast to one call that was not done.
func limited(e *SlackError) bool {
	return e.Code == "ratelimited" || e.Code == "rate_limited" || e.Code == "rate_limit_exceeded"
}

// exchange calls a method of the API and reads its answer.
func (s *Slack) exchange(ctx context.Context, method string, args, result any) error {
	r, failed := s.send(ctx, method, s.url+method, s.authorize, args)
	if failed != nil {
		return failed
	}
	a, failed := readAnswer(method, r)
	if failed != nil {
		return failed
	}
	if warning := codeOf(a.Warning); warning != "" {
		s.log.Warn("slack warns about a call", "method", method, "warning", warning)
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(r.body, result); err != nil {
		return &SlackError{Method: method, Class: ClassAmbiguous, Err: errors.New("the answer has another shape than documented")}
	}
	return nil
}

// received is an HTTP answer.
type received struct {
	status int
	header http.Header
	body   []byte
}

// send posts arguments once, within the timeout of a request.
func (s *Slack) send(ctx context.Context, method, target string, authorize func(http.Header), args any) (received, *SlackError) {
	contentType, body, err := encode(args)
	if err != nil {
		return received{}, &SlackError{Method: method, Class: ClassContent, Err: fmt.Errorf("encode arguments: %w", err)}
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var sent sending
	req, err := http.NewRequestWithContext(sent.trace(ctx), http.MethodPost, target, bytes.NewReader(body))
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return received{}, &SlackError{Method: method, Class: ClassRetry, Err: withoutURL(err)}
	}
	req.Header.Set("Content-Type", contentType)
	authorize(req.Header)
	resp, err := s.client.Do(req)
	if err != nil {
		return received{}, sent.failed(method, err)
	}
	defer resp.Body.Close() //nolint:errcheck // what was read decides
	s.clock.saw(resp.Header.Get("Date"), time.Now())
	got, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return received{}, &SlackError{Method: method, Class: ClassAmbiguous, Err: fmt.Errorf("read the answer: %w", withoutURL(err))}
	}
	return received{status: resp.StatusCode, header: resp.Header, body: got}, nil
}

func encode(args any) (contentType string, body []byte, err error) {
	if form, ok := args.(url.Values); ok {
		return "application/x-www-form-urlencoded", []byte(form.Encode()), nil
	}
	body, err = json.Marshal(args)
	return "application/json; charset=utf-8", body, err
}

// answer is what every answer has. What is only there to explain is kept raw, so that an unexpected shape of it cannot turn a
// success into an error.
type answer struct {
	OK       bool
	Error    string
	Warning  string
	Needed   string
	RawRetry json.RawMessage `json:"retry_after"`
	Errors   json.RawMessage
	Metadata json.RawMessage `json:"response_metadata"`
}

// readAnswer classifies an answer. It takes for success only one of status 200 that says ok.
func readAnswer(method string, r received) (answer, *SlackError) {
	var a answer
	parsed := json.Unmarshal(r.body, &a) == nil
	code := codeOf(a.Error)
	failed := &SlackError{Method: method, Class: ClassAmbiguous}
	switch {
	case r.status == http.StatusTooManyRequests:
		failed.Code, failed.Class, failed.After = "ratelimited", ClassRetry, retryAfter(r.header, a.RawRetry, time.Now())
	case parsed && !a.OK && code != "":
		failed = refusal(method, code, r.header, a)
	case r.status != http.StatusOK:
		failed.Class, failed.Err = classOfStatus(r.status), fmt.Errorf("HTTP status %d", r.status)
	case !parsed:
		failed.Err = fmt.Errorf("the answer of %d bytes is not Slack's JSON", len(r.body))
	case !a.OK:
		failed.Err = errors.New("the answer says neither ok nor why not")
	default:
		return a, nil
	}
	return a, failed
}

// refusal is the error of an answer that names one.
func refusal(method, code string, header http.Header, a answer) *SlackError {
	e := &SlackError{Method: method, Code: code, Class: classOfCode(code)}
	switch {
	case limited(e):
		e.After = retryAfter(header, a.RawRetry, time.Now())
	case code == quotaCode:
		e.After = quotaRetry
	case code == "missing_scope" && scopes.MatchString(a.Needed):
		e.Err = errors.New("needs the scope " + a.Needed)
	case e.Class == ClassContent:
		e.Err = places(a)
	}
	return e
}

var (
	codes    = regexp.MustCompile(`^[a-z0-9_]{1,64}$`)
	scopes   = regexp.MustCompile(`^[a-z:._,]{1,200}$`)
	pointers = regexp.MustCompile(`\[json-pointer:(/[a-z0-9_/]{1,200})\]`)
)

// codeOf returns one of Slack's error names, or "" for anything that does not look like one.
func codeOf(s string) string {
	if codes.MatchString(s) {
		return s
	}
	return ""
}

// places are the JSON pointers of what Slack does not take. Its sentences are left out: they can quote the content.
func places(a answer) error {
	var at []string
	for _, m := range pointers.FindAllSubmatch(append(bytes.Clone(a.Errors), a.Metadata...), 5) {
		if p := string(m[1]); !strings.Contains(strings.Join(at, " "), p) {
			at = append(at, p)
		}
	}
	if len(at) == 0 {
		return nil
	}
	return errors.New("at " + strings.Join(at, ", "))
}

// retryAfter reads how long to wait: whole or broken seconds or a date in the header, else the answer's own member, else
// the default; between one second and one hour.
func retryAfter(header http.Header, member json.RawMessage, now time.Time) time.Duration {
	for _, s := range []string{header.Get("Retry-After"), string(member)} {
		if n, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil && n > 0 {
			return min(max(time.Duration(min(n, longestRetry.Seconds())*float64(time.Second)), time.Second), longestRetry)
		}
		if at, err := http.ParseTime(s); err == nil {
			return min(max(at.Sub(now), time.Second), longestRetry)
		}
	}
	return defaultRetry
}

// sending follows how far a request got.
type sending struct{ asked, wrote atomic.Bool }

func (s *sending) trace(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:      func(string) { s.asked.Store(true) },
		WroteHeaders: func() { s.wrote.Store(true) },
		WroteRequest: func(httptrace.WroteRequestInfo) { s.wrote.Store(true) },
	})
}

// failed classifies a request without an answer: definitely not done where nothing can have been written, else ambiguous.
func (s *sending) failed(method string, err error) *SlackError {
	err = withoutURL(err)
	class := ClassAmbiguous
	if s.asked.Load() && !s.wrote.Load() || dialFailure(err) {
		class = ClassRetry
	}
	return &SlackError{Method: method, Class: class, Err: err}
}

// dialFailure reports whether there was no connection. A transport that does not tell how far it got is judged by this alone.
func dialFailure(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return true
	}
	_, ok := errors.AsType[*net.DNSError](err)
	return ok
}

// withoutURL takes the URL out of an error: a response URL and a socket's URL are secrets.
func withoutURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}
