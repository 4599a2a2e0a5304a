// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/promptfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

var began = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// A place is a home directory and a workspace, with files that are older than the session.
type place struct {
	t       *testing.T
	base    string
	session transcript.Session
}

func newPlace(t *testing.T, files map[string]string) *place {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, base: base, session: transcript.Session{Agent: agent.ClaudeCode, Workspace: filepath.Join(base, "work", "repo"), Started: began}}
	for _, dir := range []string{"home/.own", "work/repo"} {
		if err := os.MkdirAll(p.path(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range files {
		p.put(path, text, began)
	}
	return p
}

func (p *place) path(path string) string { return filepath.Join(p.base, filepath.FromSlash(path)) }

func (p *place) put(path, text string, at time.Time) {
	p.t.Helper()
	path = p.path(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		p.t.Fatal(err)
	}
}

// find returns what a function loads, a line for each text and each message; paths are below the place.
func (p *place) find(hide bool, find func(*Loader)) []string {
	p.t.Helper()
	e := dirs.New(runtime.GOOS, p.path("home"), func(string) string { return "" })
	found := Find(e, p.session, p.path("home/.own"), find, nil, hide)
	if found == nil {
		return nil
	}
	var lines []string
	add := func(kind string, texts []Text) {
		for _, text := range texts {
			lines = append(lines, strings.TrimSuffix(fmt.Sprintf("%s %s: %q %d", kind, text.Label, text.Text, text.Tokens), " 0"))
		}
	}
	add("memory", found.Memory)
	add("skill", found.Skills)
	add("agent", found.Agents)
	for _, server := range found.Servers {
		lines = append(lines, "server "+server)
	}
	for _, message := range found.Unknown {
		lines = append(lines, message.String())
	}
	for i := range lines {
		lines[i] = strings.ReplaceAll(filepath.ToSlash(lines[i]), filepath.ToSlash(p.base), "")
	}
	return lines
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// TestMemoryHasItsImports checks which imports of a memory file are loaded, from where, and how deep.
func TestMemoryHasItsImports(t *testing.T) {
	p := newPlace(t, map[string]string{
		"work/repo/CLAUDE.md":    "@docs/a.md @~/.own/mine.md @../outside.md @someone @docs/a.md @CLAUDE.md @missing.md",
		"work/repo/docs/a.md":    "@b.md",
		"work/repo/docs/b.md":    "@c.md",
		"work/repo/docs/c.md":    "@d.md",
		"work/repo/docs/d.md":    "@e.md",
		"work/repo/docs/e.md":    "@f.md",
		"work/repo/docs/f.md":    "Too deep.",
		"work/outside.md":        "Outside.",
		"home/.own/mine.md":      "Mine.",
		"home/.other/theirs.md":  "Theirs.",
		"work/repo/ABSOLUTE.md":  "",
		"work/repo/docs/abs.md":  "Absolute.",
		"home/.own/CLAUDE.md":    "@mine.md @~/.other/theirs.md @/no/file.md",
		"work/AGENTS.md":         "Above.",
		"work/repo/sub/other.md": "Other.",
	})
	p.put("work/repo/ABSOLUTE.md", "@"+filepath.ToSlash(p.path("work/repo/docs/abs.md")), began)
	load := func(l *Loader) {
		own := l.Own(l.Home)
		if folders := l.Above(func(dir string) bool { return filepath.Base(dir) == "work" }); len(folders) != 2 {
			t.Errorf("%d folders", len(folders))
		}
		for _, f := range []*Folder{l.Workspace, own, nil} {
			l.Memory(f, "CLAUDE.md")
		}
		l.Memory(l.Workspace, "ABSOLUTE.md")
		if l.Memory(l.Workspace, "docs") || l.Memory(l.Workspace, "CLAUDE.md") || !l.Memory(l.Workspace, "sub/other.md") {
			t.Error("a directory, or a file that was read, is read")
		}
	}
	want := []string{
		`memory CLAUDE.md: "@docs/a.md @~/.own/mine.md @../outside.md @someone @docs/a.md @CLAUDE.md @missing.md"`, `memory docs/a.md: "@b.md"`, `memory docs/b.md: "@c.md"`,
		`memory docs/c.md: "@d.md"`, `memory docs/d.md: "@e.md"`, `memory docs/e.md: "@f.md"`, `memory ~/.own/mine.md: "Mine."`,
		`memory ~/.own/CLAUDE.md: "@mine.md @~/.other/theirs.md @/no/file.md"`, `memory ABSOLUTE.md: "@/work/repo/docs/abs.md"`, `memory docs/abs.md: "Absolute."`, `memory sub/other.md: "Other."`,
		`../outside.md, /no/file.md, ~/.other/theirs.md are imported from outside the workspace, so they are not read.`,
	}
	expect(t, p.find(false, load), want...)
	p.put("work/repo/.claude/rules/r.md", "@../../docs/a.md", began)
	if got := p.find(false, func(l *Loader) { l.Rules(l.Workspace, ".claude/rules") }); len(got) != 6 {
		t.Errorf("a rule with its imports: %q", got)
	}
	var hidden []string
	for _, line := range p.find(true, load) {
		label, _, _ := strings.Cut(line, ": ")
		hidden = append(hidden, label)
	}
	expect(t, hidden, "memory CLAUDE.md", "memory a.md", "memory b.md", "memory c.md", "memory d.md", "memory e.md", "memory mine.md", "memory CLAUDE.md", "memory ABSOLUTE.md", "memory abs.md", "memory other.md",
		"file.md, outside.md, theirs.md are imported from outside the workspace, so they are not read.")
}

// TestFilesThatAreNotReadAreNamed checks the reasons for which a file is not read.
func TestFilesThatAreNotReadAreNamed(t *testing.T) {
	p := newPlace(t, map[string]string{
		"work/repo/large.md": strings.Repeat("x", MaxLoadedFile+1), "work/repo/whole.md": strings.Repeat("x", MaxLoadedFile), "work/out.md": "x", "work/repo/a.md": "A", "work/repo/b/excluded.md": "B", "work/repo/rule.md": "C",
	})
	p.put("work/repo/changed.md", "x", began.Add(time.Second))
	if err := os.Symlink("../out.md", p.path("work/repo/link.md")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("a.md", p.path("work/repo/same.md")); err != nil {
		t.Fatal(err)
	}
	load := func(names ...string) func(*Loader) {
		return func(l *Loader) {
			l.Excludes = append(l.Excludes, Glob("**/b/*.md"))
			for _, name := range names {
				l.Memory(l.Workspace, name)
			}
		}
	}
	expect(t, p.find(false, load("large.md", "changed.md", "link.md", "a.md", "same.md", "b/excluded.md", "missing.md")), `memory a.md: "A"`,
		"changed.md has changed since this session began, so its content at that time is unknown.", "link.md links to a location outside its folder, so it is not read.",
		"large.md is too large to be read, so how much of it is loaded is unknown.")
	if got := p.find(false, load("whole.md")); len(got) != 1 || len(got[0]) < MaxLoadedFile {
		t.Errorf("a file of the largest size: %d lines", len(got))
	}
	expect(t, p.find(false, func(l *Loader) {
		l.Budget = 1
		l.Around = func(path string) (string, string) { return "<" + filepath.Base(path) + ">", "</>" }
		l.Memory(l.Workspace, "a.md")
		if l.Budget != 0 {
			t.Errorf("%d bytes may still be read", l.Budget)
		}
		l.Memory(l.Workspace, "rule.md")
	}), `memory a.md: "<a.md>A</>"`, "rule.md is too large to be read, so how much of it is loaded is unknown.")
	var root *os.Root
	p.find(false, func(l *Loader) {
		root = l.Workspace.Root
		if text, ok := l.Read(l.Workspace, "whole.md", 3); !ok || string(text) != "xxx" {
			t.Errorf("the beginning of a file is %.9q", text)
		}
		if l.MemoryOf(l.Workspace, "a.md", func(*promptfile.View) bool { return false }, 0) || len(l.Out.Memory) > 0 {
			t.Error("a file that is rejected is loaded")
		}
	})
	if _, err := root.Stat("."); err == nil {
		t.Error("a directory is still open")
	}
	expect(t, p.find(false, func(l *Loader) {
		l.Out.Memory = make([]Text, maxLoadedFiles-1)
		if !l.Memory(l.Workspace, "a.md") || l.Memory(l.Workspace, "rule.md") {
			t.Error("too few or too many files")
		}
		l.Out.Memory = nil
	}))
}

// TestMessagesNameThreeFiles checks the message for one file, and for more than three.
func TestMessagesNameThreeFiles(t *testing.T) {
	p := newPlace(t, nil)
	for n, want := range map[int]string{
		1: "a.md is imported from outside the workspace, so it is not read.", 2: "a.md, b.md are imported from outside the workspace, so they are not read.",
		3: "a.md, b.md, c.md are imported from outside the workspace, so they are not read.", 4: "a.md, b.md, c.md and 1 more are imported from outside the workspace, so they are not read.",
		5: "a.md, b.md, c.md and 2 more are imported from outside the workspace, so they are not read.",
	} {
		expect(t, p.find(false, func(l *Loader) {
			for i := range n {
				l.Outside = append(l.Outside, string(rune('a'+n-1-i))+".md", "a.md")
			}
		}), want)
	}
	expect(t, p.find(false, func(l *Loader) { l.unlisted = 1 }), "The agent leaves 1 skills and commands out of its list; which ones is unknown.")
}

// TestNothingIsFoundWithoutASessionsBeginning checks sessions of which nothing can be known, and servers.
func TestNothingIsFoundWithoutASessionsBeginning(t *testing.T) {
	p := newPlace(t, map[string]string{"work/repo/a.md": "A"})
	load := func(l *Loader) { l.Memory(l.Workspace, "a.md") }
	expect(t, p.find(false, load), `memory a.md: "A"`)
	expect(t, p.find(false, nil))
	expect(t, p.find(false, func(*Loader) {}))
	expect(t, p.find(false, func(l *Loader) { l.Out.Servers = []string{"s"} }), "server s")
	expect(t, p.find(false, func(l *Loader) { l.Out.Agents = []Text{{Label: "a"}} }), `agent a: ""`)
	expect(t, p.find(false, func(l *Loader) { l.Out.Skills = []Text{{Label: "a", Tokens: 7}} }), `skill a: "" 7`)
	p.session.Started = time.Time{}
	expect(t, p.find(false, load))
	p.session.Started, p.session.Workspace = began, p.path("gone")
	expect(t, p.find(false, load), phrase.FolderGone.Text().String())
	p.session.Workspace = "relative"
	expect(t, p.find(false, load))
}

// TestFoldersAboveAreThoseOfTheRepository checks the order, and the highest one.
func TestFoldersAboveAreThoseOfTheRepository(t *testing.T) {
	p := newPlace(t, map[string]string{"work/repo/in/er/a.md": "A", "work/repo/in/a.md": "B", "work/repo/a.md": "C", "work/a.md": "D", "work/.git/x": ""})
	p.session.Workspace = p.path("work/repo/in/er")
	load := func(last func(string) bool) func(*Loader) {
		return func(l *Loader) {
			for _, f := range l.Above(last) {
				l.Memory(f, "a.md")
			}
		}
	}
	repository := []string{`memory /work/a.md: "D"`, `memory /work/repo/a.md: "C"`, `memory /work/repo/in/a.md: "B"`, `memory a.md: "A"`}
	expect(t, p.find(false, load(RepositoryRoot)), repository...)
	expect(t, p.find(false, load(func(string) bool { return false })), repository...)
	expect(t, p.find(false, load(func(dir string) bool { return filepath.Base(dir) == "in" })), repository[2:]...)
	expect(t, p.find(false, func(l *Loader) {
		l.Own(p.path("work/repo")) // its name stays
		load(RepositoryRoot)(l)
		first, again := l.Root(p.path("work")), l.Root(p.path("work"))
		if l.Own(p.path("missing")) != nil || l.Root("relative") != nil || first != again {
			t.Error("a missing directory is opened, or one is opened twice")
		}
	}), repository...)
}

// TestRulesAreThoseOfEveryRequest checks the files of a directory of rules, in order and at most a few levels deep.
func TestRulesAreThoseOfEveryRequest(t *testing.T) {
	p := newPlace(t, map[string]string{
		"home/.claude/rules/b.md": "B", "home/.claude/rules/a/1/2/3/in.md": "In", "home/.claude/rules/a/1/2/3/4/out.md": "Out", "home/.claude/rules/go.md": "---\npaths: **/*.go\n---\nGo", "home/.claude/rules/c.txt": "C",
		"work/repo/.claude/rules/a.md": "A", "work/repo/top.md": "Top", "work/repo/sub/low.md": "Low",
	})
	expect(t, p.find(false, func(l *Loader) {
		l.Rules(l.Own(p.path("home/.claude")), "rules")
		l.Rules(l.Workspace, ".claude/rules")
		l.Rules(nil, "rules")
		l.Rules(l.Workspace, "missing")
	}), `memory ~/.claude/rules/a/1/2/3/in.md: "In"`, `memory ~/.claude/rules/b.md: "B"`, `memory .claude/rules/a.md: "A"`)
	p.find(false, func(l *Loader) {
		l.Listing = 1
		expect(t, l.Files(l.Workspace, ".", ".md", 0), ".claude/rules/a.md")
		l.Listing = 9
		expect(t, l.Files(l.Workspace, ".", ".md", 0), ".claude/rules/a.md", "sub/low.md", "top.md")
		if l.Listing != 6 {
			t.Errorf("%d files may still be checked", l.Listing)
		}
		expect(t, l.Files(l.Workspace, ".", ".md", maxFolderDepth), "top.md")
		expect(t, l.Files(l.Workspace, ".", ".md", maxFolderDepth+1))
	})
}

// TestSkillsAndAgentsAreListed checks the lines of Claude Code's lists, and what is left out of them.
func TestSkillsAndAgentsAreListed(t *testing.T) {
	p := newPlace(t, map[string]string{
		"home/.claude/skills/a/SKILL.md": "---\nname: a\ndescription: Ships.\n---\nLong", "home/.claude/skills/b/SKILL.md": "---\nname: b\ndescription: By users.\ndisable-model-invocation: true\n---\n",
		"home/.claude/commands/c.md": "---\ndescription: Commits.\n---\nDo it. disable-model-invocation: true", "home/.claude/agents/d.md": "---\nname: d\ndescription: Reads.\n---\nYou", "home/.claude/CLAUDE.md": "No agent.",
		"home/.claude/skills/long/SKILL.md": "---\nname: long\ndescription: L\n---\n" + strings.Repeat("x", maxListedHead) + "\n---\n",
	})
	load := func(most int, as string) func(*Loader) {
		return func(l *Loader) {
			own := l.Own(p.path("home/.claude"))
			list := Listing{Loader: l, Most: most, As: as}
			for _, name := range []string{"a", "b", "missing"} {
				list.Skill(own, "skills/"+name+"/SKILL.md", name)
			}
			list.Skill(own, "commands/c.md", "c")
			for _, path := range []string{"agents/d.md", "CLAUDE.md", "agents/missing.md"} {
				list.Agent(own, path)
			}
		}
	}
	const a, c, d = `skill a: "- a: Ships.\n"`, `skill c: "- c: Commits.\n"`, `agent d: "- d: Reads.\n"`
	one, two := len("- a: Ships.\n"), len("- a: Ships.\n- c: Commits.\n")
	left := func(n int) string { return phrase.SkillsUnlisted.Text(phrase.Count(int64(n))).String() }
	expect(t, p.find(false, load(1000, "")), a, c, d)
	expect(t, p.find(false, load(two, "")), a, c, d)
	expect(t, p.find(false, load(two-1, "")), a, d, left(1))
	expect(t, p.find(false, load(one, "")), a, d, left(3)) // a full list asks of no file whether it is one
	expect(t, p.find(false, load(one-1, "")), d, left(4))
	expect(t, p.find(false, load(1000, "plug:")), `skill plug:a: "- plug:a: Ships.\n"`, `skill plug:c: "- plug:c: Commits.\n"`, `agent plug:d: "- plug:d: Reads.\n"`)
	for text, want := range map[string]string{"---\na: b\n---\nc": "\na: b", "---\na": "", "a\n---\nb\n---": ""} {
		if got := frontOf([]byte(text)); got != want {
			t.Errorf("the front matter of %q is %q", text, got)
		}
	}
	for path, want := range map[string]string{"a/b/SKILL.md": "SKILL", "c.tar.gz": "c.tar", "d": "d"} {
		if got := NameOf(path); got != want {
			t.Errorf("%s is called %s", path, got)
		}
	}
}

// TestTaggedSkillsAreListedOnce checks the list of OpenCode and Gemini CLI.
func TestTaggedSkillsAreListedOnce(t *testing.T) {
	skill := func(name, about string) string {
		return "---\nname: " + name + "\ndescription: " + about + "\n---\nLong"
	}
	p := newPlace(t, map[string]string{
		"work/repo/skills/a/SKILL.md": skill("a", "Ships."), "work/repo/skills/deep/er/SKILL.md": skill("deep", "D."), "work/repo/skills/again/SKILL.md": skill("a", "Another."), "work/repo/skills/none/SKILL.md": "No name.",
		"work/repo/skills/x/OTHER.md": skill("x", "X."), "work/repo/skills/x/MYSKILL.md": skill("y", "Y."), "work/elsewhere/SKILL.md": skill("link", "Linked."),
	})
	load := func(budget int64) func(*Loader) {
		return func(l *Loader) {
			l.Budget = budget
			list := TaggedSkills{Loader: l, Line: func(name, about, path string) string {
				return name + "|" + about + "|" + filepath.Base(filepath.Dir(path))
			}, Seen: map[string]bool{}}
			list.Below(nil, "skills")
			list.Below(l.Workspace, "skills")
			list.Below(l.Workspace, "skills")
		}
	}
	expect(t, p.find(false, load(maxLoadedBytes)), `skill a: "a|Ships.|a"`, `skill deep: "deep|D.|er"`)
	p.find(false, func(l *Loader) {
		list := TaggedSkills{Loader: l, Line: TaggedLine, Seen: map[string]bool{}}
		list.Below(l.Workspace, "skills")
		left := l.Budget
		if list.Below(l.Workspace, "skills"); l.Budget != left {
			t.Error("skills are read again")
		}
	})
	first := int64(len(skill("a", "Ships.")) + len("a|Ships.|a"))
	unfinished := phrase.PatternUnfinished.Text(phrase.Name("skills/**/SKILL.md")).String()
	second := int64(len(skill("a", "Another.")))
	expect(t, p.find(false, load(first+second)), `skill a: "a|Ships.|a"`, unfinished)
	if got := p.find(false, load(first+second+1)); slices.Contains(got, `skill deep: "deep|D.|er"`) || !slices.Contains(got, unfinished) && len(got) != 2 {
		t.Errorf("%q", got)
	}
	two := newPlace(t, map[string]string{
		"work/repo/skills/1/2/3/4/SKILL.md": skill("deep", "D."), "work/repo/skills/a/SKILL.md": skill("a", "Ships."), "work/repo/skills/b/SKILL.md": skill("b", "Runs."), "work/repo/skills/c/SKILL.md": "\xff\xfe",
	})
	expect(t, two.find(false, load(first)), `skill a: "a|Ships.|a"`, unfinished)
	expect(t, two.find(false, load(first+1)), `skill a: "a|Ships.|a"`, `skill b: "b|Runs.|b"`, unfinished)
	expect(t, two.find(false, load(maxLoadedBytes)), `skill a: "a|Ships.|a"`, `skill b: "b|Runs.|b"`, `skill deep: "deep|D.|4"`)
	if line := TaggedLine("n", "d", "/p"); line != "  <skill>\n    <name>n</name>\n    <description>d</description>\n    <location>/p</location>\n  </skill>\n" {
		t.Errorf("%q", line)
	}
}

// TestInstructionsAreFilesOfTheWorkspace checks the paths and patterns that settings may name.
func TestInstructionsAreFilesOfTheWorkspace(t *testing.T) {
	p := newPlace(t, map[string]string{
		"work/repo/a.md": "A", "work/repo/docs/b.md": "B", "work/repo/docs/deep/c.md": "C", "work/a.md": "Above", "home/notes/n.md": "N", "home/notes/m.txt": "M", "home/.own/o.md": "O", "work/repo/.git/g.md": "G", "work/repo/node_modules/m.md": "M",
	})
	settings := func(where string, list ...string) { // comments are allowed
		text, _ := json.Marshal(map[string]any{"instructions": list})
		p.put(where+"/settings.json", "// mine\n"+string(text), began)
	}
	if runtime.GOOS != "windows" {
		p.put("work/repo/https:/there/y.md", "An address is not a path.", began)
	}
	load := func(own bool) []string {
		return p.find(false, func(l *Loader) {
			f := l.Workspace
			if own {
				f = l.Own(l.Home)
			}
			l.Instructions(nil, nil, "settings.json")
			l.Instructions(f, nil, "missing.json")
			l.Instructions(f, l.Above(func(dir string) bool { return filepath.Base(dir) == "work" }), "settings.json")
		})
	}
	outside := func(names ...string) string {
		if len(names) == 1 {
			return phrase.FileOutside.Text(phrase.Name(names[0])).String()
		}
		return phrase.FilesOutside.Text(phrase.Name(strings.Join(names, ", "))).String()
	}
	const a, b, c, n = `memory a.md: "A"`, `memory docs/b.md: "B"`, `memory docs/deep/c.md: "C"`, `memory ~/notes/n.md: "N"`
	for _, each := range []struct {
		own  bool
		list []string
		want []string
	}{
		{false, []string{"a.md"}, []string{a, `memory /work/a.md: "Above"`}},
		{false, []string{"./docs/*.md"}, []string{b}},
		{false, []string{"docs/**/*.md"}, []string{b, c}},
		{false, []string{"*.md"}, []string{a, `memory /work/a.md: "Above"`}},
		{false, []string{"docs/[b].md", "docs/{b,x}.md", "docs/?.md"}, []string{b}},
		{false, []string{"https://x/y.md", "../x.md", "~/notes/n.md"}, []string{outside("../x.md", "https://x/y.md", "~/notes/n.md")}},
		{false, []string{p.path("work/repo/a.md")}, []string{a}},
		{false, []string{p.path("home/notes/n.md")}, []string{outside("/home/notes/n.md")}},
		{true, []string{p.path("home/notes/n.md")}, []string{`memory /home/notes/n.md: "N"`}},
		{true, []string{"~/notes/n.md"}, []string{n}},
		{true, []string{"~/notes/*.md"}, []string{n}},
		{true, []string{p.path("home/.own/o.md"), "~/.own/o.md"}, []string{`memory ~/.own/o.md: "O"`}},
		{true, []string{p.path("work/repo/a.md")}, []string{a}},
		{true, []string{"~/no*/n.md"}, []string{n}},
		{false, []string{"https://there/y.md"}, []string{outside("https://there/y.md")}},
		{true, []string{"~/gone/x.md", "/top.md"}, []string{outside("/top.md", "~/gone/x.md")}},
	} {
		if runtime.GOOS == "windows" && slices.Contains(each.list, "/top.md") {
			continue // no path of Windows
		}
		os.Remove(p.path("work/repo/settings.json"))
		where := "work/repo"
		if each.own {
			where = "home/.own"
		}
		settings(where, each.list...)
		if got := load(each.own); !slices.Equal(got, each.want) {
			t.Errorf("%q, the user's own %v:\n\t%q\nwant\n\t%q", each.list, each.own, got, each.want)
		}
	}
}

// TestAPatternIsSearchedAsDeepAsItSays checks where a search begins and ends, and that one without an end is noted.
func TestAPatternIsSearchedAsDeepAsItSays(t *testing.T) {
	p := newPlace(t, map[string]string{"work/repo/a/b/c/d/e/f.md": "F", "work/repo/a/b/c/d/g.md": "G", "work/repo/a/x.md": "X", "work/repo/y.md": "Y", "work/repo/.git/z.md": "Z", "work/repo/node_modules/n/z.md": "Z"})
	p.find(false, func(l *Loader) {
		for pattern, want := range map[string]string{
			"**/*.md": "a/b/c/d/g.md a/x.md y.md, false", "a/**/*.md": "a/b/c/d/e/f.md a/b/c/d/g.md a/x.md, true", "*/*.md": "a/x.md, true", "a/*.md": "a/x.md, true", "a/?/c/d/*.md": "a/b/c/d/g.md, true",
			"a/b/*/*/*/*.md": "a/b/c/d/e/f.md, true", "*.md": "y.md, true", "?.md": "y.md, true", "{y,a/x}.md": "a/x.md y.md, true", "missing/*.md": ", true", strings.Repeat("*", maxGlob+1): ", false",
		} {
			l.Listing = MaxListed
			list, complete := l.matching(l.Workspace, pattern)
			if got := fmt.Sprintf("%s, %v", strings.Join(list, " "), complete); got != want {
				t.Errorf("%.20s: %s, want %s", pattern, got, want)
			}
		}
		l.Listing = 2
		if list, complete := l.matching(l.Workspace, "*.md"); complete || len(list) > 0 {
			t.Errorf("of too many files: %q, %v", list, complete)
		}
		l.Listing = 4 // .git, a, node_modules, y.md
		if list, complete := l.matching(l.Workspace, "*.md"); !complete || len(list) != 1 || l.Listing != 0 {
			t.Errorf("of just so many files: %q, %v", list, complete)
		}
		l.Listing = 2 // those of a
		if list, complete := l.matching(l.Workspace, "a/*.md"); !complete || len(list) != 1 {
			t.Errorf("of one folder: %q, %v", list, complete)
		}
		l.Listing = 1 // only the folder in a/b
		if _, complete := l.matching(l.Workspace, "a/b/**"); complete {
			t.Error("a search that ends in the last folder is complete")
		}
		l.Listing = 2 // a and the first file below it
		if _, complete := l.matching(l.Workspace, "a/**"); complete {
			t.Error("a search that ends below is complete")
		}
		if list, complete := l.matching(nil, "*.md"); complete || list != nil {
			t.Error("a missing folder is searched")
		}
	})
	expect(t, p.find(false, func(l *Loader) { l.pattern(l.Workspace, "a/**/*.md") }), `memory a/b/c/d/e/f.md: "F"`, `memory a/b/c/d/g.md: "G"`, `memory a/x.md: "X"`)
	expect(t, p.find(false, func(l *Loader) { l.pattern(l.Workspace, "**/y.md") }), `memory y.md: "Y"`, phrase.PatternUnfinished.Text(phrase.Name("**/y.md")).String())
}

// TestNamesOfFilesInSettings checks a name, a list and names that are paths.
func TestNamesOfFilesInSettings(t *testing.T) {
	p := newPlace(t, map[string]string{
		"work/repo/s.json": `{"one":"A.md","list":["B.md","","x/y.md","x\\y.md","C.md"],"many":[` + strings.TrimSuffix(strings.Repeat(`"m",`, 25), ",") + `],"none":7}`, "work/repo/broken.json": `{`,
	})
	p.find(false, func(l *Loader) {
		v, ok := l.Settings(l.Workspace, "s.json")
		if !ok {
			t.Fatal("the settings are not read")
		}
		expect(t, FileNames(v.Get("one")), "A.md")
		expect(t, FileNames(v.Get("list")), "B.md", "C.md")
		expect(t, FileNames(v.Get("none")))
		if names := FileNames(v.Get("many")); len(names) != 20 {
			t.Errorf("%d names", len(names))
		}
		p.put("work/repo/large.json", "{}"+strings.Repeat(" ", safefile.MaxSmall), began)
		for _, name := range []string{"broken.json", "missing.json", "large.json"} {
			if _, ok := l.Settings(l.Workspace, name); ok {
				t.Errorf("%s is read", name)
			}
		}
	})
}

// TestWhatIsFoundIsPassedToAnEngine checks the parameters of both calls, and what an engine reports.
func TestWhatIsFoundIsPassedToAnEngine(t *testing.T) {
	text := func(v any) string {
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	loaded := &Loaded{Memory: []Text{{Label: "a", Text: "A"}, {Label: "b", Tokens: 1}}, Servers: []string{"s"}, Unknown: []phrase.Text{phrase.FolderGone.Text()}}
	params := loaded.Params("id")
	if len(params.Loaded.Unknown) != 1 {
		t.Errorf("%+v", params.Loaded.Unknown)
	}
	params.Loaded.Unknown = nil
	if got := text(params); got != `{"id":"id","loaded":{"memory":[{"text":"A","label":"a"},{"tokens":1,"label":"b"}],"servers":["s"]}}` {
		t.Errorf("%s", got)
	}
	found := &Found{Texts: []Unrecorded{{Kind: "user", Path: "/p", Text: "T", Around: 3}}}
	if got := text(found.Params("id")); got != `{"id":"id","loaded":{},"append":[{"kind":"user","text":"T","what":"file","subject":"/p","hidden":true,"wrapping":3}]}` {
		t.Errorf("%s", got)
	}
	loaded = &Loaded{Servers: make([]string, mostListed+1), Unknown: make([]phrase.Text, mostListed+1)}
	if got := loaded.Params("id").Loaded; len(got.Servers) != mostListed || len(got.Unknown) != mostListed || got.Memory != nil {
		t.Errorf("%d servers, %d messages", len(got.Servers), len(got.Unknown))
	}
	at := api.Time(5000)
	wanted := ReadWanted([]api.WantedFile{{Path: "/p", Use: "memory", Sent: true, At: &at}, {Path: "/q"}})
	if want := []WantedFile{{"/p", "memory", time.UnixMilli(5000), true}, {Path: "/q"}}; !slices.Equal(wanted, want) {
		t.Errorf("%+v", wanted)
	}
	if promptfile.MaxDepth != 5 {
		t.Error("the imports of TestMemoryHasItsImports are not as deep as agents follow them")
	}
}
