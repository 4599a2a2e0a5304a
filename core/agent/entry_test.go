// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"path"
	"strings"
	"testing"
)

// TestPromptFilesAtHomeLieInAFolderOfTheAgent holds that what is shown of the user's own folder is bounded by the
// agents' folders in it, and that each agent's own files there can be read.
func TestPromptFilesAtHomeLieInAFolderOfTheAgent(t *testing.T) {
	for _, e := range Entries() {
		folders := e.HomeFolders
		for _, folder := range folders {
			if folder != path.Clean(folder) || path.IsAbs(folder) || folder == "." || strings.HasPrefix(folder, "..") || strings.HasPrefix(folder, "~") {
				t.Errorf("%s: %q is no folder below the user's own", e.ID, folder)
			}
		}
		for _, file := range e.PromptFiles {
			file, atHome := strings.CutPrefix(file, "~/")
			inside := func() bool {
				for _, folder := range folders {
					if strings.HasPrefix(file, folder+"/") {
						return true
					}
				}
				return false
			}
			if atHome && !inside() {
				t.Errorf("%s: ~/%s is in none of its folders %q", e.ID, file, folders)
			}
		}
	}
}
