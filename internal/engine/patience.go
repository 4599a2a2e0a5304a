// Copyright The ctx-lsp authors. MIT licence.

package engine

import "time"

// A patience is how much longer a call may take. Only the time in which the call really runs is subtracted: the module
// checks the clock every few milliseconds, and if two checks are further apart, this process was stopped or had no CPU.
// So no call fails because the machine is busy or was suspended.
type patience struct {
	left    time.Duration
	checked time.Time
}

// longestStep is the maximum time subtracted for the interval between two checks of the clock.
const longestStep = 10 * time.Millisecond

func newPatience(limit time.Duration) patience { return patience{limit, time.Now()} }

// usedUp subtracts the time since the last check, and reports whether the call has used up its time.
func (p *patience) usedUp(now time.Time) bool {
	p.left -= min(max(now.Sub(p.checked), 0), longestStep)
	p.checked = now
	return p.left < 0
}
