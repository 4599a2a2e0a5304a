// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var qwenCode = Agent{
	ExitCodes: patterns(`(?m)^Exit Code: (-?\d+)`),
	StatusLine: &StatusLine{
		File: settingsAtHome, Member: []string{"ui", "statusLine"},
		Sends: func(m *StatusMessage) bool {
			w := m.Window
			return w != nil && len(w.CurrentUsage) > 0 && w.CurrentUsage[0] >= '0' && w.CurrentUsage[0] <= '9'
		},
		Usage: qwenUsage,
	},
	Load: func(l *promptload.Loader) {
		own := l.Own(l.Home)
		loadUpwards(l, own, l.Above(promptload.RepositoryRoot), "QWEN.md", "AGENTS.md")
		list := promptload.TaggedSkills{Loader: l, Line: qwenLine("project"), Seen: map[string]bool{}}
		list.Below(l.Workspace, ".qwen/skills") // the project's takes precedence
		list.Line = qwenLine("user")
		list.Below(own, "skills")
	},
	Programs:          []string{"qwen"},
	Start:             "qwen -i",
	AlwaysProcess:     true,
	Hooks:             &Hooks{Events: []string{"UserPromptSubmit", "PostToolUse", "PostToolBatch", "SessionStart", "SubagentStart"}},
	PromptFiles:       []string{"QWEN.md", "~/.qwen/QWEN.md"},
	PromptsAtHome:     true,
	Packages:          []string{"@qwen-code/qwen-code"},
	ServersUnrecorded: true,
	MemoryUnrecorded:  true,
	MCPFiles:          []MCPFile{{Path: "~/.qwen/settings.json", Member: "mcpServers"}, {Path: "./.qwen/settings.json", Member: "mcpServers"}},
	ID:                agent.QwenCode, Home: Folder{Variable: "QWEN_HOME", Default: ".qwen"}, Variables: []string{"QWEN_RUNTIME_DIR"},
	Roots: func(e dirs.Environment, home, from string) []Root {
		if v := e.Variable("QWEN_RUNTIME_DIR"); v != "" {
			home, from = v, "QWEN_RUNTIME_DIR"
		}
		return []Root{{Path: e.Join(home, "projects"), From: from, List: listQwen}}
	},
	Family:            agent.GeminiCLI,
	Marks:             &transcript.Marks{Measured: `"usageMetadata":{`},
	ModelSetting:      "model.name",
	WorkspaceSettings: []string{".qwen/settings.json"},
	Settings:          (*Agent).fromFiles,
	SettingsFiles: func(a *Agent, e dirs.Environment, home, workspace string) []SettingsFile {
		return a.files(workspace, SettingsFile{Strict: true, Names: []string{"context.autoCompactThreshold", "chatCompression.contextPercentageThreshold"}}, e.Join(home, "settings.json"))
	},
}

// qwenLine returns what Qwen Code sends of a skill of a level.
func qwenLine(level string) func(name, about, path string) string {
	return func(name, about, _ string) string {
		return "<skill>\n<name>\n" + name + "\n</name>\n<description>\n" + about + " (" + level + ")\n</description>\n<location>\n" + level + "\n</location>\n</skill>\n"
	}
}

// listQwen: projects/<directory key>/chats/<session>.jsonl.
func listQwen(root Root, see func(Candidate)) error {
	projects, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	for _, project := range projects {
		chats := filepath.Join(root.Path, project.Name(), "chats")
		for _, entry := range entries(chats) {
			if stem, ok := strings.CutSuffix(entry.Name(), ".jsonl"); ok {
				if c, ok := candidateAt(root.Agent, chats, entry, transcript.Lines); ok {
					c.ID, c.Alone = stem, true
					see(c)
				}
			}
		}
	}
	return nil
}

// qwenUsage: Qwen Code reports the prompt alone.
func qwenUsage(w *StatusWindow) (string, json.RawMessage) {
	var in int64
	if json.Unmarshal(w.CurrentUsage, &in) != nil || in <= 0 {
		return "", nil
	}
	return ownUsage(in, nil)
}
