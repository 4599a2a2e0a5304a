// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var dsh = Agent{
	ID:    agent.DSH,
	Home:  Folder{Variable: "DSH_HOME", Default: ".dsh", Absolute: true},
	Tried: []Version{{Field: []string{"version"}, Known: "1"}},
	Places: Places{
		Roots: inHome(Root{Path: "sessions", List: listDSH}),
	},
	Prompts: Prompts{PromptFiles: []string{"AGENTS.md"}, PromptsAtHome: true},
	Process: Process{Programs: []string{"dsh"}},
}

// listDSH lists sessions/--<directory>--/<session>/session.jsonl; newer files are compressed and numbered by format.
func listDSH(root Root, see func(Candidate)) error {
	return eachFolder(root.Path, func(project, _ string) {
		_ = eachFolder(project, func(session, id string) {
			list := entries(session)
			for i := len(list) - 1; i >= 0; i-- { // the newest format is used
				name := list[i].Name()
				c := Candidate{Agent: root.Agent, Path: filepath.Join(session, name), ID: id}
				stem, plain := strings.CutSuffix(name, ".jsonl")
				if !plain {
					if stem, plain = strings.CutSuffix(strings.TrimSuffix(name, "d"), ".jsonl.zst"); !plain {
						continue
					}
					c.Kind = transcript.Compressed
				}
				if (stem == "session" || strings.HasPrefix(stem, "session.v")) && seeFile(c, see) {
					return
				}
			}
		})
	})
}
