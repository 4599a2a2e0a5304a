// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"os"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

var copilotCLI = Agent{
	ID: agent.CopilotCLI, Home: Folder{Variable: "COPILOT_HOME", Default: ".copilot"},
	Variables: []string{"COPILOT_BACKGROUND_COMPACTION_THRESHOLD", "COPILOT_BUFFER_EXHAUSTION_THRESHOLD"},
	Roots: func(e dirs.Environment, home, from string) []Root {
		return []Root{{Path: e.Join(home, "session-state"), From: from, list: listCopilot}}
	},
	Title:      Index{File: copilotIndex, Read: copilotTitle},
	UsageStore: copilotStore,
	EndsAlone:  true,
	Settings: func(e dirs.Environment, _, _ string, found configfile.Values) {
		fromEnvironment(e, found, "COPILOT_BACKGROUND_COMPACTION_THRESHOLD", "COPILOT_BUFFER_EXHAUSTION_THRESHOLD")
	},
	Tried: []Version{
		{Query: `SELECT max(version) FROM schema_version`, Known: "8"},
		{Field: []string{"data", "version"}, Known: "1"},
	},
}

// copilotIndex is the file with the name of a session beside its log.
func copilotIndex(s Session) string {
	if filepath.Base(s.Path) != "events.jsonl" {
		return ""
	}
	return filepath.Join(filepath.Dir(s.Path), "workspace.yaml")
}

// copilotStore is the database that belongs to a session's log; "" where there is none.
func copilotStore(s Session) string {
	if s.kind != kindLines || filepath.Base(s.Path) != "events.jsonl" {
		return ""
	}
	path := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(s.Path))), "session-store.db")
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return path
}

var copilotChat = Agent{
	ID: agent.Copilot,
	Roots: func(e dirs.Environment, _, _ string) (roots []Root) {
		for _, storage := range storages(e) {
			roots = append(roots, Root{
				Name: "chats", Path: e.Above(storage.path), From: storage.from, list: listChats,
				Within: []string{"workspaceStorage/*/chatSessions", "globalStorage/emptyWindowChatSessions"},
			})
		}
		return roots
	},
	WorkspaceSettings: []string{".vscode/settings.json"},
	SessionSettings:   chatSettings,
	Tried: []Version{
		{Field: []string{"v", "version"}, Long: true, Known: "3"},
		{Field: []string{"version"}, Long: true, Known: "3"},
	},
}

func init() {
	copilotChat.Settings = func(_ dirs.Environment, _, workspace string, found configfile.Values) {
		for _, file := range copilotChat.workspaceFiles(workspace) {
			editorSettings(file, found)
		}
	}
}

// chatSettings adds what is set in the editor that keeps a chat:
// <user data>/User/workspaceStorage/<hash>/chatSessions/<session>, or User/globalStorage/emptyWindowChatSessions.
func chatSettings(s Session, found configfile.Values) {
	folder := filepath.Dir(s.Path)
	for range 3 {
		if folder = filepath.Dir(folder); filepath.Base(folder) == "User" {
			own := configfile.Values{}
			for _, file := range editorFiles(folder, s.Workspace) {
				editorSettings(configfile.File{Name: file}, own)
			}
			for name, text := range own {
				if _, set := found[name]; !set { // those of the workspace count more
					found[name] = text
				}
			}
			return
		}
	}
}
