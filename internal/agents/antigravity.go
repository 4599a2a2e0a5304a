// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

var antigravity = Agent{
	ID:    agent.Antigravity,
	Home:  Folder{Default: ".gemini"},
	Tried: []Version{{Query: `PRAGMA user_version`, Known: "1"}},
	Places: Places{
		Roots: func(e dirs.Environment, home, _ string) (roots []Root) {
			for _, program := range []string{"antigravity-cli", "antigravity", "antigravity-ide"} {
				roots = append(roots, Root{Name: program, Path: e.Join(home, program, "conversations"), List: storeFiles("*.db")})
			}
			return roots
		},
	},
	Records: Records{
		Store: &Store{List: listAntigravity, Write: writeAntigravity, Tables: []Table{{"gen_metadata", "data"}}},
	},
	Configuration: Configuration{
		StatusLine: &StatusLine{
			File: func(e dirs.Environment, home string) string {
				return filepath.Join(home, "antigravity-cli", "settings.json")
			},
			Member: []string{"statusLine"}, Conversation: true,
			Sends: func(m *StatusMessage) bool {
				return m.State != "" || m.Conversation != "" || len(m.Quota) > 0 || strings.Contains(strings.ToLower(m.Product), "antigravity")
			},
			Usage: func(w *StatusWindow) (string, json.RawMessage) {
				if PromptOf(w.CurrentUsage) == 0 {
					return "", nil // while a sub-agent runs, all numbers are zeros
				}
				return providerUsage(w)
			},
		},
	},
	Prompts: Prompts{
		PromptFiles:   []string{"AGENTS.md", "GEMINI.md", "~/.gemini/GEMINI.md"},
		PromptsAtHome: true,
	},
	Process: Process{Programs: []string{"agy"}},
}
