package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"flagstop/loops"
)

const (
	dueBatch    = 100 // stops looked up at once
	forgetBatch = 20  // stops deleted by one script, which then takes less than 0.3 ms
)

// Sweep expires what is due by its asker's own cap, unless Options.Due says that somebody else does, and deletes what
// retention lets go. It returns how many it touched.
func (l *Ledger) Sweep(ctx context.Context) (int, error) {
	touched := 0
	for p := range l.keys.Partitions {
		n, err := l.expireDue(ctx, p)
		touched += n
		if err != nil {
			return touched, fmt.Errorf("sweep partition %d: %w", p, err)
		}
		n, err = l.forgetOld(ctx, p)
		touched += n
		if err != nil {
			return touched, fmt.Errorf("sweep partition %d: %w", p, err)
		}
	}
	return touched, nil
}

// expireDue passes over what is due for another reason than its asker's cap.
func (l *Ledger) expireDue(ctx context.Context, p int) (int, error) {
	expired, others := 0, 0
	for l.opt.Due == nil {
		batch, err := l.due(ctx, l.keys.In(p, "due"), 0, others, dueBatch)
		if err != nil || len(batch) == 0 {
			return expired, err
		}
		for _, id := range batch {
			_, changed, err := l.Do(ctx, id, Expire{Origin: loops.OriginAsker})
			var closed *ClosedError
			switch {
			case changed:
				expired++
			case errors.As(err, &closed): // somebody was first, and it is not due any more
			case err != nil:
				return expired, err
			default:
				others++
			}
		}
	}
	return expired, nil
}

// forgetOld deletes taken and withdrawn stops after the retention, and the untaken ones only where that is configured.
func (l *Ledger) forgetOld(ctx context.Context, p int) (int, error) {
	n, err := l.forget(ctx, p, "closed", l.opt.Retention)
	if err != nil || l.opt.Untaken <= 0 {
		return n, err
	}
	m, err := l.forget(ctx, p, "untaken", l.opt.Untaken)
	return n + m, err
}

func (l *Ledger) forget(ctx context.Context, p int, index string, after time.Duration) (int, error) {
	in := func(name string) string { return l.keys.In(p, name) }
	total := 0
	for {
		ids, err := l.due(ctx, in(index), after, 0, forgetBatch)
		if err != nil || len(ids) == 0 {
			return total, err
		}
		keys := []string{in(index), in("work"), in("behind")}
		args := []any{after.Milliseconds()}
		for _, id := range ids {
			args = append(args, id)
			for _, name := range []string{"stop", "log", "record", "outcome", "claim", "context"} {
				keys = append(keys, l.keys.Of(id, name))
			}
		}
		n, err := l.scripts.forget.Run(ctx, l.redis, keys, args...).Int()
		if err != nil {
			return total, fmt.Errorf("forget: %w", err)
		}
		total += n
	}
}
