// Copyright The ctx-lsp authors. MIT licence.

package finish

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// table builds a runtime.pclntab of functions with four tables each.
func table(pairs []byte, functions [][8]uint32) []byte {
	const names, files = "main.main\x00", "main.go\x00"
	var records, bodies []byte
	at := uint32(8*len(functions) + 8)
	for i, f := range functions {
		records = binary.LittleEndian.AppendUint32(records, uint32(i)<<16)
		records = binary.LittleEndian.AppendUint32(records, at+uint32(len(bodies)))
		for _, word := range []uint32{uint32(i) << 16, 0, 0, 0, f[0], f[1], f[2], 5, 0, 1, 0, f[3], f[4], f[5], f[6], f[7]} {
			bodies = binary.LittleEndian.AppendUint32(bodies, word)
		}
	}
	records = append(append(records, 0, 0, 1, 0, 0, 0, 0, 0), bodies...)
	out := bytes.Clone(programHeader)
	begin := uint64(8 + 8*8)
	for _, word := range []uint64{
		uint64(len(functions)), 1, 0, begin, begin + uint64(len(names)), begin + uint64(len(names)), begin + uint64(len(names)+len(files)),
		begin + uint64(len(names)+len(files)+len(pairs)),
	} {
		out = binary.LittleEndian.AppendUint64(out, word)
	}
	return append(append(append(append(out, names...), files...), pairs...), records...)
}

func TestOnlyWhatTheRuntimeNeedsIsKeptOfTheProgramTable(t *testing.T) {
	// Tables of pairs, each ended by a zero: the stack's at 1, the file's at 4, the line's at 7, the stack map's at 12,
	// the inlined functions' at 15, and one that the file and the stack share at 18. The second begins with a zero, which
	// is no end.
	pairs := []byte{0, 2, 5, 0, 0, 9, 0, 1, 0x81, 1, 3, 0, 3, 3, 0, 4, 4, 0, 6, 6, 0}
	image := append([]byte("what comes before"), table(pairs, [][8]uint32{{1, 4, 7, 0, 12, 15, 0, 0}, {18, 18, 7, 7, 0, 15, 7, 12}})...)
	before := bytes.Clone(image)
	dropLines(image)
	found, ok := findProgramTable(image)
	if !ok {
		t.Fatal("the table is no table any more")
	}
	if want := []byte{0, 2, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 6, 6, 0}; !bytes.Equal(found.pairs, want) {
		t.Errorf("of the pairs %v is left, want %v", found.pairs, want)
	}
	for i, want := range [][8]int{{1, 0, 0, 0, 12, 0, 0, 0}, {18, 0, 0, 0, 0, 0, 0, 12}} {
		f, _ := found.function(i)
		got := [8]int{f.word(funcStack), f.word(funcFile), f.word(funcLine)}
		for k := range f.tables() {
			got[3+k] = f.word(funcTables + 4*k)
		}
		if got != want {
			t.Errorf("function %d has the tables %v, want %v", i, got, want)
		}
	}
	if bytes.Contains(image, []byte("main.go")) || !bytes.Contains(image, []byte("main.main")) {
		t.Error("the files' names are to go and the functions' to stay")
	}
	for cut := range before {
		damaged := bytes.Clone(before[:cut])
		dropLines(damaged) // must neither panic nor change what is no whole table
		if !bytes.Equal(damaged, before[:cut]) && cut < len(before)-1 {
			t.Errorf("the first %d of %d bytes were taken for a whole table", cut, len(before))
		}
	}
}

func TestATableOfAnotherShapeIsLeftAlone(t *testing.T) {
	for name, functions := range map[string][8]uint32{
		"a table beyond the pairs": {1, 0, 0, 0, 99, 0, 0, 0},
		"a table without an end":   {3, 0, 0, 0, 0, 0, 0, 0},
		"a file beyond the pairs":  {1, 99, 0, 0, 0, 0, 0, 0},
	} {
		image := table([]byte{0, 2, 5, 0x80}, [][8]uint32{functions})
		before := bytes.Clone(image)
		if dropLines(image); !bytes.Equal(image, before) {
			t.Errorf("%s: it was changed", name)
		}
	}
}
