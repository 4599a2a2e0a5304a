// Copyright The ctx-lsp authors. MIT licence.

package promptfile

import (
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A client that translates gets phrases: the texts drawn contain nothing else but names and numbers.
func TestEverythingThatIsDrawnCanBeTranslated(t *testing.T) {
	words := "# XX\n\n## XXX\n\n" + strings.Repeat("XXXX XXXX XXXX.\n\n", 5) + "@XX.md @XX/XX.md @XXX.md\n"
	s := set(t, map[string]string{"CLAUDE.md": words, "XX.md": words + "@CLAUDE.md\n", "sub/AGENTS.md": words, ".claude/agents/XX.md": "---\nname: XX\ndescription: XX\n---\n" + words})
	for _, id := range []string{"CLAUDE.md", "sub/AGENTS.md", ".claude/agents/XX.md"} {
		v := s.View(s.Find(id), Budget{Always: 5, Loaded: 5}, nil, true)
		drawn := s.Draw(&v, &Drawing{
			Lenses: true, Hints: true, Hovers: true, Links: true, Diagnostics: true, Breakdown: true,
			To: 1 << 40, Model: "X", Limit: "9k", LimitOf: "agent", Share: "9%",
		})
		texts := []phrase.Text{drawn.Breakdown}
		for _, l := range drawn.Lenses {
			texts = append(texts, l.Title)
		}
		for _, h := range drawn.Hints {
			texts = append(texts, phrase.Named(h.Label), h.Tooltip)
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
			left := strings.NewReplacer(".md", "", "9k", "", "sub", "", "Claude Code", "").Replace(names(text))
			if strings.ContainsAny(left, "abcdefghijklmnopqrstuvwxyz") {
				t.Errorf("%s: %q leaves %q", id, text, left)
			}
		}
		if len(texts) < 8 {
			t.Errorf("%s: only %d texts", id, len(texts))
		}
	}
}

// names returns the third-party texts in a text.
func names(t phrase.Text) string {
	out := t.Name
	for _, arg := range t.Phrase.Args {
		out += names(arg.Text)
	}
	return out
}
