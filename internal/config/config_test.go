package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // as the command has them

	"flagstop/escalation"
	"flagstop/routing"

	"github.com/google/go-cmp/cmp"
)

const whole = `roles:
  product-thinker: {channel: C0PRODUCT, answerers: [U0ANA]}
  facilitator:     {channel: C0FACIL, answerers: [U0BOB, "cli:bob@desk"], relays_for: [product-thinker], machine_answers: all, one_at_a_time: true}
  security:        {channel: C0SEC, answerers: ["@S0SECTEAM"], rotation: nights, fallback: [U0LEAD], user_group: S0NIGHT}
rotations:
  nights:
    zone: Europe/Lisbon
    start: 2026-11-30
    hand_off: "09:00"
    every: 2 weeks
    participants: [U0BOB, W0CHI]
    days: fri-mon,wed
    hours: 22:00-06:00
    rollout: immediate
repositories:
  "acme/*":
    channels: {facilitator: C0ACME}
    escalation:
      cron: "CRON_TZ=Europe/Lisbon */15 9-18 * * mon-fri"
      steps: [{after: 4h, to: facilitator}, {after: 2d, to: security}]
    ack_timeout: 2h
    reminders: {every: 24h, at_most: 3}
    wait_cap: 30d
    wait_cap_warning: 2d
  "*": {self_approval: true}
machines:
  ci-hook: {may_answer_as: [facilitator]}
fallback_channel: C0OPS
retention: 90d
retention_untaken: 52w
`

func TestAWholeConfigurationIsRead(t *testing.T) {
	got, faults := Parse([]byte(whole))
	if len(faults) > 0 {
		t.Fatalf("faults = %v, want none", faults)
	}
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	start, err := routing.ParseDate("2026-11-30")
	if err != nil {
		t.Fatal(err)
	}
	want := routing.Config{
		Roles: map[string]routing.Role{
			"product-thinker": {Name: "product-thinker", Channel: "C0PRODUCT", Answerers: []string{"U0ANA"}},
			"facilitator": {
				Name: "facilitator", Channel: "C0FACIL", Answerers: []string{"U0BOB", "cli:bob@desk"},
				RelaysFor: []string{"product-thinker"}, MachineAnswers: "all", OneAtATime: true,
			},
			"security": {Name: "security", Channel: "C0SEC", Answerers: []string{"@S0SECTEAM"}, Rotation: "nights", Fallback: []string{"U0LEAD"}, UserGroup: "S0NIGHT"},
		},
		Rotations: map[string]routing.Roster{"nights": {Versions: []routing.Version{{Rotation: routing.Rotation{
			Name: "nights", Zone: lisbon, Start: start, HandOff: 9 * 60, Every: 2, Weeks: true, Participants: []string{"U0BOB", "W0CHI"},
			Days:  1<<time.Friday | 1<<time.Saturday | 1<<time.Sunday | 1<<time.Monday | 1<<time.Wednesday,
			Hours: routing.Hours{From: 22 * 60, Until: 6 * 60}, Rollout: routing.Immediate,
		}}}}},
		Repositories: []routing.Repository{
			{Pattern: "acme/*", Channels: map[string]string{"facilitator": "C0ACME"}}, {Pattern: "*", SelfApproval: true},
		},
		Machines:         map[string]routing.Machine{"ci-hook": {Name: "ci-hook", MayAnswerAs: []string{"facilitator"}}},
		FallbackChannel:  "C0OPS",
		Retention:        90 * 24 * time.Hour,
		RetentionUntaken: 52 * 7 * 24 * time.Hour,
	}
	zones := cmp.Comparer(func(a, b *time.Location) bool { return a.String() == b.String() })
	if d := cmp.Diff(want, got.Config, zones); d != "" {
		t.Errorf("configuration (-want +got):\n%s", d)
	}
	schedule, err := escalation.ParseSchedule("CRON_TZ=Europe/Lisbon */15 9-18 * * mon-fri")
	if err != nil {
		t.Fatal(err)
	}
	policy := escalation.Policy{
		Schedule: schedule, Steps: []escalation.Step{{After: 4 * time.Hour, To: "facilitator"}, {After: 48 * time.Hour, To: "security"}},
		AckTimeout: 2 * time.Hour, Every: 24 * time.Hour, AtMost: 3, Cap: 720 * time.Hour, Warning: 48 * time.Hour,
	}
	if got.Policies["acme/*"].ID() != policy.ID() || !got.Policies["*"].None() {
		t.Errorf("policies: %+v", got.Policies)
	}
}

