// Copyright The ctx-lsp authors. MIT licence.

package sight_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/sight"
)

// rates counts what the package says of lines against the truth.
type rates map[string]*rate

// A rate is of a state: the lines that the package says to be in it, that are, and both; unknown are those of them for
// which it says that it is unknown.
type rate struct{ said, true, both, unknown int }

func (r rates) add(said, truth string) {
	for _, state := range []string{said, truth} {
		if r[state] == nil {
			r[state] = &rate{}
		}
	}
	r[said].said++
	r[truth].true++
	switch said {
	case truth:
		r[said].both++
	case "unknown":
		r[truth].unknown++
	}
}

// open reads the session of a world.
func open(t *testing.T, w *world) *sight.Session {
	t.Helper()
	s, err := sessions.At(w.transcript())
	if err != nil {
		t.Fatal(err)
	}
	c, err := conversation.Read(context.Background(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sight.New(c, &sight.Workspace{Root: w.folder})
}

// TestRandomSessionsAgreeWithTheJudge compares each line of random workspaces with an independent judge. Half of the
// lines repeat, and other programs replace several lines at once, so that some changes can be read in more than one
// way: such lines are unknown. They are left out of the recall, and bounded.
func TestRandomSessionsAgreeWithTheJudge(t *testing.T) {
	seed := rand.Uint64()
	if given := os.Getenv("SIGHT_SEED"); given != "" {
		seed, _ = strconv.ParseUint(given, 10, 64)
	}
	t.Logf("SIGHT_SEED=%d", seed)
	rounds := 120
	found := rates{}
	if os.Getenv("SIGHT_ONE") != "" {
		rounds = 1
	}
	for round := range rounds {
		w := newWorld(t, seed+uint64(round))
		for range 40 {
			w.step()
		}
		s := open(t, w)
		for _, f := range w.files {
			compareFile(t, w, f, s, found, seed+uint64(round))
		}
	}
	least := map[string]float64{"verbatim": 99.5, "own": 98, "gone": 98, "never": 97, "stale": 97}
	lines := 0
	for _, n := range found {
		lines += n.said
	}
	if n := found["unknown"]; n != nil {
		t.Logf("unknown    said %6d of %d lines: %.2f%%", n.said, lines, share(n.said, lines))
		if n.said*100 > lines {
			t.Error("expected at most 1% unknown")
		}
		delete(found, "unknown")
	}
	for state, n := range found {
		precision, recall := share(n.both, n.said), share(n.both, n.true-n.unknown)
		t.Logf("%-10s said %6d true %6d precision %.2f%% recall %.2f%%, with unknown lines %.2f%%", state, n.said, n.true, precision, recall, share(n.both, n.true))
		if precision < least[state] || recall < least[state] {
			t.Errorf("%s: precision %.2f%%, recall %.2f%%; expected at least %.1f%%", state, precision, recall, least[state])
		}
	}
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}

func compareFile(t *testing.T, w *world, f *judgedFile, s *sight.Session, found rates, seed uint64) {
	path := filepath.Join(w.folder, f.name)
	answer := s.Of(path, f.text(0, len(f.lines)))
	next := 1
	wrong := 0
	truths := w.truths(f)
	for _, r := range answer.Ranges {
		if r.From != next || r.To < r.From {
			t.Fatalf("seed %d: %s: the range %d to %d comes after line %d", seed, f.name, r.From, r.To, next-1)
		}
		next = r.To + 1
		for i := r.From - 1; i < r.To; i++ {
			l := f.lines[i]
			if strings.TrimSpace(l.text) == "" {
				continue // it follows its neighbors
			}
			truth := truths[i]
			found.add(string(r.State), truth)
			if string(r.State) != truth {
				if wrong++; os.Getenv("SIGHT_SEED") != "" {
					fmt.Printf("seed %d %s:%d %q: %s, and is %s\n", seed, f.name, i+1, l.text, r.State, truth)
				}
			}
		}
	}
	if next != len(f.lines)+1 || answer.Lines != len(f.lines) {
		t.Fatalf("seed %d: %s: %d lines, the ranges end at %d", seed, f.name, len(f.lines), next-1)
	}
	if wrong > 0 && os.Getenv("SIGHT_SEED") != "" {
		fmt.Println(strings.Join(append(w.log, "=========="), "\n"))
	}
}
