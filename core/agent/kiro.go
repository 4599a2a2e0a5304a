// Copyright The ctx-lsp authors. MIT licence.

package agent

// kiroEntry has no rule: nobody has found out when Kiro compacts. Kiro CLI was Amazon Q's.
var kiroEntry = Entry{
	ID: Kiro, Name: "Kiro", Program: "kiro-cli",
	CompactCommand: "/compact",
	PromptFiles:    "AGENTS.md",
	HomeFolders:    ".kiro",
	Retold:         true,
}