// Each fault stands alone in its file, so that what is reported is that one and nothing that follows from it.
func TestEachFaultIsNamedAtItsPlace(t *testing.T) {
	const tail = "\nfallback_channel: C0OPS\n"
	const both = "  product-thinker: {channel: C0P, answerers: [U0ANA]}\n  facilitator: {channel: C0FACIL, answerers: [U0BOB]}\n"
	cases := []struct {
		name, file, code string
		line, column     int
		warning          bool
	}{
		{"empty", "", "empty", 0, 0, false},
		{"only a comment", "# nothing\n", "empty", 0, 0, false},
		{"not YAML", "roles: [", "syntax", 1, 1, false},
		{"a list", "- a\n", "shape", 1, 1, false},
		{"two documents", "roles:\n" + both + "fallback_channel: C0OPS\n---\nroles: {}\n", "documents", 0, 0, false},
		{"no roles", "fallback_channel: C0OPS\n", "no-roles", 1, 1, false},
		{"no role among the roles", "roles: {}" + tail, "no-roles", 1, 1, false},
		{"roles is a list", "roles: [a]" + tail, "shape", 1, 8, false},
		{"an unknown key", "roles:\n" + both + "rolez: 1" + tail, "unknown-key", 4, 1, false},
		{"a key twice", "roles:\n" + both + tail + "fallback_channel: C0OPS\n", "doubled-key", 6, 1, false},
		{"a role twice", "roles:\n" + both + "  facilitator: {channel: C0X, answerers: [U0X]}" + tail, "doubled-key", 4, 3, false},
		{"an unknown key of a role", "roles:\n" + both + "  a: {channel: C0A, answerers: [U0A], chanel: C0A}" + tail, "unknown-key", 4, 39, false},
		{"a role's name", "roles:\n" + both + "  A B: {channel: C0A}" + tail, "format", 4, 3, false},
		{"a channel's name for its id", "roles:\n" + both + "  a: {channel: general, answerers: [U0A]}" + tail, "format", 4, 16, false},
		{"a direct message for a channel", "roles:\n" + both + "  a: {channel: D0ABC, answerers: [U0A]}" + tail, "format", 4, 16, false},
		{"no channel", "roles:\n" + both + "  a: {answerers: [U0A]}" + tail, "no-channel", 4, 3, false},
		{"an empty channel", "roles:\n" + both + "  a: {channel: , answerers: [U0A]}" + tail, "shape", 4, 16, false},
		{"answerers is a word", "roles:\n" + both + "  a: {channel: C0A, answerers: U0A}" + tail, "shape", 4, 32, false},
		{"a name for an answerer", "roles:\n" + both + "  a: {channel: C0A, answerers: [ana]}" + tail, "format", 4, 33, false},
		{"an answerer twice", "roles:\n" + both + "  a: {channel: C0A, answerers: [U0A, U0A]}" + tail, "doubled", 4, 38, false},
		{"machine_answers", "roles:\n" + both + "  a: {channel: C0A, answerers: [U0A], machine_answers: some}" + tail, "value", 4, 56, false},
		{"relays for nobody known", "roles:\n" + both + "  a: {channel: C0A, answerers: [U0A], relays_for: [b]}" + tail, "unknown-role", 4, 52, false},
		{"relays for itself", "roles:\n" + both + "  a: {channel: C0A, answerers: [U0A], relays_for: [a]}" + tail, "relay", 4, 3, false},
		{"a machine for an unknown role", "roles:\n" + both + "machines:\n  m: {may_answer_as: [b]}" + tail, "unknown-role", 5, 23, false},
		{"retention without a unit", "roles:\n" + both + "retention: 90" + tail, "format", 4, 12, false},
		{"retention in months", "roles:\n" + both + "retention: 3M" + tail, "format", 4, 12, false},
		{"retention of nothing", "roles:\n" + both + "retention: 0d" + tail, "format", 4, 12, false},
		{"retention of ages", "roles:\n" + both + "retention: 999999999w" + tail, "range", 4, 12, false},
		{"an alias", "roles:\n" + both + "  a: &a {channel: C0A, answerers: [U0A]}\n  b: *a" + tail, "alias", 5, 6, false},
		{"a merge", "roles:\n" + both + "  a: {<<: {}, channel: C0A, answerers: [U0A]}" + tail, "shape", 4, 7, false},
		{"nobody may answer", "roles:\n" + both + "  a: {channel: C0A}" + tail, "nobody", 4, 3, true},
		{"a machine without roles", "roles:\n" + both + "machines:\n  m: {}" + tail, "nobody", 5, 3, true},
		{"no fallback", "roles:\n" + both, "no-fallback", 0, 0, true},
		{"no product thinker", "roles:\n  facilitator: {channel: C0FACIL, answerers: [U0BOB]}" + tail, "no-role", 0, 0, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, faults := Parse([]byte(c.file))
			if len(faults) != 1 {
				t.Fatalf("faults = %v, want one", faults)
			}
			got := faults[0]
			got.Message = ""
			want := Fault{Line: c.line, Column: c.column, Code: c.code, Warning: c.warning}
			if got != want {
				t.Errorf("fault = %+v (%s), want %+v", got, faults[0].Message, want)
			}
		})
	}
}

