// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// TestPluginsOfClaudeCodeAreListed checks that enabled plugins are listed by name, and that plugins are left out that
// are disabled, that another workspace installed, or that are outside the agent's own directory.
func TestPluginsOfClaudeCodeAreListed(t *testing.T) {
	skill := func(name string) string { return "---\nname: " + name + "\ndescription: Does it.\n---\nLong." }
	files := map[string]string{
		"home/.claude/settings.json":                                    `{"enabledPlugins":{"git@m":true,"off@m":true,"far@m":true,"theirs@m":true}}`,
		"work/repo/.claude/settings.json":                               `{"enabledPlugins":{"off@m":false}}`,
		"home/.claude/plugins/cache/m/git/1/skills/review/SKILL.md":     skill("review"),
		"home/.claude/plugins/cache/m/git/1/more/squash/SKILL.md":       skill("squash"),
		"home/.claude/plugins/cache/m/git/1/commands/commit.md":         "---\ndescription: Commits.\n---\nDo it.",
		"home/.claude/plugins/cache/m/git/1/agents/blamer.md":           "---\nname: blamer\ndescription: Blames.\n---\nYou blame.",
		"home/.claude/plugins/cache/m/git/1/.mcp.json":                  `{"mcpServers":{"log":{"command":"x"}}}`,
		"home/.claude/plugins/cache/m/git/1/.claude-plugin/plugin.json": `{"name":"git","skills":["./more/","../../../outside"]}`,
		"home/.claude/plugins/cache/m/off/1/skills/no/SKILL.md":         skill("no"),
		"home/.claude/plugins/cache/m/theirs/1/skills/no/SKILL.md":      skill("no"),
		"far/skills/no/SKILL.md":                                        skill("no"),
	}
	e, s := machineWith(t, agent.ClaudeCode, claudeTranscript, files)
	base := filepath.Dir(e.Home)
	at := func(name string) string { return filepath.Join(e.Home, ".claude", "plugins", "cache", "m", name, "1") }
	installed, err := json.Marshal(map[string]any{"version": 2, "plugins": map[string]any{
		"git@m":    []map[string]string{{"scope": "user", "installPath": at("git")}},
		"off@m":    []map[string]string{{"scope": "user", "installPath": at("off")}},
		"theirs@m": []map[string]string{{"scope": "project", "projectPath": filepath.Join(base, "other"), "installPath": at("theirs")}},
		"far@m":    map[string]string{"installPath": filepath.Join(base, "far")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(e.Home, ".claude", "plugins", "installed_plugins.json")
	if err := os.WriteFile(list, installed, 0o644); err != nil {
		t.Fatal(err)
	}
	l := agents.Loads(e, s, nil, false)
	if l == nil {
		t.Fatal("nothing is found")
	}
	if got := labels(l.Skills) + "; " + labels(l.Agents) + "; " + strings.Join(l.Servers, " "); got != "git:review git:squash git:commit; git:blamer; plugin_git_log" {
		t.Errorf("%s", got)
	}
	if len(l.Skills) > 0 && l.Skills[0].Text != "- git:review: Does it.\n" {
		t.Errorf("%q", l.Skills[0].Text)
	}
	if len(l.Unknown) != 1 || !strings.Contains(l.Unknown[0].String(), "far") {
		t.Errorf("%q", l.Unknown)
	}
}

// TestExcludedMemoryFilesAreNotLoaded checks claudeMdExcludes in any settings, by complete paths.
func TestExcludedMemoryFilesAreNotLoaded(t *testing.T) {
	e, s := machineWith(t, agent.ClaudeCode, claudeTranscript, map[string]string{
		"home/.claude/settings.json":            `{"claudeMdExcludes":["**/work/CLAUDE.md"]}`,
		"work/repo/.claude/settings.local.json": `{"claudeMdExcludes":["**/.claude/rules/{old,older}*.md"]}`,
		"home/.claude/CLAUDE.md":                "Mine.", "work/CLAUDE.md": "Of others.", "work/repo/CLAUDE.md": "Ours.",
		"work/repo/.claude/rules/old-one.md": "Old.", "work/repo/.claude/rules/new.md": "New.",
	})
	l := agents.Loads(e, s, nil, false)
	if l == nil || labels(l.Memory) != "~/.claude/CLAUDE.md CLAUDE.md .claude/rules/new.md" {
		t.Errorf("%+v", l)
	}
}

// TestPatternsOfInstructionsAreLookedFor checks OpenCode's patterns, from the workspace up to the root of its
// repository, in order and once; patterns that are not searched are reported.
func TestPatternsOfInstructionsAreLookedFor(t *testing.T) {
	e, s := machineWith(t, agent.OpenCode, "home/.local/share/opencode/opencode.db", map[string]string{
		"work/.git/HEAD": "", "work/repo/opencode.json": `{"instructions":["docs/*.md","rules/**/*.md","up.md","https://a.example/b.md","/etc/*.md"]}`,
		"work/repo/docs/a.md": "A.", "work/repo/docs/b.txt": "B.", "work/repo/docs/deep/c.md": "C.",
		"work/repo/rules/x/y/d.md": "D.", "work/repo/rules/e.md": "E.", "work/up.md": "Up.", "work/docs/f.md": "F.",
	})
	l := agents.Loads(e, s, nil, false)
	up := filepath.Dir(s.Workspace) + "/"
	if want := "docs/a.md " + up + "docs/f.md rules/e.md rules/x/y/d.md " + up + "up.md"; l == nil || labels(l.Memory) != want {
		t.Fatalf("%+v, want %s", l, want)
	}
	if len(l.Unknown) != 1 || !strings.Contains(l.Unknown[0].String(), "https://a.example/b.md") {
		t.Errorf("%q", l.Unknown)
	}
}
