// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/internal/phrase"

// maxParts is how many parts of one fixed row are listed separately.
const maxParts = 64

// breakdown explains used by rows that sum to it exactly. Measured tokens that no row explains are a separate row,
// unless the session is complete: then the estimated rows are scaled up. If the rows explain more than was measured,
// the estimated ones are scaled down. It returns the percentage that they are scaled to, 100 if none were scaled.
func (s *Session) breakdown(p *prediction, out *Reading) (scaledPercent int64) {
	rows := out.Breakdown[:0]
	deferred := 0
	out.storage.misfit = 0
	for k := System; k < Summary; k++ {
		rows = s.fixedRows(k, rows, &deferred)
	}
	firstExpected := len(rows)
	if out.Mode != ProviderOnly {
		for _, k := range []Kind{Memory, Documents} {
			if n := s.fixed.perTurn(k).expected; n > 0 {
				rows = append(rows, Row{Kind: k, Label: phrase.Expected.Text(rowLabels[k].Arg()), Tokens: n, Basis: Counted})
			}
		}
	}
	expected := len(rows)
	anchored := s.anchor() != nil
	if !anchored || s.conversation.folded > 0 || s.history.justCompacted {
		rows = s.itemRows(out.Mode, rows)
	}
	sum, certain, sized := int64(0), int64(0), int64(0)
	for i := range rows {
		sum += rows[i].Tokens
		switch rows[i].Basis {
		case Estimated:
		case sizedRow:
			sized += rows[i].Tokens
		default:
			certain += rows[i].Tokens
		}
	}
	if certain+sized < sum { // the other estimates are further off than those that a prompt has sized
		certain += sized
	} else {
		showSized(rows[:firstExpected])
	}
	scaledPercent = 100
	switch {
	case sum < p.used && s.estimatesFall(sum-certain, p.used-certain):
		scaledPercent = scale(rows, certain, p.used)
	case sum < p.used && anchored && (s.conversation.folded == 0 || s.residual.itemisedLate):
		rows = append(rows, Row{Kind: Messages, Label: rowLabels[Messages].Text(), Tokens: p.used - sum, Basis: Derived})
	case sum < p.used:
		rows, out.storage.misfit = s.unexplainedRows(rows, p.used-sum, anchored)
	case p.basis == BasisUnknown:
		rows, firstExpected, expected = rows[:0], 0, 0 // no content is known
	case sum > p.used:
		scaledPercent = scale(rows, certain, p.used)
	}
	showSized(rows[:firstExpected])
	for i := firstExpected; i < expected; i++ {
		rows[i].Basis = Estimated // a guess, which no measurement of another prompt corrects
	}
	if deferred > 0 {
		rows = s.deferredRows(rows)
	}
	out.Breakdown = rows
	return scaledPercent
}

// scaledMost bounds, in percent, how far estimates can plausibly fall short of a measurement. Beyond it, the session
// was not complete after all.
const scaledMost = 250

// estimatesFall reports whether the gap between the rows and the measured prompt can only be estimation error, because
// the session is complete.
func (s *Session) estimatesFall(estimated, measured int64) bool {
	r := s.anchor()
	return s.complete && r != nil && !r.has(requestStated|requestLowerBound) && estimated > 0 && measured*100 <= estimated*scaledMost
}

// unexplainedRows adds rows for the tokens that the rows so far do not explain: corrections of their estimates, the
// fixed context, and unrecorded content.
func (s *Session) unexplainedRows(rows []Row, tokens int64, anchored bool) ([]Row, misfit) {
	basis := Derived
	if anchored {
		tokens = s.addExcess(rows, tokens)
	} else {
		basis = Estimated
	}
	hidden, whole := s.prefixHidden(tokens)
	rows, left, misfit := s.prefixRows(rows, hidden, whole, basis)
	return s.unseenRows(rows, tokens-hidden+left, basis), misfit
}

// sizedRow is the basis of a fixed part whose estimate a measured prompt has corrected, until all rows are summed.
const sizedRow = Derived

// showSized gives sized rows the basis that users see.
func showSized(rows []Row) {
	for i := range rows {
		if rows[i].Basis == sizedRow {
			rows[i].Basis = Estimated
		}
	}
}

// row returns a part of a fixed row as the breakdown lists it.
func (k Kind) row(part *fixedPart) Row {
	label := part.label
	if label.Empty() {
		label = rowLabels[k].Text()
	}
	basis := part.basis
	if part.sized {
		basis = sizedRow
	}
	return Row{Kind: k, Label: label, Tokens: part.tokens, Basis: basis, Deferred: part.deferred}
}

