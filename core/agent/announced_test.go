// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// levels counts at which levels the sessions of one agent announced their compactions.
type levels struct {
	requests, falseNow int
	compactions        int // automatic ones
	now, soon          int // of them, announced when they came, and three requests before
}

// TestCompactionsAreAnnounced prints for each agent, in the sessions of CTX_FRESH and in those that rules were fitted
// to, how many automatic compactions came at the level "now" or later, how many were at "soon" or later three requests
// before, and before how many other requests the level was "now".
func TestCompactionsAreAnnounced(t *testing.T) {
	folders := map[string][]string{"fresh": {os.Getenv("CTX_FRESH")}, "fitted": {os.Getenv("CTX_TRANSCRIPTS"), os.Getenv("CTX_SAMPLES")}}
	if strings.Join(append(folders["fresh"], folders["fitted"]...), "") == "" {
		t.Skip("CTX_FRESH, CTX_TRANSCRIPTS and CTX_SAMPLES name no folder of real transcripts")
	}
	shop := count.NewVocabularies()
	vocabulary, _ := assets.Pack("o200k")
	if err := shop.Load("o200k", vocabulary); err != nil {
		t.Fatal(err)
	}
	for _, set := range []string{"fresh", "fitted"} {
		by := map[string]*levels{"all": {}}
		for _, root := range folders[set] {
			if root == "" {
				continue
			}
			err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() || !strings.Contains(filepath.Ext(path), ".json") {
					return err
				}
				name := filepath.Base(filepath.Dir(path)) // the folder is named for the agent
				if !slices.Contains([]string{"claude-code", "codex", "mini-swe-agent", "opencode", "pi"}, name) {
					return nil // no long sessions there, or other forms
				}
				r := replayed{}
				r.replay(t, path, shop)
				for _, of := range []string{"all", name} {
					if by[of] == nil {
						by[of] = &levels{}
					}
					by[of].add(&r)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		names := []string{}
		for name := range by {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			l := by[name]
			t.Logf("%s, %s: %d of %d automatic compactions came at \"now\", %d at \"soon\" three requests before; "+
				"\"now\" before %d of %d other requests (%.2f%%)", set, name, l.now, l.compactions, l.soon, l.falseNow, l.requests, 100*float64(l.falseNow)/float64(max(l.requests, 1)))
		}
		l := by["all"]
		if l.now*2 < l.compactions || l.soon*100 < l.compactions*75 {
			t.Errorf("%s: too few of %d automatic compactions were announced", set, l.compactions)
		}
		if l.falseNow*100 > l.requests {
			t.Errorf("%s: the level was \"now\" before too many other requests", set)
		}
	}
}

func (l *levels) add(r *replayed) {
	l.requests += r.requests
	l.falseNow += r.falseAlarms
	l.compactions += r.compactions
	l.now += r.warned
	for _, lead := range r.leads {
		if lead >= 3 {
			l.soon++
		}
	}
}
