// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"io"
	"log/slog"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

// TestAnIdleDaemonReleasesUnusedMemory checks that a daemon that runs all day does not keep the memory it needed to
// read sessions. While it works, nothing is collected for that.
func TestAnIdleDaemonReleasesUnusedMemory(t *testing.T) {
	const much = 64 << 20
	var used usedHeap
	used.spare()
	held := make([]byte, much)
	held[much-1] = 1
	runtime.GC()
	if spare := used.spare(); spare != 0 {
		t.Errorf("after much work %d bytes are to be given back", spare)
	}
	if spare := used.spare(); spare >= much {
		t.Errorf("%d bytes are to be given back, though they are in use", spare)
	}
	before := released()
	runtime.KeepAlive(held)
	runtime.GC()
	spare, freed := int64(used.spare()), released()-before // the runtime also returns memory itself, at its own pace
	if spare+freed < much/2 {
		t.Errorf("at rest %d bytes are to be given back and %d were, of %d", spare, freed, much)
	}
	debug.FreeOSMemory()
	if spare := used.spare(); spare > much/2 {
		t.Errorf("%d bytes were not given back", spare)
	}
}

// TestADaemonHasFewInstancesOnLargeMachines checks the memory on machines with many processors: each instance has its
// own tables, and sixteen of them would take most of a daemon's memory.
func TestADaemonHasFewInstancesOnLargeMachines(t *testing.T) {
	for _, processors := range []int{1, 16} {
		before := runtime.GOMAXPROCS(processors)
		env := &environment{Stdin: os.Stdin, Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }, Dir: t.TempDir()}
		started, err := daemonEngine(serveFlags{engine: "native", state: "none"}, env, slog.New(slog.DiscardHandler), nil)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if n := started.(*engine.Pool).Instances(); n != min(processors, daemonInstances) {
			t.Errorf("with %d processors there are %d instances", processors, n)
		}
		if _, err := started.Call(context.Background(), "ctx/models", []byte("{}")); err != nil {
			t.Error(err)
		}
		started.Close()
	}
}

// TestTheNativeEngineHasNoMemoryLimit checks that a daemon whose sessions are on its own heap may use more memory than
// the limit for everything else. With the limit, one of 10,000 sessions took five times the CPU time of one of 100.
func TestTheNativeEngineHasNoMemoryLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	percent := debug.SetGCPercent(100)
	defer func() { debug.SetMemoryLimit(before); debug.SetGCPercent(percent) }()
	env := &environment{Stdin: os.Stdin, Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }, Dir: t.TempDir()}
	boundDaemonMemory()
	bounded := debug.SetMemoryLimit(-1)
	started, err := daemonEngine(serveFlags{engine: "native", state: "none"}, env, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer started.Close()
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 || bounded == limit {
		t.Errorf("the limit is %d bytes, and %d before the engine was opened", limit, bounded)
	}
}

// released returns how many bytes of the heap were returned to the system.
func released() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64())
}
