// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents/claudecode"
	"github.com/ctx-lsp/ctx-lsp/internal/agents/opencode"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// loadings are the functions that find what each agent loads. Codex records what
// it loads except its servers, and Copilot CLI and mini-SWE-agent record all of
// it.
var loadings = map[string]func(*promptload.Loader){
	agent.Codex:      codexServers,
	agent.ClaudeCode: claudecode.Load,
	agent.OpenCode:   func(l *promptload.Loader) { opencode.Load(l, "opencode", HomeOf(l.Environment, agent.ClaudeCode)) },
	agent.Kilo:       func(l *promptload.Loader) { opencode.Load(l, "kilo", HomeOf(l.Environment, agent.ClaudeCode)) },
	agent.GeminiCLI:  loadGemini,
	agent.QwenCode: func(l *promptload.Loader) {
		loadUpwards(l, l.Own(l.Environment.Join(l.Environment.Home, ".qwen")), "QWEN.md", "AGENTS.md")
	},
	agent.Cline: func(l *promptload.Loader) {
		if f := l.Own(l.Environment.Join(l.Environment.Home, "Documents", "Cline", "Rules")); f != nil {
			f.As = ".clinerules/"
			l.Rules(f, ".")
		}
		l.Rules(l.Workspace, ".clinerules")
		l.Memory(l.Workspace, ".clinerules")
		l.Memory(l.Workspace, "AGENTS.md")
	},
	agent.RooCode: func(l *promptload.Loader) {
		l.Rules(l.Own(l.Environment.Join(l.Environment.Home, ".roo")), "rules")
		l.Rules(l.Workspace, ".roo/rules")
		l.Memory(l.Workspace, ".roorules")
		l.Memory(l.Workspace, "AGENTS.md")
	},
}

// FilesOf returns what looks at the files of a session: nil for one that lies
// elsewhere than its agent's sessions on this machine, for a sub-agent, for a
// folder that is not on this machine, and for agents that record all they send.
func FilesOf(e dirs.Environment, s transcript.Session) promptload.Files {
	if !Of(s).Unrecorded || s.Parent != "" || !dirs.Local(s.Workspace) || !Keeps(e, s) {
		return nil
	}
	return claudecode.NewFiles(e, s, HomeOf(e, s.Agent))
}

// Loads finds what the agent of a session loads. It returns nil for a transcript
// that lies elsewhere than its agent's sessions on this machine, and for an
// agent that records what it loads.
func Loads(e dirs.Environment, s transcript.Session, servers []string, hidePaths bool) *promptload.Loaded {
	if s.Parent != "" || !Keeps(e, s) {
		return nil
	}
	return promptload.Find(e, s, HomeOf(e, s.Agent), loadings[s.Agent], servers, hidePaths)
}
