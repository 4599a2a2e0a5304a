// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

var antigravity = Agent{
	Programs:      []string{"agy"},
	PromptFiles:   []string{"AGENTS.md", "GEMINI.md", "~/.gemini/GEMINI.md"},
	PromptsAtHome: true,
	Store:         &Store{List: listAntigravity, Write: writeAntigravity, Tables: []Table{{"gen_metadata", "data"}}},
	ID:            agent.Antigravity, Home: Folder{Default: ".gemini"},
	Roots: func(e dirs.Environment, home, _ string) (roots []Root) {
		for _, program := range []string{"antigravity-cli", "antigravity", "antigravity-ide"} {
			roots = append(roots, Root{Name: program, Path: e.Join(home, program, "conversations"), List: storeFiles("*.db")})
		}
		return roots
	},
	Tried: []Version{{Query: `PRAGMA user_version`, Known: "1"}},
}
