// Copyright The ctx-lsp authors. MIT licence.

package codec

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// most is the maximum absolute value of a number, chosen so that the sum of a hundred of them fits into 64 bits.
const most = 1 << 56

// longest is the maximum number of bytes of an encoded number.
const longest = 10

// put writes a number.
func (c *Codec) put(v int64) {
	if v > most || v < -most {
		c.damaged = true
	}
	n, from := uint64(v)<<1^uint64(v>>63), len(c.bytes)
	if cap(c.bytes)-from < longest {
		c.grow(longest)
	}
	// Only the length of the field changes, to avoid a write barrier for each number.
	to := c.bytes[from : from+longest]
	at := 0
	for n >= 0x80 {
		to[at] = byte(n) | 0x80
		n >>= 7
		at++
	}
	to[at] = byte(n)
	c.bytes = c.bytes[:from+at+1]
	c.limit()
}

func (c *Codec) grow(n int) {
	c.bytes = append(make([]byte, 0, 2*cap(c.bytes)+n+4<<10), c.bytes...)
}

func (c *Codec) limit() {
	if c.limits.Total > 0 && len(c.bytes)+c.spent > c.limits.Total {
		c.damaged = true
	}
}

// take reads a number, or returns 0 and marks the state as damaged.
func (c *Codec) take() int64 {
	n, shift := uint64(0), 0
	for i, b := range c.bytes {
		if i == longest-1 {
			break
		}
		n |= uint64(b&0x7f) << shift
		shift += 7
		if b < 0x80 {
			c.bytes = c.bytes[i+1:]
			if v := int64(n>>1) ^ -int64(n&1); v <= most && v >= -most {
				return v
			}
			break
		}
	}
	c.damaged = true
	return 0
}

func (c *Codec) number(p *int64) {
	switch c.mode {
	case saving:
		c.put(*p)
	case restoring:
		*p = c.take()
	}
}

// Ints walks integers.
func (c *Codec) Ints(names string, numbers ...*int64) {
	if c.mode == describing {
		c.describe('i', names, len(numbers))
		return
	}
	for _, p := range numbers {
		c.number(p)
	}
}

// Array walks an array. Its length is part of the format.
func (c *Codec) Array(name string, list []int64) {
	if c.mode == describing {
		c.describe('a', name, 1)
		c.bound(int64(len(list)))
		return
	}
	for i := range list {
		c.number(&list[i])
	}
}

