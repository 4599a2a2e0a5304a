// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// A Lookalike is a program that is made from another agent and keeps its records. It has that agent's reader, newest
// rule and window. Its records are not recognized by their content, because only the place shows whose they are.
type Lookalike struct {
	ID, Name, Of string
	// Home is its own folder, below the user's; for an extension of an editor, the name of its folder of storage.
	Home string
	// Program is the name of its process, "" for an agent without a process of its own.
	Program string
	// Tabs is the pattern for the view types of its tabs in editors, "" for an agent without tabs.
	Tabs string
	// Compact is what makes room in its window: a command that is typed, or the name of a button.
	Compact string
	// NoRule is set if it is unknown when it compacts.
	NoRule bool
	// Settings is set if its settings have the names of the other agent's, in a file at the same place of its own folder.
	Settings bool
	// PromptFiles is set if it loads the prompt files of the other agent.
	PromptFiles bool
}

var lookalikes = []Lookalike{
	{ID: OMP, Name: "Oh My Pi", Of: Pi, Home: ".omp/agent", Program: "omp", Compact: "/compact", Settings: true},
	{ID: Prime, Name: "Prime Agent", Of: Pi, Home: ".prime/agent", Program: "prime", Compact: "/compact", Settings: true},
	{ID: ZooCode, Name: "Zoo Code", Of: RooCode, Home: "zoocodeorganization.zoo-code", Tabs: "zoo-code", Compact: "Condense Context", PromptFiles: true},
	{ID: OpenClaude, Name: "OpenClaude", Of: ClaudeCode, Home: ".openclaude", Program: "openclaude", Compact: "/compact"},
	// iFlow has results of tools as Gemini CLI has them.
	{ID: IFlow, Name: "iFlow CLI", Of: ClaudeCode, Home: ".iflow", Program: "iflow", Compact: "/compress", NoRule: true},
}

// Lookalikes lists the agents that are made from others.
func Lookalikes() []Lookalike { return lookalikes }

// parents are the agents that others copy.
var parents = []*Entry{&claudeCodeEntry, &piEntry, &rooCodeEntry}

// lookalike makes the entry of a lookalike from its parent's.
func lookalike(id string) *Entry {
	l := lookalikes[slices.IndexFunc(lookalikes, func(l Lookalike) bool { return l.ID == id })]
	parent := parents[slices.IndexFunc(parents, func(e *Entry) bool { return e.ID == l.Of })]
	e := &Entry{ID: l.ID, Name: l.Name, CompactCommand: l.Compact, Read: parent.Read, Proof: Proof{Dated: "2026-11"}}
	if !l.NoRule {
		e.Rule, e.Window = unversioned(parent.Rule), parent.Window
	}
	return e
}

// unversioned is the newest rule of the copied agent: the versions of the two are unrelated.
func unversioned(rule func(*Installation) core.Rule) func(*Installation) core.Rule {
	return func(in *Installation) core.Rule {
		parent := *in
		parent.Version = ""
		return rule(&parent)
	}
}
