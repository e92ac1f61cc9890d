package loops_test

import (
	"context"
	"fmt"
	"log"

	"flagstop/internal/embedded"
	"flagstop/loops"

	"github.com/redis/go-redis/v9"
)

// A loop stops to have a command approved, and goes on with the verdict.
func Example() {
	ctx := context.Background()
	bot := startBot(ctx) // a real one is another process: flagstop serve, or flagstop demo
	defer bot.stop()

	rdb := redis.NewClient(&redis.Options{Addr: bot.addr, ContextTimeoutEnabled: true})
	defer rdb.Close()
	keys, err := loops.NewKeySet(bot.publicKey, nil) // FLAGSTOP_VERIFY_KEY
	if err != nil {
		log.Fatal(err)
	}
	client, err := loops.NewClient(ctx, loops.Options{Redis: rdb, Keys: keys})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	record := []byte(`{
		"v": 1, "id": "branches-1", "addressee": "facilitator", "kind": "judgement", "concern": "permission",
		"loop": {"id": "dev-agent/cd652d85", "repository": "acme/saudacao"},
		"questions": [{
			"key": "toolu_01",
			"message": "The dev agent needs to see which branches exist. May it run this?",
			"call": {"name": "terminal", "arguments": {"command": "git branch -a"}}
		}]
	}`)
	if _, err := client.Raise(ctx, record); err != nil {
		log.Fatal(err)
	}
	outcome, err := client.Wait(ctx, record)
	if err != nil {
		log.Fatal(err)
	}
	claim, err := client.Claim(ctx, outcome, "dev-agent/cd652d85")
	if err != nil {
		log.Fatal(err) // somebody else goes on with it
	}
	defer claim.Release(ctx)

	switch verdict := outcome.Verdicts["toolu_01"]; verdict.Action {
	case loops.Accept:
		fmt.Println("run it, says", outcome.By.ID)
	case loops.Decline:
		fmt.Println("do not run it:", verdict.Message)
	}
	if err := claim.Done(ctx); err != nil { // after its result is saved
		log.Fatal(err)
	}
	// Output: run it, says slack:T1/U1
}

// exampleBot answers the first stop that is raised.
type exampleBot struct {
	addr      string
	publicKey []byte
	stop      func()
}

func startBot(ctx context.Context) exampleBot {
	server, err := embedded.Start("127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	private, public, err := loops.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	signer, err := loops.NewSigner(private)
	if err != nil {
		log.Fatal(err)
	}
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
	keys := loops.Keys{Prefix: "fs", Partitions: 1}
	if err := rdb.HSetNX(ctx, keys.Meta(), "partitions", keys.Partitions).Err(); err != nil {
		log.Fatal(err)
	}
	go answerFirst(ctx, rdb, keys, signer)
	return exampleBot{addr: server.Addr(), publicKey: public, stop: func() {
		_ = rdb.Close()
		server.Close()
	}}
}

func answerFirst(ctx context.Context, rdb *redis.Client, keys loops.Keys, signer *loops.Signer) {
	streams, err := rdb.XRead(ctx, &redis.XReadArgs{Streams: []string{keys.In(0, "inbox"), "0"}, Count: 1}).Result()
	if err != nil {
		log.Fatal(err)
	}
	body, _ := streams[0].Messages[0].Values["body"].(string)
	outcome := answeredOutcome()
	outcome.Stop, outcome.Digest = "branches-1", digestOf([]byte(body))
	verdict := outcome.Verdicts["q"]
	verdict.Arguments = nil
	outcome.Verdicts = map[string]loops.Verdict{"toolu_01": verdict}
	jws, err := signer.SignOutcome(outcome)
	if err != nil {
		log.Fatal(err)
	}
	key := keys.Of("branches-1", "outcome")
	_, err = rdb.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.Set(ctx, key, jws, 0)
		return pipe.Publish(ctx, key, jws).Err()
	})
	if err != nil {
		log.Fatal(err)
	}
}
