// Copyright The ctx-lsp authors. MIT licence.

// Package process knows which agents run on this machine, and which session each of them holds.
//
// A process is tied to a session by proof alone: by the file in which Claude Code says what each of its processes does,
// by a transcript that the process holds open, by a session's id on its command line, or by start times that leave one
// possibility. Two candidates are no answer; they are told as candidates, with a reason, so that a person can be asked.
//
// What is read of a process is its name, its command line, its working directory and which files it holds open, as far
// as the system shows them to this user. Nothing is read of its environment or its memory.
package process

import (
	"path"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// IdleAfter is how long a session that no process holds may be without a record before it is idle.
const IdleAfter = 15 * time.Minute

// AbsentAfter is how long a session whose records end in the middle of work may be without a record and without any
// process that could run it, before it is idle.
const AbsentAfter = time.Minute

// A Process is one that runs on this machine.
type Process struct {
	PID, Parent int
	Agent       string // the agent whose program it is; "" for any other program
	Name        string // the program's name, without its folder
	Started     time.Time
	Front       bool // the process is in the foreground of its terminal, where the system tells

	// Only some systems show the following, and only of the user's own processes.
	Command    []string
	Dir        string   // its working directory
	Files      []string // the transcripts that it holds open
	FilesKnown bool     // the system shows which files are open
}

// A System lists processes. Inspect adds what List leaves out because it costs more.
type System interface {
	List() []Process
	Inspect(p *Process)
}

// programs maps the names of programs to their agents, and beginnings those beginnings of names that are enough.
var programs, beginnings = func() (names, beginnings map[string]string) {
	names, beginnings = map[string]string{}, map[string]string{}
	for _, a := range agents.All() {
		for _, name := range a.Programs {
			if beginning, ok := strings.CutSuffix(name, "*"); ok {
				beginnings[beginning] = a.ID
			} else {
				names[name] = a.ID
			}
		}
	}
	return names, beginnings
}()

// interpreters lists the programs that run agents written as scripts.
var interpreters = map[string]bool{"node": true, "bun": true, "deno": true, "python": true, "python3": true, "MainThread": true}

// agentOf is the agent that has a program of this name, or "".
func agentOf(name string) string {
	name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	if known := programs[name]; known != "" {
		return known
	}
	for beginning, id := range beginnings {
		if strings.HasPrefix(name, beginning) {
			return id
		}
	}
	return ""
}

// interprets says whether a name is that of an interpreter, whose command line tells what runs.
func interprets(name string) bool {
	name = strings.TrimSuffix(name, ".exe")
	return interpreters[name] || strings.HasPrefix(name, "python3.")
}

// agentOfScript is the agent whose script an interpreter runs, or "".
func agentOfScript(command []string) string {
	for _, argument := range command[min(1, len(command)):] {
		if strings.HasPrefix(argument, "-") {
			continue
		}
		script := strings.ReplaceAll(argument, `\`, "/")
		for _, a := range agents.All() {
			for _, part := range a.Packages {
				if strings.Contains(script, "/"+part+"/") {
					return a.ID
				}
			}
		}
		base := path.Base(script)
		for _, extension := range []string{".js", ".mjs", ".cjs", ".py"} {
			base = strings.TrimSuffix(base, extension)
		}
		return programs[base]
	}
	return ""
}

// Agents lists all processes. Only those of agents are inspected; the others are needed to know whose children the
// agents are.
func Agents(system System) []Process {
	list := system.List()
	for i := range list {
		p := &list[i]
		p.Agent = agentOf(p.Name)
		if p.Agent == "" && interprets(p.Name) {
			system.Inspect(p)
			p.Agent = agentOfScript(p.Command)
		} else if p.Agent != "" {
			system.Inspect(p)
		}
	}
	return list
}
