package templates_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"flagstop/loops"
	"flagstop/templates"
)

// The views that the golden files show: every kind of stop in every state.

func at(clock string) time.Time {
	t, err := time.Parse(time.RFC3339, "2026-11-30T"+clock+":00Z")
	if err != nil {
		panic(err)
	}
	return t
}

func ana() *loops.By {
	return &loops.By{ID: "slack:T0ACME/U0ANA", Name: "Ana", Role: loops.ProductThinker, Through: "slack"}
}

func bob() *loops.By {
	return &loops.By{ID: "slack:T0ACME/U0BOB", Name: "Bob", Role: loops.Facilitator, Through: "slack"}
}

func record(id, addressee string, kind loops.Kind, concern loops.Concern, questions ...loops.Question) *loops.Record {
	return &loops.Record{
		V: 1, ID: id, Addressee: addressee, Kind: kind, Concern: concern,
		Loop: loops.Loop{
			ID: "dev-agent/cd652d85", Repository: "acme/saudacao", Agent: "dev-agent", Task: "cd652d85",
		},
		Questions: questions, Raised: at("09:12"),
	}
}

func selectQuestion(message string, options ...loops.Option) loops.Question {
	return loops.Question{
		Key: "q", Message: message, NullOption: options[len(options)-1].Const,
		Schema: &loops.Schema{
			Required:   []string{"choice"},
			Properties: []loops.Property{{Name: "choice", Type: loops.SelectProperty, Options: options}},
		},
	}
}

func judgement() *loops.Record {
	return record("pt-1", loops.ProductThinker, loops.Judgement, loops.TradeOff, selectQuestion(
		"A person can close a question without answering, or say no to it. Should these two mean different things?",
		loops.Option{Const: "keep", Title: "Keep both", Description: "A person who closes the window is asked again next week; one who says no is not."},
		loops.Option{Const: "one", Title: "Keep only \"no\"", Description: "Closing the window and saying no mean the same, so the loop goes on at once."},
		loops.Option{Const: "none", Title: "None of these", Description: "You tell the loop what to do instead."},
	))
}

func callRecord(id string, calls ...loops.Question) *loops.Record {
	return record(id, loops.Facilitator, loops.Judgement, loops.Permission, calls...)
}

func call(key, message, tool, arguments string, may ...loops.May) loops.Question {
	return loops.Question{
		Key: key, Message: message,
		Call: &loops.Call{Name: tool, Arguments: json.RawMessage(arguments), May: may},
	}
}

func branch() *loops.Record {
	return callRecord("appr-1", call("toolu_01",
		"The dev agent needs to see which branches exist before it creates its own. May it run this?",
		"terminal", `{"command": "git branch -a"}`, loops.MayRun, loops.MayEdit, loops.MayDecline))
}

func batch() *loops.Record {
	return callRecord("batch-1",
		call("call_1", "Refund 20 EUR for order 7?", "refund", `{"order": "7", "eur": 20}`),
		call("call_2", "Send this mail to the customer?", "send_email", `{"to": "a@example.com", "body": "Sorry!"}`,
			loops.MayRun, loops.MayEdit, loops.MayOutput, loops.MayDecline),
		call("call_3", "Close the ticket?", "close_ticket", `{"id": 9007199254740993}`,
			loops.MayRun, loops.MayDecline, loops.MayAlways))
}

func formRecord() *loops.Record {
	return record("form-1", loops.Facilitator, loops.Judgement, loops.Technique, loops.Question{
		Key: "q", Message: "The importer needs these limits before it can go on.",
		Schema: &loops.Schema{
			Required: []string{"rows", "from", "notify"},
			Properties: []loops.Property{
				{Name: "rows", Type: loops.IntegerProperty, Title: "Rows per batch", Minimum: "1", Maximum: "10000", Default: json.RawMessage("500")},
				{Name: "ratio", Type: loops.NumberProperty, Title: "Share that may fail", Minimum: "0", Maximum: "1"},
				{Name: "from", Type: loops.StringProperty, Format: "date", Title: "First day"},
				{Name: "at", Type: loops.StringProperty, Format: "date-time", Title: "Start at"},
				{Name: "notify", Type: loops.StringProperty, Format: "email", Title: "Tell whom"},
				{Name: "docs", Type: loops.StringProperty, Format: "uri", Title: "Where it is described"},
				{Name: "dry", Type: loops.BooleanProperty, Title: "Only pretend"},
				{Name: "mode", Type: loops.SelectProperty, Title: "Roll-out", Options: []loops.Option{
					{Const: "steps", Title: "In steps", Description: "A tenth of the visitors on the first day."},
					{Const: "once", Title: "At once", Description: "Everybody sees it from the first minute, which cannot be taken back by anybody on that day."},
					{Const: "none", Title: "None of these"},
				}},
				{Name: "parts", Type: loops.MultiSelectProperty, Title: "Which parts", MinItems: new(1), Options: []loops.Option{
					{Const: "a", Title: "Orders"}, {Const: "b", Title: "Customers"}, {Const: "c", Title: "Stock"},
				}},
				{Name: "note", Type: loops.StringProperty, Title: "Anything else", Description: "Goes into the log.", MaxLength: new(300)},
			},
		},
	})
}

