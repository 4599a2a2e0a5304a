// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// calibration is what a session learns from its measured requests: each is the
// truth about the prediction made before it.
type calibration struct {
	modeChoice
	ratio   ratio
	framing framing
	record  record
	spread  spread
	upstreams
}

// begin sets what a new session assumes.
func (c *calibration) begin(mode ReasoningMode) {
	c.mode, c.ratio = mode, newRatio()
}

// forgetModel drops what was learned of the reasoning and the framing of a
// model, and begins with the mode that is usual for another one.
func (c *calibration) forgetModel(mode ReasoningMode) {
	c.mode, c.score, c.check, c.framing = mode, [reasoningModes]int64{}, modeCheck{}, framing{}
}

// scale corrects an estimate by what this session has taught.
func (c *calibration) scale(n int64) int64 { return c.ratio.scale(n) }

func (c *calibration) walk(to *codec.Codec) {
	c.modeChoice.walk(to.Part("modeChoice"))
	c.ratio.walk(to.Part("ratio"))
	c.framing.walk(to.Part("framing"))
	c.record.walk(to.Part("record"))
	c.spread.walk(to.Part("spread"))
	c.upstreams.walk(to.Part("upstreams"))
}

// modeChoice is how the reasoning of answers is believed to be sent again.
type modeChoice struct {
	mode  ReasoningMode
	fixed bool // the caller said which mode
	// steerKeeps is true where speaking into a turn leaves its reasoning in.
	steerKeeps bool
	steerKnown bool // somebody has said which
	// score is a decaying sum of the misses of each mode.
	score [reasoningModes]int64
	check modeCheck
}

// missKept bounds what one request counts against a mode.
const missKept = 400

// choose learns by how much each mode would have missed a prompt, and returns
// one that is better than the assumed one by more than the hysteresis.
func (c *modeChoice) choose(misses [reasoningModes]int64, hysteresis int64) ReasoningMode {
	if misses[0] == misses[1] && misses[1] == misses[2] {
		return c.mode
	}
	for mode, miss := range misses {
		c.score[mode] = c.score[mode]*85/100 + min(miss, missKept)
	}
	best := c.mode
	for mode := range misses {
		if c.score[mode]+hysteresis < c.score[c.mode] && c.score[mode] < c.score[best] {
			best = ReasoningMode(mode)
		}
	}
	return best
}

func (c *modeChoice) walk(to *codec.Codec) {
	codec.Below(to, "mode", &c.mode, reasoningModes)
	to.Bools("fixed steerKeeps steerKnown", &c.fixed, &c.steerKeeps, &c.steerKnown)
	to.Array("score", c.score[:])
	c.check.walk(to.Part("check"))
}

// ratio is what estimated text turns out to be, as two decaying sums that
// begin with a prior.
type ratio struct{ actual, estimated int64 }

const ratioPrior = 4000

func newRatio() ratio { return ratio{ratioPrior, ratioPrior} }

// learned is a ratio of earlier sessions, with the weight of the prior
// however much evidence there was.
func (r ratio) learned() ratio { return ratio{mulDiv(ratioPrior, r.actual, r.estimated), ratioPrior} }

func (r *ratio) scale(n int64) int64 {
	if n <= 0 || r.actual == r.estimated {
		return n
	}
	return mulDiv(n, r.actual, r.estimated)
}

// learn compares estimated text with what the provider made of it. Steps
// that missed for another reason than tokenization are left out.
func (r *ratio) learn(estimated, actual int64) {
	if estimated < 40 || actual < estimated*2/5 || actual > estimated*5/2 {
		return
	}
	estimated, actual = min(estimated, 20_000), mulDiv(actual, min(estimated, 20_000), estimated)
	r.actual = r.actual*15/16 + actual
	r.estimated = r.estimated*15/16 + estimated
}

func (r *ratio) walk(c *codec.Codec) {
	c.Ints("actual estimated", &r.actual, &r.estimated)
	c.Refuse(r.actual <= 0 || r.estimated <= 0)
}
