// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// ahead collects the accuracy of forecasts beyond the next request: the calls and turns that fit below a threshold, and
// the size after a compaction.
type ahead struct {
	by map[aheadKey]*AheadQuality
}

type aheadKey struct{ agent, what, size string }

// AheadQuality is the accuracy of the forecasts of a kind.
type AheadQuality struct {
	Agent string `json:"agent,omitempty"`
	// "calls", "turns" or "landing"; Size is the group of the forecast number.
	What string `json:"what"`
	Size string `json:"size,omitempty"`
	// Forecasts is the number of forecasts with a known result: a threshold was reached, or the first request after a
	// compaction was measured.
	Forecasts    int     `json:"forecasts"`
	HeldPercent  float64 `json:"heldPercent"`
	AbovePercent float64 `json:"abovePercent"` // the actual number exceeded the upper bound
	// OnePercent is the share of forecasts of a single number. No range is shorter, so these are right only as often as
	// that number occurs.
	OnePercent float64 `json:"onePercent"`
	// MedianRatio is the median ratio of the actual to the likely number; 0 for a landing, which has no likely number.
	MedianRatio float64 `json:"medianRatio"`

	held, above, one int
	ratios           []float64
}

func (q *AheadQuality) add(f api.Range, actual int64) {
	q.Forecasts++
	if f.Likely > 0 {
		q.ratios = append(q.ratios, float64(actual)/float64(f.Likely))
	}
	if f.Low == f.High {
		q.one++
	}
	switch {
	case actual > f.High:
		q.above++
	case actual >= f.Low:
		q.held++
	}
}

func newAhead() *ahead { return &ahead{map[aheadKey]*AheadQuality{}} }

func (a *ahead) quality(agent, what, size string) *AheadQuality {
	key := aheadKey{agent, what, size}
	if a.by[key] == nil {
		a.by[key] = &AheadQuality{Agent: agent, What: what, Size: size}
	}
	return a.by[key]
}

// add compares the forecasts of one transcript with the results.
func (a *ahead) add(agent string, steps []follow.Step) {
	var sessions []string
	by := map[string][]follow.Step{}
	for _, s := range steps {
		if by[s.Session] == nil {
			sessions = append(sessions, s.Session)
		}
		by[s.Session] = append(by[s.Session], s)
	}
	for _, id := range sessions {
		list := by[id]
		for i := range list {
			if l := list[i].Landing; l != nil {
				a.each(agent, func(agent string) {
					a.quality(agent, "landing", "").add(api.Range{Low: l.Low, High: l.High}, list[i].Actual)
				})
			}
			for _, f := range list[i].Forecasts {
				a.settle(agent, list, i, f)
			}
		}
	}
}

// each calls do for an agent and for "all".
func (a *ahead) each(agent string, do func(agent string)) {
	do(agent)
	do("all")
}

// settle compares a forecast with the number of requests that stayed below its threshold, if one reached it before the
// conversation was cut.
func (a *ahead) settle(agent string, list []follow.Step, made int, f api.Forecast) {
	for i := made + 1; i < len(list) && list[i].Actual >= list[i-1].Actual/2; i++ {
		if list[i].Actual < f.Threshold {
			continue
		}
		calls, turns := int64(i-made-1), max(list[i].Turn-list[made].Turn, 1)
		a.each(agent, func(agent string) {
			a.quality(agent, "calls", sizeOf(f.Calls.Likely)).add(f.Calls, calls)
			a.quality(agent, "calls", "").add(f.Calls, calls)
			a.quality(agent, "turns", sizeOf(f.Calls.Likely)).add(f.Turns, turns)
			a.quality(agent, "turns", "").add(f.Turns, turns)
		})
		return
	}
}

// sizes are the groups of forecasts in a report, by the likely number of calls.
var sizes = [...]string{"under 5", "5 to 12", "12 to 30", "30 to 60", "60 and more", ""}

func sizeOf(calls int64) string {
	switch {
	case calls < 5:
		return sizes[0]
	case calls < 12:
		return sizes[1]
	case calls < 30:
		return sizes[2]
	case calls < 60:
		return sizes[3]
	}
	return sizes[4]
}

// list returns every quality: the agents in order, followed by all of them together.
func (a *ahead) list() []AheadQuality {
	out := make([]AheadQuality, 0, len(a.by))
	for _, q := range a.by {
		q.HeldPercent = rounded(100 * float64(q.held) / float64(q.Forecasts))
		q.AbovePercent = rounded(100 * float64(q.above) / float64(q.Forecasts))
		q.OnePercent = rounded(100 * float64(q.one) / float64(q.Forecasts))
		if len(q.ratios) > 0 {
			slices.Sort(q.ratios)
			q.MedianRatio = rounded(q.ratios[len(q.ratios)/2])
		}
		out = append(out, *q)
	}
	last := func(q AheadQuality) int {
		if q.Agent == "all" {
			return 1
		}
		return 0
	}
	slices.SortFunc(out, func(a, b AheadQuality) int {
		return cmp.Or(last(a)-last(b), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.What, b.What),
			slices.Index(sizes[:], a.Size)-slices.Index(sizes[:], b.Size))
	})
	return out
}

func (a *ahead) table(w io.Writer) error {
	cells := [][]string{{"AGENT", "FORECAST OF", "REQUESTS LIKELY", "FORECASTS", "COVERED %", "ABOVE %", "ONE NUMBER %", "REAL/LIKELY"}}
	for _, q := range a.list() {
		percent := func(p float64) string { return strconv.FormatFloat(p, 'f', 1, 64) }
		ratio := ""
		if q.MedianRatio > 0 {
			ratio = strconv.FormatFloat(q.MedianRatio, 'f', 2, 64)
		}
		cells = append(cells, []string{q.Agent, q.What, q.Size, terminal.Digits(int64(q.Forecasts)), percent(q.HeldPercent), percent(q.AbovePercent), percent(q.OnePercent), ratio})
	}
	return writeCells(w, cells, 3)
}