func pageRecord() *loops.Record {
	return record("url-1", loops.Facilitator, loops.Fact, loops.Permission, loops.Question{
		Key: "q", Mode: loops.URLMode, Message: "Sign in to the deploy console so that the loop may use it for this release.",
		URL: "https://console.example.com/device?code=ABCD-EFGH",
	})
}

func factRecord() *loops.Record {
	return record("fact-1", loops.Facilitator, loops.Fact, loops.Evidence, loops.Question{
		Key: "q", Message: "The nightly job found 3 of 412 checks without evidence. The loop goes on when you have seen this.",
		Schema: &loops.Schema{},
	})
}

func longRecord() *loops.Record {
	r := judgement()
	r.ID, r.Concern = "acc-1", loops.Acceptance
	r.Questions[0].Message = "The dev agent wrote the text for the first screen. Does it say what you want people to read?"
	r.Questions[0].Quote = strings.Repeat("Welcome. You can ask this page a question and leave; it keeps your place. ", 40)
	r.About = &loops.About{Ref: "PR 12", Title: "The first screen", URL: "https://git.example.com/acme/saudacao/pulls/12"}
	r.Loop.URL = "https://runs.example.com/cd652d85"
	return r
}

func manyCalls(n int) *loops.Record {
	var all []loops.Question
	for i := range n {
		all = append(all, call(fmt.Sprintf("call_%d", i+1), fmt.Sprintf("May it fetch page %d of the price list?", i+1),
			"fetch", fmt.Sprintf(`{"url": "https://prices.example.com/list?page=%d"}`, i+1)))
	}
	return callRecord("batch-20", all...)
}

func verdicts(v ...loops.Verdict) map[string]loops.Verdict {
	all := map[string]loops.Verdict{}
	for i, one := range v {
		key := []string{"q", "toolu_01", "call_1", "call_2", "call_3"}[i]
		if one.Action != "" {
			all[key] = one
		}
	}
	return all
}

func accept(by *loops.By, content string) loops.Verdict {
	v := loops.Verdict{Action: loops.Accept, By: by, At: at("09:52")}
	if content != "" {
		v.Content = json.RawMessage(content)
	}
	return v
}

func answered(v templates.View) templates.View {
	v.End, v.Origin, v.EndedAt, v.EndedBy, v.Rev = loops.Answered, loops.OriginPerson, at("09:52"), ana(), 2
	return v
}

func wentOn(v templates.View) templates.View {
	v.Resumed, v.Rev = at("09:53"), 3
	return v
}

func view(r *loops.Record) templates.View {
	return templates.View{Record: r, Rev: 1, Holder: r.Addressee, Thread: true}
}

