// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
)

// Programs that are made from another agent and keep its records. None of them recognises a record, because only the
// place tells whose it is.
var (
	openClaudeEntry = Entry{
		ID: OpenClaude, Name: "OpenClaude", Program: "openclaude", CompactCommand: "/compact",
		HomeFolders: []string{".openclaude"},
		Read:        readsClaude(OpenClaude), Rule: unversioned(claudeCodeRule), Window: claudeCodeWindow,
	}
	// iFlow has the records of Claude Code, and results of tools as Gemini CLI has them. When it compacts is not known.
	iFlowEntry = Entry{
		ID: IFlow, Name: "iFlow CLI", Program: "iflow", CompactCommand: "/compress",
		HomeFolders: []string{".iflow"},
		Read:        readsClaude(IFlow),
	}
	miMoCodeEntry = Entry{
		ID: MiMoCode, Name: "MiMo Code", Program: "mimo", CompactCommand: "/compact",
		Read: func() Reader { return &openCode{id: MiMoCode} }, Rule: unversioned(openCodeRule),
	}
	zCodeEntry = Entry{
		ID: ZCode, Name: "ZCode", Program: "zcode", CompactCommand: "/compact",
		Read: func() Reader { return &openCode{id: ZCode} }, Rule: unversioned(openCodeRule),
	}
)

// unversioned is the newest rule of the agent from which another is made: the versions of the two have nothing to do
// with each other.
func unversioned(rule func(*Installation) core.Rule) func(*Installation) core.Rule {
	return func(of *Installation) core.Rule {
		parent := *of
		parent.Version = ""
		return rule(&parent)
	}
}
