package standin

import "net/http"

// page serves what a person reads and clicks.
func (s *Server) page() http.Handler { return http.NotFoundHandler() }
