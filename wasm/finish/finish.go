// Copyright The ctx-lsp authors. MIT licence.

// Package finish is the last step of building the module, after either compiler. It makes a module of the Go toolchain
// smaller: a tenth of it is a table that a short loop can write when the module starts.
package finish

import (
	"fmt"
)

// Section is the name of the custom section that says that a module is finished.
const Section = "ctx-lsp.finished"

// version is what the section holds: which way of finishing it was.
const version = 1

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
	if sections, err = shorten(sections); err != nil {
		return nil, err
	}
	mark := appendNumber(nil, uint64(len(Section)))
	mark = append(mark, Section...)
	return join(append(sections, section{customSection, append(mark, version)})), nil
}
