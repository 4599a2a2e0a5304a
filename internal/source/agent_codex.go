// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

var codex = Agent{
	ID: agent.Codex, Home: Folder{Variable: "CODEX_HOME", Default: ".codex"},
	Roots: func(e dirs.Environment, home, from string) []Root {
		return []Root{
			{Path: e.Join(home, "sessions"), From: from, list: listCodex},
			{Name: "archived", Path: e.Join(home, "archived_sessions"), From: from, list: listCodex},
		}
	},
	Title:       Index{File: codexIndex, Read: codexTitle},
	NamesTokens: true,
	EndsAlone:   true,
	LongTurns:   true,
	Settings: func(e dirs.Environment, home, _ string, found configfile.Values) {
		configfile.TOML(e.Join(home, "config.toml"), found, "model_auto_compact_token_limit", "model_context_window")
	},
}

// codexIndex is the list of names beside the folders of Codex's sessions.
func codexIndex(s Session) string {
	for dir := filepath.Dir(s.Path); ; {
		up := filepath.Dir(dir)
		if name := filepath.Base(dir); name == "sessions" || name == "archived_sessions" {
			return filepath.Join(up, "session_index.jsonl")
		}
		if up == dir {
			return ""
		}
		dir = up
	}
}
