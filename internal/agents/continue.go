// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var continueDev = Agent{
	ID: agent.Continue, Home: Folder{Variable: "CONTINUE_GLOBAL_DIR", Default: ".continue"},
	Places: Places{
		Roots: inHome(Root{Path: "sessions", List: listContinue}),
	},
	Process: Process{Tabs: `continue\.`},
}

// listContinue lists sessions/<session>.json, next to the list of sessions.
func listContinue(root Root, see func(Candidate)) error {
	list, err := os.ReadDir(root.Path)
	for _, entry := range list {
		if stem, ok := strings.CutSuffix(entry.Name(), ".json"); ok && stem != "sessions" && !entry.IsDir() {
			seeFile(Candidate{Agent: root.Agent, Path: filepath.Join(root.Path, entry.Name()), Kind: transcript.Document, ID: stem, Alone: true}, see)
		}
	}
	return err
}