// Integer is an integer type with fewer values than the codec's.
type Integer interface {
	~int | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

// Within walks a number that must be between two bounds. Otherwise the state is damaged, and the number is read as the
// lower bound, because it may be an index.
func Within[N Integer](c *Codec, name string, p *N, lowest, highest int64) {
	switch c.mode {
	case saving:
		v := int64(*p)
		c.Refuse(v < lowest || v > highest)
		c.put(v)
	case restoring:
		v := c.take()
		if v < lowest || v > highest {
			c.damaged, v = true, lowest
		}
		*p = N(v)
	case describing:
		c.describe('w', name, 1)
		c.bound(lowest)
		c.bound(highest)
	}
}

// Below walks an enumeration with this many values.
func Below[N ~uint8](c *Codec, name string, p *N, values N) { Within(c, name, p, 0, int64(values)-1) }

// Sizes walks sizes and counts of things in memory.
func (c *Codec) Sizes(names string, numbers ...*int) {
	if c.mode == describing {
		c.describe('s', names, len(numbers))
		return
	}
	for _, p := range numbers {
		Within(c, "", p, -1<<31, 1<<31-1)
	}
}

// Bools walks booleans, which are stored in one number.
func (c *Codec) Bools(names string, flags ...*bool) {
	n, all := int64(0), int64(1)<<len(flags)-1
	if c.mode == describing {
		c.describe('b', names, len(flags))
		return
	}
	for i, p := range flags {
		if *p {
			n |= 1 << i
		}
	}
	Within(c, "", &n, 0, all)
	for i, p := range flags {
		*p = n>>i&1 == 1
	}
}

// Hash walks a number that uses all 64 bits.
func (c *Codec) Hash(name string, p *uint64) {
	switch c.mode {
	case saving:
		if cap(c.bytes)-len(c.bytes) < 8 {
			c.grow(8)
		}
		from, n := len(c.bytes), *p
		c.bytes = c.bytes[:from+8]
		to := c.bytes[from:]
		to[0], to[1], to[2], to[3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
		to[4], to[5], to[6], to[7] = byte(n>>32), byte(n>>40), byte(n>>48), byte(n>>56)
		c.limit()
	case restoring:
		if len(c.bytes) < 8 {
			c.damaged, *p = true, 0
			return
		}
		n := uint64(0)
		for i := 7; i >= 0; i-- {
			n = n<<8 | uint64(c.bytes[i])
		}
		*p, c.bytes = n, c.bytes[8:]
	case describing:
		c.describe('h', name, 1)
	}
}

// Names walks short strings: names, IDs and labels.
func (c *Codec) Names(names string, texts ...*string) {
	if c.mode == describing {
		c.describe('n', names, len(texts))
		return
	}
	for _, p := range texts {
		c.name(p)
	}
}

func (c *Codec) name(p *string) {
	switch {
	case c.mode == saving:
		c.names = append(c.names, *p)
		c.spent += len(*p)
		c.limit()
	case len(c.names) == 0:
		c.damaged = true
	default:
		*p, c.names = c.names[0], c.names[1:]
	}
	c.Refuse(c.limits.Name > 0 && len(*p) > c.limits.Name)
}

// Texts walks phrases and third-party texts. A phrase is saved as its ID and values.
func (c *Codec) Texts(names string, texts ...*phrase.Text) {
	if c.mode == describing {
		c.describe('t', names, len(texts))
		return
	}
	for _, p := range texts {
		saved := ""
		if c.mode == saving {
			saved = p.Saved()
		}
		if c.name(&saved); c.mode == restoring {
			known := false
			*p, known = phrase.Restore(saved)
			c.Refuse(!known)
		}
	}
}

// Length walks the length of a list whose elements have at least one field each. It returns 1 if the walk only
// describes the format, and 0 if the list is too long.
func (c *Codec) Length(name string, n, longest int) int {
	switch c.mode {
	case describing:
		c.describe('l', name, 1)
		c.bound(int64(longest))
		return 1
	case restoring:
		longest = min(longest, len(c.bytes)+len(c.names))
	}
	Within(c, "", &n, 0, int64(longest))
	if c.damaged {
		return 0
	}
	return n
}

// List walks a list: its length, then its elements. Restored elements are appended one by one, so walk can use earlier
// ones.
func List[T any](c *Codec, name string, list *[]T, longest int, walk func(*T, *Codec)) {
	n := c.Length(name, len(*list), longest)
	switch c.mode {
	case describing:
		var empty T
		walk(&empty, c)
		c.Part("") // the end of the element
		return
	case restoring:
		*list = (*list)[:0]
	}
	for i := 0; i < n && !c.damaged; i++ {
		if c.mode == restoring {
			var empty T
			*list = append(*list, empty)
		}
		walk(&(*list)[i], c)
	}
}

// Bytes saves or restores a text of at most longest bytes.
func (c *Codec) Bytes(name string, text *[]byte, longest int) {
	List(c, name, text, longest, func(char *byte, c *Codec) { Within(c, "char", char, 0, 255) })
}

// Map walks a map: its length, then each key and its value, sorted by key.
func Map[V any](c *Codec, name string, values *map[uint64]V, longest int, walk func(*V, *Codec)) {
	n := c.Length(name, len(*values), longest)
	switch c.mode {
	case describing:
		var empty V
		walk(&empty, c)
		c.Part("")
	case restoring:
		*values = nil
		if n > 0 {
			*values = make(map[uint64]V, min(n, len(c.bytes)/8))
		}
		for i := 0; i < n && !c.damaged; i++ {
			var key uint64
			var value V
			c.Hash("", &key)
			walk(&value, c)
			(*values)[key] = value
		}
	case saving:
		if n == 0 {
			return
		}
		for _, key := range Keys(*values) {
			value := (*values)[key]
			c.Hash("", &key)
			walk(&value, c)
			if c.damaged {
				return
			}
		}
	}
}

// Keys returns the sorted keys of a map.
func Keys[V any](values map[uint64]V) []uint64 {
	list := make([]uint64, 0, len(values))
	for key := range values {
		list = append(list, key)
	}
	slices.Sort(list)
	return list
}
