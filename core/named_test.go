// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// about returns a call or a result of a tool with a subject.
func about(k Kind, tokens int64, tool string, what SubjectKind, name string) Appended {
	return Appended{Item{Kind: k, Tokens: tokens, Name: tool, About: Subject{What: what, Name: name}}}
}

// lines returns the largest entries in the form in which a list shows them.
func lines(s *Session) []string {
	var out []string
	for _, l := range s.Reading().Largest {
		out = append(out, l.Label.String()+" x"+itoa(l.Times)+" "+itoa(l.Tokens))
	}
	return out
}

func expectLines(t *testing.T, name string, s *Session, want ...string) {
	t.Helper()
	if got := lines(s); !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", name, got, want)
	}
}

func TestWhatHasOneNameIsOneLine(t *testing.T) {
	s := after(
		WorkspaceSeen{"/home/ada/shop"}, item(User, 5000),
		about(ToolCalls, 20, "Read", OfFile, "/home/ada/shop/src/api.go"),
		Appended{Item{Kind: ToolResults, Tokens: 9000, Name: "Read", Answers: 2}},
		WorkspaceSeen{"/home/ada/shop/src"}, // the agent changed directories, the file did not move
		about(ToolCalls, 20, "Read", OfFile, "./src/api.go"),
		Appended{Item{Kind: ToolResults, Tokens: 8000, Name: "Read", Answers: 4}},
		about(ToolResults, 700, "Bash", OfCommand, "npm test"),
		Appended{Item{Kind: ToolResults, Tokens: 600, Name: "mcp__github__get_issue"}},
		about(ToolResults, 500, "Read", OfFile, "/home/ada/notes.md"),
	)
	expectLines(t, "after two reads", s, "Read src/api.go x2 17040", "User x1 5000", "Bash npm test x1 700", "mcp:github get_issue x1 600", "Read ~/notes.md x1 500")
	s.Apply(Replaced{2, Item{Kind: ToolResults, Tokens: 10, Name: "Read"}, Named("cut")})
	expectLines(t, "after one was cut", s, "Read src/api.go x2 8050", "User x1 5000", "Bash npm test x1 700", "mcp:github get_issue x1 600", "Read ~/notes.md x1 500")
	s.Apply(Truncated{4})
	expectLines(t, "after a rewind", s, "User x1 5000", "Read src/api.go x2 50")
	s.Apply(about(ToolResults, 300, "Read", OfFile, "src/api.go"))
	s.Apply(Dropped{0, Named("")})
	expectLines(t, "after more and less", s, "Read src/api.go x2 350")
	s.Apply(Compacted{Tokens: Unknown, Before: Unknown, Kept: 1, Summary: &Item{Tokens: 90}})
	if got := lines(s); !slices.Contains(got, "Read src/api.go x1 300") || len(s.conversation.labels.list) > 1 {
		t.Errorf("after a compaction: %q, %+v", got, s.conversation.labels.list)
	}
}

func TestAnItemThatGrowsIsCountedOnce(t *testing.T) {
	s := after(about(ToolResults, 10, "Bash", OfCommand, "make"), item(Assistant, 5))
	for n := int64(20); n <= 60; n += 20 {
		s.Reading()
		s.Apply(Replaced{0, Item{Kind: ToolResults, Tokens: n, Name: "Bash"}, Named("grew")})
		s.Apply(Replaced{1, Item{Kind: Assistant, Tokens: n / 2}, Named("grew")})
	}
	expectLines(t, "grown", s, "Bash make x1 60", "Assistant x1 30")
}

