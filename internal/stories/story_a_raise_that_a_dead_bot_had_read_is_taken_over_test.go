package stories

import (
	"testing"

	"github.com/redis/go-redis/v9"
)

func TestARaiseThatADeadBotHadReadIsTakenOver(t *testing.T) {
	tellLong(t, Options{}, func(t testing.TB, w *World) {
		w.Raise(Judgement("s1"))
		read, err := w.Redis.XReadGroup(t.Context(), &redis.XReadGroupArgs{ // and no more was heard of that bot
			Group: "bot", Consumer: "dead", Streams: []string{keys().In(0, "inbox"), ">"},
		}).Result()
		if err != nil || len(read) != 1 || len(read[0].Messages) != 1 {
			t.Fatalf("the dead bot read %v, %v, want the raise", read, err)
		}
		w.StartBot()
		w.SeeText(Product, "Choose")
		w.Shown()
		untouched(t, w, "s1")
	})
}
