// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// TestPromptFilesAtHomeLieInAFolderOfTheAgent checks that what is shown of the user's own folder is bounded by the
// agents' folders in it, and that each agent's own files there can be read.
func TestPromptFilesAtHomeLieInAFolderOfTheAgent(t *testing.T) {
	tried := 0
	for _, a := range All() {
		folders := a.PromptHomes()
		for _, folder := range folders {
			tried++
			if folder != path.Clean(folder) || path.IsAbs(folder) || folder == "." || strings.HasPrefix(folder, "..") || strings.HasPrefix(folder, "~") {
				t.Errorf("%s: %q is not a folder below the user's own", a.ID, folder)
			}
		}
		for _, file := range append(slices.Clone(a.PromptFiles), a.SharedPromptFiles...) {
			file, atHome := strings.CutPrefix(file, "~/")
			if atHome && !slices.ContainsFunc(folders, func(folder string) bool { return strings.HasPrefix(file, folder+"/") }) {
				t.Errorf("%s: ~/%s is in none of its folders %q", a.ID, file, folders)
			}
		}
	}
	if tried < 15 {
		t.Errorf("only %d folders", tried)
	}
}
