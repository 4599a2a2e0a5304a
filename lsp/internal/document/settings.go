// Copyright The ctx-lsp authors. MIT licence.

package document

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
)

// Settings are what a user can say about prompt files.
type Settings struct {
	CodeLens    bool `json:"codeLens"`    // what the file weighs, above its first line
	InlayHints  bool `json:"inlayHints"`  // the tokens of each section, behind its heading
	Hover       bool `json:"hover"`       // the breakdown
	Diagnostics bool `json:"diagnostics"` // what is too heavy, missing, circular or there twice

	Budget Budget `json:"budget"`
}

// A Budget is how many tokens a file may weigh, its imports included, before a diagnostic says so; 0 for no limit.
type Budget struct {
	Always int64 `json:"always"` // what is in every request
	Loaded int64 `json:"loaded"` // what is loaded by path or on demand
}

// DefaultSettings shows everything. A file that is in every request is heavy from 5 % of a window of 200,000 on.
func DefaultSettings() Settings {
	return Settings{CodeLens: true, InlayHints: true, Hover: true, Diagnostics: true, Budget: Budget{Always: 10_000, Loaded: 25_000}}
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
