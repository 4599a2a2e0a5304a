// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
)

// Settings are what a user can say about prompt files.
type Settings = api.PromptFileSettings

// DefaultSettings shows everything. A file that is in every request is heavy from 5 % of a window of 200,000 on.
func DefaultSettings() Settings {
	return Settings{CodeLens: true, InlayHints: true, Hover: true, Diagnostics: true, Budget: api.FileBudget{Always: 10_000, Loaded: 25_000}}
}

// WatchedGlobs are the files whose changes concern an open prompt file: any Markdown may be imported, and there are
// prompt files that are none.
func WatchedGlobs() []string {
	globs := []string{"**/*.md", "**/*.mdc"}
	for _, glob := range promptfile.Globs() {
		if !strings.HasSuffix(glob, ".md") && !strings.HasSuffix(glob, ".mdc") {
			globs = append(globs, glob)
		}
	}
	return globs
}
