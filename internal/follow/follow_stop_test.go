// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestAFollowerStopsWhateverItsSessionsDo checks that a follower stops at any moment after its eight sessions have
// changed: while they are woken, pause, are read or report. Readers and callbacks pause at random.
func TestAFollowerStopsWhateverItsSessionsDo(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	dir, finder := t.TempDir(), sessions.NewFinder(dirstest.NewMachine(t).Environment())
	var sessions []transcript.Session
	for i := range 8 {
		path := filepath.Join(dir, fmt.Sprint(i, ".jsonl"))
		dirstest.Write(t, path, "{\"a\":1}\n")
		sessions = append(sessions, transcript.Session{ID: fmt.Sprint(i), Path: path, Modified: time.Now()})
	}
	for round := range 60 {
		var pauses [64]time.Duration
		for i := range pauses {
			pauses[i] = time.Duration(random.Int64N(int64(time.Millisecond)))
		}
		var next atomic.Uint64
		pause := func() { time.Sleep(pauses[next.Add(1)%uint64(len(pauses))]) }
		e := newFakeEngine()
		call := func(ctx context.Context, method string, params []byte) ([]byte, error) {
			pause()
			return e.call(ctx, method, params)
		}
		var read sync.WaitGroup
		read.Add(len(sessions))
		var f *Follower
		f = NewFollower(finder, call, func(u Update) {
			if u.Problem != "" {
				t.Errorf("a session that is stopped has a problem: %s", u.Problem)
			}
			if f.Sessions(); u.First {
				read.Done()
			}
		})
		f.Pace = time.Duration(1 + random.Int64N(int64(time.Millisecond)))
		f.Only(sessions...)
		ctx, cancel := context.WithCancel(t.Context())
		n := newNotices()
		f.refresh(ctx, n)
		n.close()
		read.Wait()
		for _, s := range sessions {
			dirstest.Add(t, s.Path, "{\"a\":2}\n")
		}
		f.lookAtAll()
		if round%2 > 0 { // otherwise they are stopped at the moment when they wake
			pause()
			f.lookAtAll()
		}
		stopped := make(chan struct{})
		go func() {
			cancel()
			f.stopAll()
			close(stopped)
		}()
		select {
		case <-stopped:
		case <-time.After(20 * time.Second):
			stacks := make([]byte, 64<<10)
			t.Fatalf("round %d: it has not stopped:\n%s", round, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// TestAFollowerThatFailsInsideStops checks that a panic while sessions are started ends Run, whose caller reports it.
func TestAFollowerThatFailsInsideStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	f := NewFollower(sessions.NewFinder(dirstest.NewMachine(t).Environment()), newFakeEngine().call, func(Update) {})
	prepared := 0
	f.Prepare = func(*Feed) {
		if prepared++; prepared == 2 {
			panic("a defect in what prepares a session")
		}
	}
	f.Only(transcript.Session{ID: "a", Path: path}, transcript.Session{ID: "b", Path: path})
	fault := make(chan any, 1)
	go func() {
		defer func() { fault <- recover() }()
		f.Run(t.Context())
	}()
	select {
	case got := <-fault:
		if got == nil {
			t.Error("the panic is lost")
		}
	case <-time.After(20 * time.Second):
		t.Error("it has not ended")
	}
}
