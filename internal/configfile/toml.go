// Copyright The ctx-lsp authors. MIT licence.

package configfile

import "github.com/ctx-lsp/ctx-lsp/internal/safefile"

// TOML adds the named numbers and booleans of a TOML file to found. A name is the table, if any, and the key, with a
// dot between them.
func TOML(path string, found map[string]string, names ...string) {
	text, ok := safefile.Small(path)
	if !ok {
		return
	}
	written, _ := Find(InTOML, text, names...)
	for i := range written {
		if w := &written[i]; w.Scalar && !w.Quoted {
			found[w.Name()] = w.Value
		}
	}
}
