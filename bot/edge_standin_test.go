package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"flagstop/internal/standin"
	"flagstop/templates"

	"github.com/slack-go/slack"
)

const (
	standinToken    = "xoxb-standin"
	standinAppToken = "xapp-standin"
)

// withStandin runs f in a bubble with a whole Slack and an edge to it.
func withStandin(t *testing.T, change func(*standin.Options), f func(t *testing.T, slack *standin.Server, p *standin.Pipe, s *Slack)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o := standin.Options{
			Users:    []standin.User{{ID: "U0ANA", Name: "ana"}},
			Channels: []standin.Channel{{ID: "C0OPS", Name: "ops", Members: []string{"U0ANA"}}, {ID: "C0DEV", Name: "dev", Members: []string{"U0ANA"}}},
			BotToken: standinToken, AppToken: standinAppToken, SigningSecret: testSecret, BaseURL: "http://127.0.0.1",
		}
		change(&o)
		server := standin.New(o)
		p := standin.Serve(server)
		client := p.Client()
		f(t, server, p, NewSlack(SlackOptions{BotToken: standinToken, APIURL: "http://127.0.0.1/api/", HTTPClient: client}))
		client.CloseIdleConnections()
		server.Close()
		p.Stop()
	})
}

func asItIs(*standin.Options) {}

func card(text string) templates.Message {
	button := slack.NewButtonBlockElement("answer", "v1", slack.NewTextBlockObject(slack.PlainTextType, "Yes", false, false))
	return templates.Message{Text: text, Blocks: []slack.Block{slack.NewActionBlock("b1", button)}}
}

func TestAPostWhoseAnswerIsLostIsFoundByItsStamp(t *testing.T) {
	withStandin(t, asItIs, func(t *testing.T, server *standin.Server, _ *standin.Pipe, s *Slack) {
		began := time.Now()
		if _, err := s.Post(t.Context(), "C0OPS", "", card("another"), other(func(st *Stamp) { st.Stop = "s2" })); err != nil {
			t.Fatal(err)
		}
		server.Break(standin.Fault{Method: "chat.postMessage", Times: 1, Lose: true})
		_, err := s.Post(t.Context(), "C0OPS", "", card("lost"), cardStamp)
		if classOf(err) != ClassAmbiguous {
			t.Fatalf("Post = %v, want class ambiguous", err)
		}
		found, err := s.Find(t.Context(), "C0OPS", "", began, cardStamp)
		if err != nil || len(found) != 1 || found[0].Stamp != cardStamp {
			t.Fatalf("Find = %+v, %v, want the lost post", found, err)
		}
		if n := len(server.Messages("C0OPS")); n != 2 {
			t.Errorf("%d messages stand, want 2", n)
		}
		if err := s.Update(t.Context(), "C0OPS", found[0].TS, hello(), other(func(st *Stamp) { st.Rev = 7 })); err != nil {
			t.Fatal(err)
		}
		found, err = s.Find(t.Context(), "C0OPS", "", began, cardStamp)
		if err != nil || len(found) != 1 || found[0].Stamp.Rev != 7 {
			t.Errorf("after the update Find = %+v, %v, want rev 7", found, err)
		}
	})
}

func TestAReplyIsFoundInItsThreadAndAMessageExistsUntilItIsDeleted(t *testing.T) {
	withStandin(t, asItIs, func(t *testing.T, _ *standin.Server, _ *standin.Pipe, s *Slack) {
		root, err := s.Post(t.Context(), "C0OPS", "", card("root"), other(func(st *Stamp) { st.Part = 0 }))
		if err != nil {
			t.Fatal(err)
		}
		reply, err := s.Post(t.Context(), "C0OPS", root.TS, hello(), cardStamp)
		if err != nil || reply.ThreadTS != root.TS {
			t.Fatalf("reply = %+v, %v", reply, err)
		}
		found, err := s.Find(t.Context(), "C0OPS", root.TS, time.Now(), cardStamp)
		if err != nil || len(found) != 1 || found[0].Posted != reply {
			t.Errorf("Find in the thread = %+v, %v, want %+v", found, err, reply)
		}
		if found, err := s.Find(t.Context(), "C0OPS", "", time.Now(), cardStamp); err != nil || len(found) != 0 {
			t.Errorf("Find in the channel = %+v, %v, want nothing", found, err)
		}
		if ok, err := s.Exists(t.Context(), "C0OPS", root.TS); err != nil || !ok {
			t.Errorf("Exists = %v, %v", ok, err)
		}
		if err := s.Delete(t.Context(), "C0OPS", root.TS); err != nil {
			t.Fatal(err)
		}
		if ok, err := s.Exists(t.Context(), "C0OPS", root.TS); err != nil || ok {
			t.Errorf("after the deletion Exists = %v, %v", ok, err)
		}
		if err := s.Delete(t.Context(), "C0OPS", root.TS); err != nil {
			t.Errorf("deleting it again: %v", err)
		}
	})
}

