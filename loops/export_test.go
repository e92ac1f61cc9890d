package loops

// OpensContext reports whether key opens text as the context of some stop.
func OpensContext(key *ContextKey, text string) bool {
	c := &Client{contextKey: key}
	h, _ := readSealed(text, contextType)
	_, err := c.openContext(text, h.Stop)
	return err == nil
}
