// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// parameters lists the parameters of tools whose calls are recorded with a line for each parameter, its name followed
// by its value. Claude Code's reader writes them so.
var parameters = map[string][]string{
	"Bash":       {"command", "description", "timeout", "run_in_background", "dangerouslyDisableSandbox", "restart"},
	"Read":       {"file_path", "offset", "limit", "pages"},
	"Write":      {"file_path", "content"},
	"Edit":       {"file_path", "old_string", "new_string", "replace_all"},
	"MultiEdit":  {"file_path", "edits"},
	"Grep":       {"pattern", "path", "glob", "type", "output_mode", "head_limit", "multiline", "-i", "-n", "-A", "-B", "-C", "context"},
	"Glob":       {"pattern", "path"},
	"WebFetch":   {"url", "prompt"},
	"WebSearch":  {"query", "allowed_domains", "blocked_domains"},
	"Agent":      {"description", "prompt", "subagent_type", "model", "run_in_background"},
	"Task":       {"description", "prompt", "subagent_type", "model", "run_in_background"},
	"TodoWrite":  {"todos"},
	"TaskCreate": {"subject", "description", "activeForm", "metadata"},
	"TaskUpdate": {"taskId", "status", "subject", "description", "activeForm", "owner", "addBlocks", "addBlockedBy", "metadata"},
}

// Arguments returns the arguments of a call by name: strings as they are, anything else as JSON. It is empty for a text
// that has none.
func (i *Item) Arguments() map[string]string {
	text := strings.TrimSpace(i.Text)
	if strings.HasPrefix(text, "[") {
		var list []json.RawMessage
		if json.Unmarshal([]byte(text), &list) == nil && len(list) == 1 {
			text = string(list[0])
		}
	}
	if strings.HasPrefix(text, "{") {
		var members map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &members) == nil {
			out := make(map[string]string, len(members))
			for name, raw := range members {
				out[name] = plainText(raw)
			}
			return out
		}
	}
	return byLines(i.Text, parameters[i.Tool]) // the last value may end with line ends of its own
}

// plainText returns a JSON string's text, or any other value as JSON.
func plainText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// byLines reads lines that begin with the name of a parameter. Any other line belongs to the value before it.
func byLines(text string, names []string) map[string]string {
	out := map[string]string{}
	at, from, next := "", 0, 0 // the parameter being read, and the positions of its value and of the next line
	for line := range strings.Lines(text) {
		here := next
		next += len(line)
		begins := ""
		for _, name := range names {
			if _, known := out[name]; !known && strings.HasPrefix(line, name) && len(name) > len(begins) {
				begins = name
			}
		}
		if begins != "" {
			at, from = begins, here+len(begins)
		}
		if at != "" {
			out[at] = text[from:next]
		}
	}
	for name, value := range out {
		out[name] = strings.TrimSuffix(value, "\n")
	}
	return out
}

var (
	commandArguments = []string{"command", "cmd", "script", "CommandLine", "commands"}
	shells           = []string{
		"Bash", "bash", "shell", "local_shell", "exec_command", "run_shell_command", "execute_command", "run_terminal_cmd", "terminal",
		"container.exec", "unified_exec", "PowerShell", "powershell", "shell_command",
	}
)

// Command returns the command line that a call runs, or "" if it runs none.
func (i *Item) Command() string {
	if i.Kind != core.ToolCalls || i.About.What != core.OfCommand && !slices.Contains(shells, i.Tool) {
		return ""
	}
	arguments := i.Arguments()
	for _, name := range commandArguments {
		if value := arguments[name]; value != "" {
			return shellCommand(value)
		}
	}
	return ""
}

// shellCommand returns the command inside ["bash", "-lc", "the command"]; any other command unchanged.
func shellCommand(value string) string {
	var words []string
	if !strings.HasPrefix(value, "[") || json.Unmarshal([]byte(value), &words) != nil || len(words) == 0 {
		return strings.TrimSpace(value)
	}
	if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return strings.TrimSpace(words[2])
	}
	return strings.Join(words, " ")
}

// fences are the first lines of a block with a command in the replies of mini-swe-agent's model.
var fences = []string{"```mswea_bash_command\n", "```bash\n"}

// FencedCommand returns the command in the last such block of a text, or "" if it has none.
func FencedCommand(text string) string {
	for _, fence := range fences {
		if at := strings.LastIndex(text, fence); at >= 0 {
			command, _, _ := strings.Cut(text[at+len(fence):], "\n```")
			return strings.TrimSpace(command)
		}
	}
	return ""
}
