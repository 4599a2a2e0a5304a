// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var droid = Agent{
	ID:   agent.Droid,
	Home: Folder{Variable: "FACTORY_DIR", Default: ".factory", Absolute: true},
	Places: Places{
		Roots: inHome(Root{Path: "sessions", List: listDroid}),
	},
	Records: Records{
		Sidecars: func(path string) []transcript.Sidecar {
			return []transcript.Sidecar{{Name: "settings.json", Path: strings.TrimSuffix(path, ".jsonl") + ".settings.json"}}
		},
	},
	Prompts: Prompts{PromptFiles: []string{"AGENTS.md"}, PromptsAtHome: true},
	Process: Process{Programs: []string{"droid"}},
}

// listDroid lists sessions/<directory>/<session>.jsonl, with <session>.settings.json next to it; older files are
// directly in sessions.
func listDroid(root Root, see func(Candidate)) error {
	droids := func(folder string) {
		for _, entry := range entries(folder) {
			if stem, ok := strings.CutSuffix(entry.Name(), ".jsonl"); ok && !entry.IsDir() {
				seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(folder, entry.Name()), Kind: transcript.WithSidecars, ID: stem, Alone: true}, see)
			}
		}
	}
	err := eachFolder(root.Path, func(folder, _ string) { droids(folder) })
	droids(root.Path)
	return err
}
