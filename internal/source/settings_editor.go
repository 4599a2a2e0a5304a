// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/stores"
)

// Extensions of editors keep what a person has set in the editor: in its settings, or in the state that it keeps for
// them in a database. Of a session that an extension has kept, the editor is the one in whose folder it lies.

// extensionStates are the names of what is read of the state that an editor keeps for an extension.
var extensionStates = map[string][]string{
	agent.Cline:    {"autoCondenseThreshold"},
	agent.RooCode:  {"autoCondenseContextPercent", "autoCondenseContext"},
	agent.ZooCode:  {"autoCondenseContextPercent", "autoCondenseContext"},
	agent.KiloCode: {"autoCondenseContextPercent", "autoCondenseContext"},
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
	case agent.Cline, agent.RooCode, agent.ZooCode, agent.KiloCode:
		extension := filepath.Dir(filepath.Dir(filepath.Dir(s.Path))) // <storage>/<extension>/tasks/<task>/<file>
		storage := filepath.Dir(extension)
		if filepath.Base(storage) != "globalStorage" {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), databasePatience)
		defer cancel()
		for _, database := range editorStates(storage, s.Workspace) {
			state := stores.ExtensionState(ctx, database, filepath.Base(extension))
			for _, name := range extensionStates[s.Agent] {
				if text, ok := configfile.Scalar(state.Get(name)); ok {
					found[name] = text
				}
			}
			if s.Agent != agent.Cline {
				condensing(state, found)
			}
		}
	}
}

// condensing settles when Roo Code and its forks condense: the threshold of the profile of settings that is in use
// counts more than the one for all, and none counts where condensing is switched off. Only numbers that they accept do.
func condensing(state json.Value, found map[string]string) {
	const name = "autoCondenseContextPercent"
	if found["autoCondenseContext"] == "false" {
		delete(found, name)
		return
	}
	profile := "default"
	for e := state.Get("listApiConfigMeta").Elements(); e.Next(); {
		if current := state.Get("currentApiConfigName"); current.Kind() == json.String && e.Value.Get("name").Is(current.String()) {
			profile = e.Value.Get("id").String()
		}
	}
	threshold := state.Get("profileThresholds").Get(profile)
	if n, fault := threshold.Milli(); threshold.Kind() == json.Number && fault == json.NumberOK && n >= 5_000 && n <= 100_000 {
		found[name] = string(threshold.Raw())
	}
}

// editorSettings reads the settings of Copilot Chat in a file of an editor's settings.
func editorSettings(file configfile.File, found map[string]string) {
	v, ok := file.Read()
	if !ok {
		return
	}
	for _, name := range copilotSettings {
		if text, ok := configfile.Scalar(v.Get(name)); ok {
			found[name] = text
		}
	}
}
