package standin

import (
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"
	"time"
)

const (
	maxViewBytes = 250 << 10
	maxStack     = 3 // modals on top of each other
	triggerLife  = 3 * time.Second
)

// view is an open modal, or a person's home.
type view struct {
	id, user, hash string
	root, previous string
	external       string
	body           map[string]any // as sent, with ids filled in
	state          values
	errors         map[string]string
}

// View is an open modal, or a home, as its person sees it.
type View struct {
	ID     string
	JSON   json.RawMessage   // Slack's view object, with state.values
	Errors map[string]string // by block id, after a submission that was turned back
}

// trigger lets the app open one modal for the person who did something.
type trigger struct {
	user string
	made time.Time
	used bool
	view string // the modal in which it was done
}

// newTrigger makes a trigger id. The caller holds s.mu.
func (s *Server) newTrigger(user, view string) string {
	maps.DeleteFunc(s.clicks, func(_ string, t *trigger) bool { return time.Since(t.made) > time.Hour })
	id := formatTS(time.Now().UnixMicro()) + "." + rand.Text()
	s.clicks[id] = &trigger{user: user, made: time.Now(), view: view}
	return id
}

func (s *Server) useTrigger(id string) (*trigger, error) {
	t := s.clicks[id]
	switch {
	case id == "", t == nil:
		return nil, fail("invalid_trigger_id")
	case t.used:
		return nil, fail("exchanged_trigger_id")
	case time.Since(t.made) > triggerLife:
		return nil, fail("expired_trigger_id")
	}
	t.used = true
	return t, nil
}

// readView checks the view that a call sent: a modal or a home.
func readView(a args, kind string) (map[string]any, error) {
	v, sent, err := a.structure("view")
	if err != nil || !sent {
		return nil, &apiError{code: "invalid_arguments", notes: []string{"missing required field: view [json-pointer:/view]"}}
	}
	return checkView(v, kind)
}

func checkView(v any, kind string) (map[string]any, error) {
	if len(mustJSON(v)) > maxViewBytes {
		return nil, fail("view_too_large")
	}
	w := newWalk()
	m := w.object("/view", v, viewFields(kind))
	if kind == "modal" && w.inputs > 0 && m["submit"] == nil {
		w.fault("/view/submit", "missing required field: submit")
	}
	if len(w.faults) > 0 {
		return nil, &apiError{code: "invalid_arguments", notes: w.faults}
	}
	return m, nil
}

func viewFields(kind string) fields {
	f := fields{
		"type!": oneOf(kind), "blocks!": viewBlocks, "private_metadata": str(0, 3000), "callback_id": str(0, 255),
		"external_id": str(0, 255),
	}
	if kind == "modal" {
		f["title!"] = textObject("plain_text", 24)
		f["submit"], f["close"] = textObject("plain_text", 24), textObject("plain_text", 24)
		f["clear_on_close"], f["notify_on_close"], f["submit_disabled"] = boolean, boolean, boolean
	}
	return f
}

func viewBlocks(w *walk, at string, v any) any { return w.blocks(at, v, 100) }

func (s *Server) viewsOpen(a args) (object, error) {
	body, err := readView(a, "modal")
	if err != nil {
		return nil, err
	}
	t, err := s.useTrigger(a.text("trigger_id"))
	if err != nil {
		return nil, err
	}
	if t.view == "" {
		s.dropStack(t.user)
	}
	return s.stackView(t.user, body)
}

func (s *Server) viewsPush(a args) (object, error) {
	body, err := readView(a, "modal")
	if err != nil {
		return nil, err
	}
	t, err := s.useTrigger(a.text("trigger_id"))
	switch {
	case err != nil:
		return nil, err
	case t.view == "" || len(s.world.stacks[t.user]) == 0:
		return nil, fail("not_found")
	}
	return s.stackView(t.user, body)
}

