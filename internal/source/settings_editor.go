// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
)

// Extensions of editors keep what a person has set in the editor: in its settings, or in the state that it keeps for
// them in a database. Of a session that an extension has kept, the editor is the one in whose folder it lies.

// copilotSettings are the names of settings of Copilot Chat. Each is one name, dots and all.
var copilotSettings = []string{
	"github.copilot.chat.summarizeAgentConversationHistory.enabled", "github.copilot.chat.summarizeAgentConversationHistoryThreshold",
}

// editorSettings reads the settings of Copilot Chat in a file of an editor's settings.
func editorSettings(file configfile.File, found map[string]string) {
	v, ok := file.Read()
	if !ok {
		return
	}
	for _, name := range copilotSettings {
		if text, ok := configfile.Scalar(v.Get(name)); ok {
			found[name] = text
		}
	}
}
