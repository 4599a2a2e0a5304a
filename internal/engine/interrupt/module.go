// Copyright The ctx-lsp authors. MIT licence.

package interrupt

import (
	"bytes"
	"errors"
	"fmt"
)

// The ids of the sections that this package reads or writes.
const (
	customSection   = 0
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	tableSection    = 4
	globalSection   = 6
	exportSection   = 7
	elementSection  = 9
	codeSection     = 10
)

// The opcodes and types that this package writes or looks for.
const (
	opUnreachable  = 0x00
	opLoop         = 0x03
	opIf           = 0x04
	opEnd          = 0x0b
	opBrIf         = 0x0d
	opCall         = 0x10
	opCallIndirect = 0x11
	opLocalGet     = 0x20
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opI32Const     = 0x41
	opI32Eqz       = 0x45
	opI32Sub       = 0x6b
	noValue        = 0x40 // the type of a block without a value
	typeI32        = 0x7f
	typeFuncref    = 0x70
	typeFunction   = 0x60
)

// sectionOrder is the position of each section in a module. The order is that of the ids, except for the data count.
var sectionOrder = map[byte]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9, 12: 10, 10: 11, 11: 12}

type section struct {
	id   byte
	body []byte
}

var header = []byte("\x00asm\x01\x00\x00\x00")

func split(module []byte) ([]section, error) {
	if !bytes.HasPrefix(module, header) {
		return nil, errors.New("this is not a WebAssembly module")
	}
	r := &reader{rest: module[len(header):]}
	var sections []section
	for len(r.rest) > 0 && r.err == nil {
		id := r.byte()
		sections = append(sections, section{id, r.bytes(r.number())})
	}
	return sections, r.err
}

func join(sections []section) []byte {
	out := bytes.Clone(header)
	for _, s := range sections {
		out = append(out, s.id)
		out = appendNumber(out, uint64(len(s.body)))
		out = append(out, s.body...)
	}
	return out
}

func find(sections []section, id byte) *section {
	for i := range sections {
		if sections[i].id == id {
			return &sections[i]
		}
	}
	return nil
}

// insert inserts a section at its position among the others.
func insert(sections []section, s section) []section {
	at := 0
	for i := range sections {
		if sections[i].id != customSection && sectionOrder[sections[i].id] < sectionOrder[s.id] {
			at = i + 1
		}
	}
	out := append([]section(nil), sections[:at]...)
	return append(append(out, s), sections[at:]...)
}

func customName(body []byte) string {
	r := &reader{rest: body}
	return string(r.bytes(r.number()))
}

// A reader reads the parts of a module. It keeps the first error; after an error it returns zeros.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
	r.rest = nil
}

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.fail("the module is incomplete")
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail("the module is incomplete")
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// number reads an unsigned LEB128 number.
func (r *reader) number() uint64 {
	var n uint64
	for shift := 0; shift < 70; shift += 7 {
		b := r.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	r.fail("the module contains a number that is too long")
	return 0
}

// signed reads a signed LEB128 number.
func (r *reader) signed() int64 {
	var n int64
	for shift := 0; shift < 70; shift += 7 {
		b := r.byte()
		n |= int64(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 && shift+7 < 64 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
	r.fail("the module contains a number that is too long")
	return 0
}

func appendNumber(out []byte, n uint64) []byte {
	for n >= 0x80 {
		out = append(out, byte(n)|0x80)
		n >>= 7
	}
	return append(out, byte(n))
}

func appendSigned(out []byte, n int64) []byte {
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if n == 0 && b&0x40 == 0 || n == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

// push appends an entry to a section that is a list, and returns the index of the entry.
func push(list, entry []byte) (index uint32, out []byte, err error) {
	r := &reader{rest: list}
	n := r.number()
	out = appendNumber(nil, n+1)
	out = append(out, r.rest...)
	return uint32(n), append(out, entry...), r.err
}

// imported counts the functions, globals and tables that the module imports. Imports are numbered before the module's
// own.
func imported(sections []section) (functions, globals, tables uint32, err error) {
	imports := find(sections, importSection)
	if imports == nil {
		return 0, 0, 0, nil
	}
	r := &reader{rest: imports.body}
	for range r.number() {
		r.bytes(r.number())
		r.bytes(r.number())
		switch kind := r.byte(); kind {
		case 0:
			functions++
			r.number()
		case 1:
			tables++
			r.byte()
			limits(r)
		case 2: // memory
			limits(r)
		case 3:
			globals++
			r.byte()
			r.byte()
		default:
			r.fail("the module has an import of the unknown kind %d", kind)
		}
	}
	return functions, globals, tables, r.err
}

func limits(r *reader) {
	flags := r.byte()
	r.number()
	if flags&1 != 0 {
		r.number()
	}
}
