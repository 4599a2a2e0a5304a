// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// lookalike describes a program that is derived from another agent. It keeps its sessions in the same way in its own
// directory. Other facts about that agent, such as its hooks, do not apply to it.
func lookalike(of agent.Lookalike) *Agent {
	parent := ByID(of.Of)
	a := &Agent{
		ID: of.ID, Home: Folder{Default: of.Home}, Family: parent.Family, Tried: parent.Tried,
		Places:        Places{Roots: parent.Roots},
		Records:       Records{Head: parent.Head, Sidecars: parent.Sidecars, Marks: parent.Marks},
		Configuration: Configuration{SessionSettings: parent.SessionSettings},
		Prompts:       Prompts{PromptsAtHome: parent.PromptsAtHome},
		Process:       Process{Tabs: of.Tabs},
	}
	if parent.Home.Extension != "" {
		a.Home = Folder{Extension: of.Home}
	}
	if of.Program != "" {
		a.Programs = []string{of.Program}
	}
	if of.PromptFiles {
		a.PromptFiles, a.PromptFolders = parent.PromptFiles, parent.PromptFolders
	}
	if of.Settings {
		a.Settings, a.SettingsFiles = parent.Settings, parent.SettingsFiles
		was, _, _ := strings.Cut(parent.Home.Default, "/")
		is, _, _ := strings.Cut(of.Home, "/")
		for _, name := range parent.WorkspaceSettings {
			a.WorkspaceSettings = append(a.WorkspaceSettings, strings.Replace(name, was, is, 1))
		}
	}
	return a
}
