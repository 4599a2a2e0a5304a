// Copyright The ctx-lsp authors. MIT licence.

package agent

// antigravityEntry has no rule: it is unknown when Antigravity compacts.
var antigravityEntry = Entry{
	ID: Antigravity, Name: "Antigravity",
	Proof:     Proof{Dated: "2026-11"},
	FromStore: true,
}
