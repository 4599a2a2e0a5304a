// Copyright The ctx-lsp authors. MIT licence.

// Package presence knows which agents run on this machine, and which session each of them holds.
//
// A process is tied to a session by proof alone: by the file in which Claude Code says what each of its processes does,
// by a transcript that the process holds open, by a session's id on its command line, or by start times that leave one
// possibility. Two candidates are no answer; they are told as candidates, with a reason, so that a person can be asked.
//
// What is read of a process is its name, its command line, its working directory and which files it holds open, as far as
// the system shows them to this user. Nothing is read of its environment or its memory.
package presence

import (
	"path"
	"strings"
	"time"
)

// A Process is one that runs on this machine.
type Process struct {
	PID, Parent int
	Agent       string // whose program it is, "" for any other
	Name        string // of the program, without its folder
	Started     time.Time
	Front       bool // it is in the foreground of its terminal, where the system tells

	// What only some systems show, and only of the user's own processes:
	Command    []string
	Dir        string   // its working directory
	Files      []string // transcripts that it holds open
	FilesKnown bool     // the system shows open files
}

// A System lists processes. Inspect fills in what List leaves out because it costs more.
type System interface {
	List() []Process
	Inspect(p *Process)
}

// programs are the names by which an agent's program is known.
var programs = map[string]string{
	"claude": "claude-code", "codex": "codex", "opencode": "opencode", "gemini": "gemini-cli", "copilot": "copilot-cli",
	"qwen": "qwen-code", "crush": "crush", "aider": "aider", "goose": "goose", "amp": "amp", "kilo": "kilo", "cline": "cline",
	"mini": "mini-swe-agent",
}

// packages are parts of the paths of scripts that an interpreter runs.
var packages = []struct{ part, agent string }{
	{"@anthropic-ai/claude-code", "claude-code"},
	{"@openai/codex", "codex"},
	{"opencode-ai", "opencode"},
	{"@google/gemini-cli", "gemini-cli"},
	{"@github/copilot", "copilot-cli"},
	{"@qwen-code/qwen-code", "qwen-code"},
	{"@kilocode/cli", "kilo"},
	{"@sourcegraph/amp", "amp"},
}

// interpreters run agents that are scripts.
var interpreters = map[string]bool{"node": true, "bun": true, "deno": true, "python": true, "python3": true, "MainThread": true}

// agentOf is the agent whose program a name is.
func agentOf(name string) string {
	name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	if agent := programs[name]; agent != "" {
		return agent
	}
	if strings.HasPrefix(name, "codex-") { // the name of its build for a system
		return "codex"
	}
	return ""
}

// interprets says whether a name is an interpreter's, so that its command line tells what runs.
func interprets(name string) bool {
	name = strings.TrimSuffix(name, ".exe")
	return interpreters[name] || strings.HasPrefix(name, "python3.")
}

// agentOfScript is the agent whose script an interpreter runs.
func agentOfScript(command []string) string {
	for _, argument := range command[min(1, len(command)):] {
		if strings.HasPrefix(argument, "-") {
			continue
		}
		script := strings.ReplaceAll(argument, `\`, "/")
		for _, known := range packages {
			if strings.Contains(script, "/"+known.part+"/") {
				return known.agent
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

// Agents lists the processes of agents, and all others in short: whose children they are has to be known.
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
