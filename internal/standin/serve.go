package standin

import (
	"net/http"
	"strings"
)

// ServeHTTP implements http.Handler. The Web API asks for a token, a socket for its ticket, a response URL is unguessable;
// the page asks for nothing and guards itself against other sites.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case strings.HasPrefix(path, "/api/"):
		s.serveAPI(w, r)
	case path == "/socket":
		s.serveSocket(w, r)
	case strings.HasPrefix(path, "/response/"):
		s.serveResponse(w, r)
	default:
		s.front.ServeHTTP(w, r)
	}
}
