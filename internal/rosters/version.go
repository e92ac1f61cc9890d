package rosters

import (
	"errors"
	"fmt"
	"time"

	"flagstop/routing"
)

// storedRotation is a rotation as it is written into Redis.
type storedRotation struct {
	Zone         string   `json:"zone"`
	Start        string   `json:"start"`
	HandOff      int      `json:"hand_off"` // minutes since midnight, as the others
	Every        int      `json:"every"`
	Weeks        bool     `json:"weeks,omitempty"`
	Participants []string `json:"participants"`
	Days         uint8    `json:"days,omitempty"`
	From         int      `json:"from,omitempty"`
	Until        int      `json:"until,omitempty"`
	Immediate    bool     `json:"immediate,omitempty"`
}

func stored(r routing.Rotation) storedRotation {
	return storedRotation{
		Zone: r.Zone.String(), Start: r.Start.String(), HandOff: int(r.HandOff), Every: r.Every, Weeks: r.Weeks,
		Participants: r.Participants, Days: uint8(r.Days), From: int(r.Hours.From), Until: int(r.Hours.Until),
		Immediate: r.Rollout == routing.Immediate,
	}
}

func decodeVersion(name, line string) (routing.Version, error) {
	var s storedRotation
	loaded, err := decode(line, &s)
	if err != nil {
		return routing.Version{}, fmt.Errorf("read a version: %w", err)
	}
	zone, errZone := time.LoadLocation(s.Zone)
	start, errStart := routing.ParseDate(s.Start)
	const day = 24 * 60
	inDay := func(m int) bool { return m >= 0 && m <= day }
	switch {
	case errZone != nil || errStart != nil:
		return routing.Version{}, fmt.Errorf("read a version: %w", errors.Join(errZone, errStart))
	case s.Zone == "" || s.Zone == "Local" || s.Every < 1 || s.Every > 10_000 || len(s.Participants) == 0 || s.Days >= 1<<7 ||
		!inDay(s.HandOff) || s.HandOff == day || !inDay(s.From) || !inDay(s.Until):
		return routing.Version{}, errors.New("read a version: it is no rotation")
	}
	r := routing.Rotation{
		Name: name, Zone: zone, Start: start, HandOff: routing.Clock(s.HandOff), Every: s.Every, Weeks: s.Weeks,
		Participants: s.Participants, Days: routing.Weekdays(s.Days),
		Hours: routing.Hours{From: routing.Clock(s.From), Until: routing.Clock(s.Until)},
	}
	if s.Immediate {
		r.Rollout = routing.Immediate
	}
	return routing.Version{Rotation: r, Loaded: loaded}, nil
}
