// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/stores"
)

// Extensions of editors keep what a person has set in the editor: in its settings, or in the state that it keeps for
// them in a database. Of a session that an extension has kept, the editor is the one in whose folder it lies.

// extensionStates are the names of what is read of the state that an editor keeps for an extension.
var extensionStates = map[string][]string{
	agent.Cline:    {"autoCondenseThreshold"},
	agent.RooCode:  {"autoCondenseContextPercent"},
	agent.ZooCode:  {"autoCondenseContextPercent"},
	agent.KiloCode: {"autoCondenseContextPercent"},
}

// copilotSettings are the names of settings of Copilot Chat. Each is one name, dots and all.
var copilotSettings = []string{
	"github.copilot.chat.summarizeAgentConversationHistory.enabled", "github.copilot.chat.summarizeAgentConversationHistoryThreshold",
}

// ofEditor adds what is set in the editor that keeps a session.
func ofEditor(s Session, found map[string]string) {
	switch s.Agent {
	case agent.Copilot:
		// <user data>/User/workspaceStorage/<hash>/chatSessions/<session>, or User/globalStorage/emptyWindowChatSessions
		folder := filepath.Dir(s.Path)
		for range 3 {
			if folder = filepath.Dir(folder); filepath.Base(folder) == "User" {
				own := map[string]string{}
				editorSettings(settingsFile{name: filepath.Join(folder, "settings.json")}, own)
				for name, text := range own {
					if _, set := found[name]; !set { // those of the workspace count more
						found[name] = text
					}
				}
				return
			}
		}
	case agent.Cline, agent.RooCode, agent.ZooCode, agent.KiloCode:
		extension := filepath.Dir(filepath.Dir(filepath.Dir(s.Path))) // <storage>/<extension>/tasks/<task>/<file>
		storage := filepath.Dir(extension)
		if filepath.Base(storage) != "globalStorage" {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), databasePatience)
		defer cancel()
		state := stores.ExtensionState(ctx, filepath.Join(storage, "state.vscdb"), filepath.Base(extension))
		for _, name := range extensionStates[s.Agent] {
			if text, ok := scalar(state.Get(name)); ok {
				found[name] = text
			}
		}
	}
}

// editorSettings reads the settings of Copilot Chat in a file of an editor's settings.
func editorSettings(file settingsFile, found map[string]string) {
	v, ok := file.read()
	if !ok {
		return
	}
	for _, name := range copilotSettings {
		if text, ok := scalar(v.Get(name)); ok {
			found[name] = text
		}
	}
}
