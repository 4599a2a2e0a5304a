// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// excess is by how much measured prompts exceeded their predictions, summed since the last compaction. It names the
// growth that no item explains: text with a better ratio than its estimate, reasoning of which only a signature is
// recorded, and content that an agent adds without a record. It never enters used.
type excess struct{ surplus }

// surplus is the part of one measured prompt that was not predicted; negative if the prompt was shorter.
type surplus struct {
	// rows is by how much the real size of estimated rows exceeded the estimate.
	rows [excessRows]int64
	// unseen is the part that no estimate can explain, by occasion.
	unseen [Occasions]int64
}

// An excess can be part of the rows of the conversation, from the user's messages to the reasoning.
const (
	firstExcessRow = User
	excessRows     = int(Reasoning-User) + 1
)

// Occasion is the time at which unrecorded content entered the window.
type Occasion uint8

// The occasions: with tool results, with a user message, at a resume, after a compaction, and before the transcript
// begins.
const (
	WithResults Occasion = iota
	WithMessage
	AtResume
	AtCompaction
	Before
	Occasions // the number of occasions
)

// Bounds of an estimate's error, in hundredths of the estimate: for ordinary text, and for reasoning of which only a
// signature is recorded, which may have reasoningExcessMore tokens on top.
const (
	textExcess          = 12
	reasoningExcess     = 35
	reasoningExcessMore = 60
)

func (x *surplus) add(o *surplus) {
	for k := range x.rows {
		x.rows[k] += o.rows[k]
	}
	for k := range x.unseen {
		x.unseen[k] += o.unseen[k]
	}
}

func (x *surplus) remove(o *surplus) {
	for k := range x.rows {
		x.rows[k] -= o.rows[k]
	}
	for k := range x.unseen {
		x.unseen[k] -= o.unseen[k]
	}
}

func (x *surplus) walk(c *codec.Codec) {
	c.Array("rows", x.rows[:])
	c.Array("unseen", x.unseen[:])
}

// exceed explains by how much a prompt differed from its prediction, from the likely to the unlikely: reasoning of
// which only a signature was recorded, texts with an estimated count, and then unrecorded content.
func (s *Session) exceed(previous, r *request, folded *pending, p *prediction, kind string) {
	miss := r.in - p.used
	if miss == 0 || r.has(requestInflated|requestLowerBound) || previous.has(requestInflated) {
		return
	}
	var out surplus
	left := miss
	give := func(k Kind, bound int64) {
		n := min(bound, max(left, -left))
		if left < 0 {
			n = -n
		}
		out.rows[k-firstExcessRow] += n
		left -= n
	}
	estimated := s.estimatedRows(previous, folded)
	if n := estimated[Reasoning-firstExcessRow]; n > 0 {
		give(Reasoning, n*reasoningExcess/100+reasoningExcessMore)
	}
	bound := int64(0)
	for k := firstExcessRow; k < Reasoning; k++ {
		bound += estimated[k-firstExcessRow] * textExcess / 100
	}
	if bound > 0 {
		inTexts := min(bound, max(left, -left))
		for k := firstExcessRow; k < Reasoning; k++ {
			give(k, mulDiv(estimated[k-firstExcessRow]*textExcess/100, inTexts, bound))
		}
	}
	occasion := WithResults
	switch kind {
	case "resume":
		occasion = AtResume
	case "user":
		occasion = WithMessage
	}
	if kind != "model" {
		out.unseen[occasion] = left
	}
	r.surplus = out
	s.excess.add(&out)
}

// estimatedRows returns how many of the tokens since the last prompt were estimated, by row.
func (s *Session) estimatedRows(previous *request, folded *pending) (rows [excessRows]int64) {
	for k := firstExcessRow; k <= Reasoning; k++ {
		if n := folded.rows[k]; n > 0 && folded.basis[k] == Estimated {
			rows[k-firstExcessRow] = s.calibration.scale(n)
		}
	}
	if _, basis := s.carry(previous, folded, s.calibration.mode); basis == Estimated {
		for k := Assistant; k <= ToolCalls; k++ {
			rows[k-firstExcessRow] += folded.reply[k]
		}
		if s.calibration.mode != ReasoningNever && !s.reasoningLeaves(s.calibration.mode) {
			rows[Reasoning-firstExcessRow] += folded.reply[Reasoning]
		}
	}
	if s.calibration.mode != ReasoningNever {
		rows[Reasoning-firstExcessRow] += folded.unmeasured.resent(s.calibration.mode)
	}
	return rows
}

// addExcess adds the known excess to the rows of the conversation, but no more in total than the unexplained tokens. It
// returns how many of those remain.
func (s *Session) addExcess(rows []Row, unexplained int64) int64 {
	total := int64(0)
	for i := range rows {
		total += max(s.excessOf(rows[i].Kind), -rows[i].Tokens) // no row falls below zero
	}
	if total == 0 {
		return unexplained
	}
	scarce := total > unexplained
	for i := range rows {
		n := s.excessOf(rows[i].Kind)
		if scarce {
			if n <= 0 || unexplained <= 0 {
				continue
			}
			n = mulDiv(n, unexplained, s.positiveExcess())
		}
		if n = max(n, -rows[i].Tokens); n == 0 {
			continue
		}
		rows[i].Tokens += n
		rows[i].Basis = rows[i].Basis.with(Estimated)
		unexplained -= n
	}
	return unexplained
}

func (s *Session) excessOf(k Kind) int64 {
	if k < firstExcessRow || k > Reasoning {
		return 0
	}
	return s.excess.rows[k-firstExcessRow]
}

func (s *Session) positiveExcess() (sum int64) {
	for _, n := range s.excess.rows {
		sum += max(n, 0)
	}
	return sum
}

// unseenRows adds rows for unrecorded tokens, by occasion.
func (s *Session) unseenRows(rows []Row, tokens int64, basis Basis) []Row {
	if tokens <= 0 {
		return rows
	}
	by, sum := s.excess.unseen, int64(0)
	u := &s.residual
	if first, after := u.first.hidden, u.afterCompaction.hidden; after != Unknown && first != Unknown {
		by[AtCompaction] = after - first
	} else if most := s.rule.FirstMost; most > 0 && first > most {
		by[Before] = first - s.rule.FirstUsual
	}
	for o := range by {
		by[o] = max(by[o], 0)
		sum += by[o]
	}
	left, before := tokens, len(rows)
	for o, n := range by {
		if sum > tokens {
			n = mulDiv(n, tokens, sum)
		}
		if n == 0 {
			continue
		}
		label := occasionLabels[o].Text()
		if known := s.rule.Unseen[o]; known != "" {
			label = phrase.Unseen.Text(known.Arg())
		}
		rows = append(rows, Row{Kind: Unattributed, Label: label, Tokens: n, Basis: basis})
		left -= n
	}
	if sum > tokens && len(rows) > before {
		rows[len(rows)-1].Tokens += left // rounding error
		left = 0
	}
	if left > 0 {
		rows = append(rows, Row{Kind: Unattributed, Label: rowLabels[Unattributed].Text(), Tokens: left, Basis: basis})
	}
	return rows
}

var occasionLabels = [Occasions]phrase.ID{
	phrase.WithResults, phrase.WithMessage, phrase.AtResume, phrase.AtCompaction, phrase.Before,
}