// views are the golden views by the name of their file.
func views() map[string]templates.View {
	all := map[string]templates.View{}
	add := func(name string, v templates.View) { all[name] = v }

	add("judgement", view(judgement()))
	chosen := view(judgement())
	chosen.Verdicts = verdicts(accept(ana(), `{"choice":"keep"}`))
	add("judgement-answered", answered(chosen))
	add("judgement-went-on", wentOn(answered(chosen)))
	relayed := view(judgement())
	by := bob()
	by.For = loops.ProductThinker
	relayed.Verdicts = verdicts(accept(by, `{"choice":"none"}`))
	add("judgement-relayed", answered(relayed))
	refused := view(judgement())
	refused.Verdicts = verdicts(loops.Verdict{Action: loops.Decline, Message: "I cannot tell before the next release.", By: ana(), At: at("09:52")})
	add("judgement-declined", answered(refused))
	withdrawn := view(judgement())
	withdrawn.End, withdrawn.Origin, withdrawn.EndedAt, withdrawn.Reason, withdrawn.Rev = loops.Withdrawn, loops.OriginAsker, at("11:05"), "The loop was stopped by its owner.", 2
	add("judgement-withdrawn", withdrawn)
	expired := view(judgement())
	expired.End, expired.Origin, expired.EndedAt, expired.Rev = loops.Expired, loops.OriginPolicy, at("09:12"), 2
	add("judgement-expired", expired)
	for name, change := range stands() {
		v := view(judgement())
		change(&v)
		add("judgement-"+name, v)
	}
	capped := view(judgement())
	capped.Record.Expires = at("18:00")
	add("judgement-expires", capped)
	moved := view(judgement())
	moved.Holder, moved.Fallback = loops.Facilitator, "C0PRODUCT"
	add("judgement-moved-fallback", moved)

	add("long", view(longRecord()))
	early := view(longRecord())
	early.Thread = false
	add("long-before-thread", early)

	add("call", view(branch()))
	run := view(branch())
	run.Verdicts = verdicts(loops.Verdict{}, accept(bob(), ""))
	add("call-approved", wentOn(answered(run)))
	edited := view(branch())
	edited.Verdicts = verdicts(loops.Verdict{}, loops.Verdict{Action: loops.Accept, Arguments: json.RawMessage(`{"command":"git branch"}`), By: bob(), At: at("09:52")})
	add("call-edited", answered(edited))
	denied := view(branch())
	denied.Verdicts = verdicts(loops.Verdict{}, loops.Verdict{Action: loops.Decline, Message: "The list of branches is in the README; read that instead.", By: bob(), At: at("09:52")})
	add("call-declined", wentOn(answered(denied)))

	add("batch", view(batch()))
	part := view(batch())
	part.Rev = 2
	part.Verdicts = verdicts(loops.Verdict{}, loops.Verdict{}, accept(bob(), ""))
	add("batch-one-decided", part)
	whole := view(batch())
	whole.Verdicts = verdicts(loops.Verdict{}, loops.Verdict{}, accept(bob(), ""),
		loops.Verdict{Action: loops.Accept, Output: json.RawMessage(`"It was sent by hand."`), By: bob(), At: at("09:50")},
		loops.Verdict{Action: loops.Accept, Span: loops.Always, By: &loops.By{ID: "cli:dee@build1", Role: loops.Facilitator, Through: "cli"}, At: at("09:51")})
	add("batch-answered", wentOn(answered(whole)))
	gone := part
	gone.End, gone.Origin, gone.EndedAt = loops.Withdrawn, loops.OriginAsker, at("11:05")
	add("batch-withdrawn", gone)
	add("batch-twenty", view(manyCalls(20)))

	add("form", view(formRecord()))
	filled := view(formRecord())
	filled.Verdicts = verdicts(accept(bob(), `{"rows":9007199254740993,"from":"2026-12-01","notify":"ops@example.com","dry":true,"mode":"steps","parts":["a","c"]}`))
	add("form-answered", answered(filled))

	add("page", view(pageRecord()))
	done := view(pageRecord())
	done.Completed = at("09:30")
	add("page-completed", done)
	finished := view(pageRecord())
	finished.Verdicts = verdicts(accept(bob(), ""))
	add("page-answered", answered(finished))

	add("fact", view(factRecord()))
	seen := view(factRecord())
	seen.Verdicts = verdicts(accept(bob(), `{}`))
	add("fact-answered", wentOn(answered(seen)))

	security := view(branch())
	security.Record.Addressee, security.Holder = "security", "security"
	add("call-security", security)
	return all
}

// stands are the ways in which an open stop stands.
func stands() map[string]func(*templates.View) {
	moved := func(kind templates.MoveKind, text string, users ...string) func(*templates.View) {
		return func(v *templates.View) {
			v.Rev, v.Holder = 2, loops.Facilitator
			v.Moved = &templates.Move{
				Kind: kind, By: ana(), At: at("10:05"), From: loops.ProductThinker, To: loops.Facilitator, Text: text, Users: users,
			}
		}
	}
	return map[string]func(*templates.View){
		"taken":          func(v *templates.View) { v.Rev, v.Taken = 2, &templates.Mark{By: ana(), At: at("10:05")} },
		"snoozed":        func(v *templates.View) { v.Rev, v.Snoozed = 2, at("18:00") },
		"given":          moved(templates.Reassigned, "You know the *release* <!here>"),
		"not-mine":       moved(templates.NotMine, ""),
		"not-mine-noted": moved(templates.NotMine, "Ask the *desk* <!channel>, not me:\n\u202eevorppA\u202c @everyone"),
		"escalated": func(v *templates.View) {
			moved(templates.Escalated, "", "U0BOB")(v)
			v.Moved.By = nil
		},
		"not-waited": moved(templates.Escalated, "I am *away* <!here>", "U0BOB", "U0CHI"),
		"late": func(v *templates.View) {
			moved(templates.Escalated, "", "U0BOB", "@S0LEADS")(v)
			v.Moved.By, v.Moved.Due = nil, at("09:30")
		},
		"to-step":       func(v *templates.View) { v.Step = &templates.Step{At: at("13:15"), To: loops.Facilitator} },
		"to-step-later": func(v *templates.View) { v.Step = &templates.Step{To: loops.Facilitator} },
		"held-back": func(v *templates.View) {
			v.Taken, v.Step = &templates.Mark{By: ana(), At: at("10:05")}, &templates.Step{To: loops.Facilitator, Held: true}
		},
		"to-cap": func(v *templates.View) {
			v.Step, v.CapAt = &templates.Step{At: at("13:15"), To: loops.Facilitator}, at("18:00")
		},
		"reminded": func(v *templates.View) { v.Rev, v.Reminded, v.Reminder = 2, 1, []string{"U0ANA"} },
		"warned":   func(v *templates.View) { v.Rev, v.Warned, v.CapAt = 2, at("18:00"), at("18:00") },
		"handed-off": func(v *templates.View) {
			moved(templates.Reassigned, "")(v)
			v.OnCall, v.OnCallSince, v.OnCallUntil = []string{"U0BOB"}, at("10:30"), at("19:00")
		},
	}
}
