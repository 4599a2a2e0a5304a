// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var hermes = Agent{
	ID:   agent.Hermes,
	Home: Folder{Variable: "HERMES_HOME", Default: ".hermes", Absolute: true},
	Places: Places{
		Roots: func(e dirs.Environment, home, from string) []Root {
			roots := []Root{{Path: e.Join(home, "state.db"), From: from, List: listStore}}
			if profiles := e.Join(home, "profiles"); profiles != "" {
				for _, profile := range entries(profiles) {
					roots = append(roots, Root{Name: profile.Name(), Path: e.Join(profiles, profile.Name(), "state.db"), From: from, List: listStore})
				}
			}
			return roots
		},
	},
	Records: Records{
		Store:         &Store{List: listHermes, Write: writeHermes, Tables: []Table{{"messages", "tool_name"}}},
		SessionTables: &SessionTables{Prefix: "session", Read: []string{"sessions"}, ID: "id", Of: "session_id", Workspace: "cwd", Changed: "last_updated"},
	},
	Configuration: Configuration{
		Settings: func(_ *Agent, e dirs.Environment, home, _ string, found configfile.Values) {
			hermesSettings(e.Join(home, "config.yaml"), found)
		},
		SessionSettings: func(s transcript.Session, found configfile.Values) {
			if filepath.Base(s.Path) == "state.db" {
				clear(found) // each profile has settings of its own
				hermesSettings(filepath.Join(filepath.Dir(s.Path), "config.yaml"), found)
			}
		},
		ServersYAML: "config.yaml",
	},
	Prompts: Prompts{PromptFiles: []string{"AGENTS.md"}},
	Process: Process{Programs: []string{"hermes"}},
}

// hermesSettings reads when Hermes compresses, and the window that its model was given.
func hermesSettings(path string, found configfile.Values) {
	configfile.YAML(path, found, "compression.enabled", "compression.threshold", "model.default", "model.context_length", "model.max_tokens")
}
