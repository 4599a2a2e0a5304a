// Copyright The ctx-lsp authors. MIT licence.

//go:build generator

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/model"
)

// packages fetches the registries, once for all tests; the tests are skipped without npm or a network.
func packages(t *testing.T) string {
	t.Helper()
	for _, tool := range []string{"npm", "node"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed, and the registries come by it", tool)
		}
	}
	directory := os.Getenv("MODEL_SOURCES")
	if directory == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			cache = os.TempDir()
		}
		directory = filepath.Join(cache, "ctx-lsp", "models")
	}
	if err := os.MkdirAll(directory, 0o755); err != nil {
		t.Fatal(err)
	}
	sources, err := readSources("sources.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := fetch(sources, directory); err != nil {
		t.Skipf("the registries cannot be fetched: %v", err)
	}
	return directory
}

func TestTheCommittedTableIsWhatTheSourcesGive(t *testing.T) {
	directory := packages(t)
	if err := generate(filepath.Join("..", "..", ".."), directory, true); err != nil {
		t.Error(err)
	}
}

// TestEveryEntryIsStatedBySomeone checks that every number of every entry is stated by a source for that model, or by
// an override.
func TestEveryEntryIsStatedBySomeone(t *testing.T) {
	records, err := extract("extract.mjs", packages(t))
	if err != nil {
		t.Fatal(err)
	}
	overrides, err := readOverrides(filepath.Join("..", "..", "..", "core", "model", "overrides.json"))
	if err != nil {
		t.Fatal(err)
	}
	overridden := map[string]bool{}
	for _, o := range overrides.Overrides {
		overridden[o.Source] = true
	}
	said := map[string]map[int64]bool{}
	window := map[string]map[int64]bool{} // keyed by model and provider
	for _, r := range records {
		key := model.Spell(r.ID).Base
		if said[key] == nil {
			said[key] = map[int64]bool{}
		}
		for _, n := range []int64{r.Window, r.Input, r.Output} {
			said[key][n] = true
		}
		at := key + " " + model.Provider(r.Provider)
		if window[at] == nil {
			window[at] = map[int64]bool{}
		}
		window[at][r.Window] = true
	}
	checked := 0
	for i := range model.Len() {
		model.Variants(i, func(m model.Model) {
			checked++
			if overridden[m.Source] {
				return
			}
			key := model.Key(m.ID)
			for _, n := range []int64{m.Window, m.Input, m.Output} {
				// An output larger than the window was reduced to it.
				if n != 0 && !said[key][n] && !(n == m.Window || m.Output == m.Window) {
					t.Errorf("%s at %q: nobody says %d: %d/%d/%d", m.ID, m.Provider, n, m.Window, m.Input, m.Output)
				}
			}
			if m.Provider == "" {
				return
			}
			if at := window[key+" "+m.Provider]; !at[m.Window] {
				t.Errorf("%s: %s does not have a window of %d in any source", m.ID, m.Provider, m.Window)
			}
		})
	}
	if checked < 1000 {
		t.Errorf("only %d entries", checked)
	}
	t.Logf("%d entries against %d statements", checked, len(records))
}

// TestFamiliesAgreeWithTheSourceThatKnowsThem checks that tokenizer families agree with the source that states them.
func TestFamiliesAgreeWithTheSourceThatKnowsThem(t *testing.T) {
	records, err := extract("extract.mjs", packages(t))
	if err != nil {
		t.Fatal(err)
	}
	alike := map[string][]string{
		"claude-v3": {"claude-v3"}, "claude-v47": {"claude-v47"}, "claude-v5": {"claude-v5"}, "claude-v5-sonnet": {"claude-v47", "claude-v5"},
		"qwen3": {"qwen3"}, "deepseek-v3": {"deepseek-v3"}, "kimi-k2": {"kimi-k2"}, "glm5": {"glm5"},
	}
	compared := 0
	for _, r := range records {
		if r.Tokenizer == "" || !included(r) || strings.HasPrefix(r.ID, "~") { // "~" is an alias that moves
			continue
		}
		m, ok := model.Find(r.ID, "", "")
		if !ok || m.Family == "" {
			continue
		}
		compared++
		agrees := false
		for _, f := range alike[r.Tokenizer] {
			agrees = agrees || f == m.Family
		}
		// Older snapshots of GLM and DeepSeek's distillations are distinguished here, but not in the source.
		if !agrees && !strings.Contains(r.ID, "istill") {
			t.Errorf("%s is %s here and %s there", r.ID, m.Family, r.Tokenizer)
		}
	}
	if compared < 200 {
		t.Errorf("only %d models compared", compared)
	}
}
