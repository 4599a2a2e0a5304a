// Copyright The ctx-lsp authors. MIT licence.

package finish

import (
	"cmp"
	"fmt"
	"slices"
)

// A segment is bytes that the module's memory begins with.
type segment struct {
	address uint32
	bytes   []byte
}

// shorten packs what the module's memory begins with, and has the module unpack it when it starts. Most of it is tables
// of the compiler, which fold to a third, and no host can tell the difference.
//
// The packed bytes lie at the end of the memory, which Go and TinyGo leave empty, and the memory there is cleared
// again.
func shorten(sections []section) ([]section, error) {
	data, memory := find(sections, dataSection), find(sections, memorySection)
	if data == nil || memory == nil || find(sections, startSection) != nil || find(sections, dataCountSection) != nil {
		return sections, nil
	}
	segments, ok, err := readSegments(data.body)
	if err != nil || !ok {
		return sections, err
	}
	r := &reader{rest: memory.body}
	count, _, pages := r.number(), r.byte(), r.number()
	if r.err != nil || count != 1 || pages > 1<<16-1 {
		return sections, r.err
	}
	low, last := segments[0].address, segments[len(segments)-1]
	high := last.address + uint32(len(last.bytes))
	end := uint32(pages) << 16
	if high < low || high > end {
		return sections, nil
	}
	image := make([]byte, high-low)
	for _, s := range segments {
		copy(image[s.address-low:], s.bytes)
	}
	dropLines(image)
	packed := pack(image)
	from := end - uint32(len(packed))
	body := writeSegments([]segment{{from, packed}})
	if uint32(len(packed)) > end-high || len(body)+worthwhile > len(data.body) {
		return sections, nil
	}
	data.body = body
	return addStart(sections, unpacker(from, end, low))
}

// worthwhile is what packing has to save.
const worthwhile = 16 << 10

// readSegments reads a data section in the order of the addresses; ok is false if it has segments of other kinds than
// at a constant address.
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

// addStart has the module begin with a function.
func addStart(sections []section, function []byte) ([]section, error) {
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
	_, body, err = push(code.body, append(appendNumber(nil, uint64(len(function))), function...))
	if err != nil {
		return nil, err
	}
	code.body = body
	return insert(sections, section{startSection, appendNumber(nil, uint64(importedFunctions+functionIndex))}), nil
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
