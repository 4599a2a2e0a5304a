// Copyright The ctx-lsp authors. MIT licence.

package core

// Range is a forecast with its 80 % interval.
type Range struct{ Low, Likely, High int64 }

// meanGrowth is what a call adds in the mean when the agent is not known.
const meanGrowth = 1500

// callsLeft forecasts how many requests fit below the line. Growth is heavy
// tailed and comes early in a session, so the forecast joins several views of
// it in logarithms.
func (s *Session) callsLeft(left int64) Range {
	if left <= 0 {
		return Range{}
	}
	mu := s.rule.Growth
	if mu <= 0 {
		mu = meanGrowth
	}
	exponent := int64(41600) + // 0.44 / ln 2, in 16 fractional bits
		((19+41+7+23)*log2(uint64(left), 1)-s.history.growth.means(mu))/100
	tenths := int64(exp2(exponent, 10))
	return forecastRange(tenths)
}

// forecastRange puts the interval around a forecast in tenths of a call that
// held 80 % of real sessions, by how many calls it names; it is never wider than
// one to six.
func forecastRange(tenths int64) Range {
	likely := min((tenths+5)/10, 1<<40)
	part := func(percent int64) int64 { return (tenths*percent + 500) / 1000 }
	switch {
	case tenths < 50:
		return Range{1, max(likely, 1), 6}
	case tenths < 120:
		return Range{max(part(53), 2), likely, part(250)}
	case tenths < 300:
		return Range{part(45), likely, part(210)}
	case tenths < 600:
		return Range{part(53), likely, part(185)}
	}
	return Range{part(62), likely, part(155)}
}

// callsPerTurn is how many requests a turn of a coding agent takes. Without
// tools a turn is one request.
const callsPerTurn = 8

// turnsLeft turns calls into turns by how many calls a turn of this session
// takes, pulled towards what is usual. Nothing is usual for a conversation
// that no agent leads: before its first request there is no forecast.
func (s *Session) turnsLeft(calls Range) (_ Range, known bool) {
	usual := int64(callsPerTurn)
	if s.Agent == "" || s.Agent == "generic" {
		if usual = 1; s.turn.calls == 0 {
			return Range{}, false
		}
	}
	turns := s.turn.number + 2
	made := s.turn.calls + 2*usual
	per := func(n int64) int64 { return mulDiv(n, turns, made) }
	out := Range{per(calls.Low), per(calls.Likely), per(calls.High)}
	if calls.Likely > 0 {
		out.Likely = max(out.Likely, 1)
		out.High = max(out.High, 1)
	}
	// Each turn has at least one call.
	return Range{min(out.Low, calls.Low), min(out.Likely, calls.Likely), min(out.High, calls.High)}, true
}
