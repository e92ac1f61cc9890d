package templates

import (
	"github.com/slack-go/slack"

	"flagstop/loops"
)

// Relay renders the window in which somebody answers on behalf of a role: the window that the verb opens, or, for a verdict
// that needs none, one that shows it and asks once more. Its private_metadata is a Metadata.
func (w *Words) Relay(v View, val Value, behalf string, verdict *loops.Verdict) (slack.ModalViewRequest, error) {
	f := w.facts(v)
	f.For = text(roleWord(behalf), 60)
	said := note(w.sentence("relay", f))
	if verdict == nil {
		m, err := w.Modal(v, val)
		if err == nil {
			m.Blocks.BlockSet = append([]slack.Block{said}, m.Blocks.BlockSet...)
			m.PrivateMetadata = Metadata{Value: val, For: behalf}.Encode()
		}
		return m, err
	}
	q, ok := question(v.Record, val.Key)
	if !ok {
		return slack.ModalViewRequest{}, errNoModal
	}
	val.Key = q.Key
	f.Did = w.did(q, *verdict)
	c := &card{w: w, v: v, r: v.Record, f: f, budget: budgetFor(1), mute: true}
	blocks := []slack.Block{said, c.asked(q)}
	if q.Call != nil {
		blocks = append(blocks, richBlock(c.callText(q.Call)...))
	}
	blocks = append(blocks, richBlock(section(w.sentence("relay.did", f))), note(w.sentence("closing", f)))
	return slack.ModalViewRequest{
		Type: slack.VTModal, Title: plainText(w.words("title.relay", f), maxTitle), Close: plainText(w.words("close", f), maxTitle),
		Submit: plainText(w.words("submit.relay", f), maxTitle), CallbackID: "relay", NotifyOnClose: true,
		PrivateMetadata: Metadata{Value: val, For: behalf}.Encode(), Blocks: slack.Blocks{BlockSet: blocks},
	}, nil
}
