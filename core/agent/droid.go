// Copyright The ctx-lsp authors. MIT licence.

package agent

// droidEntry has no rule: nobody has found out when Droid compacts.
var droidEntry = Entry{
	ID: Droid, Name: "Factory Droid", Program: "droid", CompactCommand: "/compress",
	PromptFiles: "AGENTS.md", HomeFolders: ".factory",
	Retold: true,
}
