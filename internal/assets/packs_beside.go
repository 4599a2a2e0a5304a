// Copyright The ctx-lsp authors. MIT licence.

//go:build beside

package assets

import (
	"fmt"
	"sync"
)

// The packs of an editor's package are stored next to the program, where the editor's own code reads them too. Each is
// read once, when it is first needed.
var packs = map[string]func() string{
	"o200k": once("o200k"), "cl100k": once("cl100k"), "p50k": once("p50k"), "r50k": once("r50k"),
}

func once(vocabulary string) func() string {
	return sync.OnceValue(func() string {
		file, _ := Read(vocabulary + ".ctxv") // callers report missing files
		return string(file)
	})
}

// text returns a pack stored next to this program, "" if there is none.
func text(vocabulary string) string {
	if read := packs[vocabulary]; read != nil {
		return read()
	}
	return ""
}

// Missing returns an error if this program cannot count because a pack is not next to it, which happens if only the
// program was copied.
func Missing() error {
	for _, vocabulary := range []string{"o200k", "cl100k", "p50k", "r50k"} {
		if _, err := Find(vocabulary + ".ctxv"); err != nil {
			return fmt.Errorf("this program came with an editor's extension and needs the vocabularies that are next to it there, "+
				"or a separately installed program: %w", err)
		}
	}
	return nil
}
