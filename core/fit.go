// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"cmp"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Fit describes a session's next request with more text in it. Unknown numbers are Unknown.
type Fit struct {
	Tokens int64 // added by the parts and the frame of the message that contains them
	Basis  Basis
	Used, Limit, Percent, Free,
	Threshold, ThresholdPercent, Left int64
	Level Level
	Parts []FitPart // the largest first
	// Fewer describes the request with only the parts that fit. It is nil if all fit, and if none does.
	Fewer *Fewer
	Text  Text // the result in one line
}

// FitPart is one of the added texts.
type FitPart struct {
	Label  Text
	Tokens int64
	Basis  Basis
	// LeftOut marks a text that would have to be left out.
	LeftOut bool
}

// Fewer describes the next request without the parts that are left out.
type Fewer struct {
	Tokens, Used, Percent, ThresholdPercent int64
	Level                                   Level
}

// mostFitted bounds the size of one part, and of all of them together.
const mostFitted = 1 << 31

// Fit returns the next request with some texts added, without changing the session. If they do not all fit, the largest
// are left out first.
func (s *Session) Fit(parts []Part) *Fit {
	out := &Fit{Basis: Counted, Parts: make([]FitPart, 0, len(parts))}
	more := storedItem{kind: User}
	for i := range parts {
		part := FitPart{Label: parts[i].Label, Tokens: parts[i].Tokens, Basis: Counted}
		if part.Tokens == Unknown {
			more.flags |= slotText
			n := s.resolved.Meter.Part(&parts[i])
			if part.Tokens, part.Basis = n.Tokens, n.Basis; n.Basis == Estimated {
				part.Tokens = s.calibration.scale(n.Tokens)
			}
		}
		part.Tokens = min(part.Tokens, mostFitted)
		out.Parts = append(out.Parts, part)
		out.Basis = out.Basis.plus(part.Basis)
	}
	slices.SortStableFunc(out.Parts, func(a, b FitPart) int { return cmp.Compare(b.Tokens, a.Tokens) })

	var before, after Reading
	s.Read(Hybrid, &before) // the last measured prompt does not show the next one
	tokens := sumParts(out.Parts)
	s.readWith(more, tokens, &after)
	c := &after.Compaction
	out.Used, out.Limit, out.Percent, out.Free = after.Used, after.Limit, after.Percent, after.Free
	out.Threshold, out.ThresholdPercent, out.Left, out.Level = c.Threshold, c.Percent, c.Left, c.Level
	out.Tokens = after.Used - before.Used
	if out.Level >= Now && out.Level > before.Compaction.Level {
		out.Fewer = s.fewer(more, &before, &after, out)
	}
	out.Text = out.text(before.Compaction.Level, c.CallsLeft)
	return out
}

// readWith reads the session with more added to the message that the user is typing.
func (s *Session) readWith(more storedItem, tokens int64, to *Reading) {
	typed := s.conversation.draft
	if !typed.has(slotRemoved) {
		more.flags |= typed.flags
		if typed.basis == Estimated {
			tokens += s.calibration.scale(int64(typed.tokens))
		} else {
			tokens += int64(typed.tokens)
		}
	}
	// Estimates are already scaled, so the sum is not scaled again.
	more.tokens, more.basis = uint32(min(tokens, mostFitted)), Counted
	s.conversation.draft = more
	s.Read(Hybrid, to)
	s.conversation.draft = typed
}

// fewer leaves out the largest parts until the session's level is what it was before. If leaving out all but the
// smallest is not enough for that, it tries the level soon. It returns nil if no part fits.
func (s *Session) fewer(more storedItem, before, after *Reading, fit *Fit) *Fewer {
	for _, enough := range []Level{before.Compaction.Level, Soon} {
		if out := s.fewerFor(enough, more, before, after, fit); out != nil {
			return out
		}
	}
	return nil
}

