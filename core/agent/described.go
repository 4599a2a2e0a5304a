// Copyright The ctx-lsp authors. MIT licence.

package agent

import "github.com/ctx-lsp/ctx-lsp/core"

// The agents without a reader here whose rule is unknown, a row each: package internal/agents has everything else about
// them. Of Windsurf, which is part of an editor, only the prompt files are read.
var (
	windsurfEntry    = Entry{ID: "windsurf", Name: "Windsurf"}
	antigravityEntry = Entry{ID: Antigravity, Name: "Antigravity", Proof: Proof{Dated: "2026-11"}, FromStore: true}
	jetBrainsEntry   = described(JetBrains, "JetBrains Copilot", "2026-04-30")
	junieEntry       = described(Junie, "Junie", "2026-08-25")
	auggieEntry      = described(Auggie, "Auggie", "2026-07-20")
	devinEntry       = described(Devin, "Devin CLI", "2026-09-16")
)

// described returns the entry of an agent that is read as other programs described its files on a day. Its rule has no
// threshold: when it compacts is unknown, and the files contain neither the system prompt nor the tools.
func described(id, name, day string) Entry {
	rule := core.Rule{
		Name: id + ", threshold unknown", Since: day, Source: "readers of other programs, which name no threshold",
		First: core.FirstPrompt{Hidden: true},
	}
	return Entry{
		ID: id, Name: name, Proof: Proof{Dated: day[:len("2026-04")], Described: true}, FromStore: true,
		Rule: func(*Installation) core.Rule { return rule },
	}
}
