// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestWatchingHoldsLittleOfEachTranscript reads many sessions and checks how much of them stays in memory.
func TestWatchingHoldsLittleOfEachTranscript(t *testing.T) {
	const sessions, most = 400, 256 << 10
	dir := t.TempDir()
	line := `{"type":"user","message":{"content":"` + strings.Repeat("word ", 150) + `"}}` + "\n"
	for i := range sessions {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)), []byte(strings.Repeat(line, 50)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inUse := func() int64 {
		runtime.GC()
		runtime.GC() // the contents of pools are freed in two steps
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	var mu sync.Mutex
	var given int64
	call := func(_ context.Context, method string, params []byte) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		given += int64(len(params))
		return []byte(`{"result":{}}`), nil
	}
	before := inUse()
	feeds := make([]*Feed, sessions)
	var group sync.WaitGroup
	for i := range feeds {
		feeds[i] = NewFeed(transcript.Session{ID: fmt.Sprint(i), Path: filepath.Join(dir, fmt.Sprintf("%d.jsonl", i))}, call)
		group.Go(func() {
			if _, err := feeds[i].Read(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if each := (inUse() - before) / sessions; each > most {
		t.Errorf("a session that is watched holds %d KB, %d is the most", each>>10, most>>10)
	} else {
		t.Logf("%d KB a session", each>>10)
	}
	if given < sessions*int64(len(line))*50 {
		t.Errorf("only %d bytes were given", given)
	}
	runtime.KeepAlive(feeds)
}

func TestTheNewestSessionsAreFollowed(t *testing.T) {
	found := map[string]transcript.Session{}
	var order []string
	for i := range 3 * maxFollowed {
		s := transcript.Session{ID: fmt.Sprint(i), Modified: time.Unix(int64(i), 0)}
		if i == 3*maxFollowed-1 {
			s.Parent = "0" // the newest was started by the oldest
		}
		found[s.ID] = s
		order = append(order, s.ID)
	}
	f := NewFollower(sessions.NewFinder(dirstest.NewMachine(t).Environment()), newFakeEngine().call, func(Update) {})
	var many []transcript.Session
	folder := t.TempDir()
	for _, id := range order[:maxFollowed+5] {
		s := found[id]
		s.Path = filepath.Join(folder, id)
		dirstest.Write(t, s.Path, "{}\n")
		many = append(many, s)
	}
	f.Only(many...)
	if begun(t, f); len(f.Sessions()) != maxFollowed {
		t.Errorf("%d sessions are followed", len(f.Sessions()))
	}
	kept := newest(found, order)
	if maxFollowed != 500 || len(kept) != maxFollowed+1 || kept[0] != "0" || len(found) != len(kept) {
		t.Errorf("%d of %d are followed, the first %s", len(kept), len(order), kept[0])
	}
	for i := 2 * maxFollowed; i < 3*maxFollowed; i++ {
		if _, ok := found[fmt.Sprint(i)]; !ok {
			t.Errorf("%d is not followed", i)
		}
	}
}
