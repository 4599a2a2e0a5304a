// Copyright The ctx-lsp authors. MIT licence.

package main

import "runtime/debug"

// How much memory each kind of command may use before the collector runs. What the user says in GOGC or GOMEMLIMIT
// stands for the commands that live for milliseconds.

// collectSeldom lets a command that counts reach 16 MB before memory is collected. While a vocabulary's tables are
// made, a collection would find nothing to free. BenchmarkFirstCount in internal/engine and the fresh process of
// docs/performance.md ("The first count") show what it saves.
func collectSeldom(env *environment) {
	if env.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// collectNothing turns the collector off below 32 MB, which a status line hardly reaches: that saves a tenth of its
// time (make bench-statusline). The function it returns restores what was there before.
func collectNothing(env *environment) (restore func()) {
	if env.Getenv("GOGC") != "" || env.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	limit := debug.SetMemoryLimit(32 << 20)
	percent := debug.SetGCPercent(-1)
	return func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }
}

// boundDaemonMemory is for the daemon, whose heap is small, because the engine's memory is not on it, and mostly
// garbage a moment later. A collection waits for every call of the engine that is under way, and everything else waits
// with it, so few collections keep the p99 of make bench-daemon low.
func boundDaemonMemory() {
	debug.SetGCPercent(200)
	debug.SetMemoryLimit(128 << 20)
}
