// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// groups gathers steps by agent, model and kind.
type groups struct {
	steps map[groupKey][]follow.Step
	first []follow.Step // the first step of each conversation
}

type groupKey struct{ agent, model, kind string }

func newGroups() *groups { return &groups{steps: map[groupKey][]follow.Step{}} }

func (g *groups) add(agent string, step follow.Step) {
	key := groupKey{agent, step.Model, step.Kind}
	if step.Redacted {
		key.kind += ", redacted" // content removed from the file cannot be predicted
	}
	g.steps[key] = append(g.steps[key], step)
}

// begun collects the first steps of the conversations in one transcript.
func (g *groups) begun(steps []follow.Step) {
	seen := map[string]bool{}
	for _, s := range steps {
		if !seen[s.Session] && !s.Redacted {
			g.first = append(g.first, s)
		}
		seen[s.Session] = true
	}
}

// Quality is the accuracy of the predictions of a group. Percentages refer to the request's actual size.
type Quality struct {
	Agent         string  `json:"agent,omitempty"`
	Model         string  `json:"model,omitempty"`
	Kind          string  `json:"kind,omitempty"`
	Steps         int     `json:"steps"`
	MedianTokens  int64   `json:"medianTokens"`
	P90Tokens     int64   `json:"p90Tokens"`
	P95Tokens     int64   `json:"p95Tokens"`
	P99Tokens     int64   `json:"p99Tokens"`
	MedianPercent float64 `json:"medianPercent"`
	P90Percent    float64 `json:"p90Percent"`
	P95Percent    float64 `json:"p95Percent"`
	P99Percent    float64 `json:"p99Percent"`
	BiasTokens    int64   `json:"biasTokens"`
	// HeldPercent is the share of ranges that contained the actual size; AbovePercent is the share that it exceeded.
	HeldPercent  float64 `json:"heldPercent"`
	AbovePercent float64 `json:"abovePercent"`
}

// agents returns the quality by agent and kind, for all models of an agent together. The kind "" covers all kinds.
func (g *groups) agents() (list []Quality) {
	by := map[groupKey][]follow.Step{}
	for key, steps := range g.steps {
		for _, kind := range []string{key.kind, ""} {
			of := groupKey{agent: key.agent, kind: kind}
			by[of] = append(by[of], steps...)
		}
	}
	for key, steps := range by {
		q := measure(steps)
		q.Agent, q.Kind = key.agent, key.kind
		list = append(list, q)
	}
	slices.SortFunc(list, func(a, b Quality) int { return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Kind, b.Kind)) })
	return list
}

// kinds returns the quality by kind, for all agents and models together.
func (g *groups) kinds() (list []Quality) {
	by := map[string][]follow.Step{}
	for key, steps := range g.steps {
		by[key.kind] = append(by[key.kind], steps...)
	}
	for kind, steps := range by {
		q := measure(steps)
		q.Kind = kind
		list = append(list, q)
	}
	slices.SortFunc(list, func(a, b Quality) int { return cmp.Compare(a.Kind, b.Kind) })
	if len(g.first) > 0 {
		q := measure(g.first)
		q.Kind = "first" // these steps are also in the group of their kind
		list = append(list, q)
	}
	return list
}

// measure returns the quality of several steps. The p-th percentile is the smallest error that p percent of the steps
// do not exceed.
func measure(steps []follow.Step) Quality {
	q := Quality{Steps: len(steps)}
	if len(steps) == 0 {
		return q
	}
	tokens := make([]int64, len(steps))
	shares := make([]float64, len(steps))
	var sum, held, above int64
	for i, s := range steps {
		switch {
		case s.Actual > s.High:
			above++
		case s.Actual >= s.Low:
			held++
		}
		miss := s.Predicted - s.Actual
		sum += miss
		tokens[i] = max(miss, -miss)
		shares[i] = 100 * float64(tokens[i]) / float64(max(s.Actual, 1))
	}
	slices.Sort(tokens)
	slices.Sort(shares)
	q.MedianTokens, q.P90Tokens, q.P95Tokens, q.P99Tokens = rank(tokens, 50), rank(tokens, 90), rank(tokens, 95), rank(tokens, 99)
	q.MedianPercent, q.P90Percent, q.P95Percent, q.P99Percent = rounded(rank(shares, 50)), rounded(rank(shares, 90)), rounded(rank(shares, 95)), rounded(rank(shares, 99))
	q.BiasTokens = int64(math.Round(float64(sum) / float64(len(steps))))
	q.HeldPercent = rounded(100 * float64(held) / float64(len(steps)))
	q.AbovePercent = rounded(100 * float64(above) / float64(len(steps)))
	return q
}

