package bot

import (
	"strings"
	"testing"
	"time"

	"flagstop/templates"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

func TestMetricsFollowThePrometheusConventions(t *testing.T) {
	reg := prometheus.NewRegistry()
	countOnce(NewMetrics(reg))
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), "flagstop_") {
			t.Errorf("metric %s lacks the prefix flagstop_", f.GetName())
		}
	}
}

func TestMetricsCountWhatTheyAreTold(t *testing.T) {
	reg := prometheus.NewRegistry()
	countOnce(NewMetrics(reg))
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var name strings.Builder
			name.WriteString(f.GetName())
			for _, l := range m.GetLabel() {
				name.WriteString(" " + l.GetName() + "=" + l.GetValue())
			}
			got[name.String()] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	want := map[string]float64{
		"flagstop_cards_shown_total":                                     1,
		"flagstop_clicks_total result=recorded":                          1,
		"flagstop_turned_away_total reason=stranger":                     1,
		"flagstop_slack_calls_total class=ok method=chat.update":         1,
		"flagstop_slack_calls_total class=retry method=chat.postMessage": 1,
		"flagstop_cards_behind":                                          3,
		"flagstop_cards_behind_oldest_seconds":                           90,
		"flagstop_stops_undelivered":                                     2,
		"flagstop_due_overdue":                                           4,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

func TestNilMetricsCountNothing(t *testing.T) {
	countOnce(nil) // a nil dereference would panic
}

func countOnce(m *Metrics) {
	m.Shown()
	m.Click(ClickRecorded)
	m.TurnedAway(templates.SayStranger)
	m.SlackCall("chat.update", "")
	m.SlackCall("chat.postMessage", ClassRetry)
	m.Behind(3, 90*time.Second)
	m.Undelivered(2)
	m.Overdue(4)
}
