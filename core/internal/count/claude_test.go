// Copyright The ctx-lsp authors. MIT licence.

package count

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

// With a vocabulary for Claude, new text is counted, with the framing that was fitted to counts. Models that have not
// been compared with the vocabulary keep estimates.
func TestAnAddedVocabularyCountsClaude(t *testing.T) {
	all := NewVocabularies()
	item := core.Item{Kind: core.ToolResults, Text: []byte("the world, (it)")}
	before := all.Resolve("claude-opus-4-6", "", "").Meter.(*Meter)
	if n := before.Item(&item); n.Basis != core.Estimated || before.Step(core.Step{Results: 1}) != 1 {
		t.Errorf("without a vocabulary: %+v, and a result costs %d", n, before.Step(core.Step{Results: 1}))
	}
	for _, file := range []string{"pieces_v3.json", "pieces_v4_7.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "vocabularies", file))
		if err != nil {
			t.Fatal(err)
		}
		tiles, err := vocabulary.ParseTiles(text)
		if err != nil {
			t.Fatal(err)
		}
		packs, err := tiles.Claude()
		if err != nil {
			t.Fatal(err)
		}
		for _, pack := range packs {
			if err := all.Load(pack.Name, pack.Pack); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, want := range map[string]struct {
		family string
		basis  core.Basis
		result int64
	}{
		"claude-opus-4-6":                   {"claude-v3", core.Counted, 19},
		"claude-haiku-4-5":                  {"claude-v3", core.Counted, 19},
		"claude-opus-4-7":                   {"claude-v47", core.Counted, 5},
		"claude-sonnet-5":                   {"claude-v47", core.Counted, 5},
		"claude-opus-5":                     {"claude-v5", core.Counted, 5},
		"claude-opus-5-5":                   {"claude-v5", core.Estimated, 5},
		"us.anthropic.claude-opus-5-5-v1:0": {"claude-v5", core.Estimated, 5},
	} {
		resolved := all.Resolve(name, "", "")
		m := resolved.Meter.(*Meter)
		n := m.Item(&item)
		if m.Encoding() != want.family || n.Basis != want.basis || m.Step(core.Step{Results: 1}) != want.result {
			t.Errorf("%s: %+v in %s, a result costs %d", name, n, m.Encoding(), m.Step(core.Step{Results: 1}))
		}
		if (m.Doubt().String() != "") != (want.basis == core.Estimated) {
			t.Errorf("%s: %q", name, m.Doubt())
		}
	}
}