func TestAllFaultsAreReportedAtOnceInTheOrderOfTheFile(t *testing.T) {
	_, faults := Parse([]byte("roles:\n  a: {channel: x, answerers: [y]}\n  b: {}\nretention: soon\nfoo: 1\n"))
	var codes []string
	for _, f := range faults {
		if !f.Warning {
			codes = append(codes, f.Code)
		}
	}
	want := []string{"format", "format", "no-channel", "format", "unknown-key"}
	if d := cmp.Diff(want, codes); d != "" {
		t.Errorf("codes (-want +got):\n%s", d)
	}
}

func TestLoadGivesWarningsWithAConfigurationAndFaultsWithoutOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flagstop.yaml")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("roles:\n  facilitator: {channel: C0FACIL, answerers: [U0BOB]}\n")
	c, warnings, err := Load(path)
	if err != nil || len(warnings) != 2 || len(c.Config.Roles) != 1 {
		t.Errorf("Load = %v, %v, %v; want one role, two warnings", c, warnings, err)
	}
	write("roles:\n  facilitator: {chanel: C0FACIL}\n")
	_, _, err = Load(path)
	if e, ok := errors.AsType[*Error](err); !ok || len(e.Faults) != 2 {
		t.Errorf("Load = %v, want an *Error with two faults", err)
	}
	if _, _, err = Load(path + ".not"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Load of no file = %v, want ErrNotExist", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{whole, rota, "roles: [", "a: &a [*a]", "? [a]\n: b", "\xff", "roles:\n  a: {channel: !!binary eA==}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		book, faults := Parse(b)
		c := book.Config
		if _, hard := split(faults); len(hard) > 0 {
			return
		}
		for pattern, p := range book.Policies {
			if len(p.Steps) > 0 && p.Schedule.Zero() || slices.ContainsFunc(p.Steps, func(s escalation.Step) bool { return s.After <= 0 }) {
				t.Errorf("%q has the policy %+v", pattern, p)
			}
			for _, s := range p.Steps {
				if _, ok := c.Roles[s.To]; !ok {
					t.Errorf("%q has a step to %q", pattern, s.To)
				}
			}
		}
		if len(c.Roles) == 0 {
			t.Error("a configuration without a role was taken")
		}
		for name, x := range c.Rotations {
			r := x.Versions[0]
			if r.Name != name || r.Zone == nil || r.Every < 1 || len(r.Participants) == 0 {
				t.Errorf("the rotation %q was taken as %+v", name, r)
			}
		}
		for name, role := range c.Roles {
			if role.Rotation != "" && len(c.Rotations[role.Rotation].Versions) == 0 {
				t.Errorf("the rotation %q of the role %q is not there", role.Rotation, name)
			}
			if role.Name != name || !channelPattern.MatchString(role.Channel) {
				t.Errorf("the role %q was taken as %+v", name, role)
			}
		}
	})
}
