package routing

import "time"

// Uncovered is how long nobody of a team is on call between two instants, and the first such time.
func Uncovered(team Team, from, until time.Time) (total time.Duration, first Duty) {
	for d := range Duties(team, from) {
		if !d.At.Before(until) {
			break
		}
		if len(d.Users) > 0 {
			continue
		}
		if total == 0 {
			first = d
		}
		end := d.Until
		if end.IsZero() || end.After(until) {
			end = until
		}
		total += end.Sub(d.At)
	}
	return total, first
}
