// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"
)

// excluded says whether a memory file is one that settings leave out.
func (l *loader) excluded(f *folder, path string) bool {
	for _, dir := range []string{f.dir, f.real} {
		whole := filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(path)))
		for _, glob := range l.excludes {
			if glob.MatchString(whole) {
				return true
			}
		}
	}
	return false
}
