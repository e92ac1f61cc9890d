//go:build interop

package interop

import (
	"fmt"
	"strings"
	"testing"

	"flagstop/loops"
)

// where is a record's partition and digest.
type where struct {
	Partition int    `json:"partition"`
	Digest    string `json:"digest"`
}

// TestNodeFindsTheSamePartitionAndDigest takes ids at the edges of what an id may be, and records that two languages might
// write differently.
func TestNodeFindsTheSamePartitionAndDigest(t *testing.T) {
	p := node(t, "protocol.cjs")
	for _, id := range []string{
		"a", "-", "_", "0", "-_-", "007", "Z9", "hello-1", "node-loop-report-1", "__proto__", "constructor", "1e3", "NaN",
		strings.Repeat("x", 64), strings.Repeat("-", 64), "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_",
	} {
		for partitions, message := range map[int]string{
			1: "Plain?", 2: "Größe, naïve, 語, 👩‍👩‍👧?", 4: `<b>&amp;</b> \u2028 \" \\ \/?`, 7: "9007199254740993", 4096: "\u2028 \ufeff é e\u0301",
		} {
			record := fmt.Sprintf(`{"v":1, "id":%q,"addressee":"facilitator","kind":"fact","concern":"evidence",`+
				`"loop":{"repository":"a/b","id":"l"},"big":12345678901234567890,"questions":[{"key":"q","message":"%s",`+
				`"requestedSchema":{"type":"object","properties":{}}}]}`, id, message)
			r, err := loops.Load([]byte(record))
			if err != nil {
				t.Fatalf("%s: %v", record, err)
			}
			want := where{loops.Keys{Prefix: "fs", Partitions: partitions}.Partition(id), r.Digest()}
			p.send(object{"record": record, "partitions": partitions})
			if got := decode[where](t, p.await("is")); got != want {
				t.Errorf("%s of %d: Node finds %+v, we %+v", id, partitions, got, want)
			}
		}
	}
}