// fewerFor leaves out the largest parts until the session's level is at most enough.
func (s *Session) fewerFor(enough Level, more storedItem, before, after *Reading, fit *Fit) *Fewer {
	edge := after.Compaction.Threshold
	if edge == Unknown {
		edge = after.mostUsed()
	}
	rest := sumParts(fit.Parts)
	var r Reading
	for i := range fit.Parts[:max(len(fit.Parts)-1, 0)] {
		fit.Parts[i].LeftOut = true
		rest -= fit.Parts[i].Tokens
		if before.Used+rest >= edge {
			continue
		}
		if s.readWith(more, rest, &r); r.Compaction.Level <= enough {
			return &Fewer{r.Used - before.Used, r.Used, r.Percent, r.Compaction.Percent, r.Compaction.Level}
		}
	}
	for i := range fit.Parts {
		fit.Parts[i].LeftOut = false
	}
	return nil
}

func sumParts(parts []FitPart) (tokens int64) {
	for _, p := range parts {
		tokens += p.Tokens
	}
	return tokens
}

// text returns whether it fits, in one line: "28k → 91% of the threshold, compacts next turn; 9k without
// package-lock.json".
func (f *Fit) text(before Level, calls *Range) Text {
	tokens, line := phrase.Tokens(f.Basis.Mark()+Short(f.Tokens)), Text{}
	switch {
	case f.ThresholdPercent != Unknown:
		line = phrase.FitThreshold.Text(tokens, phrase.Tokens(percentOf(f.Used, f.Threshold)))
	case f.Limit > 0:
		line = phrase.FitWindow.Text(tokens, phrase.Tokens(percentOf(f.Used, f.Limit)), phrase.Tokens(Short(f.Limit)))
	default:
		line = phrase.FitUsed.Text(tokens, phrase.Tokens(Short(f.Used)))
	}
	switch {
	case f.Limit > 0 && f.Used > f.Limit:
		line = phrase.FitNot.Text(line.Arg(), phrase.Tokens(Short(f.Limit)))
	case f.Level >= Now && f.Threshold != Unknown && before >= Now:
		line = phrase.FitAnyway.Text(line.Arg())
	case f.Level >= Now && f.Threshold != Unknown:
		line = phrase.FitNext.Text(line.Arg())
	case f.Level >= Now:
		line = phrase.FitFull.Text(line.Arg())
	case calls != nil && f.Threshold == Unknown && calls.Likely == 1:
		line = phrase.FitFullCall.Text(line.Arg())
	case calls != nil && f.Threshold == Unknown && calls.many():
		line = phrase.FitFullMany.Text(line.Arg(), phrase.Count(MostShown))
	case calls != nil && f.Threshold == Unknown:
		line = phrase.FitFullCalls.Text(line.Arg(), phrase.Count(calls.Likely))
	case calls != nil && calls.Likely == 1:
		line = phrase.FitCall.Text(line.Arg())
	case calls != nil && calls.many():
		line = phrase.FitMany.Text(line.Arg(), phrase.Count(MostShown))
	case calls != nil:
		line = phrase.FitCalls.Text(line.Arg(), phrase.Count(calls.Likely))
	}
	if f.Fewer != nil {
		line = phrase.FitWithout.Text(line.Arg(), f.leftOut().Arg(), phrase.Tokens(Short(f.Fewer.Tokens)))
	}
	return line
}

// leftOut names the parts that are left out, at most two of them.
func (f *Fit) leftOut() Text {
	names, count := Text{}, int64(0)
	for i, p := range f.Parts {
		if !p.LeftOut {
			break
		}
		if count++; count > 2 {
			continue
		}
		label := p.Label
		if label.Empty() {
			label = phrase.FitPart.Text(phrase.Count(int64(i) + 1))
		}
		if names.Empty() {
			names = label
		} else {
			names = phrase.And.Text(names.Arg(), label.Arg())
		}
	}
	if count > 2 {
		names = phrase.AndMore.Text(names.Arg(), phrase.Count(count-2))
	}
	return names
}
