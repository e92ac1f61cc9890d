package loops

import (
	"hash/crc32"
	"strconv"
)

// Keys names the keys of one prefix in Redis: contract §3. Partitions is at least 1.
type Keys struct {
	Prefix     string
	Partitions int
}

// Meta is the one key without a hash tag.
func (k Keys) Meta() string { return k.Prefix + ":meta" }

// Partition reports in which partition the stop with this id lives.
func (k Keys) Partition(id string) int {
	return int(crc32.ChecksumIEEE([]byte(id)) % uint32(k.Partitions))
}

// In returns the key of a name in partition p, such as In(0, "inbox").
func (k Keys) In(p int, name string) string {
	return "{" + k.Prefix + ":" + strconv.Itoa(p) + "}:" + name
}

// Of returns the key of what belongs to one stop, such as Of(id, "outcome").
func (k Keys) Of(id, name string) string { return k.In(k.Partition(id), name+":"+id) }

// Refusal returns the key, and the channel, of the refusal of bytes with this digest ("sha256:<hex>") that stood in
// the inbox of partition p.
func (k Keys) Refusal(p int, digest string) string {
	return k.In(p, "refusal:"+digest[len("sha256:"):])
}
