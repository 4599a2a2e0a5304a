// Copyright The ctx-lsp authors. MIT licence.

package finish

import (
	"bytes"
	"encoding/binary"
)

// dropLines clears, in the memory that a module of the Go toolchain begins with, the tables that say which line of
// which file an instruction comes from and which function was inlined there, and two that only asynchronous preemption
// and the arguments in a trace need: a third of what is packed. A module that panics still says why, and in which
// functions, but for inlined ones; the linker has no option for less.
//
// The tables are those of runtime.pclntab, as Go has had it since 1.20. An image that does not look so in every detail
// stays as it is.
func dropLines(image []byte) {
	t, ok := findProgramTable(image)
	if !ok {
		return
	}
	kept := make([]bool, len(t.pairs))
	for i := range t.functions {
		f, ok := t.function(i)
		if !ok || !t.keep(f, kept) {
			return
		}
	}
	for i := range t.functions {
		f, _ := t.function(i)
		binary.LittleEndian.PutUint32(f[funcFile:], 0)
		binary.LittleEndian.PutUint32(f[funcLine:], 0)
		for k := range f.tables() {
			if dropped(k) {
				binary.LittleEndian.PutUint32(f[funcTables+4*k:], 0)
			}
		}
	}
	for i, k := range kept {
		if !k {
			t.pairs[i] = 0
		}
	}
	clear(t.files)
}

// A programTable is runtime.pclntab.
type programTable struct {
	functions int
	files     []byte // the names of files, and who has which
	pairs     []byte // tables by program counters, in pairs of numbers
	records   []byte // where each function begins, and its record
}

// A function is what the table has of one: its beginning is runtime._func.
type function []byte

const (
	funcStack  = 16 // where in pairs its stack depths are
	funcFile   = 20
	funcLine   = 24
	funcCount  = 28 // how many further tables it has
	funcTables = 44

	tableUnsafe        = 0
	tableInlined       = 2
	tableLiveArguments = 3
	mostTables         = 8
)

func dropped(table int) bool {
	return table == tableUnsafe || table == tableInlined || table == tableLiveArguments
}

func (f function) word(at int) int { return int(binary.LittleEndian.Uint32(f[at:])) }
func (f function) tables() int     { return f.word(funcCount) }

// programHeader is its number, and that instructions count by 1 and pointers have 8 bytes.
var programHeader = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

func findProgramTable(image []byte) (t programTable, ok bool) {
	at := bytes.Index(image, programHeader)
	if at < 0 || len(image)-at < 9*8 {
		return t, false
	}
	table := image[at:]
	// functions, files, text, and where its parts begin: names, units, files, pairs, records.
	var parts [8]uint64
	for i := range parts {
		parts[i] = binary.LittleEndian.Uint64(table[8+8*i:])
	}
	units, pairs, records := parts[4], parts[6], parts[7]
	if units > pairs || pairs > records || records > uint64(len(table)) || parts[0] > uint64(len(table))/8 {
		return t, false
	}
	t = programTable{functions: int(parts[0]), files: table[units:pairs], pairs: table[pairs:records], records: table[records:]}
	return t, t.functions > 0
}

// function is the record of the i-th, if it is one.
func (t *programTable) function(i int) (f function, ok bool) {
	if 8*i+8 > len(t.records) {
		return nil, false
	}
	entry, at := binary.LittleEndian.Uint32(t.records[8*i:]), uint64(binary.LittleEndian.Uint32(t.records[8*i+4:]))
	if at+funcTables > uint64(len(t.records)) {
		return nil, false
	}
	f = function(t.records[at:])
	ok = binary.LittleEndian.Uint32(f) == entry && f.tables() <= mostTables && funcTables+4*f.tables() <= len(f)
	return f, ok
}

// keep marks the pairs that a function needs.
func (t *programTable) keep(f function, kept []bool) bool {
	ok := t.mark(f.word(funcStack), kept) && f.word(funcFile) < len(t.pairs) && f.word(funcLine) < len(t.pairs)
	for k := range f.tables() {
		if !dropped(k) {
			ok = ok && t.mark(f.word(funcTables+4*k), kept)
		}
	}
	return ok
}

// mark marks one table of pairs. It ends with a first number of 0 that is not the table's first.
func (t *programTable) mark(at int, kept []bool) bool {
	if at == 0 {
		return true // there is none
	}
	if at > len(t.pairs) {
		return false
	}
	r := &reader{rest: t.pairs[at:]}
	for first := true; ; first = false {
		if r.number() == 0 && !first || r.err != nil {
			break
		}
		r.number()
	}
	if r.err != nil {
		return false
	}
	for i := at; i < len(t.pairs)-len(r.rest); i++ {
		kept[i] = true
	}
	return true
}
