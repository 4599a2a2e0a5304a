// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var vibe = Agent{
	ID: agent.Vibe, Home: Folder{Variable: "VIBE_HOME", Default: ".vibe", Absolute: true},
	Places: Places{
		Roots: inHome(
			Root{Path: "logs/session", List: listVibe},
			Root{Name: "from 3.0", Path: "logs/session/unified"}, // not read
		),
	},
	Records: Records{
		Head: func(s *transcript.Session) bool {
			if v, ok := configfile.ReadJSON(filepath.Join(filepath.Dir(s.Path), "meta.json")); ok {
				transcript.SetText(&s.ID, v.Get("session_id"))
				transcript.SetText(&s.Workspace, v.Path("environment", "working_directory"))
				transcript.SetStart(s, v.Get("start_time"))
			}
			return named(s)
		},
		Sidecars: func(path string) []transcript.Sidecar {
			return []transcript.Sidecar{{Name: "meta.json", Path: filepath.Join(filepath.Dir(path), "meta.json")}}
		},
	},
	Configuration: Configuration{
		Settings: (*Agent).fromFiles,
		SettingsFiles: func(a *Agent, e dirs.Environment, home, _ string) []SettingsFile {
			return a.files("", SettingsFile{Form: configfile.InTOML, Names: []string{"auto_compact_threshold"}}, e.Join(home, "config.toml"))
		},
	},
	Prompts: Prompts{PromptFiles: []string{"AGENTS.md"}, PromptsAtHome: true},
	Process: Process{Programs: []string{"vibe"}},
}

// listVibe: logs/session/<session>/messages.jsonl, sub-agents in the folder "agents" of their session.
func listVibe(root Root, see func(Candidate)) error {
	return eachFolder(root.Path, func(session, name string) {
		seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(session, "messages.jsonl"), Kind: transcript.WithSidecars, Alone: true}, see)
		_ = eachFolder(filepath.Join(session, "agents"), func(folder, child string) {
			parent := name
			if v, ok := configfile.ReadJSON(filepath.Join(session, "meta.json")); ok {
				id := ""
				if transcript.SetText(&id, v.Get("session_id")); id != "" {
					parent = id
				}
			}
			seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(folder, "messages.jsonl"), Kind: transcript.WithSidecars, ID: parent + "/" + child, Parent: parent}, see)
		})
	})
}