func TestTheLargestAreTheSameWhetherTheyWereAskedForInBetween(t *testing.T) {
	seed := uint64(20261122)
	random := func(n int64) int64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int64(seed>>33) % n
	}
	often, once := after(), after()
	both := func(e Event) { often.Apply(e); once.Apply(e) }
	for step := range 3000 {
		n := int64(often.Len())
		switch r := random(40); {
		case r < 20:
			both(about([...]Kind{ToolCalls, ToolResults}[random(2)], random(900), "Read", OfFile, "f"+itoa(random(30))))
		case r < 30:
			both(item([...]Kind{User, Assistant, Reasoning, Media}[random(4)], random(900)))
		case r < 33 && n > 0:
			both(Replaced{int(random(n)), Item{Kind: ToolResults, Tokens: random(900), Name: "Read"}, Named("x")})
		case r < 36 && n > 0:
			both(Dropped{int(random(n)), Named("x")})
		case r == 36 && n > 0:
			both(Truncated{int(random(n))})
		case r == 37:
			both(Compacted{Tokens: Unknown, Before: Unknown, Kept: int(random(5))})
		case r == 38:
			both(measured(1000*n+1, 100))
		}
		if a := lines(often); step%50 == 0 && !slices.Equal(a, lines(once)) {
			t.Fatalf("seed 20261122, step %d:\n%q\n%q", step, a, lines(once))
		}
	}
}

func TestNamesAreBounded(t *testing.T) {
	var l labels
	last := uint16(0)
	for i := range int64(3 * MaxLabels) {
		last = l.labelOf(&Item{Name: "Read", About: Subject{What: OfFile, Name: "f" + itoa(i)}})
	}
	if at := l.named(last); at.shown.String() != "Read, others" || at.what != OfOthers || len(l.list) > MaxLabels-labelsForTool+1 {
		t.Errorf("%+v, %d names", at, len(l.list))
	}
	for i := range int64(2 * MaxLabels) {
		last = l.labelOf(&Item{Name: "tool " + itoa(i)})
	}
	if len(l.list) != MaxLabels || last != 0 || l.named(0).shown.String() != "" {
		t.Errorf("%d names, the last is %d", len(l.list), last)
	}
	for _, what := range []SubjectKind{OfFile, OfCommand, OfNothing} {
		var short labels
		at := short.named(short.labelOf(&Item{Label: Named(strings.Repeat("l", 500)), About: Subject{What: what, Name: strings.Repeat("a", 400) + "/é\n\x1b[2J/end"}}))
		if len(at.tool.Name) > maxTool || len(at.subject) > maxSubject+4 || strings.ContainsAny(at.shown.String(), "\n\x1b") {
			t.Errorf("%q", at.shown)
		}
		if what == OfFile && !strings.HasSuffix(at.subject, "/end") {
			t.Errorf("a path loses its end: %q", at.subject)
		}
	}
}

func TestPathsCanBeHidden(t *testing.T) {
	s := after(
		about(ToolResults, 900, "Read", OfFile, "/srv/secret/plan.md"), about(ToolResults, 800, "Bash", OfCommand, "go test /srv/secret/x"),
		about(ToolResults, 700, "WebFetch", OfURL, "example.com/a/b"),
	)
	s.HidePaths(true)
	expectLines(t, "hidden", s, "Read plan.md x1 900", "Bash go test x x1 800", "WebFetch example.com x1 700")
	s.HidePaths(false)
	expectLines(t, "whole again", s, "Read /srv/secret/plan.md x1 900", "Bash go test /srv/secret/x x1 800", "WebFetch example.com/a/b x1 700")
}

func TestNamesAndPlacesOutliveARestart(t *testing.T) {
	s := after(WorkspaceSeen{"/w"})
	s.ReadsAt(41)
	s.Apply(about(ToolCalls, 5, "Read", OfFile, "/w/a.go"))
	s.ReadsAt(42)
	s.Apply(Appended{Item{Kind: ToolResults, Tokens: 900, Name: "Read", Answers: 1}})
	restored, ok := Restore(s.Save(), plain{})
	if !ok {
		t.Fatal("not restored")
	}
	restored.Apply(about(ToolResults, 100, "Read", OfFile, "/w/a.go"))
	if l := restored.Largest(1)[0]; l.Label.String() != "Read a.go" || l.Place != 42 || l.What != OfFile || l.Tokens != 1005 {
		t.Errorf("%+v", l)
	}
}

