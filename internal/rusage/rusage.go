// Copyright The ctx-lsp authors. MIT licence.

// Package rusage measures the processor time of this process and the memory of ended ones. Tests that assert what
// something costs measure with it: a clock also counts what the machine's other programs did meanwhile.
package rusage

import "time"

// Used is the time that all threads of this process have spent on a processor, in the program and in the system.
func Used() time.Duration { return used() }

// Of is what f used. What other goroutines use meanwhile is in it, so nothing else should be at work.
func Of(f func()) time.Duration {
	before := used()
	f()
	return used() - before
}

// Least is the least that f used in several rounds: the one that the collector and the processor's caches disturbed
// least. It stops early after a round that used no more than enough.
func Least(rounds int, enough time.Duration, f func()) time.Duration {
	best := time.Duration(1<<63 - 1)
	for i := 0; i < rounds && best > enough; i++ {
		best = min(best, Of(f))
	}
	return best
}
