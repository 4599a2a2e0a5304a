// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// This file sets how much memory each kind of command may use before the garbage collector runs, and when a daemon
// returns memory to the system. In commands that run for milliseconds, the user's GOGC or GOMEMLIMIT takes precedence.

// collectSeldom lets a command that counts reach 16 MB before memory is collected, because a collection during the
// construction of a vocabulary's tables would find nothing to free. BenchmarkFirstCount in internal/engine and the
// fresh process of docs/performance.md ("First count") show the gain.
func collectSeldom(env *environment) {
	if env.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// collectNothing turns the collector off below 32 MB, which a status line rarely reaches. That saves a tenth of its
// time (make bench-statusline). The returned function restores the previous setting.
func collectNothing(env *environment) (restore func()) { return collectBeyond(env, 32<<20) }

// collectBeyond turns the collector off until the given number of bytes is in use. The returned function restores the
// previous setting.
func collectBeyond(env *environment, bytes int64) (restore func()) {
	if env.Getenv("GOGC") != "" || env.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	limit := debug.SetMemoryLimit(bytes)
	percent := debug.SetGCPercent(-1)
	return func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }
}

// boundExportMemory lets an export of any size reach 64 MB before memory is collected more often. With the memory of
// Go's runtime and of the vocabularies' packs, it stays below 100 MB (make bench-export).
func boundExportMemory(env *environment) {
	if env.Getenv("GOGC") == "" && env.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(64 << 20)
	}
}

// boundDaemonMemory sets the collector of the daemon. The daemon's heap is small, because the engine's memory is not on
// it, and soon mostly garbage. A collection waits for every running call of the engine, and everything else waits with
// it, so few collections keep the p99 of make bench-daemon low.
func boundDaemonMemory() {
	debug.SetGCPercent(200)
	debug.SetMemoryLimit(128 << 20)
}

// unboundDaemonMemory removes the limit of boundDaemonMemory for an engine whose memory is on the heap. Thousands of
// sessions need more than the limit, and the collector would then run all the time without finding garbage.
func unboundDaemonMemory() { debug.SetMemoryLimit(math.MaxInt64) }

// giveBackAtRest returns unused memory to the system whenever the daemon becomes idle. The memory needed to read the
// first sessions is a third of the daemon's memory afterwards (make bench-begin), and Go's runtime would keep it for
// later. It collects garbage, so a working daemon is left alone.
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

// spare returns how many bytes of the heap can be returned to the system, garbage included. It is 0 while the process
// works, that is, if more was allocated since the last call than polling needs.
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