func TestFindReadsLongHistories(t *testing.T) {
	withStandin(t, asItIs, func(t *testing.T, _ *standin.Server, _ *standin.Pipe, s *Slack) {
		began := time.Now()
		for i := range 450 {
			if _, err := s.Post(t.Context(), "C0OPS", "", hello(), Stamp{Prefix: "fs", Stop: fmt.Sprint("s", i)}); err != nil {
				t.Fatal(err)
			}
		}
		for _, i := range []int{0, 199, 200, 449} {
			found, err := s.Find(t.Context(), "C0OPS", "", began, Stamp{Prefix: "fs", Stop: fmt.Sprint("s", i)})
			if err != nil || len(found) != 1 {
				t.Errorf("Find of post %d = %v, %v", i, found, err)
			}
		}
	})
}

func TestSlacksBudgetsAreNeverOverrun(t *testing.T) {
	withStandin(t, func(o *standin.Options) { o.RateLimits = true }, func(t *testing.T, _ *standin.Server, p *standin.Pipe, _ *Slack) {
		client := p.Client()
		defer client.CloseIdleConnections()
		classes := map[Class]int{}
		s := NewSlack(SlackOptions{BotToken: standinToken, APIURL: "http://127.0.0.1/api/", HTTPClient: client, Observe: func(_ string, class Class) { classes[class]++ }})
		for i := range 90 {
			posted, err := s.Post(t.Context(), []string{"C0OPS", "C0DEV"}[i%2], "", card("c"), Stamp{Prefix: "fs"})
			if err != nil {
				t.Fatalf("post %d: %v", i, err)
			}
			if err := s.Update(t.Context(), posted.Channel, posted.TS, hello(), Stamp{Prefix: "fs"}); err != nil {
				t.Fatalf("update %d: %v", i, err)
			}
			if err := s.Whisper(t.Context(), "C0OPS", "", "U0ANA", hello()); err != nil {
				t.Fatalf("whisper %d: %v", i, err)
			}
		}
		if len(classes) != 1 || classes[""] != 270 {
			t.Errorf("calls by class = %v, want 270 successes", classes)
		}
	})
}

func TestTheWholeWorkspaceAnswersTheEdge(t *testing.T) {
	withStandin(t, asItIs, func(t *testing.T, _ *standin.Server, _ *standin.Pipe, s *Slack) {
		me, err := s.Identify(t.Context())
		if err != nil || me.BotID != "B0FLAGSTOP" || me.Team != "T0LOCAL" {
			t.Errorf("Identify = %+v, %v", me, err)
		}
		posted, err := s.Post(t.Context(), "C0OPS", "", hello(), Stamp{Prefix: "fs"})
		if err != nil {
			t.Fatal(err)
		}
		if link, err := s.Permalink(t.Context(), posted.Channel, posted.TS); err != nil || !strings.HasPrefix(link, "http") {
			t.Errorf("Permalink = %q, %v", link, err)
		}
		for user, want := range map[string]bool{"U0ANA": true, "U0NOBODY": false} {
			if got, err := s.InChannel(t.Context(), "C0OPS", user); err != nil || got != want {
				t.Errorf("InChannel(%s) = %v, %v", user, got, err)
			}
		}
		if err := s.Whisper(t.Context(), "C0OPS", "", "U0NOBODY", hello()); classOf(err) != ClassDestination {
			t.Errorf("a whisper to a stranger = %v, want class destination", err)
		}
		if _, err := s.Post(t.Context(), "C0NONE", "", hello(), Stamp{Prefix: "fs"}); classOf(err) != ClassDestination {
			t.Errorf("a post to nowhere = %v, want class destination", err)
		}
		long := slack.NewSectionBlock(slack.NewTextBlockObject(slack.MarkdownType, strings.Repeat("x", 3001), false, true), nil, nil)
		_, err = s.Post(t.Context(), "C0OPS", "", templates.Message{Text: "long", Blocks: []slack.Block{long}}, Stamp{Prefix: "fs"})
		if failed := asFailed(t, err); failed.Class != ClassContent || !strings.Contains(failed.Error(), "/blocks/0/text") {
			t.Errorf("a post that is too long = %v, want class content and the place", err)
		}
	})
}

