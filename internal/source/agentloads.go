// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// loadings are the functions that find what each agent loads. Codex records what
// it loads except its servers, and Copilot CLI and mini-SWE-agent record all of
// it.
var loadings = map[string]func(*loader){
	agent.Codex:      codexServers,
	agent.ClaudeCode: loadClaude,
	agent.OpenCode:   func(l *loader) { loadOpenCode(l, "opencode", agents.HomeOf(l.environment, agent.ClaudeCode)) },
	agent.Kilo:       func(l *loader) { loadOpenCode(l, "kilo", agents.HomeOf(l.environment, agent.ClaudeCode)) },
	agent.GeminiCLI:  loadGemini,
	agent.QwenCode: func(l *loader) {
		loadUpwards(l, l.own(l.environment.Join(l.environment.Home, ".qwen")), "QWEN.md", "AGENTS.md")
	},
	agent.Cline: func(l *loader) {
		if f := l.own(l.environment.Join(l.environment.Home, "Documents", "Cline", "Rules")); f != nil {
			f.as = ".clinerules/"
			l.rules(f, ".")
		}
		l.rules(l.workspace, ".clinerules")
		l.memory(l.workspace, ".clinerules")
		l.memory(l.workspace, "AGENTS.md")
	},
	agent.RooCode: func(l *loader) {
		l.rules(l.own(l.environment.Join(l.environment.Home, ".roo")), "rules")
		l.rules(l.workspace, ".roo/rules")
		l.memory(l.workspace, ".roorules")
		l.memory(l.workspace, "AGENTS.md")
	},
}

// FilesOf returns what looks at the files of a session: nil for one that lies
// elsewhere than its agent's sessions on this machine, for a sub-agent, for a
// folder that is not on this machine, and for agents that record all they send.
func FilesOf(e dirs.Environment, s transcript.Session) Files {
	if !agents.Of(s).Unrecorded || s.Parent != "" || !dirs.Local(s.Workspace) || !agents.Keeps(e, s) {
		return nil
	}
	return newFiles(e, s, agents.HomeOf(e, s.Agent))
}

// Loads finds what the agent of a session loads. It returns nil for a transcript
// that lies elsewhere than its agent's sessions on this machine, and for an
// agent that records what it loads.
func Loads(e dirs.Environment, s transcript.Session, servers []string, hidePaths bool) *Loaded {
	if s.Parent != "" || !agents.Keeps(e, s) {
		return nil
	}
	return load(e, s, agents.HomeOf(e, s.Agent), loadings[s.Agent], servers, hidePaths)
}
