// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"regexp"
	"strings"
	"testing"
)

// A client that translates gets phrases by their ids: without them nothing but names and numbers is left in what is
// drawn. What a workspace has named cannot end a phrase.
func TestEverythingThatIsDrawnCanBeTranslated(t *testing.T) {
	words := "# XX\x0f\x1fX\n\n## XXX\n\n" + strings.Repeat("XXXX XXXX XXXX.\n\n", 5) + "@XX.md @XX/XX.md @XXX.md\n"
	s := set(t, map[string]string{"CLAUDE.md": words, "XX.md": words + "@CLAUDE.md\n", "sub/AGENTS.md": words, ".claude/agents/XX.md": "---\nname: XX\ndescription: XX\n---\n" + words})
	inner := regexp.MustCompile("\x0e[A-Za-z]+(\x1f[^\x0e\x0f\x1f]*)*\x0f")
	for _, id := range []string{"CLAUDE.md", "sub/AGENTS.md", ".claude/agents/XX.md"} {
		v := s.View(s.Find(id), Budget{Always: 5, Loaded: 5}, nil, true, true)
		drawn := s.Draw(&v, &Drawing{
			Lenses: true, Hints: true, Hovers: true, Links: true, Diagnostics: true, Breakdown: true,
			To: 1 << 40, ByID: true, Model: "X", Limit: "9k", LimitOf: "agent", Share: "9%",
		})
		texts := []string{drawn.Breakdown}
		for _, l := range drawn.Lenses {
			texts = append(texts, l.Title)
		}
		for _, h := range drawn.Hints {
			texts = append(texts, h.Label, h.Tooltip)
		}
		for _, h := range drawn.Hovers {
			texts = append(texts, h.Text)
		}
		for _, l := range drawn.Links {
			texts = append(texts, l.Tooltip)
		}
		for _, d := range drawn.Diagnostics {
			texts = append(texts, d.Message)
		}
		for _, text := range texts {
			left := text
			for before := ""; before != left; {
				before = left
				left = inner.ReplaceAllString(left, "")
			}
			left = strings.NewReplacer(".md", "", "9k", "").Replace(left)
			if strings.ContainsAny(left, "abcdefghijklmnopqrstuvwxyz\x0e\x0f\x1f") {
				t.Errorf("%s: %q leaves %q", id, text, left)
			}
		}
		if len(texts) < 8 {
			t.Errorf("%s: only %d texts", id, len(texts))
		}
	}
}
