// Copyright The ctx-lsp authors. MIT licence.

package finish

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// A segment is bytes that the module's memory begins with.
type segment struct {
	address uint32
	bytes   []byte
}

// A ramp is the table runtime.findfunctab of a Go module: a record of 20 bytes for each 4 KB of program counters, of which
// only the first word, the number of a function, is not zero. In WebAssembly every function spans 64 KB of program
// counters, so the table has 16 equal records for every function, and takes a tenth of the module.
type ramp struct {
	address uint32 // of the first record
	records uint32
	first   uint32 // the word of the first record
	offset  uint32 // how many of the 16 records with that word come before it
}

const (
	recordSize = 20
	// worthwhile is the least number of records to write by code.
	worthwhile = 1024
)

func (p ramp) word(i uint32) uint32 { return p.first + (i+p.offset)>>4 }

// shorten leaves the ramp out of the data and has the module write it when it starts.
func shorten(sections []section) ([]section, error) {
	data := find(sections, dataSection)
	if data == nil || find(sections, startSection) != nil {
		return sections, nil
	}
	segments, ok, err := readSegments(data.body)
	if err != nil || !ok {
		return sections, err
	}
	found, ok := findRamp(segments)
	if !ok {
		return sections, nil
	}
	end := found.address + found.records*recordSize
	var kept []segment
	for _, s := range segments {
		if s.address+uint32(len(s.bytes)) <= found.address || s.address >= end {
			kept = append(kept, s)
			continue
		}
		// A segment may begin before the ramp or end behind it.
		if s.address < found.address {
			kept = append(kept, segment{s.address, s.bytes[:found.address-s.address]})
		}
		if over := s.address + uint32(len(s.bytes)); over > end {
			kept = append(kept, segment{end, s.bytes[end-s.address:]})
		}
	}
	data.body = writeSegments(kept)
	return addStart(sections, found)
}

// findRamp finds the longest ramp among the segments, which are in the order of their addresses.
func findRamp(segments []segment) (ramp, bool) {
	low, high := segments[0].address&^3, uint32(0)
	for _, s := range segments {
		high = max(high, s.address+uint32(len(s.bytes)))
	}
	const most = 64 << 20
	if high-low > most {
		return ramp{}, false
	}
	memory := make([]byte, high-low+4)
	for _, s := range segments {
		copy(memory[s.address-low:], s.bytes)
	}
	zero := func(from, n int) bool {
		for _, b := range memory[from : from+n] {
			if b != 0 {
				return false
			}
		}
		return true
	}
	best := ramp{}
	for at := 0; at+recordSize*worthwhile < len(memory); at += 4 {
		// A ramp is found where a word is followed by its equal and both by zeros; begin where the word changes.
		word := binary.LittleEndian.Uint32(memory[at:])
		if word == 0 || word > 1<<20 || !zero(at+4, 16) || binary.LittleEndian.Uint32(memory[at+recordSize:]) != word+1 {
			continue
		}
		p := ramp{address: low + uint32(at), first: word, offset: 15}
		n := 0
		for next := at; next+recordSize <= len(memory); next += recordSize {
			if binary.LittleEndian.Uint32(memory[next:]) != p.word(uint32(n)) || !zero(next+4, 16) {
				break
			}
			n++
		}
		if n < worthwhile {
			continue
		}
		// The records before it.
		for back := at - recordSize; back >= 0 && p.first+p.offset > 0; back -= recordSize {
			before := p
			before.address -= recordSize
			if before.offset == 0 {
				before.offset = 15
				before.first--
			} else {
				before.offset--
			}
			if binary.LittleEndian.Uint32(memory[back:]) != before.first || !zero(back+4, 16) {
				break
			}
			p = before
			n++
		}
		p.records = uint32(n)
		if p.records > best.records {
			best = p
		}
		at += recordSize * 16
	}
	return best, best.records >= worthwhile
}

// readSegments reads a data section in the order of the addresses; ok is false if it has segments of other kinds than at a constant address.
func readSegments(body []byte) (segments []segment, ok bool, err error) {
	r := &reader{rest: body}
	for range r.number() {
		if r.number() != 0 || r.byte() != opI32Const {
			return nil, false, r.err
		}
		address := uint32(r.signed())
		if r.byte() != opEnd {
			return nil, false, r.err
		}
		segments = append(segments, segment{address, r.bytes(r.number())})
	}
	slices.SortStableFunc(segments, func(a, b segment) int { return cmp.Compare(a.address, b.address) })
	for i := 1; i < len(segments); i++ {
		if before := segments[i-1]; segments[i].address < before.address+uint32(len(before.bytes)) {
			return nil, false, r.err // they overlap, so that their order matters
		}
	}
	return segments, len(segments) > 0, r.err
}

func writeSegments(segments []segment) []byte {
	out := appendNumber(nil, uint64(len(segments)))
	for _, s := range segments {
		out = append(out, 0, opI32Const)
		out = appendSigned(out, int64(int32(s.address)))
		out = append(out, opEnd)
		out = appendNumber(out, uint64(len(s.bytes)))
		out = append(out, s.bytes...)
	}
	return out
}

// addStart adds a function that writes the ramp, and has the module begin with it.
func addStart(sections []section, p ramp) ([]section, error) {
	types, functions, code := find(sections, typeSection), find(sections, functionSection), find(sections, codeSection)
	if types == nil || functions == nil || code == nil {
		return nil, fmt.Errorf("the module has data but no functions")
	}
	importedFunctions, _, _, err := imported(sections)
	if err != nil {
		return nil, err
	}
	typeIndex, body, err := push(types.body, []byte{typeFunction, 0, 0})
	if err != nil {
		return nil, err
	}
	types.body = body
	functionIndex, body, err := push(functions.body, appendNumber(nil, uint64(typeIndex)))
	if err != nil {
		return nil, err
	}
	functions.body = body
	function := p.code()
	_, body, err = push(code.body, append(appendNumber(nil, uint64(len(function))), function...))
	if err != nil {
		return nil, err
	}
	code.body = body
	return insert(sections, section{startSection, appendNumber(nil, uint64(importedFunctions+functionIndex))}), nil
}

// code is a function that writes the ramp: local 0 is the number of the record.
func (p ramp) code() []byte {
	f := []byte{1, 1, typeI32, opLoop, noValue}
	f = append(f, opLocalGet, 0, opI32Const, recordSize, opI32Mul)
	f = append(f, opLocalGet, 0, opI32Const)
	f = appendSigned(f, int64(p.offset))
	f = append(f, opI32Add, opI32Const, 4, opI32ShrU, opI32Const)
	f = appendSigned(f, int64(p.first))
	f = append(f, opI32Add, opI32Store, 2)
	f = appendNumber(f, uint64(p.address))
	f = append(f, opLocalGet, 0, opI32Const, 1, opI32Add, opLocalTee, 0, opI32Const)
	f = appendSigned(f, int64(p.records))
	return append(f, opI32LtU, opBrIf, 0, opEnd, opEnd)
}

// push adds an entry to a section that is a list, and says which it is.
func push(list, entry []byte) (index uint32, out []byte, err error) {
	r := &reader{rest: list}
	n := r.number()
	out = appendNumber(nil, n+1)
	out = append(out, r.rest...)
	return uint32(n), append(out, entry...), r.err
}

// imported counts what the module imports, which comes first in the numbering.
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
			r.fail("the module imports something of kind %d, which is not known here", kind)
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
