// Copyright The ctx-lsp authors. MIT licence.

// Package protowire reads Protocol Buffers by the numbers of their fields,
// without a schema. A field that is not there, or of another type than was
// asked for, gives nothing; a message that is torn ends where it is torn.
package protowire

import "encoding/binary"

// Message is the bytes of a message.
type Message []byte

// The types of fields on the wire.
const (
	varint = 0
	fixed8 = 1
	bytes  = 2
	fixed4 = 5
)

// next splits the first field off.
func (m Message) next() (number, kind, value uint64, inner, rest Message, ok bool) {
	tag, n := binary.Uvarint(m)
	if n <= 0 || tag>>3 == 0 || tag>>3 >= 1<<29 {
		return 0, 0, 0, nil, nil, false
	}
	number, kind, rest = tag>>3, tag&7, m[n:]
	switch kind {
	case varint:
		if value, n = binary.Uvarint(rest); n <= 0 {
			return 0, 0, 0, nil, nil, false
		}
		return number, kind, value, nil, rest[n:], true
	case fixed8, fixed4:
		size := 8
		if kind == fixed4 {
			size = 4
		}
		if len(rest) < size {
			return 0, 0, 0, nil, nil, false
		}
		return number, kind, 0, nil, rest[size:], true
	case bytes:
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return 0, 0, 0, nil, nil, false
		}
		return number, kind, 0, rest[n : n+int(size)], rest[n+int(size):], true
	}
	return 0, 0, 0, nil, nil, false // groups are not read
}

// Each calls a function with every field of a number that holds bytes: a text,
// or a message inside.
func (m Message) Each(field uint64, do func(Message)) {
	for {
		number, kind, _, inner, rest, ok := m.next()
		if !ok {
			return
		}
		if number == field && kind == bytes {
			do(inner)
		}
		m = rest
	}
}

// Get follows numbers into messages; of several fields with one number the last
// counts. It is nil where there is none.
func (m Message) Get(path ...uint64) Message {
	for _, field := range path {
		var found Message
		m.Each(field, func(inner Message) { found = inner })
		if m = found; m == nil {
			return nil
		}
	}
	return m
}

// Text is what Get finds, as a text.
func (m Message) Text(path ...uint64) string { return string(m.Get(path...)) }

// Number is a whole number; ok is false where there is none.
func (m Message) Number(path ...uint64) (n int64, ok bool) {
	last := len(path) - 1
	for m = m.Get(path[:last]...); ; {
		number, kind, value, _, rest, more := m.next()
		if !more {
			return n, ok
		}
		if number == path[last] && kind == varint {
			n, ok = int64(value), value < 1<<63
		}
		m = rest
	}
}
