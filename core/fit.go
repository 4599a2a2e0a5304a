// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"sort"
)

// Fit is what the next request of a session would be if more text were in it.
// Numbers that nobody knows are Unknown.
type Fit struct {
	Tokens int64 // what the parts add, with the frame of the message that brings them
	Basis  Basis
	Used, Limit, Percent, Free,
	Line, LinePercent, Left int64
	Level Level
	Parts []FitPart // the largest first
	// Fewer is what would fit: the parts that are not marked as left out. It is
	// nil where all fit, and where none does.
	Fewer *Fewer
	Text  string // the answer in a line
}

// FitPart is one of the texts.
type FitPart struct {
	Label  string
	Tokens int64
	Basis  Basis
	// LeftOut marks what would have to stay away.
	LeftOut bool
}

// Fewer is what the next request would be without the parts that are left out.
type Fewer struct {
	Tokens, Used, Percent, LinePercent int64
	Level                              Level
}

// mostFitted bounds what is believed of the size of one part, and of all of
// them together.
const mostFitted = 1 << 31

// Fit says what the next request would be with some texts in it. It changes
// nothing. The largest texts are left out first where all of them are too much. Text says its phrases by their ids for
// a caller who translates.
func (s *Session) Fit(parts []Part, byID bool) *Fit {
	out := &Fit{Parts: make([]FitPart, 0, len(parts))}
	more := slot{kind: User}
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
		out.Basis = out.Basis.with(part.Basis)
	}
	sort.Stable(largestParts(out.Parts))

	var before, after Reading
	s.Read(Hybrid, &before) // what was measured last cannot tell of what comes
	tokens := sumParts(out.Parts)
	s.readWith(more, tokens, &after)
	c := &after.Compaction
	out.Used, out.Limit, out.Percent, out.Free = after.Used, after.Limit, after.Percent, after.Free
	out.Line, out.LinePercent, out.Left, out.Level = c.Line, c.Percent, c.Left, c.Level
	out.Tokens = after.Used - before.Used
	if out.Level >= Now && out.Level > before.Compaction.Level {
		out.Fewer = s.fewer(more, &before, &after, out)
	}
	out.Text = out.text(byID, before.Compaction.Level, c.CallsLeft)
	return out
}

// readWith reads the session as it would be with more in the message that the
// person is typing.
func (s *Session) readWith(more slot, tokens int64, to *Reading) {
	typed := s.conversation.draft
	if !typed.has(slotGone) {
		more.flags |= typed.flags
		if typed.basis == Estimated {
			tokens += s.calibration.scale(int64(typed.tokens))
		} else {
			tokens += int64(typed.tokens)
		}
	}
	// Estimates are scaled already, so the sum is not scaled again.
	more.tokens, more.basis = uint32(min(tokens, mostFitted)), Counted
	s.conversation.draft = more
	s.Read(Hybrid, to)
	s.conversation.draft = typed
}

// fewer leaves the largest parts out until the session is no nearer to its
// edge than it was, or far enough from it.
func (s *Session) fewer(more slot, before, after *Reading, fit *Fit) *Fewer {
	edge := after.Compaction.Line
	if edge == Unknown {
		edge = after.mostUsed()
	}
	enough := max(before.Compaction.Level, Soon)
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

// What is said of whether it fits.
const (
	fitLine    Phrase = "fitLine:{0} → {1} of the line"
	fitWindow  Phrase = "fitWindow:{0} → {1} of {2}"
	fitUsed    Phrase = "fitUsed:{0} → {1} used, and the window is not known"
	fitNot     Phrase = "fitNot:{0}, does not fit into {1}"
	fitAnyway  Phrase = "fitAnyway:{0}, compacts next turn with it or without"
	fitNext    Phrase = "fitNext:{0}, compacts next turn"
	fitFull    Phrase = "fitFull:{0}, next to nothing stays free"
	fitCall    Phrase = "fitCall:{0}, about 1 call until it compacts"
	fitCalls   Phrase = "fitCalls:{0}, about {1} calls until it compacts"
	fitWithout Phrase = "fitWithout:{0}; without {1} {2}"
	fitPart    Phrase = "fitPart:part {0}"
	fitMore    Phrase = "fitMore:{0} and {1} more"
)

// text says in a line whether it fits: "28k → 91% of the line, compacts next
// turn; without package-lock.json 9k".
func (f *Fit) text(byID bool, before Level, calls *Range) string {
	line := f.Basis.Mark() + Short(f.Tokens)
	say := func(p Phrase, stands ...string) { line = p.Say(byID, append([]string{line}, stands...)...) }
	switch {
	case f.LinePercent != Unknown:
		say(fitLine, Percent(f.LinePercent))
	case f.Limit > 0:
		say(fitWindow, Percent(f.Percent), Short(f.Limit))
	default:
		say(fitUsed, Short(f.Used))
	}
	switch {
	case f.Limit > 0 && f.Used > f.Limit:
		say(fitNot, Short(f.Limit))
	case f.Level >= Now && f.Line != Unknown && before >= Now:
		say(fitAnyway)
	case f.Level >= Now && f.Line != Unknown:
		say(fitNext)
	case f.Level >= Now:
		say(fitFull)
	case calls != nil && calls.Likely == 1:
		say(fitCall)
	case calls != nil:
		say(fitCalls, itoa(calls.Likely))
	}
	if f.Fewer != nil {
		say(fitWithout, f.leftOut(byID), Short(f.Fewer.Tokens))
	}
	return line
}

// leftOut names the parts that are left out, at most two of them.
func (f *Fit) leftOut(byID bool) string {
	names, count := "", 0
	for i, p := range f.Parts {
		if !p.LeftOut {
			break
		}
		if count++; count > 2 {
			continue
		}
		label := Unmarked(p.Label)
		if label == "" {
			label = fitPart.Say(byID, itoa(int64(i)+1))
		}
		if names != "" {
			names += ", "
		}
		names += label
	}
	if count > 2 {
		names = fitMore.Say(byID, names, itoa(int64(count)-2))
	}
	return names
}
