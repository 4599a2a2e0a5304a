// Copyright The ctx-lsp authors. MIT licence.

package core

// Range is a forecast with its 80 % interval.
type Range struct{ Low, Likely, High int64 }

// meanGrowth is what a call adds in the mean when the agent is not known.
const meanGrowth = 1500

// growthsEnough is how many growths of a prompt a forecast needs: those of
// three measured requests.
const growthsEnough = 2

// callsLeft forecasts how many requests fit below the line; known is false
// while too few were measured. Growth is heavy tailed and comes early in a
// session, so the forecast joins several views of it in logarithms. The more
// regular a session grows, the more its own mean decides.
func (s *Session) callsLeft(left int64) (_ Range, known bool) {
	if left <= 0 {
		return Range{}, true
	}
	g := &s.history.growth
	if g.n < growthsEnough {
		return Range{}, false
	}
	mu := s.rule.Growth
	if mu <= 0 {
		mu = meanGrowth
	}
	exponent := int64(41600) + // 0.44 / ln 2, in 16 fractional bits
		((19+41+7+23)*log2(uint64(left), 1)-g.means(mu))/100
	exponent += (log2(uint64(left), 1) - g.own - exponent) * g.steady / 1000
	tenths := int64(exp2(exponent, 10))
	return forecastRange(tenths, g.uneven), true
}

// A forecastWidth is by how much the real number of calls may be below and
// above a forecast of so many tenths of a call, in hundredths of it.
type forecastWidth struct{ tenths, low, high int64 }

// forecastWidths are to hold 80 % in sessions that nobody has seen. They are a
// little wider than what holds 80 % of the recorded ones, because widths that
// were fitted on half of those lost up to three percent on the other half.
// Between two of them a width is in proportion.
var forecastWidths = [...]forecastWidth{{80, 53, 230}, {200, 42, 186}, {400, 46, 162}, {650, 67, 138}}

// evenWidths are forecastWidths for sessions that grow evenly: a fifth narrower
// in logarithms.
var evenWidths = [...]forecastWidth{{80, 60, 195}, {200, 50, 164}, {400, 54, 147}, {650, 73, 129}}

// evenBelow is where growth is even: the variance of what a call adds, in
// thousandths of the square of its mean.
const evenBelow = 1500

// forecastRange puts the interval around a forecast in tenths of a call; it is
// never wider than one to seven. unevenness is in thousandths, Unknown for a
// young session.
func forecastRange(tenths, unevenness int64) Range {
	likely := min((tenths+5)/10, 1<<40)
	switch {
	case tenths < 15:
		return Range{1, 1, 3}
	case tenths < 25:
		return Range{1, likely, 5}
	case tenths < 50:
		return Range{2, likely, likely + 3}
	}
	widths := forecastWidths[:]
	if unevenness != Unknown && unevenness < evenBelow {
		widths = evenWidths[:]
	}
	low, high := widthAt(widths, tenths)
	part := func(percent int64) int64 { return (tenths*percent + 500) / 1000 }
	return Range{max(part(low), 2), likely, part(high)}
}

// widthAt is the width of a forecast between those of a list.
func widthAt(list []forecastWidth, tenths int64) (low, high int64) {
	for i := 1; i < len(list); i++ {
		from, to := list[i-1], list[i]
		if tenths < to.tenths {
			done, all := max(tenths-from.tenths, 0), to.tenths-from.tenths
			return from.low + (to.low-from.low)*done/all, from.high + (to.high-from.high)*done/all
		}
	}
	last := list[len(list)-1]
	return last.low, last.high
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
	for _, line := range forecastLines[:] {
		if used >= line || used < line*4/10 {
			continue
		}
		f := Forecast{Line: line}
		var known bool
		if f.Calls, known = s.callsLeft(line - used); !known {
			continue
		}
		f.Turns, _ = s.turnsLeft(f.Calls)
		list = append(list, f)
	}
	return list
}

// callsPerTurn is how many requests a turn of a coding agent usually has. Without
// tools a turn is one request.
const callsPerTurn = 14

// turnsEnough is how many turns show how many calls a turn of this session has.
// Before them fewer turns come than their mean says, because some are long.
const turnsEnough = 30

// turnsLeft turns calls into turns by how many calls a turn of this session
// has, pulled towards what is usual. Nothing is usual for a conversation
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
	var out Range
	switch {
	case calls.Likely == 0:
		return Range{}, true
	case usual == 1 || s.turn.number >= turnsEnough:
		// A turn for each call without tools, or as many calls as ever.
		per := func(n int64) int64 { return max(mulDiv(n, turns, made), 1) }
		out = Range{per(calls.Low), per(calls.Likely), per(calls.High)}
	case tenths < 13:
		out = Range{1, 1, 1}
	case tenths < 22:
		out = Range{1, 1, 2}
	default:
		// The turns are of unequal lengths, besides what is not known of the calls.
		part := func(calls, percent int64) int64 { return max((mulDiv(10*calls, turns, made)*percent+500)/1000, 1) }
		out = Range{part(calls.Low, 68), part(calls.Likely, 70), part(calls.High, 103)}
	}
	// Each turn has at least one call.
	return Range{min(out.Low, calls.Low), min(out.Likely, calls.Likely), min(out.High, calls.High)}, true
}
