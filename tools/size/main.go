// Copyright The ctx-lsp authors. MIT licence.

// Command size prints how many bytes of a Linux program each dependency takes: its machine code, and its part of the
// tables that Go keeps for stack traces and the garbage collector.
//
//	mk/tool.sh size PROGRAM
package main

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: mk/tool.sh size PROGRAM")
		os.Exit(2)
	}
	if err := report(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

func report(path string) error {
	file, err := elf.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for _, name := range []string{".text", ".gopclntab", ".rodata", ".noptrdata", ".data"} {
		if s := file.Section(name); s != nil {
			fmt.Printf("%-32s %6.2f MB\n", name, float64(s.Size)/1e6)
		}
	}
	section := file.Section(".gopclntab")
	if section == nil {
		return errors.New("the program has no table of functions")
	}
	table, err := section.Data()
	if err != nil {
		return err
	}
	functions, err := read(table)
	if err != nil {
		return err
	}
	type sizes struct{ code, tables int }
	total := map[string]sizes{}
	for _, f := range functions {
		g := group(f.name)
		total[g] = sizes{total[g].code + f.code, total[g].tables + f.tables}
	}
	fmt.Printf("\n%-32s %9s %9s %9s\n", "dependency", "code", "tables", "MB")
	for _, g := range slices.SortedFunc(maps.Keys(total), func(a, b string) int {
		return cmp.Compare(total[b].code+total[b].tables, total[a].code+total[a].tables)
	}) {
		s := total[g]
		fmt.Printf("%-32s %9.2f %9.2f %9.2f\n", g, float64(s.code)/1e6, float64(s.tables)/1e6, float64(s.code+s.tables)/1e6)
	}
	return nil
}

// groups are the dependencies, by prefixes of package paths. The first that matches is used.
var groups = []struct{ name, prefixes string }{
	{"our packages", "github.com/ctx-lsp/"},
	{"SQLite", "modernc.org/ database/sql github.com/remyoudompheng/ github.com/ncruces/"},
	{"wazero", "github.com/tetratelabs/ debug/dwarf"},
	{"network and cryptography", "crypto net hash mime vendor/ encoding/asn1 encoding/pem math/big"},
	{"screen of ctx-lsp top", "charm.land/ github.com/charmbracelet/ github.com/rivo/ github.com/xo/ github.com/lucasb-eyer/ github.com/clipperhouse/ github.com/mattn/ github.com/muesli/ image"},
	{"tiktoken-go", "github.com/pkoukk/ github.com/dlclark/"},
	{"command line", "github.com/spf13/ text/template flag"},
	{"zstd", "github.com/klauspost/"},
	{"MCP SDK", "github.com/modelcontextprotocol/ github.com/segmentio/ github.com/google/jsonschema-go github.com/yosida95/ encoding/gob"},
}

func group(function string) string {
	function, _, _ = strings.Cut(function, "[") // type arguments
	if strings.HasPrefix(function, "type:") || strings.HasPrefix(function, "go:") {
		return "made by the compiler"
	}
	for _, g := range groups {
		for prefix := range strings.FieldsSeq(g.prefixes) {
			if rest, ok := strings.CutPrefix(function, prefix); ok && (strings.HasSuffix(prefix, "/") || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, ".")) {
				return g.name
			}
		}
	}
	if first, _, _ := strings.Cut(function, "/"); strings.Contains(first, ".") && strings.Contains(function, "/") {
		return "other modules"
	}
	return "runtime and standard library"
}

// function is a function with the bytes of its code and of its tables.
type function struct {
	name         string
	code, tables int
}

// The layout of the table since Go 1.20, on systems of 64 bits.
const (
	magic  = 0xfffffff1
	fixed  = 44 // bytes of a function's entry before its lists
	unused = ^uint32(0)
)

// read reads the functions. A table that several functions share is added to the first of them.
func read(t []byte) ([]function, error) {
	if len(t) < 72 || binary.LittleEndian.Uint32(t) != magic || t[7] != 8 {
		return nil, errors.New("the table of functions has an unknown layout")
	}
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(t[at:]) }
	word := func(i int) int { return int(binary.LittleEndian.Uint64(t[8+8*i:])) }
	count, names, values, entries := word(0), word(3), word(6), word(7)
	type entry struct {
		function
		values, data []uint32
	}
	list := make([]entry, count)
	var allValues, allData []uint32
	for i := range list {
		e := &list[i]
		at := entries + int(u32(entries+8*i+4))
		name := t[names+int(u32(at+4)):]
		e.name = string(name[:bytes.IndexByte(name, 0)])
		e.code = int(u32(entries+8*(i+1)) - u32(entries+8*i))
		of, data := int(u32(at+28)), int(t[at+43])
		e.tables = fixed + 4*of + 4*data + 8 + len(e.name) + 1
		for _, place := range []int{at + 16, at + 20, at + 24} { // stack pointers, files and lines
			e.values = append(e.values, u32(place))
		}
		for j := range of {
			e.values = append(e.values, u32(at+fixed+4*j))
		}
		for j := range data {
			if v := u32(at + fixed + 4*of + 4*j); v != unused {
				e.data = append(e.data, v)
			}
		}
		allValues, allData = append(allValues, e.values...), append(allData, e.data...)
	}
	valueSizes, dataSizes := gaps(allValues, uint32(entries-values)), gaps(allData, 0)
	functions := make([]function, count)
	for i := range list {
		e := &list[i]
		for _, v := range e.values {
			if v != 0 { // 0 stands for an empty table
				e.tables += valueSizes[v]
				valueSizes[v] = 0
			}
		}
		for _, v := range e.data {
			e.tables += dataSizes[v]
			dataSizes[v] = 0
		}
		functions[i] = e.function
	}
	return functions, nil
}

// gaps returns the distance from each offset to the next larger one, or to end.
func gaps(offsets []uint32, end uint32) map[uint32]int {
	slices.Sort(offsets)
	offsets = slices.Compact(offsets)
	sizes := map[uint32]int{}
	for i, v := range offsets {
		next := max(end, v)
		if i+1 < len(offsets) {
			next = offsets[i+1]
		}
		sizes[v] = int(next - v)
	}
	return sizes
}