// stackView puts a new modal on top of a person's stack.
func (s *Server) stackView(user string, body map[string]any) (object, error) {
	stack := s.world.stacks[user]
	if len(stack) >= maxStack {
		return nil, fail("push_limit_reached")
	}
	external, _ := body["external_id"].(string)
	if external != "" && s.viewByExternal(external) != nil {
		return nil, fail("duplicate_external_id")
	}
	v := &view{id: "V" + rand.Text()[:10], user: user, body: body, external: external, state: initialState(body)}
	v.root = v.id
	if len(stack) > 0 {
		v.root, v.previous = stack[0].id, stack[len(stack)-1].id
	}
	v.stamp(&s.world)
	s.world.stacks[user] = append(stack, v)
	s.world.views[v.id] = v
	s.touch()
	return object{"view": s.viewJSON(v)}, nil
}

func (v *view) stamp(w *world) {
	ts, _ := w.nextTS()
	v.hash = ts + "." + rand.Text()[:8]
}

func (s *Server) viewByExternal(id string) *view {
	for _, v := range s.world.views {
		if v.external == id {
			return v
		}
	}
	return nil
}

func (s *Server) viewsUpdate(a args) (object, error) {
	v := s.world.views[a.text("view_id")]
	if id := a.text("external_id"); v == nil && id != "" {
		v = s.viewByExternal(id)
	}
	if v == nil {
		return nil, fail("not_found")
	}
	kind, _ := v.body["type"].(string)
	body, err := readView(a, kind)
	if err != nil {
		return nil, err
	}
	if h := a.text("hash"); h != "" && h != v.hash {
		return nil, fail("hash_conflict")
	}
	s.changeView(v, body)
	return object{"view": s.viewJSON(v)}, nil
}

// changeView shows another body in a view. What a person has put into an input stays where block_id and action_id stay.
func (s *Server) changeView(v *view, body map[string]any) {
	state := initialState(body)
	for block, actions := range state {
		for action := range actions {
			if was, ok := v.state[block][action]; ok && was["type"] == actions[action]["type"] {
				actions[action] = was
			}
		}
	}
	v.body, v.state, v.errors = body, state, nil
	v.external, _ = body["external_id"].(string)
	v.stamp(&s.world)
	s.touch()
}

func (s *Server) viewsPublish(a args) (object, error) {
	user := a.text("user_id")
	if u := s.world.users[user]; u == nil || u.Bot {
		return nil, fail("invalid_arguments")
	}
	body, err := readView(a, "home")
	if err != nil {
		return nil, err
	}
	v := s.world.homes[user]
	if h := a.text("hash"); v != nil && h != "" && h != v.hash {
		return nil, fail("hash_conflict")
	}
	if v == nil {
		v = &view{id: "V" + rand.Text()[:10], user: user}
		v.root = v.id
		s.world.homes[user], s.world.views[v.id] = v, v
	}
	s.changeView(v, body)
	return object{"view": s.viewJSON(v)}, nil
}

// dropStack closes all modals of a person without a word.
func (s *Server) dropStack(user string) {
	for _, v := range s.world.stacks[user] {
		delete(s.world.views, v.id)
	}
	delete(s.world.stacks, user)
	s.touch()
}

// drop closes one modal.
func (s *Server) drop(v *view) {
	delete(s.world.views, v.id)
	s.world.stacks[v.user] = slices.DeleteFunc(s.world.stacks[v.user], func(o *view) bool { return o == v })
	s.touch()
}

func (v *view) text(name string) string {
	s, _ := v.body[name].(string)
	return s
}

func (v *view) flag(name string) bool { return v.body[name] == true }

// viewJSON is a view as Slack sends it.
func (s *Server) viewJSON(v *view) object {
	out := object{
		"id": v.id, "team_id": s.world.team, "app_id": appID, "bot_id": botID, "app_installed_team_id": s.world.team,
		"hash": v.hash, "root_view_id": v.root, "previous_view_id": nil, "external_id": v.external, "callback_id": "",
		"private_metadata": "", "clear_on_close": false, "notify_on_close": false, "title": nil, "close": nil, "submit": nil,
		"state": object{"values": v.state.clone()},
	}
	if v.previous != "" {
		out["previous_view_id"] = v.previous
	}
	maps.Copy(out, v.body)
	return out
}

func (v *view) snapshot(s *Server) *View {
	return &View{ID: v.id, JSON: mustJSON(s.viewJSON(v)), Errors: maps.Clone(v.errors)}
}
