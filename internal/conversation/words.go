// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"regexp"
	"strings"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// foreign matches the names of elements that agents put around text that the user did not write.
const foreign = `(?:system[-_]reminder|environment_(?:context|details)|user_instructions|INSTRUCTIONS|ide_\w+|` +
	`local-command-\w+|command-(?:message|contents)|bash-std\w+|task-notification|user-prompt-submit-hook|turn_aborted|` +
	`current_datetime|reminder|session_context|permissions instructions|collaboration_mode|skill|subagent_notification|` +
	`recommended_plugins|instructions|(?:apps|plugins|skills)_instructions)`

var (
	// wrapped is compiled on first use: otherwise every command would start a third of a millisecond later.
	wrapped = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)<` + foreign + `\b[^>]*>.*?</` + foreign + `>`)
	})
	// framed are the elements around text that the user did write.
	framed      = regexp.MustCompile(`</?(task|feedback|user_message|answer|user_query|bash-input|command-args|request|pr_description|image\b[^>]*)>`)
	commandName = regexp.MustCompile(`(?s)<command-name>\s*(.*?)\s*</command-name>`)
)

// notRequests are the beginnings of texts that agents write in the user's name.
var notRequests = []string{
	"[Request interrupted", "This session is being continued from", "Caveat: The messages below",
	"# AGENTS.md instructions", "This is the Gemini CLI. We are setting up the context", "Stop hook feedback",
	"[TASK RESUMPTION]", "Base directory for this skill:", "API Error", "Please continue with your current task",
	"Another language model started to solve this problem",
}

// Request returns the user's words in an item; false if the item is not a request of the user.
func (i *Item) Request() (words string, ok bool) {
	if i.Kind != core.User || !i.Spoken {
		return "", false
	}
	text := wrapped().ReplaceAllString(i.Text, "")
	name := ""
	if m := commandName.FindStringSubmatch(text); m != nil {
		name = m[1]
		text = commandName.ReplaceAllString(text, "")
	}
	text = strings.TrimSpace(framed.ReplaceAllString(text, ""))
	for _, start := range notRequests {
		if strings.HasPrefix(text, start) {
			return "", false
		}
	}
	switch {
	case name != "":
		text = strings.TrimSpace(name + " " + text)
		if housekeeping[strings.TrimPrefix(strings.Fields(text + " ")[0], "/")] {
			return "", false
		}
	case text == "":
		return "", false
	}
	return text, true
}

// housekeeping are commands for the agent's own program, which send nothing to the model.
var housekeeping = map[string]bool{
	"clear": true, "compact": true, "context": true, "cost": true, "model": true, "resume": true, "exit": true,
	"quit": true, "status": true, "config": true, "usage": true, "mcp": true, "login": true, "logout": true, "help": true,
	"permissions": true, "plugin": true, "memory": true, "ide": true, "rename": true, "doctor": true, "fast": true,
	"effort": true, "upgrade": true, "export": true, "hooks": true, "agents": true, "vim": true, "theme": true, "rate-limit-options": true,
}