// fixedRows adds the parts of a fixed row that are in the window, and counts the deferred ones.
func (s *Session) fixedRows(k Kind, rows []Row, deferred *int) []Row {
	rest, basis := int64(0), BasisUnknown
	for i := range s.fixed.parts[k] {
		part := &s.fixed.parts[k][i]
		switch {
		case part.deferred:
			*deferred++
		case i >= maxParts:
			rest += part.tokens
			basis = basis.with(part.basis)
		case part.tokens > 0:
			rows = append(rows, k.row(part))
		}
	}
	if rest > 0 {
		rows = append(rows, Row{Kind: k, Label: phrase.Other.Text(rowLabels[k].Arg()), Tokens: rest, Basis: basis})
	}
	return rows
}

// deferredRows adds the first maxParts parts that are not in the window.
func (s *Session) deferredRows(rows []Row) []Row {
	listed := 0
	for k := System; k < Summary; k++ {
		for i := range s.fixed.parts[k] {
			if part := &s.fixed.parts[k][i]; part.deferred && listed < maxParts {
				rows = append(rows, k.row(part))
				listed++
			}
		}
	}
	return rows
}

// itemRows adds the rows of the conversation: the content of the last prompt, the part of its response that the next
// one carries, new items and the draft, without the tokens that leave.
func (s *Session) itemRows(mode Mode, list []Row) []Row {
	sum := s.itemSums(mode)
	return sum.list(list)
}

// itemSums returns the sizes of the items in the next prompt, by kind.
func (s *Session) itemSums(mode Mode) rows {
	c := &s.conversation
	sum := c.rows
	if mode == ProviderOnly { // only the measured prompt, without anything since
		return sum
	}
	if r := s.anchor(); r != nil {
		share := s.replyShare(r, &c.pending)
		sum.addReply(&share)
		if s.reasoningLeaves(s.calibration.mode) {
			sum.tokens[Reasoning] -= s.turn.reasoning.tokens
		}
	} else {
		for _, k := range []Kind{Assistant, ToolCalls, Reasoning} {
			if n := c.pending.reply[k]; n > 0 {
				sum.addTokens(k, s.calibration.scale(n), Estimated)
			}
		}
	}
	for k, n := range c.pending.rows {
		if n != 0 {
			s.addScaled(&sum, Kind(k), n, c.pending.basis[k])
			sum.hidden[k] += c.pending.hidden[k]
		}
	}
	if n := c.pending.unmeasured.resent(s.calibration.mode); n > 0 {
		s.addScaled(&sum, Reasoning, n, c.pending.unmeasured.basis)
	}
	if !c.draft.has(slotRemoved) && c.draft.tokens > 0 {
		s.addScaled(&sum, User, int64(c.draft.tokens), c.draft.basis)
	}
	return sum
}

// addScaled adds tokens to a row. An estimate is first corrected by the ratio that this session has learned.
func (s *Session) addScaled(sum *rows, k Kind, tokens int64, basis Basis) {
	if basis == Estimated {
		tokens = s.calibration.scale(tokens)
	}
	sum.addTokens(k, tokens, basis)
}

// list appends the rows with tokens, as the breakdown lists them.
func (r *rows) list(list []Row) []Row {
	for k := System; k < kinds; k++ {
		if r.tokens[k] <= 0 {
			continue
		}
		label := rowLabels[k].Text()
		if k.Fixed() {
			// The agent added it to the conversation automatically: a directory's memory file, a list of skills.
			label = phrase.Inside.Text(label.Arg())
		}
		basis := r.basis[k]
		if r.hidden[k] > 0 {
			basis = basis.plus(Estimated)
		}
		list = append(list, Row{Kind: k, Label: label, Tokens: r.tokens[k], Basis: basis})
	}
	return list
}

// scale scales rows until they sum to total: only the estimated ones if that is enough, otherwise all of them. It
// returns the percentage that they are scaled to.
func scale(rows []Row, certain, total int64) int64 {
	if total < 0 {
		total = 0
	}
	onlyEstimated := certain <= total
	room := total
	sum := int64(0)
	for i := range rows {
		if onlyEstimated && rows[i].Basis != Estimated {
			room -= rows[i].Tokens
			continue
		}
		sum += rows[i].Tokens
	}
	if sum <= 0 {
		return 100
	}
	left := room
	largest := -1
	for i := range rows {
		if onlyEstimated && rows[i].Basis != Estimated {
			continue
		}
		rows[i].Tokens = mulDiv(rows[i].Tokens, room, sum)
		rows[i].Basis = Estimated
		left -= rows[i].Tokens
		if largest < 0 || rows[i].Tokens > rows[largest].Tokens {
			largest = i
		}
	}
	rows[largest].Tokens += left
	return mulDiv(room, 100, sum)
}
