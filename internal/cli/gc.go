// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// This file says how much memory each kind of command may use before the garbage collector runs, and when a daemon
// gives memory back. In commands that run for milliseconds, the user's GOGC or GOMEMLIMIT has precedence.

// collectSeldom lets a command that counts reach 16 MB before memory is collected, because while a vocabulary's tables
// are made a collection would find nothing to free. BenchmarkFirstCount in internal/engine and the fresh process of
// docs/performance.md ("The first count") show what this saves.
func collectSeldom(env *environment) {
	if env.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// collectNothing turns the collector off below 32 MB, which a status line hardly reaches. That saves a tenth of its
// time (make bench-statusline). The returned function restores the former setting.
func collectNothing(env *environment) (restore func()) { return collectBeyond(env, 32<<20) }

// collectBeyond turns the collector off until so many bytes are in use. The returned function restores the former
// setting.
func collectBeyond(env *environment, bytes int64) (restore func()) {
	if env.Getenv("GOGC") != "" || env.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	limit := debug.SetMemoryLimit(bytes)
	percent := debug.SetGCPercent(-1)
	return func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }
}

// boundExportMemory lets an export of any size reach 64 MB before memory is collected more often than seldom; with what
// Go and the packs of vocabularies take besides, it stays below 100 MB (make bench-export).
func boundExportMemory(env *environment) {
	if env.Getenv("GOGC") == "" && env.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(64 << 20)
	}
}

// boundDaemonMemory sets the collector of the daemon. The daemon's heap is small, because the engine's memory is not on
// it, and mostly garbage a moment later. A collection waits for every running call of the engine, and everything else
// waits with it, so few collections keep the p99 of make bench-daemon low.
func boundDaemonMemory() {
	debug.SetGCPercent(200)
	debug.SetMemoryLimit(128 << 20)
}

// giveBackAtRest gives the system the memory that nothing uses any more, whenever the daemon comes to rest. What
// reading the first sessions needed is a third of the daemon's memory afterwards (make bench-begin), and Go's runtime
// would keep it for the next time. It collects garbage, so a daemon that works is left alone.
func giveBackAtRest(ctx context.Context) {
	const worthwhile = 8 << 20
	var used usedHeap
	look := time.NewTicker(10 * time.Second)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			if used.spare() >= worthwhile {
				debug.FreeOSMemory()
			}
		}
	}
}

// usedHeap records how much this process had allocated at the last call of spare.
type usedHeap struct {
	allocated uint64
}

// spare is how many bytes of the heap can be given back, garbage included. It is 0 while the process works, which is
// when it has allocated more since the last call than looking around takes.
func (u *usedHeap) spare() uint64 {
	const aroundOnly = 2 << 20
	samples := []metrics.Sample{
		{Name: "/gc/heap/allocs:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/gc/heap/live:bytes"},
	}
	metrics.Read(samples)
	allocated, free, objects, live := samples[0].Value.Uint64(), samples[1].Value.Uint64(), samples[2].Value.Uint64(), samples[3].Value.Uint64()
	since := allocated - u.allocated
	u.allocated = allocated
	if since > aroundOnly {
		return 0
	}
	return free + objects - min(objects, live)
}
