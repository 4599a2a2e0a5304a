// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

var goose = Agent{
	ID: agent.Goose, Variables: []string{"GOOSE_PATH_ROOT", "GOOSE_AUTO_COMPACT_THRESHOLD"},
	Places: Places{
		Roots: func(e dirs.Environment, _, _ string) []Root {
			const file = "sessions/sessions.db"
			root := Root{Path: e.Join(e.DataHome(), "goose", file), List: listStore}
			if e.OS == "windows" {
				root.Path = e.Join(e.Roaming(), "Block", "goose", "data", file)
			}
			if v := e.Variable("GOOSE_PATH_ROOT"); e.Absolute(v) {
				root.Path, root.From = e.Join(v, "data", file), "GOOSE_PATH_ROOT"
			}
			roots := []Root{root}
			if e.OS == "darwin" {
				roots = append(roots, Root{Path: e.Join(e.Home, "Library/Application Support/Block/goose", file), List: listStore})
			}
			return roots
		},
	},
	Records: Records{
		Store:         &Store{List: listGoose, Write: writeGoose, Tables: []Table{{"messages", "content_json"}}},
		SessionTables: &SessionTables{Prefix: "session", Read: []string{"sessions"}, ID: "id", Of: "session_id", Workspace: "working_dir", Changed: "updated_at"},
	},
	Configuration: Configuration{
		Settings: func(_ *Agent, e dirs.Environment, _, _ string, found configfile.Values) {
			folder := e.Join(e.ConfigHome(), "goose")
			if e.OS == "windows" {
				folder = e.Join(e.Roaming(), "Block", "goose", "config")
			}
			configfile.YAML(e.Join(folder, "config.yaml"), found, "GOOSE_AUTO_COMPACT_THRESHOLD")
			fromEnvironment(e, found, "GOOSE_AUTO_COMPACT_THRESHOLD")
		},
	},
	Prompts: Prompts{
		PromptFiles:   []string{".goosehints", "AGENTS.md", "~/.config/goose/.goosehints"},
		PromptFolders: []string{".config/goose"},
	},
	Process: Process{Programs: []string{"goose"}},
}
