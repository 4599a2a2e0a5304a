// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"
	"strconv"
)

// Range is a forecast with its 80% interval.
type Range struct{ Low, Likely, High int64 }

// MostShown is the largest number of requests or turns that a forecast shows. A larger one would be a useless guess.
const MostShown = 99

// many reports whether a forecast is only shown as more than MostShown.
func (r *Range) many() bool { return r.Likely > MostShown }

// ShownCalls returns a forecast of requests as columns of tables show it.
func ShownCalls(likely int64) string {
	if likely > MostShown {
		return ">" + strconv.Itoa(MostShown)
	}
	return "~" + strconv.FormatInt(likely, 10)
}

const (
	// meanGrowth is the average growth per request if the agent is unknown.
	meanGrowth = 1000
	// growthsEnough is how many growths of a prompt a forecast needs: those between three measured requests.
	growthsEnough = 2
	// usualWeight is the weight of the usual growth in the session's average, as a number of requests.
	usualWeight = 30
	// growthsRecent is how many of the newest growths are averaged separately.
	growthsRecent = 30
	// growsLess is how many requests fit below a threshold in percent of the mean growth's forecast: a session grows
	// most at its beginning.
	growsLess = 126
)

// callsLeft forecasts how many requests fit below the threshold; known is false as long as too few were measured,
// unless earlier sessions of the workspace were. The growth of a request is the mean of two of the session's own means,
// each pulled toward the usual growth: that of all requests, and that of the newest, in which no request has a growth
// above half of what is left. Without a known agent nothing is usual, and the mean of all requests alone decides.
func (s *Session) callsLeft(left int64) (_ Range, known bool) {
	if left <= 0 {
		return Range{}, true
	}
	g := &s.history.growth
	usual, weight, less := s.rule.Growth, int64(usualWeight), int64(growsLess)
	if usual <= 0 {
		usual = meanGrowth
		if !s.led() && !s.fromEarlier() {
			weight, less = 0, 100
		}
	}
	switch earlier := s.history.earlier; {
	case s.fromEarlier():
		usual = max(earlier.Tokens/earlier.Steps, 1)
	case g.n < growthsEnough:
		return Range{}, false
	}
	sum, n := g.sum()
	growth := mulDiv(10, weight*usual+sum, weight+n)
	if weight == usualWeight {
		sum, n = g.recent(growthsRecent, left/2)
	}
	growth += mulDiv(10, weight*usual+sum, weight+n)
	// The last request that starts below the threshold is included, so a part of one is a whole one.
	return forecastRange(mulDiv(left, 2*less, max(growth, 1)) + 5), true
}

// mayGrow returns by how much the next request may grow the prompt: the upper end of the 80% interval of the newest
// growths. It is 0 without a history.
func (s *Session) mayGrow() int64 {
	if s.history.growth.n < growthsEnough {
		return 0
	}
	var stored [growthsRecent]int64
	list := s.history.growth.last(growthsRecent, stored[:0])
	slices.Sort(list)
	return list[quantile(len(list), 90)]
}

// A forecastWidth gives how far the real number of requests may be below and above a forecast of this many tenths of a
// request, in hundredths of the forecast.
type forecastWidth struct{ tenths, low, high int64 }

// forecastWidths are meant to cover 80%. They were fitted to half of the recorded sessions at a time and checked on the
// other half. Values between two entries are interpolated.
var forecastWidths = [...]forecastWidth{{80, 57, 218}, {200, 48, 163}, {450, 51, 146}, {800, 63, 137}}

// forecastRange returns the interval around a forecast in tenths of a request. Its ends differ by at most a factor of
// seven.
func forecastRange(tenths int64) Range {
	tenths = min(tenths, 1<<40)
	likely := (tenths + 5) / 10
	switch {
	case tenths < 12:
		return Range{1, 1, 2}
	case tenths < 22:
		return Range{1, likely, 4}
	case tenths < 35:
		return Range{1, likely, likely + 4}
	}
	low, high := widthAt(forecastWidths[:], tenths)
	part := func(percent int64) int64 { return (tenths*percent + 500) / 1000 }
	return Range{part(low), likely, part(high)}
}

// widthAt returns the width of a forecast, interpolated in a list.
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

// A Forecast is the forecast of the requests and turns that fit below a threshold.
type Forecast struct {
	Threshold    int64
	Calls, Turns Range
}

// forecastThresholds are the thresholds that forecasts are recorded for: the agents' own thresholds are reached too
// rarely to show how good a forecast is.
var forecastThresholds = []int64{80_000, 120_000, 160_000, 200_000, 240_000}

// forecasts returns the forecasts for the lines that are neither far away nor reached.
func (s *Session) forecasts() (list []Forecast) {
	used := s.predictNext().used
	for _, threshold := range forecastThresholds {
		if used >= threshold || used < threshold*4/10 {
			continue
		}
		f := Forecast{Threshold: threshold}
		var known bool
		if f.Calls, known = s.callsLeft(threshold - used); !known {
			continue
		}
		f.Turns, _ = s.turnsLeft(f.Calls)
		list = append(list, f)
	}
	return list
}

// led reports whether a known agent runs the conversation.
func (s *Session) led() bool { return s.Agent != "" && s.Agent != "generic" }

// callsPerTurn is how many requests a coding agent's turn usually has. Without tools, a turn is one request.
const callsPerTurn = 14

// turnsLeft converts requests into turns by the average length of this session's turns, pulled toward the usual length.
// There is no usual length if no known agent runs the conversation: before its first request there is no forecast. A
// turn is included once it has begun, and the current one is the first.
func (s *Session) turnsLeft(calls Range) (_ Range, known bool) {
	if calls.Likely == 0 {
		return Range{}, true
	}
	usual := int64(callsPerTurn)
	if !s.led() {
		if usual = 1; s.turn.calls == 0 {
			return Range{}, false
		}
	}
	turns := s.turn.number + 2
	made := s.turn.calls + 2*usual
	if earlier := s.history.earlier; s.fromEarlier() && earlier.Turns > 0 && earlier.Requests > 0 {
		turns, made = earlier.Turns, earlier.Requests
	}
	tenths := mulDiv(10*calls.Likely, turns, made)
	part := func(percent int64) int64 { return max((tenths*percent+500)/1000, 1) }
	var out Range
	switch {
	case usual == 1:
		per := func(n int64) int64 { return max(mulDiv(n, turns, made), 1) }
		out = Range{per(calls.Low), per(calls.Likely), per(calls.High)}
	case tenths < 10:
		out = Range{1, 1, 1}
	case tenths < 15:
		out = Range{1, 1, 2}
	case tenths < 22:
		out = Range{1, 1, 3}
	default:
		// Turns have very unequal lengths: a few contain most of the requests.
		out = Range{part(20), part(70), part(185)}
	}
	// Each turn has at least one request.
	return Range{min(out.Low, calls.Low), min(out.Likely, calls.Likely), min(out.High, calls.High)}, true
}
