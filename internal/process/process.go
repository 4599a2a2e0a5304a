// Copyright The ctx-lsp authors. MIT licence.

// Package process finds the agents that run on this machine, and the session that each of them runs.
//
// A process is assigned to a session only by proof: by Claude Code's own file about the process, by a transcript that
// the process has open, by a session's id on its command line, or by start times that leave one possibility. If two
// sessions are possible, both are reported as candidates with a reason, so that the user can be asked.
//
// The data read of a process is its name, its command line, its working directory and its open files, as far as the
// system shows them to this user. Its environment and memory are never read.
// as the system shows them to this user. Nothing is read of its environment or its memory.
package process

import (
	"path"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// A Process is a process on this machine.
type Process struct {
	PID, Parent int
	Agent       string // the agent whose program it is; "" for any other program
	Name        string // the program's name, without its directory
	Started     time.Time
	Front       bool // the process is in the foreground of its terminal; false if the system does not show that

	// The following fields are only known on some systems, and only for the user's own processes.
	Command    []string
	Dir        string   // its working directory
	Files      []string // the transcripts that it has open
	FilesKnown bool     // the system shows which files are open
}

// A System lists processes. Inspect adds what List leaves out because it costs more to read.
type System interface {
	List() []Process
	Inspect(p *Process)
}

// programs maps names of programs to agents, and beginnings does so for the beginnings of names.
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

// interpreters are the programs that run agents written as scripts.
var interpreters = map[string]bool{"node": true, "bun": true, "deno": true, "python": true, "python3": true, "MainThread": true}

// agentOf returns the agent with a program of this name, or "".
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

// interprets reports whether a name belongs to an interpreter, which runs the script on its command line.
func interprets(name string) bool {
	name = strings.TrimSuffix(name, ".exe")
	return interpreters[name] || strings.HasPrefix(name, "python3.")
}

// agentOfScript returns the agent whose script an interpreter runs, or "".
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

// Agents lists all processes. Only agents and interpreters are inspected; the others are listed because they may be the
// parents of agents.
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
