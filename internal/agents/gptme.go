// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// gptmeFiles are loaded from the workspace and the folders above it.
var gptmeFiles = []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"}

var gptme = Agent{
	ID:        agent.GPTMe,
	Home:      Folder{Elsewhere: gptmeHome},
	Variables: []string{"GPTME_LOGS_HOME", "GPTME_CONTEXT_BUDGET"},
	Places: Places{
		Roots: func(e dirs.Environment, home, _ string) []Root {
			if moved := e.Variable("GPTME_LOGS_HOME"); moved != "" {
				return []Root{{Path: moved, From: "GPTME_LOGS_HOME", List: listGPTMe}}
			}
			return []Root{{Path: e.Join(home, "logs"), List: listGPTMe}}
		},
	},
	Records: Records{
		Head: func(s *transcript.Session) bool {
			if text, ok := safefile.Small(filepath.Join(filepath.Dir(s.Path), "config.toml")); ok && s.Workspace == "" {
				written, _ := configfile.Find(configfile.InTOML, text, "chat.workspace")
				for i := range written {
					if written[i].Quoted && len(written[i].Value) < 4096 {
						s.Workspace = written[i].Value
					}
				}
			}
			named(s)
			return false
		},
		First: gptmeFirst,
	},
	Configuration: Configuration{
		Settings: func(a *Agent, e dirs.Environment, home, workspace string, found configfile.Values) {
			a.fromFiles(e, home, workspace, found)
			fromEnvironment(e, found, "GPTME_CONTEXT_BUDGET")
		},
		SettingsFiles: func(a *Agent, e dirs.Environment, _, workspace string) []SettingsFile {
			names := SettingsFile{Form: configfile.InTOML, Names: []string{"context.budget"}}
			return a.files(workspace, names, e.Join(e.ApplicationConfig("gptme"), "config.toml"))
		},
		WorkspaceSettings: []string{"gptme.toml"},
		SessionSettings: func(s transcript.Session, found configfile.Values) {
			configfile.TOML(filepath.Join(filepath.Dir(s.Path), "config.toml"), found, "chat.context_budget", "chat.tool_format")
		},
	},
	Prompts: Prompts{
		Load: func(l *promptload.Loader) {
			for _, f := range l.Above(promptload.RepositoryRoot) {
				for _, name := range gptmeFiles {
					l.Memory(f, name)
				}
			}
			if l.Workspace != nil {
				l.Memory(l.Workspace, "README.md")
			}
		},
		PromptFiles: gptmeFiles,
	},
	Process: Process{Programs: []string{"gptme"}},
}

// gptmeFirst reads when a conversation began, by the clock on the wall.
func gptmeFirst(s *transcript.Session, r json.Value) bool {
	if s.Agent != agent.GPTMe {
		return false
	}
	if at := r.Get("timestamp"); at.TextLen() < 40 {
		if begun, err := time.ParseInLocation("2006-01-02T15:04:05", at.String(), time.Local); err == nil {
			s.Started = begun
		}
	}
	return true
}

// gptmeHome returns the system's folder for data, or the one of XDG if that exists.
func gptmeHome(e dirs.Environment) string {
	old := e.Join(e.DataHome(), "gptme")
	if info, err := os.Stat(old); e.Folder("XDG_DATA_HOME") != "" || e.OS == "linux" || err == nil && info.IsDir() {
		return old
	}
	return e.ApplicationConfig("gptme")
}

// listGPTMe: logs/<conversation>/conversation.jsonl.
func listGPTMe(root Root, see func(Candidate)) error {
	return eachFolder(root.Path, func(folder, _ string) {
		seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(folder, "conversation.jsonl"), Kind: transcript.Lines, Alone: true}, see)
	})
}
