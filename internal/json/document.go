// Copyright The ctx-lsp authors. MIT licence.

// Package json reads and writes JSON without reflection.
//
// Reading is one pass over the bytes that creates a flat index, 16 bytes a value, with the end of every container.
// Values that are not requested are never decoded, and skipping a subtree costs one addition. That suits transcripts,
// because most of their bytes are never sent to a model. The index contains no pointers, so a garbage collector has
// nothing to scan.
//
// The grammar is RFC 8259 and nothing more. Input is limited by [MaxDepth] and [MaxValues].
package json

import (
	"math/bits"
	"strconv"
	"unicode/utf8"
)

const (
	// MaxDepth is how deep arrays and objects may be nested.
	MaxDepth = 256
	// MaxValues is the maximum number of values in a document, including object keys. It limits the index to 64 MB.
	MaxValues = 4 << 20
)

// Kind is the type of a JSON value.
type Kind uint8

// The kinds of values.
const (
	// Missing is the kind of a value that does not exist.
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the kind in words for an error message: "an array".
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Array:
		return "an array"
	case Object:
		return "an object"
	}
	return "missing"
}

// SyntaxError describes an error in a document, with its position.
type SyntaxError struct {
	Offset  int
	Message string
	// TooLarge is set if the document is well-formed up to Offset but exceeds MaxDepth or MaxValues.
	TooLarge bool
}

func (e *SyntaxError) Error() string {
	return "JSON is malformed at byte " + strconv.Itoa(e.Offset) + ": " + e.Message
}

const (
	flagEscaped = 1 << iota // the string contains a backslash
	flagTrue
)

type node struct {
	start, end uint32 // bytes of the value, quotes and brackets included
	next       uint32 // index of the node after this value's subtree
	kind       Kind
	flags      uint8
}

// Document is the index of a parsed text. It may be reused: Parse replaces the text and keeps the memory.
type Document struct {
	src   []byte
	nodes []node
	stack []uint32
}

// Parse indexes src, which must not change while its values are used.
func (d *Document) Parse(src []byte) (Value, error) {
	d.src = src
	d.nodes = d.nodes[:0]
	d.stack = d.stack[:0]
	if uint64(len(src)) >= 1<<32-1 {
		return Value{}, &SyntaxError{0, "the text is larger than 4 GB", true}
	}
	p := parser{d: d, src: src}
	if err := p.run(); err != nil {
		return Value{}, err
	}
	return Value{d, 0}, nil
}

// Parse indexes src in a new Document.
func Parse(src []byte) (Value, error) {
	d := &Document{}
	return d.Parse(src)
}

type parser struct {
	d   *Document
	src []byte
	pos int
}

func (p *parser) fail(at int, message string) error {
	return &SyntaxError{Offset: at, Message: message}
}

func (p *parser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// run parses the text in a loop without recursion, so that deeply nested input uses heap and not stack.
func (p *parser) run() error {
	d := p.d
	for {
		// A value is expected here.
		p.space()
		if p.pos >= len(p.src) {
			return p.fail(p.pos, "the text ends where a value is expected")
		}
		if len(d.nodes) >= MaxValues {
			return &SyntaxError{p.pos, "more than " + strconv.Itoa(MaxValues) + " values", true}
		}
		c := p.src[p.pos]
		switch {
		case c == '{' || c == '[':
			if len(d.stack) >= MaxDepth {
				return &SyntaxError{p.pos, "nested deeper than " + strconv.Itoa(MaxDepth) + " levels", true}
			}
			kind := Object
			if c == '[' {
				kind = Array
			}
			d.stack = append(d.stack, uint32(len(d.nodes)))
			d.nodes = append(d.nodes, node{start: uint32(p.pos), kind: kind})
			p.pos++
			p.space()
			if p.pos < len(p.src) && p.src[p.pos] == closing(kind) {
				break // an empty container: closed below
			}
			if kind == Object {
				if err := p.key(); err != nil {
					return err
				}
			}
			continue
		case c == '"':
			if err := p.text(); err != nil {
				return err
			}
		case c == '-' || c-'0' < 10:
			if err := p.number(); err != nil {
				return err
			}
		default:
			if err := p.word(c); err != nil {
				return err
			}
		}
		// A value has ended, so containers are closed until another value is expected.
		for {
			if len(d.stack) == 0 {
				p.space()
				if p.pos < len(p.src) {
					return p.fail(p.pos, "unexpected text after the value")
				}
				return nil
			}
			top := &d.nodes[d.stack[len(d.stack)-1]]
			p.space()
			if p.pos >= len(p.src) {
				return p.fail(p.pos, "the text ends inside "+top.kind.String())
			}
			c := p.src[p.pos]
			if c == closing(top.kind) {
				p.pos++
				top.end = uint32(p.pos)
				top.next = uint32(len(d.nodes))
				d.stack = d.stack[:len(d.stack)-1]
				continue
			}
			if c != ',' {
				return p.fail(p.pos, "expected ',' or the end of "+top.kind.String())
			}
			p.pos++
			if top.kind == Object {
				if err := p.key(); err != nil {
					return err
				}
			}
			break
		}
	}
}

func closing(k Kind) byte {
	if k == Object {
		return '}'
	}
	return ']'
}

func (p *parser) key() error {
	p.space()
	if p.pos >= len(p.src) || p.src[p.pos] != '"' {
		return p.fail(p.pos, "expected a quoted key")
	}
	if len(p.d.nodes) >= MaxValues {
		return &SyntaxError{p.pos, "more than " + strconv.Itoa(MaxValues) + " values", true}
	}
	if err := p.text(); err != nil {
		return err
	}
	p.space()
	if p.pos >= len(p.src) || p.src[p.pos] != ':' {
		return p.fail(p.pos, "expected ':' after a key")
	}
	p.pos++
	return nil
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// text reads a quoted string. It checks eight bytes at a time while they are plain.
func (p *parser) text() error {
	src, start := p.src, p.pos
	i := start + 1
	var flags uint8
	var seen byte // all bytes or-ed together, to detect pure ASCII
	for {
		for i+8 <= len(src) {
			w := load64(src[i:])
			// A high bit in stop marks a quote, a backslash or a control character. Bytes of 0x80 and above may be
			// marked falsely, so they are masked out here and checked in w itself.
			quote := w ^ ones*'"'
			slash := w ^ ones*'\\'
			stop := ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w) & highs
			if stop != 0 {
				n := bits.TrailingZeros64(stop) >> 3
				if w&(highs>>(64-8*uint(n))) != 0 && n > 0 {
					seen = 0x80
				}
				i += n
				break
			}
			if w&highs != 0 {
				seen = 0x80
			}
			i += 8
		}
		if i >= len(src) {
			return p.fail(start, "a string is not closed")
		}
		c := src[i]
		if c == '"' {
			break
		}
		if c < 0x20 {
			return p.fail(i, "a control character in a string")
		}
		if c != '\\' {
			seen |= c
			i++
			continue
		}
		flags |= flagEscaped
		i++
		if i >= len(src) {
			return p.fail(start, "a string is not closed")
		}
		switch src[i] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i++
		case 'u':
			if i+5 > len(src) {
				return p.fail(i, "an escape is incomplete")
			}
			if _, ok := hex4(src[i+1:]); !ok {
				return p.fail(i, "an escape needs four hexadecimal digits")
			}
			i += 5
		default:
			return p.fail(i, "an unknown escape in a string")
		}
	}
	if seen >= 0x80 && !isText(src[start+1:i]) {
		return p.fail(start, "a string is not valid UTF-8")
	}
	p.pos = i + 1
	p.d.nodes = append(p.d.nodes, node{
		start: uint32(start), end: uint32(p.pos), next: uint32(len(p.d.nodes) + 1),
		kind: String, flags: flags,
	})
	return nil
}

