package standin

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

//go:embed page
var pageFiles embed.FS

// pagePolicy lets the page run its own scripts and styles and ask its own server, and nothing else.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const (
	maxDeed   = 256 << 10        // bytes of one POST
	pageBeat  = 15 * time.Second // a comment when nothing happens, so that a dead connection is noticed
	pageLimit = 30 * time.Second // for one deed: Slack gives up after three seconds, the bot may retry on its side
)

// page serves what a person reads and clicks: the files, the state as server-sent events, and one address that takes
// what the person does. It answers loopback names only, and takes nothing from other sites.
func (s *Server) page() http.Handler {
	files, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(err) // the directory is embedded under that name
	}
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", http.FileServerFS(files))
	mux.Handle("GET /page/", http.StripPrefix("/page/", http.FileServerFS(files)))
	mux.HandleFunc("GET /page/events", s.pageEvents)
	mux.HandleFunc("POST /page/do", s.pageDo)
	return pageGuard(http.NewCrossOriginProtection().Handler(mux))
}

// pageGuard sets the headers and turns away names that are not loopback: a foreign name that resolves to this machine
// would share the page's origin with its own scripts.
func pageGuard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if !loopback(r.Host) {
			http.Error(w, "this page answers to localhost and loopback addresses only: open it by http://127.0.0.1 or http://localhost", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func loopback(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.IsLoopback()
}

// pageEvents sends the whole state of one person now and after each change, until the page or the server goes.
func (s *Server) pageEvents(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	beat := time.NewTicker(pageBeat)
	defer beat.Stop()
	var last []byte
	for {
		changed := s.Changed()
		now, err := json.Marshal(s.pageState(r.URL.Query().Get("as")))
		if err != nil {
			return // a message that is no JSON: the Web API refuses it
		}
		if !bytes.Equal(now, last) {
			_, err = fmt.Fprintf(w, "data: %s\n\n", now)
		}
		if last = now; err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-changed:
		case <-beat.C:
			if _, err := fmt.Fprint(w, ": still here\n\n"); err != nil {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// deed is one thing that a person does on the page.
type deed struct {
	As      string         `json:"as"`
	Do      string         `json:"do"`
	Channel string         `json:"channel"`
	TS      string         `json:"ts"`
	Thread  string         `json:"thread"`
	View    string         `json:"view"`
	Action  pageAction     `json:"action"`
	Values  map[string]any `json:"values"`
	Text    string         `json:"text"`
}

type pageAction struct {
	BlockID  string `json:"block_id"`
	ActionID string `json:"action_id"`
	Value    any    `json:"value"`
}

// pageDo does what a person did, and answers when the app has.
func (s *Server) pageDo(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Content-Type") != "application/json" {
		http.Error(w, "send application/json", http.StatusUnsupportedMediaType)
		return
	}
	var d deed
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDeed))
	if err == nil {
		err = decode(body, &d)
	}
	if err != nil {
		http.Error(w, "not readable: "+err.Error(), http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pageLimit)
	defer cancel()
	var answer struct {
		Error      string `json:"error,omitempty"`
		TurnedBack bool   `json:"turned_back,omitempty"` // the view says what is wrong, at each input
	}
	var back *TurnedBackError
	if err := s.perform(ctx, d); errors.As(err, &back) {
		answer.TurnedBack = true
	} else if err != nil {
		answer.Error = err.Error()
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // the page may have gone; nothing is left to tell it
}

var (
	errNobody = errors.New("nobody of that name is here: choose who you are")
	errGone   = errors.New("this message is gone")
	errClosed = errors.New("this window is closed already")
)

func (s *Server) perform(ctx context.Context, d deed) error {
	if d.As == "" || s.somebody(d.As) != d.As {
		return errNobody
	}
	p := s.As(d.As)
	switch d.Do {
	case "act":
		return s.pageAct(ctx, p, d)
	case "view_action":
		return p.ActInView(ctx, d.View, d.Action.action())
	case "submit", "close":
		if v := p.View(); v == nil || v.ID != d.View {
			return errClosed
		}
		if d.Do == "close" {
			return p.Close(ctx)
		}
		return p.Submit(ctx, d.Values)
	case "command":
		return p.Command(ctx, d.Channel, d.Text)
	case "post":
		return p.Post(ctx, d.Channel, d.Thread, d.Text)
	case "home":
		return p.OpenHome(ctx)
	case "read":
		s.MarkRead(d.As, d.Channel)
		return nil
	default:
		return fmt.Errorf("the page cannot do %q", d.Do)
	}
}

// pageAct does an action of a message that the person sees, or dismisses it.
func (s *Server) pageAct(ctx context.Context, p *Person, d deed) error {
	m, ok := s.visible(d.As, d.Channel, d.TS)
	switch {
	case !ok:
		return errGone
	case d.Action.ActionID == "" && m.EphemeralFor != "":
		p.Dismiss(m)
		return nil
	}
	return p.Act(ctx, m, d.Action.action())
}

func (a pageAction) action() Action {
	return Action(a)
}
