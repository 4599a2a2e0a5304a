// Copyright The ctx-lsp authors. MIT licence.

package engine

import "time"

// A patience is how much longer a call may take. What counts is the time in which the call runs: the module looks at
// the clock every few milliseconds, and a longer while in between is one in which this process was stopped or others
// had the processor. A machine under load, or a suspended daemon, ends no call.
type patience struct {
	left   time.Duration
	looked time.Time
}

// longestStep is how much of the time between two looks counts.
const longestStep = 10 * time.Millisecond

func newPatience(limit time.Duration) patience { return patience{limit, time.Now()} }

// over says whether the call has had its time.
func (p *patience) over(now time.Time) bool {
	p.left -= min(max(now.Sub(p.looked), 0), longestStep)
	p.looked = now
	return p.left < 0
}
