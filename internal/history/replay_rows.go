// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// pictures collects, by agent, how the windows of sessions were divided into rows at their ends.
type pictures struct {
	byAgent map[string][]Picture
}

// A Picture contains the shares of some rows, in percent of the used tokens; BrokenDown is in percent of the fixed
// context.
type Picture struct {
	Nameless   float64 `json:"nameless"`
	Unseen     float64 `json:"unseen"`
	Fixed      float64 `json:"fixed"`
	BrokenDown float64 `json:"toldApart"`
}

func (p *pictures) add(agent string, of *Picture) {
	if of == nil {
		return
	}
	if p.byAgent == nil {
		p.byAgent = map[string][]Picture{}
	}
	p.byAgent[agent] = append(p.byAgent[agent], *of)
}

// PictureOf returns the picture of a Reading, nil if no request of the session has been measured.
func PictureOf(r *api.Reading) *Picture {
	if r == nil || r.Used <= 0 || r.LastRequest == nil {
		return nil
	}
	var nameless, unseen, fixed, apart int64
	for _, row := range r.Breakdown {
		switch kind, _ := core.KindOf(string(row.Kind)); {
		case row.Deferred:
		case row.Kind == api.Kind(core.Prefix.String()):
			fixed += row.Tokens
		case kind == core.Unattributed || kind == core.Messages:
			unseen += row.Tokens
			if row.Label.Text == kind.Label().English() {
				nameless += row.Tokens
			}
		case kind.Fixed() && kind != core.Documents:
			fixed, apart = fixed+row.Tokens, apart+row.Tokens
		}
	}
	of := func(part, whole int64) float64 { return 100 * float64(part) / float64(max(whole, 1)) }
	return &Picture{of(nameless, r.Used), of(unseen, r.Used), of(fixed, r.Used), of(apart, fixed)}
}

// RowsQuality is how much of the windows of an agent's sessions is attributed.
type RowsQuality struct {
	Agent    string `json:"agent"`
	Sessions int    `json:"sessions"`
	// The unrecorded part, and the part of it that is unattributed as well, in percent of the window.
	UnseenMedian   float64 `json:"unseenMedianPercent"`
	UnseenP90      float64 `json:"unseenP90Percent"`
	NamelessMedian float64 `json:"namelessMedianPercent"`
	NamelessP90    float64 `json:"namelessP90Percent"`
	// The fixed context, and how much of it is broken down into rows.
	FixedMedian float64 `json:"fixedMedianPercent"`
	ApartMedian float64 `json:"apartMedianPercent"`
	ApartP10    float64 `json:"apartP10Percent"`
}

func (p *pictures) all() []RowsQuality {
	list := []RowsQuality{}
	for _, agent := range slices.SortedFunc(maps.Keys(p.byAgent), cmp.Compare[string]) {
		of := p.byAgent[agent]
		at := func(percent int, value func(Picture) float64) float64 {
			sorted := make([]float64, len(of))
			for i := range of {
				sorted[i] = value(of[i])
			}
			slices.Sort(sorted)
			return rounded(rank(sorted, percent))
		}
		unseen, nameless := func(s Picture) float64 { return s.Unseen }, func(s Picture) float64 { return s.Nameless }
		apart := func(s Picture) float64 { return s.BrokenDown }
		list = append(list, RowsQuality{
			agent, len(of), at(50, unseen), at(90, unseen), at(50, nameless), at(90, nameless),
			at(50, func(s Picture) float64 { return s.Fixed }), at(50, apart), at(10, apart),
		})
	}
	return list
}

func (p *pictures) table(w io.Writer, s terminal.Style) error {
	cells := [][]string{{"AGENT", "SESSIONS", "UNATTRIBUTED %", "P90 %", "UNRECORDED %", "P90 %", "FIXED CONTEXT %", "BROKEN DOWN %", "P10 %"}}
	percent := func(p float64) string { return strconv.FormatFloat(p, 'f', 1, 64) }
	for _, q := range p.all() {
		cells = append(cells, []string{
			s.Clean(q.Agent), strconv.Itoa(q.Sessions), percent(q.NamelessMedian), percent(q.NamelessP90), percent(q.UnseenMedian),
			percent(q.UnseenP90), percent(q.FixedMedian), percent(q.ApartMedian), percent(q.ApartP10),
		})
	}
	if len(cells) == 1 {
		return nil
	}
	return writeCells(w, cells, 1)
}
