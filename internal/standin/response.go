package standin

import (
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	linkUses = 5
	linkLife = 30 * time.Minute
)

// link is a response URL: good for a few answers to whoever did something, without being in the channel.
type link struct {
	channel, user string
	message       *message // that was acted on; nil for a command
	made          time.Time
	uses          int
}

// newLink makes a response URL. The caller holds s.mu.
func (s *Server) newLink(channel, user string, m *message) string {
	for id, l := range s.links {
		if time.Since(l.made) > 2*linkLife {
			delete(s.links, id)
		}
	}
	id := rand.Text()
	s.links[id] = &link{channel: channel, user: user, message: m, made: time.Now()}
	return s.o.BaseURL + "/response/" + id
}

// serveResponse takes one answer by a response URL. Faults are Slack's: a status of 4xx, and its name as the body.
func (s *Server) serveResponse(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	a := args{}
	if err != nil || r.Method != http.MethodPost || decode(raw, &a) != nil || a == nil {
		http.Error(w, "invalid_payload", http.StatusBadRequest)
		return
	}
	fault := s.record("response_url", a)
	if fault != nil && !fault.does() {
		fault.spoil(w)
		return
	}
	status, problem := s.useLink(strings.TrimPrefix(r.URL.Path, "/response/"), a)
	if fault != nil && !fault.after(w, r) {
		return
	}
	if problem != "" {
		http.Error(w, problem, status)
		return
	}
	writeJSON(w, http.StatusOK, object{"ok": true})
}

func (s *Server) useLink(id string, a args) (status int, problem string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.links[id]
	switch {
	case l == nil:
		return http.StatusNotFound, "no_such_url"
	case time.Since(l.made) > linkLife:
		return http.StatusNotFound, "expired_url"
	case l.uses >= linkUses:
		return http.StatusNotFound, "used_url"
	}
	if err := s.respond(l, a); err != nil {
		var refused *apiError
		if !errors.As(err, &refused) {
			return http.StatusInternalServerError, "internal_error"
		}
		return http.StatusBadRequest, refused.code
	}
	l.uses++
	return 0, ""
}

// respond does what an answer says: by default it is a new message that only the person sees.
func (s *Server) respond(l *link, a args) error {
	if a.flag("delete_original") {
		if l.message == nil || l.message.Deleted {
			return fail("message_not_found")
		}
		s.remove(l.message)
		return nil
	}
	body, err := readContent(a)
	if err != nil {
		return err
	}
	c := s.world.channels[l.channel]
	switch {
	case a.flag("replace_original") && l.message != nil:
		return s.replace(l.message, body)
	case a.text("response_type") == "in_channel":
		_, err = s.post(c, body, a.text("thread_ts"), false)
	default:
		_, err = s.whisper(c, l.user, a.text("thread_ts"), body)
	}
	return err
}

// replace puts a new message in the place of the one that was acted on. What is not sent is gone.
func (s *Server) replace(m *message, body content) error {
	if m.Deleted {
		return fail("message_not_found")
	}
	body.has.text, body.has.blocks, body.has.attachments = true, true, true
	if err := m.become(body); err != nil {
		return err
	}
	m.editedTS, _ = s.world.nextTS()
	s.touch()
	return nil
}
