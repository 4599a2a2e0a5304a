// Copyright The ctx-lsp authors. MIT licence.

package json

import (
	"math/bits"
	"slices"
	"unicode/utf8"
	"unsafe"
)

// Value is one value of a Document. The zero Value is Missing, and all its methods return Missing, empty or false
// results, so that paths can be followed without checking every step.
type Value struct {
	d *Document
	i uint32
}

func (v Value) node() *node { return &v.d.nodes[v.i] }

// Kind returns the type of the value, Missing if it does not exist.
func (v Value) Kind() Kind {
	if v.d == nil {
		return Missing
	}
	return v.node().kind
}

// Exists reports whether the value exists; null does.
func (v Value) Exists() bool { return v.d != nil }

// IsNull reports whether the value is null or does not exist.
func (v Value) IsNull() bool { return v.Kind() <= Null }

// Raw returns the original text of the value, nil if it does not exist.
func (v Value) Raw() []byte {
	if v.d == nil {
		return nil
	}
	n := v.node()
	return v.d.src[n.start:n.end]
}

// Offset returns the position of the value in its document, 0 if it does not exist.
func (v Value) Offset() int {
	if v.d == nil {
		return 0
	}
	return int(v.node().start)
}

// Get returns the value of a key in an object, Missing if the object lacks it. If a key occurs several times, the last
// value is returned, as in JavaScript.
func (v Value) Get(key string) Value {
	if v.Kind() != Object {
		return Value{}
	}
	// Lengths are compared first, because readers get dozens of fields of each record (BenchmarkGet).
	found, nodes, length := Value{}, v.d.nodes, uint32(len(key))+2
	for at, end := v.i+1, nodes[v.i].next; at < end; at = nodes[at+1].next {
		n := &nodes[at]
		if n.flags&flagEscaped == 0 && n.end-n.start != length {
			continue
		}
		if (Value{v.d, at}).Is(key) {
			found = Value{v.d, at + 1}
		}
	}
	return found
}

// Path returns the value found by following keys through nested objects.
func (v Value) Path(keys ...string) Value {
	for _, k := range keys {
		v = v.Get(k)
	}
	return v
}

// Len returns the number of elements of an array or fields of an object, otherwise 0.
func (v Value) Len() int {
	n := 0
	switch v.Kind() {
	case Array:
		for e := v.Elements(); e.Next(); {
			n++
		}
	case Object:
		for f := v.Fields(); f.Next(); {
			n++
		}
	}
	return n
}

// Elements iterates over an array; any other value has none.
type Elements struct {
	Value   Value
	d       *Document
	at, end uint32
}

// Elements starts an iteration: for e := v.Elements(); e.Next(); { e.Value }.
func (v Value) Elements() Elements {
	if v.Kind() != Array {
		return Elements{}
	}
	return Elements{d: v.d, at: v.i + 1, end: v.node().next}
}

// Next moves to the next element, and reports whether there is one.
func (e *Elements) Next() bool {
	if e.at >= e.end {
		return false
	}
	e.Value = Value{e.d, e.at}
	e.at = e.d.nodes[e.at].next
	return true
}

// Fields iterates over an object; any other value has none.
type Fields struct {
	Key, Value Value
	d          *Document
	at, end    uint32
}

// Fields starts an iteration: for f := v.Fields(); f.Next(); { f.Key, f.Value }.
func (v Value) Fields() Fields {
	if v.Kind() != Object {
		return Fields{}
	}
	return Fields{d: v.d, at: v.i + 1, end: v.node().next}
}

// Twice returns a field of an object with the same name as an earlier field. It is unclear which of the two is meant,
// and two readers may act on different ones.
func (v Value) Twice() (at Fields, found bool) {
	if v.surelyOnce() {
		return Fields{}, false
	}
	var seen map[string]bool // used only for objects with many fields
	n := 0
	for f := v.Fields(); f.Next(); n++ {
		switch {
		case n < fewFields:
			for before := v.Fields(); before.Next() && before.Key.i < f.Key.i; {
				if before.Called() == f.Called() {
					return f, true
				}
			}
			continue
		case seen == nil:
			seen = make(map[string]bool, 2*fewFields)
			for before := v.Fields(); before.Next() && before.Key.i < f.Key.i; {
				seen[string(before.Name())] = true
			}
		}
		if name := string(f.Name()); seen[name] {
			return f, true
		} else {
			seen[name] = true
		}
	}
	return Fields{}, false
}

// surelyOnce reports whether the names differ judging by their lengths and ends alone. Those of most objects do, and
// every call of the protocol is checked.
func (v Value) surelyOnce() bool {
	if v.Kind() != Object {
		return true
	}
	seen := uint64(0)
	for at, end := v.i+1, v.node().next; at < end; at = v.d.nodes[at+1].next {
		n := &v.d.nodes[at]
		if n.flags&flagEscaped != 0 {
			return false
		}
		name := v.d.src[n.start:n.end] // including quotation marks, so that it is never empty
		mark := uint64(1) << ((uint32(len(name))*7 + uint32(name[1])*3 + uint32(name[len(name)-2])) & 63)
		if seen&mark != 0 {
			return false
		}
		seen |= mark
	}
	return true
}

