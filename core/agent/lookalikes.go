// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// A Lookalike is a program that is derived from another agent and keeps its records. It has that agent's reader, newest
// rule and window. Its records are not recognized by their content: only their location shows which program wrote them.
type Lookalike struct {
	ID, Name, Of string
	// Home is the program's own directory, below the user's; for an editor's extension, the name of its storage
	// directory.
	Home string
	// Program is the name of its process, "" if it has none of its own.
	Program string
	// Tabs is the pattern for the view types of its tabs in editors, "" if it has no tabs.
	Tabs string
	// Compact compacts the conversation: a command to type, or the name of a button.
	Compact string
	// NoRule is set if it is unknown when the program compacts.
	NoRule bool
	// Settings is set if its settings have the same names as the other agent's, in a file at the same place in its own
	// directory.
	Settings bool
	// PromptFiles is set if it loads the other agent's prompt files.
	PromptFiles bool
	// Described is set if no session of it was compared with the reader; see [Proof].
	Described bool
}

var lookalikes = []Lookalike{
	{ID: OMP, Name: "Oh My Pi", Of: Pi, Home: ".omp/agent", Program: "omp", Compact: "/compact", Settings: true},
	{ID: Prime, Name: "Prime Agent", Of: Pi, Home: ".prime/agent", Program: "prime", Compact: "/compact", Settings: true},
	{ID: ZooCode, Name: "Zoo Code", Of: RooCode, Home: "zoocodeorganization.zoo-code", Tabs: "zoo-code", Compact: "Condense Context", PromptFiles: true},
	{ID: OpenClaude, Name: "OpenClaude", Of: ClaudeCode, Home: ".openclaude", Program: "openclaude", Compact: "/compact"},
	// iFlow stores results of tools like Gemini CLI.
	{ID: IFlow, Name: "iFlow CLI", Of: ClaudeCode, Home: ".iflow", Program: "iflow", Compact: "/compress", NoRule: true},
	{ID: Qoder, Name: "Qoder", Of: ClaudeCode, Home: ".qoder", Program: "qodercli", Compact: "/compact", NoRule: true, Described: true},
	{ID: Augure, Name: "Augure Code", Of: Codex, Home: ".augure", Program: "augure", Compact: "/compact", Described: true},
	{ID: TraeX, Name: "TraeX", Of: Codex, Home: ".trae/cli", Program: "traex", Compact: "/compact", Described: true},
}

// Lookalikes returns the programs that are derived from other agents.
func Lookalikes() []Lookalike { return lookalikes }

// parents are the agents that others are derived from.
var parents = []*Entry{&claudeCodeEntry, &codexEntry, &piEntry, &rooCodeEntry}

// lookalike returns the entry of a lookalike, made from its parent's.
func lookalike(id string) *Entry {
	l := lookalikes[slices.IndexFunc(lookalikes, func(l Lookalike) bool { return l.ID == id })]
	parent := parents[slices.IndexFunc(parents, func(e *Entry) bool { return e.ID == l.Of })]
	e := &Entry{ID: l.ID, Name: l.Name, CompactCommand: l.Compact, Read: parent.Read, Proof: Proof{Dated: "2026-11", Described: l.Described}}
	if !l.NoRule {
		e.Rule, e.Window = unversioned(parent.Rule), parent.Window
	}
	return e
}

// unversioned returns the newest rule of the parent: the versions of the two programs are unrelated.
func unversioned(rule func(*Installation) core.Rule) func(*Installation) core.Rule {
	return func(in *Installation) core.Rule {
		parent := *in
		parent.Version = ""
		return rule(&parent)
	}
}