// A click reaches the bot whatever Slack does to the connections.
func TestAClickGetsThroughAfterEachKindOfDisconnect(t *testing.T) {
	for reason, wait := range map[string]time.Duration{
		"warning": time.Second, "refresh_requested": 3 * time.Second, "": 5 * time.Second,
		"too_many_websockets": 2 * crowdedBreak, "link_disabled": 2 * offBreak,
	} {
		t.Run("reason "+reason, func(t *testing.T) {
			withStandin(t, asItIs, func(t *testing.T, server *standin.Server, p *standin.Pipe, s *Slack) {
				client := p.Client()
				socket := NewSocket(SocketOptions{AppToken: standinAppToken, APIURL: "http://127.0.0.1/api/", HTTPClient: client, Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				var received atomic.Int64
				go func() {
					ended <- socket.Run(ctx, func(_ context.Context, d Delivery) json.RawMessage {
						if d.Kind == Interactive {
							received.Add(1)
						}
						return nil
					})
				}()
				time.Sleep(3 * time.Second)
				if n := server.Sockets(); n != 2 {
					t.Errorf("%d sockets are open, want 2", n)
				}
				if _, err := s.Post(t.Context(), "C0OPS", "", card("press"), Stamp{Prefix: "fs"}); err != nil {
					t.Fatal(err)
				}
				clickOnce(t, server)
				server.Disconnect(reason)
				time.Sleep(wait)
				clickOnce(t, server)
				if n := received.Load(); n != 2 {
					t.Errorf("%d clicks were received, want 2", n)
				}
				cancel()
				if err := <-ended; err != nil {
					t.Errorf("Run = %v", err)
				}
				client.CloseIdleConnections()
				synctest.Wait()
				if n := server.Sockets(); n != 0 {
					t.Errorf("%d sockets are left after the end", n)
				}
			})
		})
	}
}

func clickOnce(t *testing.T, server *standin.Server) {
	t.Helper()
	if err := server.As("U0ANA").Click(t.Context(), server.Messages("C0OPS")[0], "Yes", 0); err != nil {
		t.Errorf("the person is shown: %v", err)
	}
}

func TestTheEndpointsTakeWhatSlackSigns(t *testing.T) {
	var got []Delivery
	var app *standin.Pipe
	var client *http.Client
	withStandin(t, func(o *standin.Options) {
		o.EventsURL, o.InteractionsURL, o.CommandsURL = "http://app.test/slack/events", "http://app.test/slack/interactions", "http://app.test/slack/commands"
		app = standin.Serve(HTTP(HTTPOptions{SigningSecret: testSecret}, func(_ context.Context, d Delivery) json.RawMessage {
			got = append(got, d)
			return nil
		}))
		client = app.Client()
		o.HTTPClient = client
	}, func(t *testing.T, server *standin.Server, _ *standin.Pipe, s *Slack) {
		if _, err := s.Post(t.Context(), "C0OPS", "", card("press"), Stamp{Prefix: "fs"}); err != nil {
			t.Fatal(err)
		}
		clickOnce(t, server)
		if err := server.As("U0ANA").Command(t.Context(), "C0OPS", "/stops show a+b % ** é"); err != nil {
			t.Errorf("the command: %v", err)
		}
		if len(got) != 2 || got[0].Kind != Interactive || got[1].Kind != SlashCommand {
			t.Fatalf("received %v, want a click and a command", got)
		}
		var fields map[string]string
		if err := json.Unmarshal(got[1].Payload, &fields); err != nil || fields["text"] != "show a+b % ** é" {
			t.Errorf("fields = %v, %v", fields, err)
		}
		client.CloseIdleConnections()
		app.Stop()
	})
}
