// Copyright The ctx-lsp authors. MIT licence.

// Package finish is the last step of building the module, after either compiler.
//
// It gives the module a hook that hosts can use to end a call that takes too long. wazero can interrupt any module, but
// by leaving the machine code at the head of every loop, and in what Go compiles nearly every function is one: it made
// an update three times slower. The hook costs a counter.
//
// And it packs the data that the module's memory begins with, which in a module of the Go toolchain is a third of it,
// and leaves the numbers of lines out: the module unpacks it when it starts, in a few milliseconds.
package finish

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Section is the name of the custom section, the last of the module, that holds the slot of the hook.
const Section = "ctx-lsp.hook"

// Module finishes a module.
func Module(in []byte) ([]byte, error) {
	sections, err := split(in)
	if err != nil {
		return nil, err
	}
	for _, s := range sections {
		if s.id == customSection && customName(s.body) == Section {
			return nil, fmt.Errorf("the module is finished already")
		}
	}
	sections, slot, err := hook(sections)
	if err != nil {
		return nil, err
	}
	if sections, err = shorten(sections); err != nil {
		return nil, err
	}
	mark := append(appendNumber(nil, uint64(len(Section))), Section...)
	return join(append(sections, section{customSection, appendNumber(mark, uint64(slot))})), nil
}

// Slot finds the slot of a finished module's hook.
func Slot(module []byte) (slot uint32, ok bool) {
	const most = 5 // bytes of a slot
	end := module[max(0, len(module)-len(Section)-most):]
	at := bytes.LastIndex(end, []byte(Section))
	if at < 0 {
		return 0, false
	}
	n, size := binary.Uvarint(end[at+len(Section):])
	return uint32(n), size > 0 && at+len(Section)+size == len(end)
}

// Filler is a module that puts the function check of the module called host into the hook of the instance called core,
// when it is instantiated after them.
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
