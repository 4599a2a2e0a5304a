// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

var zed = Agent{
	ID: agent.Zed,
	Home: Folder{Variable: "ZED_USER_DATA_DIR", Elsewhere: func(e dirs.Environment) string {
		switch e.OS {
		case "darwin":
			return e.Join(e.Home, "Library/Application Support/Zed")
		case "windows":
			return e.Join(e.LocalData(), "Zed")
		}
		return e.Join(e.DataHome(), "zed")
	}},
	Places: Places{
		Roots: func(e dirs.Environment, home, from string) []Root {
			return []Root{{Path: e.Join(home, "threads", "threads.db"), From: from, List: listStore}}
		},
	},
	Records: Records{
		Store:         &Store{List: listZed, Write: writeZed, Tables: []Table{{"threads", "data_type"}}},
		SessionTables: &SessionTables{Prefix: "thread", Read: []string{"threads"}, ID: "id", Workspace: "folder_paths", Changed: "updated_at"},
	},
	Configuration: Configuration{
		Settings: (*Agent).fromFiles,
		SettingsFiles: func(a *Agent, e dirs.Environment, _, workspace string) []SettingsFile {
			folder := e.Join(e.ConfigHome(), "zed")
			if e.OS == "windows" {
				folder = e.Join(e.Roaming(), "Zed")
			}
			as := SettingsFile{Names: []string{"agent.auto_compact.enabled", "agent.auto_compact.threshold"}}
			return a.files(workspace, as, e.Join(folder, "settings.json"))
		},
		WorkspaceSettings: []string{".zed/settings.json"},
	},
}
