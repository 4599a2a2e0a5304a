// Copyright The ctx-lsp authors. MIT licence.

// Package rusage measures the CPU time of this process and the memory of ended ones. Tests that assert costs use it,
// because a clock also counts the time of the machine's other programs.
package rusage

import "time"

// Used returns the CPU time of all threads of this process, in the program and in the system.
func Used() time.Duration { return used() }

// Of returns the CPU time that f used. It includes that of other goroutines, so nothing else should run at the same
// time.
func Of(f func()) time.Duration {
	before := used()
	f()
	return used() - before
}

// Least returns the smallest CPU time of f in several rounds: that of the round that the garbage collector and the
// CPU's caches disturbed least. It stops early after a round that took no more than enough.
func Least(rounds int, enough time.Duration, f func()) time.Duration {
	best := time.Duration(1<<63 - 1)
	for i := 0; i < rounds && best > enough; i++ {
		best = min(best, Of(f))
	}
	return best
}
