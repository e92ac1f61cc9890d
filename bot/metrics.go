package bot

import (
	"time"

	"flagstop/templates"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics count what the bot does. Every label has a fixed set of values. A nil *Metrics counts nothing.
type Metrics struct {
	shown       prometheus.Counter
	clicks      *prometheus.CounterVec
	turnedAway  *prometheus.CounterVec
	calls       *prometheus.CounterVec
	behind      prometheus.Gauge
	behindAge   prometheus.Gauge
	undelivered prometheus.Gauge
	overdue     prometheus.Gauge
}

// ClickResult is what became of a click, a submitted modal or a command.
type ClickResult string

// The results of clicks.
const (
	ClickRecorded   ClickResult = "recorded"    // appended to the ledger
	ClickSame       ClickResult = "same"        // recorded already, word for word
	ClickOpened     ClickResult = "opened"      // a modal was opened, or a list was shown: nothing to record
	ClickTurnedAway ClickResult = "turned_away" // may not, or comes late
	ClickUnsure     ClickResult = "unsure"      // not recorded within 2 s: decided again later
	ClickFaulty     ClickResult = "faulty"      // could not be read, or something unexpected
)

// NewMetrics returns metrics registered in reg. It panics where reg has metrics of these names already, as
// prometheus.MustRegister does.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	m := &Metrics{
		shown:       prometheus.NewCounter(counter("cards_shown_total", "Cards posted or updated.")),
		clicks:      prometheus.NewCounterVec(counter("clicks_total", "Clicks, modals and commands by what became of them."), []string{"result"}),
		turnedAway:  prometheus.NewCounterVec(counter("turned_away_total", "Clicks, modals and commands that were turned away, by the sentence told."), []string{"reason"}),
		calls:       prometheus.NewCounterVec(counter("slack_calls_total", "Calls of Slack methods by class of error; ok where there was none."), []string{"method", "class"}),
		behind:      prometheus.NewGauge(gauge("cards_behind", "Stops whose cards do not show their rev yet.")),
		behindAge:   prometheus.NewGauge(gauge("cards_behind_oldest_seconds", "For how long the oldest of the cards that are behind has been.")),
		undelivered: prometheus.NewGauge(gauge("stops_undelivered", "Open stops that could not be posted to their own channel.")),
	}
	m.overdue = prometheus.NewGauge(gauge("due_overdue", "Due moments that nobody handled for five minutes."))
	reg.MustRegister(m.shown, m.clicks, m.turnedAway, m.calls, m.behind, m.behindAge, m.undelivered, m.overdue)
	return m
}

func counter(name, help string) prometheus.CounterOpts {
	return prometheus.CounterOpts{Namespace: "flagstop", Name: name, Help: help}
}

func gauge(name, help string) prometheus.GaugeOpts {
	return prometheus.GaugeOpts{Namespace: "flagstop", Name: name, Help: help}
}

// Shown counts a card that was posted or updated.
func (m *Metrics) Shown() {
	if m != nil {
		m.shown.Inc()
	}
}

// Click counts what became of a click, a modal or a command.
func (m *Metrics) Click(r ClickResult) {
	if m != nil {
		m.clicks.WithLabelValues(string(r)).Inc()
	}
}

// TurnedAway counts somebody who was told reason. It does not count the click.
func (m *Metrics) TurnedAway(reason templates.Sentence) {
	if m != nil {
		m.turnedAway.WithLabelValues(string(reason)).Inc()
	}
}

// SlackCall counts a call of a Slack method: SlackOptions.Observe.
func (m *Metrics) SlackCall(method string, class Class) {
	if m == nil {
		return
	}
	if class == "" {
		class = "ok"
	}
	m.calls.WithLabelValues(method, string(class)).Inc()
}

// Behind says how many stops' cards do not show their rev yet, and for how long the oldest has not.
func (m *Metrics) Behind(stops int, oldest time.Duration) {
	if m != nil {
		m.behind.Set(float64(stops))
		m.behindAge.Set(oldest.Seconds())
	}
}

// Undelivered says how many open stops could not be posted to their own channel.
func (m *Metrics) Undelivered(stops int) {
	if m != nil {
		m.undelivered.Set(float64(stops))
	}
}

// Overdue says how many due moments nobody handled for five minutes.
func (m *Metrics) Overdue(moments int) {
	if m != nil {
		m.overdue.Set(float64(moments))
	}
}
