// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents/claudecode"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// claudeVariables affect the window or the threshold of Claude Code. Its settings may set them too.
var claudeVariables = []string{
	"CLAUDE_CODE_MAX_CONTEXT_TOKENS", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
	"CLAUDE_CODE_AUTO_COMPACT_WINDOW", "CLAUDE_CODE_DISABLE_1M_CONTEXT", "DISABLE_COMPACT", "DISABLE_AUTO_COMPACT",
	"CLAUDE_CODE_IDLE_COMPACT_MIN_TOKENS",
}

// claudeMarks are those of Claude Code's records.
var claudeMarks = transcript.Marks{
	Compacted: `"subtype":"compact_boundary"`, Measured: `"usage":{`,
	Fixed: []string{`"cliPrefix":"`, `"attachment":{"type":"instructions"`}, // the first is in snapshots with tools
}

var claudeCode = Agent{
	ID:        agent.ClaudeCode,
	Home:      Folder{Variable: "CLAUDE_CONFIG_DIR", Default: ".claude"},
	Variables: claudeVariables,
	Family:    agent.ClaudeCode,
	Places: Places{
		Roots:         claudeRoots,
		Hosted:        true,
		ProjectFolder: ClaudeProjectFolder,
	},
	Records: Records{
		Marks:         &claudeMarks,
		NamesTokens:   true,
		DatesRecords:  true,
		ExitCodes:     patterns(`^Exit code:? (-?\d+)`),
		MarksFailures: true,
	},
	Configuration: Configuration{
		ModelSetting:      "model",
		Settings:          claudeSettings,
		SettingsFiles:     claudeSettingsFiles,
		WorkspaceSettings: claudecode.WorkspaceSettings,
		MCPFiles:          []MCPFile{{Path: "~/.claude.json", Member: "mcpServers", Projects: true}, {Path: "./.mcp.json", Member: "mcpServers"}},
		StatusLine: &StatusLine{
			File: settingsAtHome, Member: []string{"statusLine"}, Problems: statusLineProblems,
			Sends:       func(m *StatusMessage) bool { return m.SessionID != "" && (m.Window != nil || m.TranscriptPath != "") },
			Usage:       providerUsage,
			WritesFirst: true,
		},
		Hooks: &Hooks{
			Events: []string{"UserPromptSubmit", "PostToolUse", "PostToolBatch", "SessionStart", "SubagentStart"},
			Early:  []string{"UserPromptSubmit", "SessionStart"},
			Reads:  "PreToolUse",
		},
	},
	Prompts: Prompts{
		Load: claudecode.Load,
		Unrecorded: func(e dirs.Environment, s transcript.Session, home string) promptload.Files {
			return claudecode.NewFiles(e, s, home)
		},
		PromptFiles: []string{
			"CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/*.md", ".claude/rules/*/*.md",
			"~/.claude/CLAUDE.md",
		},
		Substitutes:   []string{"AGENTS.md", ".claude/AGENTS.md"},
		Substituted:   []string{"CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"},
		PromptsAtHome: true,
	},
	Process: Process{
		Programs:      []string{"claude"},
		Packages:      []string{"@anthropic-ai/claude-code", "@anthropic-ai/claude-agent-sdk"},
		Start:         "claude",
		AlwaysProcess: true,
		Tabs:          "claudeVSCodePanel|claude-code",
		Claims:        claudecode.Claims,
		Cleared:       claudecode.Cleared,
	},
}

func claudeRoots(e dirs.Environment, home, from string) []Root {
	roots := []Root{{Path: e.Join(home, "projects"), From: from, List: listClaude}}
	if home == e.Join(e.Home, ".claude") { // once, whatever other folders there are
		roots = append(roots, coworkRoots(e)...)
	}
	return roots
}

// claudeSettings reads the settings of Claude Code, which may also set variables, and a window for each model.
func claudeSettings(a *Agent, e dirs.Environment, home, workspace string, found configfile.Values) {
	fromEnvironment(e, found, claudeVariables...)
	claudeServed(e, home, found)
	a.fromFiles(e, home, workspace, found)
}

func claudeSettingsFiles(a *Agent, e dirs.Environment, home, workspace string) []SettingsFile {
	as := SettingsFile{Variables: "env", Names: []string{"autoCompactEnabled", "autoCompactWindow", "idleCompaction", "modelSettings.*.autoCompactWindow"}}
	for _, name := range claudeVariables {
		as.Names = append(as.Names, "env."+name)
	}
	return a.files(workspace, as, e.Join(home, "settings.json"))
}

// ClaudeProjectFolder returns the name of Claude Code's folder for the transcripts of a directory.
func ClaudeProjectFolder(dir string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '-'
	}, dir)
}

// listClaude lists projects/<directory key>/<session>.jsonl; sub-agents are below <session>/subagents, or (to 2.0) next
// to the session as agent-<id>.jsonl.
func listClaude(root Root, see func(Candidate)) error {
	projects, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	for _, project := range projects {
		if !isFolder(root.Path, project) {
			continue
		}
		folder := filepath.Join(root.Path, project.Name())
		for _, entry := range entries(folder) {
			name := entry.Name()
			if stem, ok := strings.CutSuffix(name, ".jsonl"); ok {
				if c, ok := candidateAt(root.Agent, folder, entry, transcript.Lines); ok {
					if !strings.HasPrefix(stem, "agent-") {
						c.ID, c.Alone = stem, true
					}
					see(c)
				}
			} else if entry.IsDir() {
				listSubagents(root.Agent, name, filepath.Join(folder, name, "subagents"), 0, see)
			}
		}
	}
	return nil
}

// listSubagents searches a few levels of directories and follows no links, so that it ends.
func listSubagents(agent, parent, folder string, depth int, see func(Candidate)) {
	for _, entry := range entries(folder) {
		name := entry.Name()
		stem, isTranscript := strings.CutSuffix(name, ".jsonl")
		switch {
		case entry.IsDir() && depth < 4:
			listSubagents(agent, parent, filepath.Join(folder, name), depth+1, see)
		case isTranscript && strings.HasPrefix(name, "agent-"):
			if c, ok := candidateAt(agent, folder, entry, transcript.Lines); ok {
				c.Parent, c.ID = parent, parent+"/"+stem
				see(c)
			}
		}
	}
}
