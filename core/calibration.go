// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// calibration is the state that a session learns from its measured requests, each of which shows how wrong the
// prediction before it was.
type calibration struct {
	modeChoice
	ratio  ratio
	record record
	spread spread
}

// begin sets the assumptions of a new session.
func (c *calibration) begin(mode ReasoningMode) {
	c.mode, c.ratio = mode, newRatio()
}

// forgetModel drops the evidence about a model's reasoning, and starts with the usual mode of another one.
func (c *calibration) forgetModel(mode ReasoningMode) {
	c.mode, c.check = mode, modeCheck{}
}

// scale corrects an unscaled estimate: it multiplies it by the ratio that this session has learned.
func (c *calibration) scale(n int64) int64 { return c.ratio.scale(n) }

func (c *calibration) walk(to *codec.Codec) {
	c.modeChoice.walk(to.Part("modeChoice"))
	c.ratio.walk(to.Part("ratio"))
	c.record.walk(to.Part("record"))
	c.spread.walk(to.Part("spread"))
}

// modeChoice is the assumption about how the reasoning of responses is sent again.
type modeChoice struct {
	mode  ReasoningMode
	fixed bool // set by the caller
	// steerKeeps is set if a user message during a turn leaves the turn's reasoning in the prompt.
	steerKeeps bool
	steerKnown bool // steerKeeps was set from outside
	check      modeCheck
}

func (c *modeChoice) walk(to *codec.Codec) {
	codec.Below(to, "mode", &c.mode, reasoningModes)
	to.Bools("fixed steerKeeps steerKnown", &c.fixed, &c.steerKeeps, &c.steerKnown)
	c.check.walk(to.Part("check"))
}

// ratio is the actual size of estimated texts divided by their estimates, as two decaying sums that start with a prior.
type ratio struct {
	actual, estimated int64
	compared          bool // a measured prompt has shown the size of texts without the rest of its content
}

const ratioPrior = 4000

func newRatio() ratio { return ratio{actual: ratioPrior, estimated: ratioPrior} }

// learned returns the ratio as a start for later sessions. It has the weight of the prior, however much text this
// session has compared.
func (r ratio) learned() ratio {
	return ratio{mulDiv(ratioPrior, r.actual, r.estimated), ratioPrior, r.actual != r.estimated}
}

// scale multiplies an estimate by the ratio.
func (r *ratio) scale(n int64) int64 {
	if n <= 0 || r.actual == r.estimated {
		return n
	}
	return mulDiv(n, r.actual, r.estimated)
}

// add adds texts by their unscaled estimate and their actual size. It ignores small texts, and sizes so far from their
// estimates that something other than tokenization must explain them.
func (r *ratio) add(estimated, actual int64) {
	if !plausible(estimated, actual) {
		return
	}
	estimated, actual = min(estimated, 20_000), mulDiv(actual, min(estimated, 20_000), estimated)
	r.actual = r.actual*15/16 + actual
	r.estimated = r.estimated*15/16 + estimated
}

// ratioFirst is the weight of a session's first prompt. Later texts soon outweigh it, because the prompt may still
// contain fixed context that the host did not send.
const ratioFirst = 1000

// first sets the ratio by a session's first prompt if all of its texts are known.
func (r *ratio) first(estimated, actual int64) (set bool) {
	if !plausible(estimated, actual) {
		return false
	}
	*r = ratio{mulDiv(ratioFirst, actual, estimated), ratioFirst, false}
	return true
}

// compare compares a prompt with the one before, of which texts were replaced whose size is unknown: the others are by
// so many tokens larger than those, by their estimates and in fact. Texts of about the same size show nothing. another
// is set if the ratio was wrong. It is replaced then.
func (r *ratio) compare(estimated, actual, replaced int64) (another, compared bool) {
	if estimated < 0 {
		estimated, actual, replaced = -estimated, -actual, replaced+estimated
	}
	if replaced <= 0 || estimated*comparedShare < 2*replaced+estimated || !plausible(estimated, actual) {
		return false, false
	}
	r.compared = true
	if another = distance(r.scale(estimated), actual)*ratioShare > actual; another {
		r.actual, r.estimated = actual, estimated
	}
	return another, true
}

const (
	// comparedShare is the least part of texts by which they must be larger than those that they replace: their own
	// ratios differ, too.
	comparedShare = 8
	// ratioShare is the part of a ratio by which another one must differ to replace it.
	ratioShare = 8
)

// plausible reports whether tokenization alone can explain the actual size of texts. Small texts show nothing.
func plausible(estimated, actual int64) bool {
	return estimated >= 40 && actual >= estimated*2/5 && actual <= estimated*5/2
}

func (r *ratio) walk(c *codec.Codec) {
	c.Ints("actual estimated", &r.actual, &r.estimated)
	c.Bools("compared", &r.compared)
	c.Refuse(r.actual <= 0 || r.estimated <= 0)
}
