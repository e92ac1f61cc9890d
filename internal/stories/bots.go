package stories

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"flagstop/bot"
	"flagstop/escalation"
	"flagstop/internal/rosters"
	"flagstop/templates"
)

// Bot is a bot that runs.
type Bot struct {
	*bot.Bot
	world  *World
	http   http.Handler
	redis  *redis.Client
	client *http.Client
	cut    *cut
	cancel context.CancelFunc
	done   chan struct{}
}

// StartBot starts one more bot. It ends with the test.
func (w *World) StartBot() *Bot {
	w.TB.Helper()
	b := &Bot{world: w, cut: newCut(), done: make(chan struct{})}
	b.redis = redis.NewClient(w.Redis.Options())
	b.redis.AddHook(b.cut)
	b.client = &http.Client{Transport: &cutTransport{cut: b.cut, next: w.api.Transport(), hear: w.hear}}
	b.Bot = bot.New(bot.Options{
		Ledger: w.newLedger(b.redis), Redis: b.redis, Prefix: Prefix, Book: w.Book, Rosters: rosters.New(b.redis, Prefix), Words: templates.Default(), Log: w.log(),
		Slack: bot.NewSlack(bot.SlackOptions{
			BotToken: botToken, APIURL: w.api.URL() + "/api/", HTTPClient: b.client, Log: w.log(),
		}),
		PollEvery: w.poll,
	})
	b.http = bot.HTTP(bot.HTTPOptions{SigningSecret: signingSecret, Log: w.log()}, b.Receive)
	b.run()
	w.mu.Lock()
	w.bots = append(w.bots, b)
	w.mu.Unlock()
	w.TB.Cleanup(func() {
		b.Stop()
		b.client.CloseIdleConnections()
		_ = b.redis.Close()
	})
	return b
}

func (b *Bot) run() {
	var ctx context.Context
	ctx, b.cancel = context.WithCancel(context.WithoutCancel(b.world.TB.Context()))
	var wg sync.WaitGroup
	wg.Go(func() { _ = b.Run(ctx) })
	s := &escalation.Sweeper{Ledger: b.world.newLedger(b.redis), Book: b.world.Book, Log: b.world.log(), Every: 12 * b.world.poll}
	wg.Go(func() { s.Run(ctx) })
	if b.world.socket {
		s := bot.NewSocket(bot.SocketOptions{
			AppToken: appToken, APIURL: b.world.api.URL() + "/api/", HTTPClient: b.client, Log: b.world.log(),
			PingEvery: time.Hour,
		})
		wg.Go(func() { _ = s.Run(ctx, b.Receive) })
	}
	go func() {
		wg.Wait()
		close(b.done)
	}()
}

// Stop ends the bot as a signal does, and waits for it. Deliveries go to the other bots at once.
func (b *Bot) Stop() {
	b.world.mu.Lock()
	b.world.bots = slices.DeleteFunc(slices.Clone(b.world.bots), func(other *Bot) bool { return other == b })
	b.world.mu.Unlock()
	b.cancel()
	<-b.done
}

// Kill ends the bot as kill -9 does: not one more byte leaves it.
func (b *Bot) Kill() {
	b.cut.kill()
	b.Stop()
}

// DieAt kills the bot at its next call of a Slack method: before it is sent, or after Slack did it and before the bot
// heard of it. It returns a channel that is closed when that has happened.
func (b *Bot) DieAt(method string, after bool) <-chan struct{} { return b.cut.dieAt(method, after) }

// DieAfter kills the bot when Redis has done a command whose arguments have the text in them, and before the bot hears of
// it. It returns a channel that is closed when that has happened.
func (b *Bot) DieAfter(text string) <-chan struct{} {
	return b.cut.dieAfter(func(cmd redis.Cmder) bool {
		return slices.ContainsFunc(cmd.Args(), func(arg any) bool {
			s, ok := arg.(string)
			return ok && strings.Contains(s, text)
		})
	})
}

// RedisAway cuts the bot off from Redis, or connects it again.
func (b *Bot) RedisAway(away bool) { b.cut.redisAway(away) }

// RedisSlow has each of the bot's commands take that much longer to reach Redis.
func (b *Bot) RedisSlow(by time.Duration) { b.cut.redisSlow(by) }
