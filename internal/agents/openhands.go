// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var openHands = Agent{
	ID:        agent.OpenHands,
	Home:      Folder{Variable: "OPENHANDS_PERSISTENCE_DIR", Default: ".openhands"},
	Variables: []string{"OPENHANDS_CONVERSATIONS_DIR"},
	Places: Places{
		Roots: func(e dirs.Environment, home, from string) []Root {
			if moved := e.Variable("OPENHANDS_CONVERSATIONS_DIR"); moved != "" {
				return []Root{{Path: moved, From: "OPENHANDS_CONVERSATIONS_DIR", List: listOpenHands}}
			}
			return []Root{{Path: e.Join(home, "conversations"), From: from, List: listOpenHands}}
		},
	},
	Records: Records{
		Store:  &Store{List: listOpenHandsFolder, Write: writeOpenHands, Text: isOpenHands, File: "base_state.json"},
		Beside: eventsOfOpenHands,
	},
	Prompts: Prompts{PromptFiles: []string{"AGENTS.md"}},
	Process: Process{Programs: []string{"openhands"}},
}

// listOpenHands: conversations/<id>/base_state.json, next to a folder with a file for each event. Sub-agents are in the
// folder "subagents" of their conversation.
func listOpenHands(root Root, see func(Candidate)) error {
	return eachFolder(root.Path, func(folder, id string) {
		one := Candidate{Agent: root.Agent, Path: filepath.Join(folder, "base_state.json"), Kind: transcript.Store, ID: id, Alone: true, changed: openHandsChanged(folder)}
		seeFile(one, see)
		_ = eachFolder(filepath.Join(folder, "subagents"), func(folder, child string) {
			seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(folder, "base_state.json"), Kind: transcript.Store, ID: child, Parent: id, changed: openHandsChanged(folder)}, see)
		})
	})
}
