// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"context"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// mostFailures is how many failing commands a note lists.
const mostFailures = 6

// failures returns the commands that failed and have not succeeded since, the last one first.
func failures(ctx context.Context, c *Conversation) []Failure {
	failing := newFailing()
	commands, assistant := 0, -1
	for i, it := range c.items(ctx) {
		if it.Kind == core.Assistant {
			assistant = i
		}
		if it.Kind != core.ToolResults || it.Dropped {
			continue
		}
		command := ""
		switch {
		case it.Call >= 0:
			command = c.Items[it.Call].Command()
		case it.About.What == core.OfCommand && assistant >= 0: // the message that requested the command
			command = FencedCommand(c.Items[assistant].Text)
		}
		if command == "" || it.Refused() {
			continue
		}
		commands++
		command = withoutFolder(command, c.Workspace)
		code, output, known := it.Outcome(c.Agent)
		if !known {
			continue
		}
		failing.ran(command, code == 0)
		if code == 0 || code == 1 && strings.TrimSpace(output) == "" || onlyLooksUp(command) {
			continue
		}
		failing.add(Failure{Command: command, Exit: code, Output: strings.TrimSpace(output), Ago: commands})
	}
	list := []Failure{}
	for _, f := range slices.Backward(failing.list) {
		if len(list) == mostFailures {
			break
		}
		if f != nil {
			f.Ago = commands - f.Ago
			list = append(list, *f)
		}
	}
	return list
}

// A work is a program and the plain word after it, such as go test.
type work struct{ program, what string }

// failing are the commands that fail, in the order of their last runs.
type failing struct {
	list    []*Failure // nil for one that was removed
	command map[string]int
	kinds   map[work][]int // indexes in list; some of the removed ones are left
}

func newFailing() *failing {
	return &failing{command: map[string]int{}, kinds: map[work][]int{}}
}

func (l *failing) add(f Failure) {
	l.command[f.Command] = len(l.list)
	if program, what, _ := programOf(f.Command); what != "" {
		kind := work{program, what}
		l.kinds[kind] = append(l.kinds[kind], len(l.list))
	}
	l.list = append(l.list, &f)
}

func (l *failing) remove(at int) {
	if f := l.list[at]; f != nil {
		delete(l.command, f.Command)
		l.list[at] = nil
	}
}

// ran removes a command that runs again, and those that it covers if it succeeds.
func (l *failing) ran(command string, succeeded bool) {
	if at, some := l.command[command]; some {
		l.remove(at)
	}
	if program, what, rest := programOf(command); succeeded && what != "" && everything(rest) {
		kind := work{program, what}
		for _, at := range l.kinds[kind] {
			l.remove(at)
		}
		delete(l.kinds, kind)
	}
}

// everything reports whether the arguments limit a command to nothing, as in `go test ./...` and `npm test`. Such a
// command does all that others of its kind do.
func everything(arguments []string) bool {
	for _, argument := range arguments {
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