// TestAPathIsCutFromItsBeginning checks the form in which long paths are stored: from a folder on, or without folders
// from a character on.
func TestAPathIsCutFromItsBeginning(t *testing.T) {
	long := strings.Repeat("d", maxSubject-1)
	for path, want := range map[string]string{
		"":                              "",
		"/" + long:                      "/" + long,
		"a/" + long:                     "…/" + long,
		"a/b/" + long:                   "…/" + long,
		"abc/d/" + long[:maxSubject-3]:  "…/d/" + long[:maxSubject-3],
		`C:\d\` + long[:maxSubject-2]:   `…\` + long[:maxSubject-2],
		"ab" + long:                     "…b" + long,
		strings.Repeat("é", maxSubject): "…" + strings.Repeat("é", maxSubject/2),
		"abé" + long[:maxSubject-1]:     "…" + long,
	} {
		if got := cutPath(path); got != want {
			t.Errorf("%.20q of %d bytes becomes %.20q of %d, want %.20q of %d", path, len(path), got, len(got), want, len(want))
		}
	}
}

// TestAPathIsWrittenAsInItsWorkspace checks paths inside and outside of the session's directory, and below home
// directories.
func TestAPathIsWrittenAsInItsWorkspace(t *testing.T) {
	for path, want := range map[string]string{
		"/w/shop/a.go": "a.go", "/w/shop": ".", "/w/shop/": ".", "/w/shopping/a.go": "/w/shopping/a.go", "/w": "/w",
		"./a.go": "a.go", "././a.go": "a.go", `.\a.go`: "a.go", "./": "./", ".a/b": ".a/b", ".": ".", "": "",
		"/home/ada/a.go": "~/a.go", "/home/ada/": "~/", "/home/ada": "/home/ada", "/home/": "/home/", "/home": "/home",
		"/Users/ada/a.go": "~/a.go", `C:\Users\ada\a.go`: `~\a.go`, `c:\Users\ada\b\a.go`: `~\b\a.go`, `D:\Users\ada`: `D:\Users\ada`,
	} {
		for _, root := range []string{"/w/shop", "/w/shop/"} {
			if got := fromRoot(path, root); got != want {
				t.Errorf("%q in %s is written %q, want %q", path, root, got, want)
			}
		}
	}
}

// TestATitleIsOneLine checks which characters a title keeps.
func TestATitleIsOneLine(t *testing.T) {
	for title, want := range map[string]string{
		"": "", "two  words": "two words", " a\tb\r\nc ": "a b c", "a\x7fb": "a b", "a\u0080b": "a b", "a\u009fb": "a b", "a\u00a0b": "a\u00a0b", "a\u2028b": "a b",
		"a\u2029b": "a b", "\x7f": "", "größer": "größer", strings.Repeat("x", maxTitle+1): strings.Repeat("x", maxTitle),
		strings.Repeat("x", maxTitle-1) + "ö": strings.Repeat("x", maxTitle-1), strings.Repeat("x", maxTitle-2) + "ö": strings.Repeat("x", maxTitle-2) + "ö",
	} {
		if got := OneLine(title); got != want {
			t.Errorf("%q became %q", title, got)
		}
	}
}

// TestAToolIsNotThePhraseOfItsName checks that a tool named like one of our own phrases has a label of its own.
func TestAToolIsNotThePhraseOfItsName(t *testing.T) {
	var l labels
	ours := l.intern(label{tool: phrase.System.Text()})
	tool := l.intern(label{tool: Named(phrase.System.Text().String())})
	if ours == tool || l.intern(label{tool: phrase.System.Text()}) != ours {
		t.Errorf("the labels are %d and %d", ours, tool)
	}
}
