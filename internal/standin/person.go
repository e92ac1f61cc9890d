package standin

import (
	"context"
)

// Person acts as one user. What Slack would show it on failure comes back as an error.
type Person struct {
	s    *Server
	user string
}

// As returns the person with that user id, who clicks and types.
func (s *Server) As(user string) *Person { return &Person{s: s, user: user} }

// Action is what a person does to one interactive element.
type Action struct {
	BlockID, ActionID string
	// Value is, by element: nothing for a button; the option's value for an overflow, a select, radio buttons; a list of
	// option values for checkboxes and a multi-select; text for an input; 2026-12-31 for a date, 23:59 for a time, unix
	// seconds for a date and time.
	Value any
}

// Act does a to an element of a message as it stands (an ephemeral one too). Like Click, it returns when the app has answered.
func (p *Person) Act(ctx context.Context, m Message, a Action) error { panic("skeleton") }

// ActInView does a to an element of an open modal or of the home, by view id.
func (p *Person) ActInView(ctx context.Context, viewID string, a Action) error { panic("skeleton") }

// OpenHome opens the app's home; the app hears app_home_opened and may publish a view, see [Person.Home].
func (p *Person) OpenHome(ctx context.Context) error { panic("skeleton") }

// Home returns what the app has published for this person, or nil.
func (p *Person) Home() *View { panic("skeleton") }

// Dismiss hides an ephemeral message ("Only visible to you · Dismiss message").
func (p *Person) Dismiss(m Message) { panic("skeleton") }
