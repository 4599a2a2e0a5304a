// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"math/rand"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestADocumentOfHeadingsTakesLittle checks that a document of nothing but headings, fences or imports, each of which
// takes only two bytes, is counted in little memory: an engine has 256 MB for all of its clients.
func TestADocumentOfHeadingsTakesLittle(t *testing.T) {
	for _, unit := range []string{"#\n", "# a\n", "@a\n", "#\n@a\n", "@a @b @c\n", "```\n", "~~~\n@a\n"} {
		text := strings.Repeat(unit, 1<<20/len(unit))
		before := heapNow()
		d, err := Open("x", "CLAUDE.md", "", []byte(text), words{})
		if err != nil {
			t.Fatal(err)
		}
		kept := int64(heapNow()) - int64(before)
		if most := int64(5 << 20); kept > most {
			t.Errorf("1 MB of %q keeps %d KB", unit, kept>>10)
		}
		var s Set
		s.Put(d)
		v := s.View(d, Budget{}, nil, true)
		if want := (words{}).Weigh([]byte(text)); v.Tokens != want.Tokens {
			t.Errorf("1 MB of %q has %d tokens, want %d", unit, v.Tokens, want.Tokens)
		}
		if len(v.Sections)+len(v.Imports) != 0 || !strings.HasPrefix(codes(v), "too-many-parts") {
			t.Errorf("of %q %d sections and %d imports are shown, and said is %.40q", unit, len(v.Sections), len(v.Imports), codes(v))
		}
		runtime.KeepAlive(d)
	}
}

func heapNow() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestADocumentIsToldApartAgainWhenItHasFewerParts crosses the limit in both directions, by edits.
func TestADocumentIsToldApartAgainWhenItHasFewerParts(t *testing.T) {
	few := strings.Repeat("# a\nword\n", MaxParts-1)
	middle := len("# d\n") + len("# a\nword\n")*(MaxParts/2)
	d := open(t, "CLAUDE.md", few)
	for range 3 {
		for _, step := range []struct {
			from, to int
			with     string
			sections int
		}{
			{0, 0, "# b\n", MaxParts},
			{0, 0, "# c\n", 0},
			{8, 8, "# d\n", 0},
			{0, 4, "", 0},
			{0, 4, "", MaxParts},
			{middle, middle, "# e\n# f\n", 0},
			{middle, middle + 8, "", MaxParts},
			{0, 4, "", MaxParts - 1},
		} {
			if err := d.Change(step.from, step.to, []byte(step.with)); err != nil {
				t.Fatal(err)
			}
			sections, _ := d.outline()
			fresh := open(t, "CLAUDE.md", string(d.Text))
			if len(sections) != step.sections || d.weight() != fresh.weight() || d.parts != fresh.parts {
				t.Errorf("after %+v there are %d sections of %d parts, and a fresh one has %d parts", step, len(sections), d.parts, fresh.parts)
			}
		}
		if string(d.Text) != few {
			t.Fatal("the steps do not lead back")
		}
	}
}

// TestPartsAreNotMoreThanIsSaid checks that Parts never returns less than what is kept.
func TestPartsAreNotMoreThanIsSaid(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	pieces := []string{"#", "# a", "\n", "\n", "@a", " @b.md", "```", "~~~~", "`", "[x](a.md)", "#file:a.md", "   ", "word ", "\r\n", "---\n", "####### "}
	for range 3000 {
		var b strings.Builder
		for range r.Intn(60) {
			b.WriteString(pieces[r.Intn(len(pieces))])
		}
		for _, path := range []string{"CLAUDE.md", "AGENTS.md", ".github/copilot-instructions.md", "x.prompt.md"} {
			if d := open(t, path, b.String()); d.parts > Parts(d.Text) {
				t.Fatalf("%q as %s has %d parts, and %d are said", b.String(), path, d.parts, Parts(d.Text))
			}
		}
	}
}
