// Copyright The ctx-lsp authors. MIT licence.

package engine

import "time"

// A patience is how much longer a call may take. Only the time in which the call really runs counts: the module looks
// at the clock every few milliseconds, and when two looks are further apart, this process was stopped or others had the
// processor. So no call fails because the machine is busy or was suspended.
type patience struct {
	left   time.Duration
	looked time.Time
}

// longestStep is how much of the time between two looks at the clock counts at most.
const longestStep = 10 * time.Millisecond

func newPatience(limit time.Duration) patience { return patience{limit, time.Now()} }

// over says whether the call has used up its time.
func (p *patience) over(now time.Time) bool {
	p.left -= min(max(now.Sub(p.looked), 0), longestStep)
	p.looked = now
	return p.left < 0
}