// isText reports whether bytes are UTF-8. It checks them in parts, because an engine that optimizes functions while
// running needs to see repeated calls.
func isText(p []byte) bool {
	const part = 4096
	for len(p) > part {
		end := part
		for end > part-utf8.UTFMax && !utf8.RuneStart(p[end]) {
			end--
		}
		if !utf8.Valid(p[:end]) {
			return false
		}
		p = p[end:]
	}
	return utf8.Valid(p)
}

func load64(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

func store64(b []byte, w uint64) {
	_ = b[7]
	b[0], b[1], b[2], b[3] = byte(w), byte(w>>8), byte(w>>16), byte(w>>24)
	b[4], b[5], b[6], b[7] = byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56)
}

func (p *parser) number() error {
	src, start := p.src, p.pos
	i := start
	if src[i] == '-' {
		i++
	}
	digits := func() bool {
		from := i
		for i < len(src) && src[i]-'0' < 10 {
			i++
		}
		return i > from
	}
	zero := i < len(src) && src[i] == '0'
	whole := i
	if !digits() {
		return p.fail(start, "a number without digits")
	}
	if zero && i > whole+1 {
		return p.fail(start, "a number with a leading zero")
	}
	if i < len(src) && src[i] == '.' {
		i++
		if !digits() {
			return p.fail(start, "a number without digits after its point")
		}
	}
	if i < len(src) && (src[i] == 'e' || src[i] == 'E') {
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		if !digits() {
			return p.fail(start, "a number without digits in its exponent")
		}
	}
	p.leaf(Number, start, i, 0)
	return nil
}

func (p *parser) leaf(kind Kind, start, end int, flags uint8) {
	p.pos = end
	p.d.nodes = append(p.d.nodes, node{
		start: uint32(start), end: uint32(end), next: uint32(len(p.d.nodes) + 1),
		kind: kind, flags: flags,
	})
}

func (p *parser) word(c byte) error {
	rest := p.src[p.pos:]
	switch {
	case c == 'n' && len(rest) >= 4 && string(rest[:4]) == "null":
		p.leaf(Null, p.pos, p.pos+4, 0)
	case c == 't' && len(rest) >= 4 && string(rest[:4]) == "true":
		p.leaf(Bool, p.pos, p.pos+4, flagTrue)
	case c == 'f' && len(rest) >= 5 && string(rest[:5]) == "false":
		p.leaf(Bool, p.pos, p.pos+5, 0)
	default:
		return p.fail(p.pos, "expected a value")
	}
	return nil
}

func hex4(b []byte) (rune, bool) {
	var r rune
	for _, c := range b[:4] {
		switch {
		case c-'0' < 10:
			c -= '0'
		case c-'a' < 6:
			c -= 'a' - 10
		case c-'A' < 6:
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
