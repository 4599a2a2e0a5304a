// Copyright The ctx-lsp authors. MIT licence.

package configfile

import "github.com/ctx-lsp/ctx-lsp/internal/safefile"

// TOML reads those numbers and switches of a file of settings in TOML that are named, each by its table, if it has one,
// and its key.
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
