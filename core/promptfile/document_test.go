// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"math/rand"
	"strings"
	"testing"
	"time"
)

// words counts words and line breaks, and records how much it had to read.
type words struct{ read *int }

func (c words) Weigh(text []byte) Weight {
	if c.read != nil {
		*c.read += len(text)
	}
	return Weight{Tokens: int64(len(strings.Fields(string(text))))}
}
func (c words) Tokens(w Weight) int64 { return w.Tokens }
func (c words) Exact() bool           { return true }

func open(t *testing.T, path, text string) *Document {
	t.Helper()
	d, err := Open(path, path, "", []byte(text), words{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestKindsAreKnownByTheirPath(t *testing.T) {
	for path, want := range map[string]Kind{
		"AGENTS.md": AgentsMD, "a/b/AGENTS.md": AgentsMD, "CLAUDE.md": ClaudeMD, "x/CLAUDE.local.md": ClaudeMD,
		`C:\w\CLAUDE.md`: ClaudeMD, "~/.claude/CLAUDE.md": ClaudeMD, ".claude/rules/go.md": ClaudeRule,
		".claude/rules/deep/go.md": ClaudeRule, ".claude/agents/x.md": ClaudeAgent, ".claude/commands/a/x.md": ClaudeCommand,
		".claude/skills/pdf/SKILL.md": Skill, "GEMINI.md": GeminiMD, ".cursor/rules/x.mdc": CursorRule, ".cursorrules": CursorRules,
		".github/copilot-instructions.md": CopilotInstructions, "docs/copilot-instructions.md": None,
		".github/instructions/go.instructions.md": Instructions, ".github/prompts/x.prompt.md": Prompt, "x.chatmode.md": ChatMode,
		".windsurfrules": WindsurfRules, ".windsurf/rules/x.md": WindsurfRule, ".clinerules": ClineRules, ".clinerules/x.md": ClineRule,
		"CRUSH.md": CrushMD, "a/CRUSH.local.md": CrushMD, ".roorules": RooRules, ".roo/rules/a.md": RooRule, ".roo/rules/b/a.md": RooRule,
		".roo/rules-code/a.md": RooModeRule, "rules/a.md": None, ".roo/a.md": None, ".roorules/a.md": None, ".github/x/copilot-instructions.md": None,
		`C:\w\.roo\rules-x\b\a.md`: RooModeRule, ".roo/rulesx/a.md": None, ".mdc": None, "rules/.claude/a.md": None,
		"README.md": None, "rules/x.md": None, ".claude/x.md": None, "": None, "CLAUDE.md/x": None,
	} {
		if got := KindOf(path); got != want {
			t.Errorf("%q is %v, want %v", path, got, want)
		}
	}
}

func TestLoadFollowsKindPlaceAndFrontmatter(t *testing.T) {
	for _, test := range []struct {
		path, text string
		when       When
		globs      string
		listed     string
	}{
		{"CLAUDE.md", "x", Always, "", ""},
		{"~/.claude/CLAUDE.md", "x", Always, "", ""},
		{"pkg/api/CLAUDE.md", "x", ByPath, "pkg/api/**", ""},
		{"pkg/AGENTS.md", "x", ByPath, "pkg/**", ""},
		{".claude/rules/a.md", "---\npaths: src/**/*.ts\n---\nx", ByPath, "src/**/*.ts", ""},
		{".claude/rules/a.md", "---\npaths:\n  - \"src/**\"\n  - 'lib/{a,b}.ts'\n---\nx", ByPath, "src/** lib/{a,b}.ts", ""},
		{".claude/rules/a.md", "x", Always, "", ""},
		{"SKILL.md", "---\nname: pdf\ndescription: Reads PDF files\n---\nlong", OnDemand, "", "pdf: Reads PDF files"},
		{"SKILL.md", "---\nname: pdf\ndescription: >\n  Reads PDF\n  files\n---\nlong", OnDemand, "", "pdf: Reads PDF files"},
		{"x.mdc", "---\nalwaysApply: true\n---\nx", Always, "", ""},
		{"x.mdc", "---\ndescription: \nglobs: *.ts, src/{a,b}/**\nalwaysApply: false\n---\nx", ByPath, "*.ts src/{a,b}/**", ""},
		{"x.mdc", "---\ndescription: when testing\n---\nx", OnDemand, "", "when testing"},
		{"x.mdc", "x", OnDemand, "", ""},
		{"a.instructions.md", "---\napplyTo: '**'\n---\nx", Always, "", ""},
		{"a.instructions.md", "---\napplyTo: \"**/*.go,**/*.mod\"\n---\nx", ByPath, "**/*.go **/*.mod", ""},
		{"a.instructions.md", "\xef\xbb\xbf---\r\napplyTo: '**/*.go'\r\n---\r\nx", ByPath, "**/*.go", ""},
		{"a.instructions.md", "x", OnDemand, "", ""},
		{".windsurf/rules/a.md", "---\ntrigger: glob\nglobs: [a, b]\n---\n", ByPath, "a b", ""},
		{".clinerules/a.md", "x", Always, "", ""},
		{"a.prompt.md", "x", OnDemand, "", ""},
	} {
		d := open(t, test.path, test.text)
		got := loadOf(d.Kind, d.Path, &d.front)
		if got.When != test.when || strings.Join(got.Globs, " ") != test.globs || got.Listed != test.listed {
			t.Errorf("%s %q: %v %q %q", test.path, test.text, got.When, got.Globs, got.Listed)
		}
		if !strings.HasSuffix(got.Sentence(), ".") {
			t.Errorf("%s: %q is no sentence", test.path, got.Sentence())
		}
	}
}

func TestSectionsAndImportsStandOutsideOfCode(t *testing.T) {
	d := open(t, "CLAUDE.md", "---\n# no heading\n---\nintro @docs/a.md and @b.md, too.\n# One #\ntext\n```sh\n# comment\n@no.md\n```\n"+
		"## Two\nmail me@x.org `@code.md` @~/c.md\n~~~\n```\n# no\n~~~\n#hashtag\n####### seven\n  @./d\\ e.md#part\n# Three\n")
	sections, imports := d.outline()
	var got []string
	for _, s := range sections {
		got = append(got, strings.Repeat("#", s.Level)+s.Title)
	}
	if want := "#One ##Two #Three"; strings.Join(got, " ") != want {
		t.Errorf("sections %q, want %q", got, want)
	}
	got = nil
	for _, i := range imports {
		got = append(got, i.Target)
		if d.Text[i.From] != '@' {
			t.Errorf("%s does not begin at its @", i.Target)
		}
	}
	if want := "docs/a.md|b.md|~/c.md|./d e.md"; strings.Join(got, "|") != want {
		t.Errorf("imports %q, want %q", strings.Join(got, "|"), want)
	}
	if sections[0].Tokens <= sections[0].Own || sections[0].End != sections[2].From {
		t.Errorf("One does not hold Two: %+v", sections[0])
	}
}

func TestReferencesOfPromptFiles(t *testing.T) {
	d := open(t, "a.prompt.md", "see #file:src/x.go and [the guide](../docs/guide.md), [web](https://a.org/b.md) [part](#x) `#file:no.md`\n")
	_, imports := d.outline()
	if len(imports) != 2 || imports[0].Target != "src/x.go" || imports[1].Target != "../docs/guide.md" {
		t.Errorf("%+v", imports)
	}
}

func TestAnEditedDocumentEqualsAFreshOne(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	pieces := []string{"# H\n", "## Sub\n", "word ", "\n", "\n\n", "```\n", "@a.md ", "---\n", "  ", "/x\n", strings.Repeat("long line of words ", 30), strings.Repeat("paragraph\n", 300), "é", "\r\n"}
	for range 60 {
		d := open(t, "CLAUDE.md", "")
		text := ""
		for step := range 60 {
			from := r.Intn(len(text) + 1)
			to := from + r.Intn(min(40, len(text)-from)+1)
			with := pieces[r.Intn(len(pieces))]
			if err := d.Change(from, to, []byte(with)); err != nil {
				t.Fatal(err)
			}
			text = text[:from] + with + text[to:]
			if string(d.Text) != text {
				t.Fatalf("step %d: the text differs", step)
			}
			fresh := open(t, "CLAUDE.md", text)
			size := 0
			for _, b := range d.blocks {
				size += int(b.size)
			}
			if size != len(text) {
				t.Fatalf("step %d: blocks hold %d of %d bytes", step, size, len(text))
			}
			s1, i1 := d.outline()
			s2, i2 := fresh.outline()
			if len(s1) != len(s2) || len(i1) != len(i2) {
				t.Fatalf("step %d: %d sections and %d imports, want %d and %d, in %q", step, len(s1), len(i1), len(s2), len(i2), text)
			}
			for i := range s1 {
				if s1[i].Title != s2[i].Title || s1[i].From != s2[i].From || s1[i].End != s2[i].End || s1[i].Tokens != s2[i].Tokens {
					t.Fatalf("step %d: section %+v, want %+v", step, s1[i], s2[i])
				}
			}
			if d.front.end != fresh.front.end || d.front.unclosed != fresh.front.unclosed {
				t.Fatalf("step %d: frontmatter %+v, want %+v in %q", step, d.front, fresh.front, text)
			}
		}
	}
}

func TestAKeystrokeCostsItsNeighbourhood(t *testing.T) {
	read := 0
	text := strings.Repeat("A line of ordinary prose, of no great length.\n", 1<<20/46)
	d, err := Open("CLAUDE.md", "CLAUDE.md", "", []byte(text), words{&read})
	if err != nil {
		t.Fatal(err)
	}
	read = 0
	if err := d.Change(len(text)/2, len(text)/2, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if read > 3*blockSize {
		t.Errorf("one keystroke had %d bytes counted anew", read)
	}
}

func TestALineOf20MBEndsBlocksAllTheSame(t *testing.T) {
	d, err := Open("CLAUDE.md", "CLAUDE.md", "", []byte(strings.Repeat("x ", MaxText/2)), words{})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range d.blocks {
		if b.size > blockMost {
			t.Fatalf("a block of %d bytes", b.size)
		}
	}
	if _, err := Open("x", "CLAUDE.md", "", make([]byte, MaxText+1), words{}); err == nil {
		t.Error("a document over the limit was taken")
	}
}

func TestChangesOutOfRangeAreRefusedAndChangeNothing(t *testing.T) {
	d := open(t, "CLAUDE.md", "abc")
	for _, c := range [][2]int{{-1, 0}, {2, 1}, {0, 4}, {4, 4}, {1 << 29, 1 << 30}} {
		if err := d.Change(c[0], c[1], []byte("x")); err == nil || string(d.Text) != "abc" {
			t.Errorf("%v: %v, text %q", c, err, d.Text)
		}
	}
}

// set opens documents in a set and links their imports to each other.
func set(t *testing.T, files map[string]string) *Set {
	t.Helper()
	s := &Set{}
	for path, text := range files {
		s.Put(open(t, path, text))
	}
	for path := range files {
		d := s.Find(path)
		d.syntax = atImports
		d.recut()
		_, imports := d.outline()
		var links []Link
		for _, i := range imports {
			l := Link{Target: i.Target, ID: i.Target}
			if s.Find(i.Target) == nil {
				l.ID, l.Problem = "", Missing
			}
			links = append(links, l)
		}
		d.Links(links)
	}
	return s
}

func codes(v View) string {
	var out []string
	for _, f := range v.Findings {
		out = append(out, f.Code)
	}
	return strings.Join(out, " ")
}

func TestImportsAreFollowedAndCountedOnce(t *testing.T) {
	s := set(t, map[string]string{
		"CLAUDE.md": "one @a.md @b.md\n", "a.md": "two words @c.md\n", "b.md": "three @c.md @missing.md @anthropic\n", "c.md": "four five six\n",
	})
	v := s.View(s.Find("CLAUDE.md"), Budget{}, nil, true)
	if v.Tokens != 3 || v.Imported != 3+4+3 || v.Files != 3 {
		t.Errorf("%d own, %d imported, %d files", v.Tokens, v.Imported, v.Files)
	}
	if v.Imports[0].All != 3+3 || v.Imports[1].All != 4 {
		t.Errorf("imports bring %d and %d", v.Imports[0].All, v.Imports[1].All)
	}
	if got := codes(s.View(s.Find("b.md"), Budget{}, nil, true)); got != "import-missing" {
		t.Errorf("findings of b.md: %q; a name that is no path is no missing file", got)
	}
}

func TestCirclesEndAndAreSaid(t *testing.T) {
	s := set(t, map[string]string{"CLAUDE.md": "x @a.md\n", "a.md": "@b.md\n", "b.md": "@a.md @CLAUDE.md\n", "self.md": "@self.md\n"})
	if got := codes(s.View(s.Find("CLAUDE.md"), Budget{}, nil, true)); got != "import-circular" {
		t.Errorf("findings %q", got)
	}
	if got := codes(s.View(s.Find("self.md"), Budget{}, nil, true)); got != "import-circular" {
		t.Errorf("findings of a file that imports itself %q", got)
	}
}

func TestImportsTooDeepAreNotCounted(t *testing.T) {
	s := set(t, map[string]string{"CLAUDE.md": "@1.md\n", "1.md": "@2.md\n", "2.md": "@3.md\n", "3.md": "@4.md\n", "4.md": "@5.md\n", "5.md": "@6.md\n", "6.md": "end\n"})
	v := s.View(s.Find("CLAUDE.md"), Budget{}, nil, true)
	if v.Files != MaxDepth || codes(v) != "import-too-deep" {
		t.Errorf("%d files, findings %q", v.Files, codes(v))
	}
}

func TestBudgetsHoldWithImports(t *testing.T) {
	s := set(t, map[string]string{"CLAUDE.md": "one two @a.md\n", "a.md": "three four five\n"})
	d := s.Find("CLAUDE.md")
	if got := codes(s.View(d, Budget{Always: 6}, nil, true)); got != "" {
		t.Errorf("within the budget: %q", got)
	}
	v := s.View(d, Budget{Always: 5}, nil, true)
	if codes(v) != "over-budget" || !strings.Contains(v.Findings[0].Message.String(), "6 tokens in every request, 3 of them imported; the budget is 5.") {
		t.Errorf("%+v", v.Findings)
	}
}

func TestTextLoadedTwiceIsFound(t *testing.T) {
	same := strings.Repeat("The same rule in the same words. ", 6) + "\n"
	s := set(t, map[string]string{"CLAUDE.md": "# A\n" + same + "\n@a.md\n", "a.md": "intro\n\n  " + same, "other.md": same, "short.md": "x\n\nx\n"})
	v := s.View(s.Find("CLAUDE.md"), Budget{}, nil, true)
	if codes(v) != "text-repeated" || v.Findings[0].Other != "a.md" {
		t.Errorf("%+v", v.Findings)
	}
	if v := s.View(s.Find("other.md"), Budget{}, []string{"a.md"}, true); codes(v) != "text-repeated" {
		t.Errorf("loaded together: %+v", v.Findings)
	}
	if v := s.View(s.Find("other.md"), Budget{}, nil, true); codes(v) != "" {
		t.Errorf("alone: %+v", v.Findings)
	}
	if v := s.View(s.Find("short.md"), Budget{}, nil, true); codes(v) != "" {
		t.Errorf("short paragraphs: %+v", v.Findings)
	}
}

func FuzzChanges(f *testing.F) {
	f.Add("# a\n```\n@x\n", 1, 3, "```")
	f.Add("---\na: b\n---\n", 0, 2, "\n")
	f.Fuzz(func(t *testing.T, text string, from, to int, with string) {
		d, err := Open("x", "CLAUDE.md", "", []byte(text), words{})
		if (err != nil) != (len(text) > MaxText) {
			t.Fatalf("%d bytes: %v", len(text), err)
		}
		if err != nil {
			return // refused, as it must be
		}
		if d.Change(from, to, []byte(with)) != nil {
			return
		}
		fresh, err := Open("x", "CLAUDE.md", "", d.Text, words{})
		if err != nil {
			t.Fatalf("an edit was taken that makes a text which is not: %v", err)
		}
		a, _ := d.outline()
		b, _ := fresh.outline()
		if len(a) != len(b) || d.weight().Tokens != fresh.weight().Tokens {
			t.Errorf("%d sections, want %d", len(a), len(b))
		}
	})
}
