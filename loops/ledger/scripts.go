package ledger

import (
	"embed"

	"github.com/redis/go-redis/v9"
)

//go:embed lua/*.lua
var lua embed.FS

// scripts are parsed once: each is known to Redis by the hash of its text.
type scripts struct {
	read, append, leave, look, lease, owner, touch, forget, retire, renew *redis.Script
}

func newScripts() scripts {
	return scripts{
		read: script("read"), append: script("append"), leave: script("leave"), look: script("look"), lease: script("lease"),
		owner: script("owner"), touch: script("touch"), forget: script("forget"), retire: script("retire"), renew: script("renew"),
	}
}

func script(name string) *redis.Script {
	b, err := lua.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic("ledger: " + err.Error()) // the file is part of this binary
	}
	return redis.NewScript(string(b))
}
