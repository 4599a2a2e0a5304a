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
	ID:        agent.QwenCode,
	Home:      Folder{Variable: "QWEN_HOME", Default: ".qwen"},
	Variables: []string{"QWEN_RUNTIME_DIR"},
	Family:    agent.GeminiCLI,
	Places: Places{
		Roots: func(e dirs.Environment, home, from string) []Root {
			if v := e.Variable("QWEN_RUNTIME_DIR"); v != "" {
				home, from = v, "QWEN_RUNTIME_DIR"
			}
			return []Root{{Path: e.Join(home, "projects"), From: from, List: listQwen}}
		},
	},
	Records: Records{
		Marks:     &transcript.Marks{Measured: `"usageMetadata":{`},
		ExitCodes: patterns(`(?m)^Exit Code: (-?\d+)`),
	},
	Configuration: Configuration{
		ModelSetting: "model.name",
		Settings:     (*Agent).fromFiles,
		SettingsFiles: func(a *Agent, e dirs.Environment, home, workspace string) []SettingsFile {
			return a.files(workspace, SettingsFile{Strict: true, Names: []string{"context.autoCompactThreshold", "chatCompression.contextPercentageThreshold"}}, e.Join(home, "settings.json"))
		},
		WorkspaceSettings: []string{".qwen/settings.json"},
		MCPFiles:          []MCPFile{{Path: "~/.qwen/settings.json", Member: "mcpServers"}, {Path: "./.qwen/settings.json", Member: "mcpServers"}},
		ServersUnrecorded: true,
		StatusLine: &StatusLine{
			File: settingsAtHome, Member: []string{"ui", "statusLine"},
			Sends: func(m *StatusMessage) bool {
				w := m.Window
				return w != nil && len(w.CurrentUsage) > 0 && w.CurrentUsage[0] >= '0' && w.CurrentUsage[0] <= '9'
			},
			Usage: qwenUsage,
		},
		Hooks: &Hooks{Events: []string{"UserPromptSubmit", "PostToolUse", "PostToolBatch", "SessionStart", "SubagentStart"}},
	},
	Prompts: Prompts{
		Load: func(l *promptload.Loader) {
			own := l.Own(l.Home)
			loadUpwards(l, own, l.Above(promptload.RepositoryRoot), "QWEN.md", "AGENTS.md")
			list := promptload.TaggedSkills{Loader: l, Line: qwenLine("project"), Seen: map[string]bool{}}
			list.Below(l.Workspace, ".qwen/skills") // the project's takes precedence
			list.Line = qwenLine("user")
			list.Below(own, "skills")
		},
		MemoryUnrecorded: true,
		PromptFiles:      []string{"QWEN.md", "~/.qwen/QWEN.md"},
		PromptsAtHome:    true,
	},
	Process: Process{
		Programs:      []string{"qwen"},
		Packages:      []string{"@qwen-code/qwen-code"},
		Start:         "qwen -i",
		AlwaysProcess: true,
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
