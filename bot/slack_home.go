package bot

import (
	"context"

	"flagstop/templates"

	"github.com/slack-go/slack"
)

// PublishHome puts a view into somebody's App Home, and returns its hash. With the hash of the view that has to stand there, one
// that others published meanwhile stays: then it is hash_conflict.
func (s *Slack) PublishHome(ctx context.Context, user, hash string, v slack.HomeTabViewRequest) (string, error) {
	args := map[string]any{"user_id": user, "view": v}
	if hash != "" {
		args["hash"] = hash
	}
	var a struct{ View struct{ Hash string } }
	err := s.call(ctx, "views.publish", args, &a)
	return a.View.Hash, err
}

// TellAlone tells one person something in their direct messages with the bot. An ambiguous failure counts as told.
func (s *Slack) TellAlone(ctx context.Context, user string, m templates.Message) error {
	var a struct{ Channel struct{ ID string } }
	err := again(func() error { return s.call(ctx, "conversations.open", map[string]string{"users": user}, &a) })
	if err != nil {
		return err
	}
	return told(again(func() error { return s.call(ctx, "chat.postMessage", outgoingOf(a.Channel.ID, m), nil) }))
}