// fewFields is the maximum number of fields for comparing every name with every other.
const fewFields = 16

// Next moves to the next field, and reports whether there is one.
func (f *Fields) Next() bool {
	if f.at >= f.end {
		return false
	}
	f.Key = Value{f.d, f.at}
	f.Value = Value{f.d, f.at + 1}
	f.at = f.d.nodes[f.at+1].next
	return true
}

// Name returns the text of the key, for use in a switch: the document's own bytes if nothing in it is escaped.
func (f *Fields) Name() []byte {
	n := &f.d.nodes[f.Key.i]
	raw := f.d.src[n.start+1 : n.end-1]
	if n.flags&flagEscaped == 0 {
		return raw
	}
	return unescape(nil, raw)
}

// Called returns Name as a string. It shares the document's memory and is valid until the next Parse: TinyGo would copy
// the bytes for every comparison.
func (f *Fields) Called() string { return view(f.Name()) }

// view returns b as a string that shares its memory.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// KeyIs reports whether the key equals key, without copying it.
func (f *Fields) KeyIs(key string) bool { return f.Key.Is(key) }

// Is reports whether the value is the string s.
func (v Value) Is(s string) bool {
	if v.Kind() != String {
		return false
	}
	n := v.node()
	if n.flags&flagEscaped == 0 {
		return int(n.end-n.start) == len(s)+2 && view(v.d.src[n.start+1:n.end-1]) == s
	}
	return v.String() == s
}

// Bool reports whether the value is the literal true.
func (v Value) Bool() bool {
	return v.Kind() == Bool && v.node().flags&flagTrue != 0
}

// String returns the text of a string value, "" for any other.
func (v Value) String() string {
	if v.Kind() != String {
		return ""
	}
	n := v.node()
	raw := v.d.src[n.start+1 : n.end-1]
	if n.flags&flagEscaped == 0 {
		return string(raw)
	}
	return string(unescape(make([]byte, 0, len(raw)), raw))
}

// Text returns the text of a string value: the document's own bytes if nothing is escaped, otherwise decoded into
// scratch, which grows as needed and is returned for the next call.
func (v Value) Text(scratch []byte) (text, grown []byte) {
	if v.Kind() != String {
		return nil, scratch
	}
	n := v.node()
	raw := v.d.src[n.start+1 : n.end-1]
	if n.flags&flagEscaped == 0 {
		return raw, scratch
	}
	scratch = unescape(scratch[:0], raw)
	return scratch, scratch
}

// AppendText appends the decoded text of a string value to dst.
func (v Value) AppendText(dst []byte) []byte {
	if v.Kind() != String {
		return dst
	}
	n := v.node()
	raw := v.d.src[n.start+1 : n.end-1]
	if n.flags&flagEscaped == 0 {
		return append(dst, raw...)
	}
	return unescape(dst, raw)
}

// TextLen returns the length of the raw text between the quotes, an upper limit of the decoded length.
func (v Value) TextLen() int {
	if v.Kind() != String {
		return 0
	}
	n := v.node()
	return int(n.end-n.start) - 2
}

// unescape appends the decoded text of a string. The result is never longer than raw, so its memory is reserved once;
// eight bytes are copied at a time.
func unescape(dst, raw []byte) []byte {
	start := len(dst)
	dst = slices.Grow(dst, len(raw))
	to := dst[start : start+len(raw)]
	n := 0
	for i := 0; i < len(raw); {
		for i+8 <= len(raw) {
			w := load64(raw[i:])
			slash := w ^ ones*'\\'
			store64(to[n:], w)
			if stop := (slash - ones) &^ slash & highs; stop != 0 {
				ahead := bits.TrailingZeros64(stop) >> 3
				i, n = i+ahead, n+ahead
				break
			}
			i, n = i+8, n+8
		}
		if i >= len(raw) {
			break
		}
		c := raw[i]
		if c != '\\' {
			to[n] = c
			i, n = i+1, n+1
			continue
		}
		c = raw[i+1]
		i += 2
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, _ := hex4(raw[i:])
			i += 4
			if r&^0x7ff == 0xd800 {
				r, i = surrogate(r, raw, i)
			}
			n = len(utf8.AppendRune(to[:n], r))
			continue
		}
		to[n] = c
		n++
	}
	return dst[:start+n]
}

// surrogate joins a pair of escapes into one character. A half without its partner becomes U+FFFD, like in JavaScript's
// TextEncoder.
func surrogate(r rune, raw []byte, i int) (rune, int) {
	if r < 0xdc00 && i+6 <= len(raw) && raw[i] == '\\' && raw[i+1] == 'u' {
		if low, ok := hex4(raw[i+2:]); ok && low >= 0xdc00 && low < 0xe000 {
			return 0x10000 + (r-0xd800)<<10 + (low - 0xdc00), i + 6
		}
	}
	return utf8.RuneError, i
}

// Plain returns the text of a string that needs no decoding: the document's own bytes.
func (v Value) Plain() ([]byte, bool) {
	if v.Kind() != String || v.node().flags&flagEscaped != 0 {
		return nil, false
	}
	n := v.node()
	return v.d.src[n.start+1 : n.end-1], true
}
