// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// mostFailures is how many failing commands a note lists.
const mostFailures = 6

// failures returns the commands that failed and have not succeeded since, the last one first.
func failures(c *Conversation) []Failure {
	var failing []Failure
	commands := 0
	for i := range c.Items {
		it := &c.Items[i]
		if it.Kind != core.ToolResults || it.Dropped {
			continue
		}
		command := commandOf(c, i)
		if command == "" || it.Refused() {
			continue
		}
		commands++
		command = withoutFolder(command, c.Workspace)
		code, output, known := it.Outcome(c.Agent)
		if !known {
			continue
		}
		failing = slices.DeleteFunc(failing, func(f Failure) bool {
			return f.Command == command || code == 0 && covers(command, f.Command)
		})
		if code == 0 || code == 1 && strings.TrimSpace(output) == "" || onlyLooksUp(command) {
			continue
		}
		failing = append(failing, Failure{Command: command, Exit: code, Output: strings.TrimSpace(output), Ago: commands})
	}
	list := []Failure{}
	for i := len(failing) - 1; i >= 0 && len(list) < mostFailures; i-- {
		f := failing[i]
		f.Ago = commands - f.Ago
		list = append(list, f)
	}
	return list
}

// commandOf returns the command of a result, or "" if it does not belong to one.
func commandOf(c *Conversation, result int) string {
	it := &c.Items[result]
	if it.Call >= 0 {
		return c.Items[it.Call].Command()
	}
	for i := result - 1; i >= 0 && it.About.What == core.OfCommand; i-- {
		if c.Items[i].Kind == core.Assistant { // the message that requested the command
			return FencedCommand(c.Items[i].Text)
		}
	}
	return ""
}

// covers reports whether a command does everything that another one does: both begin alike, and the first is not
// limited to anything, like `go test ./...` and `npm test`.
func covers(command, other string) bool {
	program, what, rest := programOf(command)
	p, w, _ := programOf(other)
	if what == "" || program != p || what != w {
		return false
	}
	for _, argument := range rest {
		if argument != "./..." && !strings.HasPrefix(argument, "-") && argument != "2>&1" {
			return argument == "|" // the pipe only processes the output
		}
	}
	return true
}

// programOf returns a command's program, the plain word after it ("" if there is none) and the rest.
func programOf(command string) (program, what string, rest []string) {
	words := strings.Fields(command)
	if len(words) < 2 {
		return command, "", nil
	}
	for _, r := range words[1] {
		if (r < 'a' || r > 'z') && r != '-' && r != ':' {
			return words[0], "", nil
		}
	}
	if words[1][0] == '-' {
		return words[0], "", nil
	}
	return words[0], words[1], words[2:]
}

// withoutFolder removes the change to the session's own directory from the start of a command.
func withoutFolder(command, workspace string) string {
	if rest, ok := strings.CutPrefix(command, "cd "+workspace+" && "); ok && workspace != "" {
		return rest
	}
	return command
}

// lookupPrograms are programs that only look something up. If they find nothing, that is a result and not a failure.
var lookupPrograms = map[string]bool{
	"ls": true, "which": true, "command": true, "type": true, "rg": true, "grep": true, "find": true, "fd": true, "cat": true,
	"head": true, "tail": true, "wc": true, "stat": true, "file": true, "pwd": true, "test": true, "[": true, "echo": true,
	"tree": true, "du": true, "diff": true, "nl": true, "pgrep": true, "ps": true,
}

// onlyLooksUp reports whether a command only looks something up.
func onlyLooksUp(command string) bool {
	for rest := command; ; {
		first, after, _ := strings.Cut(strings.TrimSpace(rest), " ")
		switch {
		case first == "cd":
			_, tail, more := strings.Cut(after, "&&")
			if !more {
				return true
			}
			rest = tail
			continue
		case first == "sed":
			return strings.HasPrefix(strings.TrimSpace(after), "-n")
		}
		return lookupPrograms[first]
	}
}