func rank[T any](sorted []T, percent int) T {
	return sorted[max(0, (len(sorted)*percent+99)/100-1)]
}

// rounded rounds to three decimals, because the best groups are off by thousandths.
func rounded(percent float64) float64 { return math.Round(percent*1000) / 1000 }

// all returns the quality of each group in order, and of all steps together.
func (g *groups) all() (list []Quality, total Quality) {
	var every []follow.Step
	for key, steps := range g.steps {
		q := measure(steps)
		q.Agent, q.Model, q.Kind = key.agent, key.model, key.kind
		list = append(list, q)
		every = append(every, steps...)
	}
	slices.SortFunc(list, func(a, b Quality) int {
		return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Kind, b.Kind))
	})
	return list, measure(every)
}

func (g *groups) json(w io.Writer, further *ahead, rows *pictures, parts []Part) error {
	list, total := g.all()
	if list == nil {
		list = []Quality{}
	}
	kinds := g.kinds()
	if kinds == nil {
		kinds = []Quality{}
	}
	agents := g.agents()
	if agents == nil {
		agents = []Quality{}
	}
	text, err := json.Marshal(struct {
		Schema string    `json:"schema"`
		Groups []Quality `json:"groups"`
		Agents []Quality `json:"agents"`
		Kinds  []Quality `json:"kinds"`
		Total  Quality   `json:"total"`

		Ahead []AheadQuality `json:"ahead"`
		Rows  []RowsQuality  `json:"rows"`
		Parts []Part         `json:"parts,omitempty"` // the data needed for a merge, with --shard only
	}{"ctx.replay/1", list, agents, kinds, total, further.list(), rows.all(), parts})
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

func (g *groups) table(w io.Writer, s terminal.Style) error {
	list, total := g.all()
	cells := [][]string{{"AGENT", "MODEL", "KIND", "STEPS", "MEDIAN", "P90", "P95", "P99", "MEDIAN %", "P90 %", "P95 %", "P99 %", "BIAS", "COVERED %"}}
	row := func(agent, model, kind string, q Quality) {
		percent := func(p float64) string { return strconv.FormatFloat(p, 'f', 3, 64) }
		cells = append(cells, []string{
			agent, s.Clean(model), kind, terminal.Digits(int64(q.Steps)),
			terminal.Digits(q.MedianTokens), terminal.Digits(q.P90Tokens), terminal.Digits(q.P95Tokens), terminal.Digits(q.P99Tokens),
			percent(q.MedianPercent), percent(q.P90Percent), percent(q.P95Percent), percent(q.P99Percent), terminal.Digits(q.BiasTokens),
			strconv.FormatFloat(q.HeldPercent, 'f', 1, 64),
		})
	}
	for _, q := range list {
		row(q.Agent, q.Model, q.Kind, q)
	}
	for _, q := range g.agents() {
		row(q.Agent, "all", cmp.Or(q.Kind, "all"), q)
	}
	for _, q := range g.kinds() {
		row("all", "", q.Kind, q)
	}
	row("all", "", "", total)
	return writeCells(w, cells, 3)
}

// writeCells writes a table. The first left columns are aligned to the left, the others to the right.
func writeCells(w io.Writer, cells [][]string, left int) error {
	widths := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, cell := range line {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	for _, line := range cells {
		var b strings.Builder
		for i, cell := range line {
			pad := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if i < left {
				b.WriteString(cell + pad + "  ")
			} else {
				b.WriteString(pad + cell + "  ")
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}
