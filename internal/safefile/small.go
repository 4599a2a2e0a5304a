// Copyright The ctx-lsp authors. MIT licence.

package safefile

import "io"

// MaxSmall bounds settings files, and the small files that agents keep beside sessions; longer ones are not read.
const MaxSmall = 1 << 20

// Small reads a file that must be regular and small.
func Small(path string) ([]byte, bool) {
	if path == "" {
		return nil, false
	}
	f, err := File(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	return SmallText(f)
}

// SmallText reads a text that must be small.
func SmallText(r io.Reader) ([]byte, bool) {
	text, err := io.ReadAll(io.LimitReader(r, MaxSmall+1))
	return text, err == nil && len(text) <= MaxSmall
}
