// Copyright The ctx-lsp authors. MIT licence.

package main

import "runtime/debug"

// collectLate lets a command that lives for milliseconds reach 16 MB before memory is collected: a collection while it
// makes its tables would find nothing to free. What the user says in GOGC stands.
func collectLate(env *environment) {
	if env.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
