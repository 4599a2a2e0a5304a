// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
)

var dshEntry = Entry{
	ID: DSH, Name: "DeepSeek Harness", Program: "dsh", CompactCommand: "/compact",
	PromptFiles: "AGENTS.md", HomeFolders: ".dsh",
	Retold: true, Rule: dshRule,
}

// dshRule: compact at four fifths of the window, down to 0.16 of it.
func dshRule(*Installation) core.Rule {
	return core.Rule{
		Name: "dsh", Since: "2026-08-07", Source: "dsh 0.1.0-rc.5 packages/compaction/compaction-basic/src/config.ts: 0.8, keeps 0.16",
		Percent: 8000, OfWindow: true,
	}
}
