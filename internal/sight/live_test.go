// Copyright The ctx-lsp authors. MIT licence.

package sight_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/sight"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestALiveSessionAnswersLikeANewOne compares the answers of a session that is read as it continues with those of one
// that is read from its beginning: through edits, changes by other programs, compactions and rewinds.
func TestALiveSessionAnswersLikeANewOne(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for round := range 5 {
		w := newWorld(t, seed+uint64(round))
		w.step()
		s, err := sessions.At(w.transcript())
		if err != nil {
			t.Fatal(err)
		}
		live := sight.Follow(s, func(string) sight.Files { return &sight.Workspace{Root: w.folder} })
		for step := range 40 {
			w.step()
			fresh := open(t, w)
			seen, _, err := live.Next(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range w.files {
				path, content := filepath.Join(w.folder, f.name), f.text(0, len(f.lines))
				if got, want := seen.Of(path, content), fresh.Of(path, content); !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d step %d %s: %s, expected %s", seed+uint64(round), step, f.name, list(got), list(want))
				}
			}
		}
	}
}

func list(f *sight.File) string {
	text, _ := json.Marshal(f.Ranges)
	return string(text)
}

// largeSession writes a session of 20 MB, in which 50 files of 10,000 lines are read in parts and edited. It returns
// the folder, and the session.
func largeSession(t *testing.T) (folder string, s transcript.Session) {
	t.Helper()
	folder, _ = filepath.EvalSymlinks(t.TempDir())
	files := make([][]string, 50)
	for f := range files {
		for n := range 10_000 {
			files[f] = append(files[f], fmt.Sprintf("\tcase %d: return f%d(%d)", n, f, n*7919%10_007))
		}
		text := strings.Join(files[f], "\n") + "\n"
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("f%d.go", f)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w := &world{folder: folder, now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), r: rand.New(rand.NewPCG(1, 2))}
	w.speak()
	for part := range 5 {
		for f, lines := range files {
			path := filepath.Join(folder, fmt.Sprintf("f%d.go", f))
			w.call("Read", map[string]any{"file_path": path, "offset": part*2000 + 1, "limit": 2000},
				withNumbers(&judgedFile{lines: judged(lines)}, part*2000, part*2000+2000, "\t"))
			w.call("Edit", map[string]any{"file_path": path, "old_string": lines[part*2000+9], "new_string": lines[part*2000+9] + " // edited"},
				"The file has been updated.")
		}
	}
	w.t = t
	path := w.transcript()
	s, err := sessions.At(path)
	if err != nil {
		t.Fatal(err)
	}
	return folder, s
}

func judged(lines []string) (all []*judgedLine) {
	for _, line := range lines {
		all = append(all, &judgedLine{text: line})
	}
	return all
}

// TestTheCostOfSightLines measures the CPU time of the first answer on a session of 20 MB, that of answers while a user
// types, and the memory that its 500,000 sent lines take. docs/performance.md has the usual values.
func TestTheCostOfSightLines(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 20 MB, and measures")
	}
	folder, s := largeSession(t)
	path := filepath.Join(folder, "f7.go")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	var live *sight.Live
	ask := func() *sight.File {
		seen, _, err := live.Next(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return seen.Of(path, text)
	}
	before := heap()
	first := rusage.Least(3, 150*time.Millisecond, func() {
		live = sight.Follow(s, func(string) sight.Files { return &sight.Workspace{Root: folder} })
		ask()
	})
	memory := heap() - before
	if n := ask().Count(); n[sight.Verbatim] != 9995 || n[sight.Stale] != 5 {
		t.Fatalf("states %v", n)
	}
	next := rusage.Least(10, 5*time.Millisecond, func() {
		text = strings.Replace(text, "return", "return 1 +", 1) // as someone types in one line
		ask()
	})
	if n := ask().Count(); n[sight.Stale] != 6 {
		t.Errorf("after changes of one line: states %v", n)
	}
	t.Logf("%d bytes: first answer %v, next %v, memory %d KB", s.Size, first, next, memory>>10)
	if first > 450*time.Millisecond || next > 30*time.Millisecond || memory > 40<<20 {
		t.Error("expected at most 450 ms, 30 ms and 40 MB")
	}
	runtime.KeepAlive(live)
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
