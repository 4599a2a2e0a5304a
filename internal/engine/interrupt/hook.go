// Copyright The ctx-lsp authors. MIT licence.

// Package interrupt adds a hook to the module, through which a host can end a call that takes too long. It is the last
// step of building the module, after either compiler.
//
// wazero can interrupt any module, but its check leaves the machine code at the start of every loop, and in code from
// the Go compiler nearly every function is a loop. The hook costs only a counter instead. RATIONALE.md ("A hook in the
// module replaces wazero's deadline check") has the figures, and BenchmarkUpdateWasm in internal/engine measures them.
package interrupt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// Section is the name of the custom section, the last of the module, with the slot of the hook.
const Section = "ctx-lsp.hook"

// Add returns a module with a hook added.
func Add(in []byte) ([]byte, error) {
	sections, err := split(in)
	if err != nil {
		return nil, err
	}
	for _, s := range sections {
		if s.id == customSection && customName(s.body) == Section {
			return nil, fmt.Errorf("the module already has its hook")
		}
	}
	sections = slices.DeleteFunc(sections, unread)
	sections, slot, err := patch(sections)
	if err != nil {
		return nil, err
	}
	mark := append(appendNumber(nil, uint64(len(Section))), Section...)
	return join(append(sections, section{customSection, appendNumber(mark, uint64(slot))})), nil
}

// unread reports whether a section is used by no engine: the names of functions, which are a twentieth of TinyGo's
// output, and the list of compilers that produced the module.
func unread(s section) bool {
	if s.id != customSection {
		return false
	}
	name := customName(s.body)
	return name == "name" || name == "producers"
}

// Slot returns the slot of the hook in a module; ok is false if it has none.
func Slot(module []byte) (slot uint32, ok bool) {
	const most = 5 // the maximum length of a slot's number
	end := module[max(0, len(module)-len(Section)-most):]
	at := bytes.LastIndex(end, []byte(Section))
	if at < 0 {
		return 0, false
	}
	n, size := binary.Uvarint(end[at+len(Section):])
	return uint32(n), size > 0 && at+len(Section)+size == len(end)
}

// Filler returns a module that installs a function in a hook: when it is instantiated after them, it puts the function
// check of the module called host into the hook of the instance called core.
func Filler(core, host string, slot uint32) []byte {
	name := func(out []byte, s string) []byte { return append(appendNumber(out, uint64(len(s))), s...) }
	imports := name(name([]byte{2}, core), hookTable)
	imports = appendNumber(append(imports, 1, typeFuncref, 0), uint64(slot)+1)
	imports = append(name(name(imports, host), "check"), 0, 0)
	element := append(appendSigned([]byte{1, 0, opI32Const}, int64(slot)), opEnd, 1, 0)
	return join([]section{
		{typeSection, []byte{1, typeFunction, 0, 0}},
		{importSection, imports},
		{elementSection, element},
	})
}
