// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var began = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// machineWith creates a home and a workspace with files older than the session, and an agent's session in it.
func machineWith(t *testing.T, of, file string, files map[string]string) (dirs.Environment, transcript.Session) {
	t.Helper()
	// The directory's name is short on every system, because paths are part of the prediction.
	base, err := os.MkdirTemp("", "c")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	if real, err := filepath.EvalSymlinks(base); err == nil {
		base = real
	}
	if files[file] = "{}\n"; strings.HasSuffix(file, "session-2.jsonl") {
		files[file] = `{"$set":{"messages":[{"type":"user","content":[{"text":"<session_context>\n<loaded_context>\nOurs."}]}]}}` + "\n"
	}
	for path, text := range files {
		path = filepath.Join(base, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, began.Add(-time.Hour), began.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	e := dirs.New(runtime.GOOS, filepath.Join(base, "home"), func(string) string { return "" })
	return e, transcript.Session{
		ID: "s", Agent: of, Path: filepath.Join(base, filepath.FromSlash(file)), Workspace: filepath.Join(base, "work", "repo"), Started: began,
	}
}

func labels(texts []promptload.Text) string {
	var list []string
	for _, text := range texts {
		list = append(list, text.Label)
	}
	return strings.Join(list, " ")
}

const claudeTranscript = "home/.claude/projects/-work-repo/s.jsonl"

// TestClaudeCodeLoadsAgentsMD checks that AGENTS.md is memory, with imports, for versions that read it and projects
// without a CLAUDE.md.
func TestClaudeCodeLoadsAgentsMD(t *testing.T) {
	for _, c := range []struct{ version, file, want string }{
		{"2.1.330", "x", "~/.claude/CLAUDE.md {}AGENTS.md AGENTS.md build.md .claude/AGENTS.md"},
		{"2.1.276", "x", "~/.claude/CLAUDE.md"},
		{"", "x", "~/.claude/CLAUDE.md"},
		{"2.1.330", "work/repo/CLAUDE.local.md", "~/.claude/CLAUDE.md CLAUDE.local.md"},
		{"2.1.330", "work/.claude/CLAUDE.md", "~/.claude/CLAUDE.md {}.claude/CLAUDE.md"},
	} {
		e, s := machineWith(t, agent.ClaudeCode, claudeTranscript, map[string]string{
			"home/.claude/CLAUDE.md":      "Mine.",
			"work/AGENTS.md":              "Above.",
			"work/repo/AGENTS.md":         "Ours. See @build.md.",
			"work/repo/build.md":          "Run make.",
			"work/repo/.claude/AGENTS.md": "Hidden.",
			c.file:                        "Its own.",
		})
		s.Version = c.version
		l := agents.Loads(e, s, nil, false)
		if l == nil {
			t.Fatal("nothing is found")
		}
		if got, want := labels(l.Memory), strings.ReplaceAll(c.want, "{}", filepath.Dir(s.Workspace)+"/"); got != want {
			t.Errorf("%s with %s: memory is\n%s\nwant\n%s", c.version, c.file, got, want)
		}
	}
}

// TestFilesLoadedByClaudeCodeAreFound checks its memory files in order with their imports, rules without paths, and the
// lines of skills, commands and agents by which the model chooses.
func TestFilesLoadedByClaudeCodeAreFound(t *testing.T) {
	e, s := machineWith(t, agent.ClaudeCode, claudeTranscript, map[string]string{
		"home/.claude/CLAUDE.md":                            "Mine. @extra.md",
		"home/.claude/extra.md":                             "More of mine.",
		"home/.claude/rules/style.md":                       "Write well.",
		"home/.claude/skills/deploy/SKILL.md":               "---\nname: deploy\ndescription: Ships it.\n---\nThe long text of it.",
		"home/.claude/skills/secret/SKILL.md":               "---\nname: secret\ndescription: By people.\ndisable-model-invocation: true\n---\n",
		"home/.claude/agents/reviewer.md":                   "---\nname: reviewer\ndescription: Reads diffs.\ntools: Read\n---\nYou review.",
		"home/.claude/projects/-work-repo/memory/MEMORY.md": strings.Repeat("a line\n", 300),
		"work/CLAUDE.md":                                    "Above.",
		"work/repo/CLAUDE.md":                               "Ours. See @docs/build.md and `@docs/not.md`, says @somebody.\n\n@~/.ssh/id_rsa\n",
		"work/repo/docs/build.md":                           "Run make. @../CLAUDE.md",
		"work/repo/docs/not.md":                             "Not this.",
		"work/repo/CLAUDE.local.md":                         "Local.",
		"work/repo/.claude/rules/go.md":                     "---\npaths: **/*.go\n---\nGo only.",
		"work/repo/.claude/rules/all.md":                    "Always.",
		"work/repo/.claude/commands/git/commit.md":          "---\ndescription: Commits.\n---\nDo it.",
		"work/repo/sub/CLAUDE.md":                           "Of a folder below.",
		"home/.ssh/id_rsa":                                  "KEY",
	})
	l := agents.Loads(e, s, []string{"github"}, false)
	if l == nil {
		t.Fatal("nothing is found")
	}
	above := filepath.Dir(s.Workspace) + "/"
	want := "~/.claude/CLAUDE.md ~/.claude/extra.md ~/.claude/rules/style.md " + above + "CLAUDE.md CLAUDE.md docs/build.md .claude/rules/all.md CLAUDE.local.md MEMORY.md"
	if got := labels(l.Memory); got != want {
		t.Errorf("memory is\n%s\nwant\n%s", got, want)
	}
	if notes := l.Memory[len(l.Memory)-1]; strings.Count(notes.Text, "\n") != 200 {
		t.Errorf("%d lines of its notes are loaded", strings.Count(notes.Text, "\n"))
	}
	if got := fmt.Sprint(l.Skills); got != "[{deploy - deploy: Ships it.\n 0} {commit - commit: Commits.\n 0}]" {
		t.Errorf("skills: %q", got)
	}
	if got := fmt.Sprint(l.Agents); got != "[{reviewer - reviewer: Reads diffs.\n 0}]" {
		t.Errorf("agents: %q", got)
	}
	if len(l.Unknown) != 1 || !strings.Contains(l.Unknown[0].String(), "~/.ssh/id_rsa is imported from outside the workspace") {
		t.Errorf("unknown: %q", l.Unknown)
	}
	hidden := agents.Loads(e, s, nil, true)
	if got := labels(hidden.Memory) + " " + fmt.Sprint(hidden.Unknown); strings.Contains(got, "/") {
		t.Errorf("with paths hidden: %q", got)
	}
	if text := written(l.Params("s")); strings.Contains(text, "KEY") || !strings.Contains(text, `"servers":["github"]`) {
		t.Errorf("told: %s", text)
	}
}

// written returns the parameters of a call in the form that an engine gets.
func written(params *api.UpdateParams) (text string) {
	client.Call(func(_ context.Context, _ string, params []byte) ([]byte, error) {
		text = string(params)
		return []byte(`{"result":{}}`), nil
	}).Update(context.Background(), params)
	return text
}

// TestFilesOfAnotherTimeOrPlaceAreNotLoaded checks that files changed since the session began are reported and not
// guessed, as is a removed workspace, and that a transcript from elsewhere has none of this machine's files.
func TestFilesOfAnotherTimeOrPlaceAreNotLoaded(t *testing.T) {
	files := func() map[string]string {
		return map[string]string{"work/repo/CLAUDE.md": "Ours.", "home/.claude/CLAUDE.md": "Mine."}
	}
	e, s := machineWith(t, agent.ClaudeCode, claudeTranscript, files())
	later := began.Add(time.Minute)
	if err := os.Chtimes(filepath.Join(s.Workspace, "CLAUDE.md"), later, later); err != nil {
		t.Fatal(err)
	}
	l := agents.Loads(e, s, nil, false)
	if l == nil || labels(l.Memory) != "~/.claude/CLAUDE.md" || fmt.Sprint(l.Unknown) != "[CLAUDE.md has changed since this session began, so its content at that time is unknown.]" {
		t.Errorf("a changed file: %+v", l)
	}

	removed := s
	removed.Workspace = filepath.Join(filepath.Dir(s.Workspace), "gone")
	if l := agents.Loads(e, removed, nil, false); l == nil || l.Memory != nil || len(l.Unknown) != 1 {
		t.Errorf("a workspace that is gone: %+v", l)
	}
	child := s
	child.Parent = "other"
	elsewhere := s
	elsewhere.Path = filepath.Join(t.TempDir(), "s.jsonl")
	remote := s
	remote.Workspace = `\\server\share\repo`
	undated := s
	undated.Started = time.Time{}
	for name, s := range map[string]transcript.Session{"a sub-agent": child, "a transcript from elsewhere": elsewhere, "a folder of another machine": remote, "a session of no time": undated} {
		if l := agents.Loads(e, s, nil, false); l != nil {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

// TestLinksAndLargeFilesAreReported checks that no link leads out of a directory, that no large file is read whole, and
// that the content of neither is guessed.
func TestLinksAndLargeFilesAreReported(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows, and Wine makes none")
	}
	e, s := machineWith(t, agent.ClaudeCode, claudeTranscript, map[string]string{
		"work/repo/x": "", "secret": "KEY", "home/.claude/CLAUDE.md": strings.Repeat("x", 256<<10+1),
	})
	if err := os.Symlink(filepath.Join(filepath.Dir(e.Home), "secret"), filepath.Join(s.Workspace, "CLAUDE.md")); err != nil {
		t.Fatal(err)
	}
	l := agents.Loads(e, s, nil, false)
	if l == nil || l.Memory != nil || len(l.Unknown) != 2 || !strings.Contains(l.Unknown[0].String(), "CLAUDE.md links to a location outside its folder") || !strings.Contains(l.Unknown[1].String(), "too large") {
		t.Errorf("got %+v", l)
	}
}

// TestTenThousandSkillsAreListedAsTheAgentDoes checks that only as many are read as the agent lists.
func TestTenThousandSkillsAreListedAsTheAgentDoes(t *testing.T) {
	files := map[string]string{"work/repo/x": ""}
	for i := range 300 { // the later ones are not read
		files[fmt.Sprintf("home/.claude/skills/s%05d/SKILL.md", i)] = fmt.Sprintf("---\nname: s%05d\ndescription: %s\n---\n", i, strings.Repeat("word ", 20))
	}
	e, s := machineWith(t, agent.ClaudeCode, claudeTranscript, files)
	for i := 300; i < 10_000; i++ {
		if err := os.Mkdir(filepath.Join(e.Home, ".claude", "skills", fmt.Sprintf("s%05d", i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	l := agents.Loads(e, s, nil, false)
	if l == nil {
		t.Fatal("nothing is found")
	}
	size := 0
	for _, text := range l.Skills {
		size += len(text.Text)
	}
	if size > 16_000 || size < 14_400 || len(l.Unknown) != 1 || !strings.Contains(strings.ReplaceAll(l.Unknown[0].String(), ",", ""), fmt.Sprint(10_000-len(l.Skills))) {
		t.Errorf("%d skills, %d characters, %q", len(l.Skills), size, l.Unknown)
	}
}

// TestManyTaggedSkillsAreBounded checks an agent that lists all skills: as many are counted as fit into one call, and
// the missing ones are reported once.
func TestManyTaggedSkillsAreBounded(t *testing.T) {
	files := map[string]string{"work/repo/x": ""}
	for i := range 400 { // the later ones are not read
		files[fmt.Sprintf("work/repo/.agents/skills/s%05d/SKILL.md", i)] = fmt.Sprintf("---\nname: s%05d\ndescription: %s\n---\n", i, strings.Repeat("word ", 200))
	}
	e, s := machineWith(t, agent.OpenCode, "home/.local/share/opencode/opencode.db", files)
	for i := 400; i < 800; i++ {
		if err := os.Mkdir(filepath.Join(s.Workspace, ".agents", "skills", fmt.Sprintf("s%05d", i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	l := agents.Loads(e, s, nil, false)
	if l == nil || len(l.Skills) < 100 || len(l.Skills) > 399 || len(l.Unknown) != 1 || !strings.Contains(l.Unknown[0].String(), ".agents/**/SKILL.md matches too many files") {
		t.Fatalf("%+v", l)
	}
	if size := len(written(l.Params("s"))); size > 1_000_000 {
		t.Errorf("one call has %d bytes", size)
	}
}

// TestFilesLoadedByOtherAgentsAreFound checks each agent with its own file names and locations.
func TestFilesLoadedByOtherAgentsAreFound(t *testing.T) {
	for _, c := range []struct {
		agent, transcript string
		files             map[string]string
		memory, rest      string
	}{
		{agent.OpenCode, "home/.local/share/opencode/opencode.db", map[string]string{
			"home/.config/opencode/AGENTS.md": "Mine.", "work/repo/.git/HEAD": "", "work/repo/AGENTS.md": "Ours.", "work/AGENTS.md": "Of no repository.", "work/repo/CLAUDE.md": "Not read.",
			"work/repo/opencode.json": `{"instructions":["docs/a.md","docs/*.md"]}`, "work/repo/docs/a.md": "A.", "work/repo/docs/b.md": "B.", "work/repo/.opencode/skills/s/SKILL.md": "---\nname: s\ndescription: D.\n---\n",
		}, "~/.config/opencode/AGENTS.md AGENTS.md docs/a.md docs/b.md", "s  "},
		{agent.OpenCode, "home/.local/share/opencode/opencode.db", map[string]string{
			"home/.config/opencode/opencode.json": `{"mcp":{"tracker":{"type":"local","command":["tracker"]},"off":{"type":"remote","url":"https://x.example","enabled":false}}}`,
			"work/repo/opencode.json":             `{"mcp":{"docs":{"type":"local","command":["docs"],"enabled":true}}}`, "work/repo/AGENTS.md": "Ours.",
		}, "AGENTS.md", "  docs tracker"},
		{agent.OpenCode, "home/.local/share/opencode/opencode.db", map[string]string{
			"home/.config/opencode/opencode.jsonc": "{\n  // what I always want\n  \"instructions\": [\"~/notes/*.md\", \"docs/own.md\", \"rel.md\"],\n}\n",
			"home/.config/opencode/rel.md":         "Beside the settings, where nothing looks.", "home/notes/x.md": "X.", "home/notes/y.txt": "No.", "home/secret.md": "KEY",
			"work/repo/.git/HEAD": "", "work/repo/docs/own.md": "Own.", "work/repo/docs/c.md": "C.", "work/repo/docs/d.md": "D.",
			"work/repo/opencode.jsonc": `{"instructions":["docs/c.md", /* not for a repository: */ "~/secret.md"]}`, "work/repo/.opencode/opencode.json": `{"instructions":["docs/d.md"]}`,
			"work/repo/.agents/skills/one/SKILL.md": "---\nname: one\ndescription: First.\n---\n", "work/repo/.opencode/skills/group/two/SKILL.md": "---\nname: second\ndescription: Deep.\n---\n",
			"home/.claude/skills/three/SKILL.md": "---\nname: three\ndescription: Mine.\n---\n", "home/.agents/skills/one/SKILL.md": "---\nname: one\ndescription: The same name.\n---\n",
			"home/.agents/skills/nameless/SKILL.md": "---\ndescription: Not listed.\n---\n",
		}, "~/notes/x.md docs/own.md docs/c.md docs/d.md", "three one second  "},
		{agent.QwenCode, "home/.qwen/projects/x/chats/s.jsonl", map[string]string{
			"home/.qwen/QWEN.md": "Mine.", "work/repo/.git/HEAD": "", "work/repo/AGENTS.md": "Ours.",
			"home/.qwen/skills/a/SKILL.md": "---\nname: a\ndescription: Mine.\n---\n", "home/.qwen/skills/b/SKILL.md": "---\nname: b\ndescription: Hidden.\n---\n",
			"work/repo/.qwen/skills/b/SKILL.md": "---\nname: b\ndescription: Ours.\n---\n",
		}, "~/.qwen/QWEN.md AGENTS.md", "b a  "},
		{agent.GeminiCLI, "home/.gemini/tmp/x/chats/session-1.json", map[string]string{
			"home/.gemini/settings.json": `{"context":{"fileName":["AGENTS.md","../up.md"]}}`, "home/.gemini/GEMINI.md": "Not read.", "work/repo/.git/HEAD": "", "work/repo/AGENTS.md": "Ours.", "work/up.md": "No.",
			"home/.gemini/skills/a/SKILL.md": "---\nname: a\ndescription: A.\n---\n", "work/repo/.agents/skills/b/SKILL.md": "---\nname: b\ndescription: B.\n---\n",
		}, "AGENTS.md", "b a  "},
		{agent.GeminiCLI, "home/.gemini/tmp/x/chats/session-1.json", map[string]string{
			"home/.gemini/GEMINI.md": "Mine. @./more.md", "home/.gemini/more.md": "More.", "work/repo/.git/HEAD": "", "work/repo/GEMINI.md": "Ours.",
		}, "~/.gemini/GEMINI.md ~/.gemini/more.md GEMINI.md", "  "},
		{agent.GeminiCLI, "home/.gemini/tmp/x/chats/session-2.jsonl", map[string]string{
			"home/.gemini/GEMINI.md": "Mine.", "work/repo/.git/HEAD": "", "work/repo/GEMINI.md": "Recorded in the first message.",
		}, "~/.gemini/GEMINI.md", "  "},
		{agent.RooCode, "home/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/ui_messages.json", map[string]string{
			"home/.roo/rules/a.md": "Mine.", "work/repo/.roo/rules/b.md": "Ours.", "work/repo/.roo/rules-code/c.md": "Of a mode.", "work/repo/AGENTS.md": "Too.",
		}, "~/.roo/rules/a.md .roo/rules/b.md AGENTS.md", "  "},
		{agent.Cline, "home/.cline/data/sessions/s/s.messages.json", map[string]string{
			"home/.cline/data/settings/cline_mcp_settings.json": `{"mcpServers":{"tracker":{"command":"tracker"},"off":{"command":"x","disabled":true}}}`,
			"work/repo/AGENTS.md":                               "Ours.", "work/repo/.agents/skills/one/SKILL.md": "---\nname: one\ndescription: First.\n---\n",
		}, "AGENTS.md", "skills  tracker"},
		{agent.Cline, "home/.cline/data/sessions/s/s.messages.json", map[string]string{"work/repo/AGENTS.md": "Ours.", "work/repo/.agents/skills/notes.md": "None."}, "AGENTS.md", "  "},
		{agent.Codex, "home/.codex/sessions/s.jsonl", map[string]string{
			"home/.codex/config.toml": "model = \"x\"\n[mcp_servers.a]\ncommand = \"a\"\n[mcp_servers.a.env]\nKEY = \"k\"\n[mcp_servers.b]\nenabled = false # for now\n[other]\n", "work/repo/AGENTS.md": "Recorded.",
		}, "", "  a"},
	} {
		if runtime.GOOS != "linux" && c.agent == agent.RooCode {
			continue // its location is a different one
		}
		e, s := machineWith(t, c.agent, c.transcript, c.files)
		l := agents.Loads(e, s, nil, false)
		if l == nil {
			t.Errorf("%s: nothing is found", c.agent)
			continue
		}
		if got := labels(l.Memory); got != c.memory {
			t.Errorf("%s: memory is %q, want %q", c.agent, got, c.memory)
		}
		if got := labels(l.Skills) + " " + labels(l.Agents) + " " + strings.Join(l.Servers, " "); got != c.rest {
			t.Errorf("%s: skills, agents and servers are %q, want %q", c.agent, got, c.rest)
		}
	}
}

// TestOpenCodeListsASkillAsItsVersionDoes compares with the requests of these versions, run with one such skill.
func TestOpenCodeListsASkillAsItsVersionDoes(t *testing.T) {
	for version, want := range map[string]string{
		"1.2.20":  "  <skill>\n    <name>one</name>\n    <description>First.</description>\n    <location>file://PATH</location>\n  </skill>\n",
		"1.14.48": "  <skill>\n    <name>one</name>\n    <description>First.</description>\n    <location>file://PATH</location>\n  </skill>\n- **one**: First.\n",
		"1.18.34": "  <skill>\n    <name>one</name>\n    <description>First.</description>\n    <location>PATH</location>\n  </skill>\n",
	} {
		e, s := machineWith(t, agent.OpenCode, "home/.local/share/opencode/opencode.db", map[string]string{
			"work/repo/.agents/skills/one/SKILL.md": "---\nname: one\ndescription: First.\n---\nThe long text of it.", "work/repo/AGENTS.md": "Ours.",
		})
		s.Version = version
		l := agents.Loads(e, s, nil, false)
		path := filepath.Join(s.Workspace, ".agents", "skills", "one", "SKILL.md")
		if l == nil || len(l.Skills) != 1 || strings.ReplaceAll(l.Skills[0].Text, path, "PATH") != want {
			t.Errorf("%s: %+v", version, l)
		}
		if above := "Instructions from: " + filepath.Join(s.Workspace, "AGENTS.md") + "\n"; l != nil && (len(l.Memory) != 1 || l.Memory[0].Text != above+"Ours.") {
			t.Errorf("%s: memory is %+v", version, l.Memory)
		}
	}
}

// TestASessionGetsItsLoadedFilesOnce checks that they are sent after the session's records, and again only when it is
// reread from its beginning.
func TestASessionGetsItsLoadedFilesOnce(t *testing.T) {
	e, s := machineWith(t, agent.ClaudeCode, claudeTranscript, map[string]string{"work/repo/CLAUDE.md": "Ours."})
	var methods []string
	feed := NewFeed(s, func(_ context.Context, method string, params []byte) ([]byte, error) {
		if method == "ctx/session/update" && !strings.Contains(string(params), `"loaded":{"memory":[{"text":"Ours.","label":"CLAUDE.md"}]}`) {
			t.Errorf("told: %s", params)
		}
		methods = append(methods, strings.TrimPrefix(method, "ctx/session/"))
		return []byte(`{"result":{}}`), nil
	})
	feed.Loads = func(s transcript.Session, hidePaths bool) *promptload.Loaded {
		return agents.Loads(e, s, nil, hidePaths)
	}
	read := func() {
		t.Helper()
		if _, err := feed.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	read()
	f, err := os.OpenFile(s.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("{}\n"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	read()
	feed.Again(t.Context())
	read()
	if got := strings.Join(methods, " "); got != "records update records reading close records update" {
		t.Errorf("called: %s", got)
	}
}
