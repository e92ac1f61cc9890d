package standin

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// object is a JSON object, going out.
type object = map[string]any

// apiError is an answer with ok false.
type apiError struct {
	code  string   // Slack's error name
	notes []string // what Slack adds in response_metadata.messages
	extra object
}

func (e *apiError) Error() string {
	return strings.Join(append([]string{e.code}, e.notes...), ": ")
}

func fail(code string) error { return &apiError{code: code} }

// method is one method of the Web API. do runs with s.mu held.
type method struct {
	do        func(s *Server, a args) (object, error)
	perMinute int  // its budget; 0 is a budget a channel, as posting has
	app       bool // wants the app's token, in the header, and takes no other
	open      bool // wants none
}

// methodNamed returns what the stand-in knows of a method. The budgets are Slack's tiers: 20, 50, 100 a minute.
func methodNamed(name string) (method, bool) {
	switch name {
	case "api.test":
		return method{do: (*Server).apiTest, perMinute: 100, open: true}, true
	case "apps.connections.open":
		return method{do: (*Server).connectionsOpen, perMinute: 50, app: true}, true
	case "auth.test":
		return method{do: (*Server).authTest, perMinute: 100}, true
	case "bots.info":
		return method{do: (*Server).botsInfo, perMinute: 50}, true
	case "reactions.add":
		return method{do: (*Server).reactionsAdd, perMinute: 50}, true
	}
	family, _, _ := strings.Cut(name, ".")
	switch family {
	case "chat":
		return chatMethod(name)
	case "conversations":
		return conversationMethod(name)
	case "users", "usergroups":
		return peopleMethod(name)
	case "views":
		return viewMethod(name)
	}
	return method{}, false
}

func chatMethod(name string) (method, bool) {
	switch name {
	case "chat.postMessage":
		return method{do: (*Server).postMessage}, true
	case "chat.postEphemeral":
		return method{do: (*Server).postEphemeral, perMinute: 100}, true
	case "chat.update":
		return method{do: (*Server).updateMessage, perMinute: 50}, true
	case "chat.delete":
		return method{do: (*Server).deleteMessage, perMinute: 50}, true
	case "chat.getPermalink":
		return method{do: (*Server).getPermalink, perMinute: 100}, true
	}
	return method{}, false
}

func conversationMethod(name string) (method, bool) {
	switch name {
	case "conversations.history":
		return method{do: (*Server).history, perMinute: 50}, true
	case "conversations.replies":
		return method{do: (*Server).threadHistory, perMinute: 50}, true
	case "conversations.info":
		return method{do: (*Server).conversationInfo, perMinute: 50}, true
	case "conversations.members":
		return method{do: (*Server).conversationMembers, perMinute: 100}, true
	case "conversations.open":
		return method{do: (*Server).conversationOpen, perMinute: 50}, true
	case "conversations.list":
		return method{do: (*Server).conversationList, perMinute: 20}, true
	case "conversations.join":
		return method{do: (*Server).conversationJoin, perMinute: 50}, true
	}
	return method{}, false
}

func peopleMethod(name string) (method, bool) {
	switch name {
	case "users.info":
		return method{do: (*Server).userInfo, perMinute: 100}, true
	case "users.list":
		return method{do: (*Server).userList, perMinute: 20}, true
	case "usergroups.list":
		return method{do: (*Server).groupList, perMinute: 20}, true
	case "usergroups.users.list":
		return method{do: (*Server).groupUsers, perMinute: 20}, true
	case "usergroups.users.update":
		return method{do: (*Server).groupUpdate, perMinute: 20}, true
	}
	return method{}, false
}

func viewMethod(name string) (method, bool) {
	switch name {
	case "views.open":
		return method{do: (*Server).viewsOpen, perMinute: 100}, true
	case "views.push":
		return method{do: (*Server).viewsPush, perMinute: 100}, true
	case "views.update":
		return method{do: (*Server).viewsUpdate, perMinute: 100}, true
	case "views.publish":
		return method{do: (*Server).viewsPublish, perMinute: 100}, true
	}
	return method{}, false
}

// serveAPI answers one call of the Web API, or breaks it as a fault says.
func (s *Server) serveAPI(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/api/")
	a, token, err := readArgs(w, r)
	if err != nil {
		answer(w, nil, err)
		return
	}
	fault := s.record(name, a)
	if fault != nil && !fault.does() {
		fault.spoil(w)
		return
	}
	out, err := s.call(name, a, token)
	if fault != nil && !fault.after(w, r) {
		return
	}
	answer(w, out, err)
}

// record notes a call and returns the fault that is to befall it, or nil.
func (s *Server) record(name string, a args) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[name] = append(s.calls[name], a.decoded())
	return s.nextFault(name, a)
}

// Calls returns the calls of a Web API method so far, oldest first, as their decoded arguments, without the token. Calls
// that a fault befell are among them.
func (s *Server) Calls(method string) []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []map[string]any
	for _, c := range s.calls[method] {
		out = append(out, maps.Clone(c))
	}
	return out
}

func (s *Server) call(name string, a args, token credentials) (object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, known := methodNamed(name)
	if !known {
		return nil, &apiError{code: "unknown_method", extra: object{"req_method": name}}
	}
	if err := s.authorize(m, token); err != nil {
		return nil, err
	}
	if s.o.RateLimits {
		if err := s.budgets.spend(name, m, a.text("channel")); err != nil {
			return nil, err
		}
	}
	return m.do(s, a)
}

// authorize holds the token against the method: the app's token goes in the header only.
func (s *Server) authorize(m method, c credentials) error {
	token := c.header
	if token == "" && !m.app {
		token = c.body
	}
	switch {
	case m.open:
		return nil
	case token == "":
		return fail("not_authed")
	case token != s.o.BotToken && token != s.o.AppToken:
		return fail("invalid_auth")
	case (token == s.o.AppToken) != m.app:
		return fail("not_allowed_token_type")
	}
	return nil
}

// answer writes Slack's JSON: always status 200, but for a spent budget.
func answer(w http.ResponseWriter, out object, err error) {
	if out == nil {
		out = object{}
	}
	out["ok"] = err == nil
	var limited *limitedError
	var refused *apiError
	switch {
	case errors.As(err, &limited):
		out["error"] = "ratelimited"
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(limited.after.Seconds()))))
		writeJSON(w, http.StatusTooManyRequests, out)
		return
	case errors.As(err, &refused):
		out["error"] = refused.code
		maps.Copy(out, refused.extra)
		if len(refused.notes) > 0 {
			out["errors"] = refused.notes
			out["response_metadata"] = object{"messages": prefixed("[ERROR] ", refused.notes)}
		}
	case err != nil:
		out["error"] = "internal_error"
	}
	writeJSON(w, http.StatusOK, out)
}

func prefixed(prefix string, notes []string) []string {
	out := slices.Clone(notes)
	for i := range out {
		out[i] = prefix + out[i]
	}
	return out
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the other side may have gone: nothing to do about it here
}

// limitedError is a spent budget, which is whole again after that long.
type limitedError struct{ after time.Duration }

func (*limitedError) Error() string { return "ratelimited" }

func (s *Server) apiTest(a args) (object, error) {
	if code := a.text("error"); code != "" {
		return nil, &apiError{code: code, extra: object{"args": a.decoded()}}
	}
	return object{"args": a.decoded()}, nil
}
