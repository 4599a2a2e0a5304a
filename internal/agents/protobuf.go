// Copyright The ctx-lsp authors. MIT licence.

package agents

import "encoding/binary"

// protoMessage is a message of Protocol Buffers, read by the numbers of its fields, without a schema. A field that is
// missing, or of another type than the requested one, gives nothing; a torn message ends at the tear.
type protoMessage []byte

// The types of fields on the wire.
const (
	protoVarint = 0
	fixed8      = 1
	protoBytes  = 2
	fixed4      = 5
)

// next splits the first field off.
func (m protoMessage) next() (number, kind, value uint64, inner, rest protoMessage, ok bool) {
	tag, n := binary.Uvarint(m)
	if n <= 0 || tag>>3 == 0 || tag>>3 >= 1<<29 {
		return 0, 0, 0, nil, nil, false
	}
	number, kind, rest = tag>>3, tag&7, m[n:]
	switch kind {
	case protoVarint:
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
	case protoBytes:
		size, n := binary.Uvarint(rest)
		if n <= 0 || size > uint64(len(rest)-n) {
			return 0, 0, 0, nil, nil, false
		}
		return number, kind, 0, rest[n : n+int(size)], rest[n+int(size):], true
	}
	return 0, 0, 0, nil, nil, false // groups are not read
}

// Each calls a function with every field of a number that holds protoBytes: a text, or a message inside.
func (m protoMessage) Each(field uint64, do func(protoMessage)) {
	for {
		number, kind, _, inner, rest, ok := m.next()
		if !ok {
			return
		}
		if number == field && kind == protoBytes {
			do(inner)
		}
		m = rest
	}
}

// Get follows numbers into messages; of several fields with one number the last applies. It is nil if there is none.
func (m protoMessage) Get(path ...uint64) protoMessage {
	for _, field := range path {
		var found protoMessage
		m.Each(field, func(inner protoMessage) { found = inner })
		if m = found; m == nil {
			return nil
		}
	}
	return m
}

// Text is what Get finds, as a text.
func (m protoMessage) Text(path ...uint64) string { return string(m.Get(path...)) }

// Number is a whole number; ok is false where there is none.
func (m protoMessage) Number(path ...uint64) (n int64, ok bool) {
	last := len(path) - 1
	for m = m.Get(path[:last]...); ; {
		number, kind, value, _, rest, more := m.next()
		if !more {
			return n, ok
		}
		if number == path[last] && kind == protoVarint {
			n, ok = int64(value), value < 1<<63
		}
		m = rest
	}
}
