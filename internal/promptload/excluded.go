// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"path/filepath"
)

// excluded reports whether settings exclude a memory file.
func (l *Loader) excluded(f *Folder, path string) bool {
	for _, dir := range []string{f.Dir, f.Real} {
		whole := filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(path)))
		for _, glob := range l.Excludes {
			if glob.MatchString(whole) {
				return true
			}
		}
	}
	return false
}
