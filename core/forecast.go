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
	return forecastRange(tenths, s.history.growth.uneven)
}

// A forecastFactor is by how much the real number of calls may be below and
// above the forecast, in hundredths of it.
type forecastFactor struct{ low, high int64 }

// forecastFactors hold 80 % of 4,061 forecasts of recorded sessions, and 77 and
// 85 % of those of two halves of them, by how many calls are forecast and by how
// evenly the session grows: evenly, unevenly, and too young to tell.
var forecastFactors = [...][3]forecastFactor{
	{{62, 200}, {66, 220}, {45, 255}},
	{{50, 150}, {45, 188}, {44, 200}},
	{{58, 140}, {46, 166}, {51, 165}},
	{{72, 134}, {70, 128}, {70, 135}},
}

// evenBelow is how uneven growth may be, by how many calls are forecast: the
// variance of what a call adds against the square of its mean, over the calls.
var evenBelow = [...]int64{203, 63, 40, 14}

// forecastRange puts the interval around a forecast in tenths of a call; it is
// never wider than one to seven. unevenness is in thousandths, Unknown for a
// young session.
func forecastRange(tenths, unevenness int64) Range {
	likely := min((tenths+5)/10, 1<<40)
	size := 0
	switch {
	case tenths < 15:
		return Range{1, 1, 3}
	case tenths < 30:
		return Range{1, likely, 4}
	case tenths < 50:
		return Range{2, likely, 8}
	case tenths < 120:
	case tenths < 300:
		size = 1
	case tenths < 600:
		size = 2
	default:
		size = 3
	}
	f := forecastFactors[size][1]
	switch {
	case unevenness == Unknown:
		f = forecastFactors[size][2]
	case unevenness*10 < evenBelow[size]*tenths:
		f = forecastFactors[size][0]
	}
	part := func(percent int64) int64 { return (tenths*percent + 500) / 1000 }
	out := Range{part(f.low), likely, part(f.high)}
	if size == 0 {
		out.Low = max(out.Low, 2)
	}
	return out
}

// A Forecast is how many calls and turns were said to fit below a line.
type Forecast struct {
	Line         int64
	Calls, Turns Range
}

// forecastLines are the lines that forecasts are recorded for: the agents' own
// are reached too seldom to show how good a forecast is.
var forecastLines = [...]int64{80_000, 120_000, 160_000, 200_000, 240_000}

// forecasts are what is said of the lines that are neither far nor reached.
func (s *Session) forecasts() (list []Forecast) {
	used := s.predictNext().used
	for _, line := range forecastLines {
		if used >= line || used < line*4/10 {
			continue
		}
		f := Forecast{Line: line, Calls: s.callsLeft(line - used)}
		f.Turns, _ = s.turnsLeft(f.Calls)
		list = append(list, f)
	}
	return list
}

// callsPerTurn is how many requests a turn of a coding agent takes. Without
// tools a turn is one request.
const callsPerTurn = 14

// turnsTold is how many turns tell what a turn of this session takes. Before
// them fewer turns come than their mean says: some are long.
const turnsTold = 30

// turnsLeft turns calls into turns by how many calls a turn of this session
// takes, pulled towards what is usual. Nothing is usual for a conversation
// that no agent leads: before its first request there is no forecast. A turn
// counts once it is begun, and the one that runs is the first.
func (s *Session) turnsLeft(calls Range) (_ Range, known bool) {
	usual := int64(callsPerTurn)
	if s.Agent == "" || s.Agent == "generic" {
		if usual = 1; s.turn.calls == 0 {
			return Range{}, false
		}
	}
	turns := s.turn.number + 2
	made := s.turn.calls + 2*usual
	tenths := mulDiv(10*calls.Likely, turns, made)
	part := func(percent int64) int64 { return max((tenths*percent+500)/1000, 1) }
	var out Range
	switch {
	case calls.Likely == 0:
		return Range{}, true
	case usual == 1 || s.turn.number >= turnsTold:
		// A turn for each call without tools, or as many calls as ever.
		per := func(n int64) int64 { return max(mulDiv(n, turns, made), 1) }
		out = Range{per(calls.Low), per(calls.Likely), per(calls.High)}
	case tenths < 10:
		out = Range{1, 1, 1}
	case tenths < 20:
		out = Range{1, 1, 2}
	case tenths < 40:
		out = Range{part(38), part(75), part(180)}
	case tenths < 80:
		out = Range{part(29), part(70), part(140)}
	default:
		out = Range{part(30), part(70), part(180)}
	}
	// Each turn has at least one call.
	return Range{min(out.Low, calls.Low), min(out.Likely, calls.Likely), min(out.High, calls.High)}, true
}
