// Copyright The ctx-lsp authors. MIT licence.

package process

import "time"

// IdleAfter is how long after its last record a session without a process is considered idle.
const IdleAfter = 15 * time.Minute

// AbsentAfter is the same for a session that stopped in the middle of work, if no process exists that could run it.
const AbsentAfter = time.Minute

// Idle reports whether nobody works in a session. held is set if a process runs it or may run it, absent if none on
// this machine can, and working if its records end in the middle of work.
func Idle(held, absent, working bool, silent time.Duration) bool {
	return !held && silent > IdleAfter || absent && working && silent > AbsentAfter
}
