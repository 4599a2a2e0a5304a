// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"os"
	"path/filepath"
)

// dropRelativeTemp removes the variables of a directory for temporary files that are not absolute paths: they would
// lead into the current workspace. The system's directory is used then.
func dropRelativeTemp() {
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		if dir := os.Getenv(name); dir != "" && !filepath.IsAbs(dir) {
			_ = os.Unsetenv(name) // fails for no name
		}
	}
}
