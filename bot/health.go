package bot

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"flagstop/loops/ledger"
)

// behindFor is how long a card may be behind before the bot is not ready.
const behindFor = 3 * time.Minute

// overdueFor is how long a due moment may go without anybody handling it before the bot is not ready.
const overdueFor = 5 * time.Minute

// awayFor is how long Slack may not answer before the bot is not ready: longer than a hiccup.
const awayFor = 5 * time.Second

// quietFor is how long Slack may go unasked before Health asks: a bot with nothing to show would not notice that it is away.
const quietFor = 30 * time.Second

// trouble is what Slack said last against the bot's credentials, and since when it has not answered.
type trouble struct {
	mu    sync.Mutex
	err   error
	until time.Time // nothing is shown before

	away      error
	awaySince time.Time
	asked     time.Time // when Slack answered, or did not, last
}

// refusedBySlack stops the showing for a while if Slack refused the credentials.
func (b *Bot) refusedBySlack(err error) {
	if !hasClass(err, ClassAuth) {
		return
	}
	b.trouble.mu.Lock()
	defer b.trouble.mu.Unlock()
	b.trouble.err, b.trouble.until = err, time.Now().Add(authPause)
}

// pause is how long nothing may be shown.
func (t *trouble) pause() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Until(t.until)
}

// unanswered notes that Slack did not answer, if that is what err says.
func (t *trouble) unanswered(err error, now time.Time) {
	failed, ok := errors.AsType[*SlackError](err)
	notReached := ok && failed.Class == ClassRetry && failed.Code == "" && failed.After == 0
	if !ok || failed.Class != ClassAmbiguous && !notReached {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.away == nil {
		t.awaySince = now
	}
	t.away, t.asked = err, now
}

// last is what Slack said against the credentials, and why it has not answered for a while; nil where that is not so.
func (t *trouble) last(now time.Time) (refused, away error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.away != nil && now.Sub(t.awaySince) >= awayFor {
		away = t.away
	}
	return t.err, away
}

// over says that Slack answered and took the credentials.
func (t *trouble) over() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err, t.until, t.away, t.asked = nil, time.Time{}, nil, time.Now()
}

// quiet reports whether Slack has not been asked for a while.
func (t *trouble) quiet(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return now.Sub(t.asked) >= quietFor
}

// probe asks Slack who the bot is where nothing else has asked it for a while.
func (b *Bot) probe(ctx context.Context, now time.Time) {
	if !b.trouble.quiet(now) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, recordWithin)
	defer cancel()
	if _, err := b.slack.Reach(ctx); err != nil {
		b.refusedBySlack(err)
		b.trouble.unanswered(err, now)
		return
	}
	b.trouble.over()
}

// Health says what keeps the bot from being ready, in words; nothing when it is.
func (b *Bot) Health(ctx context.Context, now time.Time) []string {
	b.probe(ctx, now)
	var faults []string
	refused, away := b.trouble.last(now)
	if refused != nil {
		faults = append(faults, fmt.Sprintf("Slack refuses the bot (%v). Nothing is lost; cards follow when it is mended.", refused))
	}
	if away != nil {
		faults = append(faults, fmt.Sprintf("Slack does not answer (%v). Nothing is lost; cards follow when it does.", away))
	}
	n, oldest, err := b.ledger.Behind(ctx)
	switch {
	case err != nil:
		faults = append(faults, fmt.Sprintf("Redis cannot be reached (%v). Check FLAGSTOP_REDIS_URL and the server.", err))
	case n > 0 && now.Sub(oldest) > behindFor:
		faults = append(faults, fmt.Sprintf(
			"The cards of %d stops are behind, the oldest since %s. The log says why; those without any channel are listed by flagstop list --undelivered.",
			n, oldest.UTC().Format(time.RFC3339)))
	}
	if n, oldest, err := b.ledger.Overdue(ctx, overdueFor); err == nil && n > 0 {
		faults = append(faults, fmt.Sprintf(
			"%d due moments were not handled, the oldest of %s. The log says why; a bot with an older configuration does nothing that is due.",
			n, oldest.UTC().Format(time.RFC3339)))
	}
	return faults
}

// measure tells the metrics how far the cards are behind.
func (b *Bot) measure(ctx context.Context) {
	n, oldest, err := b.ledger.Behind(ctx)
	if err != nil {
		return // the show says that Redis is away
	}
	var age time.Duration
	if n > 0 {
		age = time.Since(oldest)
	}
	b.metrics.Behind(int(n), age)
	if n, _, err := b.ledger.Overdue(ctx, overdueFor); err == nil {
		b.metrics.Overdue(int(n))
	}
	var undelivered int
	for _, err := range b.ledger.List(ctx, ledger.Query{Phase: ledger.Open, Undelivered: true}) {
		if err != nil {
			return
		}
		undelivered++
	}
	b.metrics.Undelivered(undelivered)
}
