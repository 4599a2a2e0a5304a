// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// Settings are the user's settings for prompt files.
type Settings = api.PromptFileSettings

// DefaultSettings enables every feature. A file in every request is considered heavy from 5% of a window of 200,000
// tokens.
func DefaultSettings() Settings {
	return Settings{CodeLens: true, InlayHints: true, Hover: true, Diagnostics: true, Budget: api.FileBudget{Always: 10_000, Loaded: 25_000}}
}

// WatchedGlobs returns the files that can affect an open document: all Markdown files, because any of them may be
// imported, the prompt files that are not Markdown, and the files with agents' settings.
func WatchedGlobs() []string {
	globs := []string{"**/*.md", "**/*.mdc"}
	for _, glob := range promptfile.Globs() {
		if !strings.HasSuffix(glob, ".md") && !strings.HasSuffix(glob, ".mdc") {
			globs = append(globs, glob)
		}
	}
	return append(globs, agents.SettingsGlobs()...)
}
