// Copyright The ctx-lsp authors. MIT licence.

package safefile

import "io"

// MaxSmall is the maximum size of settings files, and of small files that agents keep next to sessions; larger ones are
// not read.
const MaxSmall = 1 << 20

// Small returns the content of a regular file, and false if it cannot be read or is larger than MaxSmall.
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

// SmallText returns all text of r, and false if it cannot be read or is longer than MaxSmall.
func SmallText(r io.Reader) ([]byte, bool) {
	text, err := io.ReadAll(io.LimitReader(r, MaxSmall+1))
	return text, err == nil && len(text) <= MaxSmall
}
