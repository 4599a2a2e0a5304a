// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// LevelQuality is how often the level now was right, in the sessions of an agent.
type LevelQuality struct {
	Agent    string `json:"agent"`    // "all" for the sum
	Requests int    `json:"requests"` // measured requests
	// Shown is how often the level became now. False is the part after which a request followed that stayed below the
	// threshold, without a compaction before it.
	Shown        int     `json:"shown"`
	False        int     `json:"false"`
	FalsePercent float64 `json:"falsePercent"` // of the requests
	// Automatic is the number of compactions that the agent began on its own, AtNow the part before which the level was
	// now or over. Elsewhere is the part that began far below the threshold without the level, so that the threshold was
	// wrong rather than the level; ReachedPercent is AtNow of the others.
	Automatic      int     `json:"automatic"`
	AtNow          int     `json:"atNow"`
	AtNowPercent   float64 `json:"atNowPercent"` // of all automatic ones
	Elsewhere      int     `json:"elsewhere"`
	ReachedPercent float64 `json:"reachedPercent"`
}

func (q *LevelQuality) add(o *LevelQuality) {
	q.Requests, q.Shown, q.False = q.Requests+o.Requests, q.Shown+o.Shown, q.False+o.False
	q.Automatic, q.AtNow, q.Elsewhere = q.Automatic+o.Automatic, q.AtNow+o.AtNow, q.Elsewhere+o.Elsewhere
}

// elsewhere is the part of the threshold by which a compaction has to be below it to be counted as elsewhere.
const elsewhere = 20

// LevelsOf follows the level now through a session.
func LevelsOf(ctx context.Context, feed *follow.Feed) (LevelQuality, error) {
	var w levelWalk
	err := follow.EachRecord(ctx, feed, w.visit)
	return w.LevelQuality, err
}

// levelWalk is the state of following one session.
type levelWalk struct {
	LevelQuality
	doc                ownjson.Document
	now                bool // the last Reading's level
	calls, compactions int64
	shownAt            int64 // the threshold when now was first shown; 0 without a request to come
}

func (w *levelWalk) visit(reading []byte) error {
	r, err := w.doc.Parse(reading)
	if err != nil {
		return err
	}
	number := func(v ownjson.Value) int64 {
		n, _ := v.Int64()
		return n
	}
	if compactions := number(r.Path("compaction", "count")); compactions > w.compactions {
		w.compactions, w.shownAt = compactions, 0
		verdict := r.Path("compaction", "last")
		if before, threshold := number(verdict.Get("before")), number(verdict.Get("threshold")); verdict.Get("trigger").Is("auto") && threshold > 0 {
			switch w.Automatic++; {
			case w.now:
				w.AtNow++
			case before < threshold-threshold/elsewhere:
				w.Elsewhere++
			}
		}
	}
	if calls := number(r.Path("spent", "calls")); calls > w.calls {
		w.Requests += int(calls - w.calls)
		w.calls = calls
		if in := number(r.Path("lastRequest", "in")); w.shownAt > 0 && in > 0 && in < w.shownAt {
			w.False++
		}
		w.shownAt = 0
	}
	level := api.Level(r.Path("compaction", "level").String())
	now := level == "now" || level == "over"
	if threshold := number(r.Path("compaction", "threshold")); now && !w.now && threshold > 0 {
		w.Shown++
		w.shownAt = threshold
	}
	w.now = now
	return nil
}

// Levels collects the quality of the level now.
type Levels struct{ by map[string]*LevelQuality }

// NewLevels returns an empty collection.
func NewLevels() *Levels { return &Levels{map[string]*LevelQuality{}} }

// Add adds a session.
func (l *Levels) Add(agent string, q LevelQuality) {
	for _, name := range []string{agent, "all"} {
		if l.by[name] == nil {
			l.by[name] = &LevelQuality{Agent: name}
		}
		l.by[name].add(&q)
	}
}

func (l *Levels) list() []LevelQuality {
	share := func(part, of int) float64 {
		if of == 0 {
			return 0
		}
		return rounded(100 * float64(part) / float64(of))
	}
	out := make([]LevelQuality, 0, len(l.by))
	for _, q := range l.by {
		q.FalsePercent, q.AtNowPercent, q.ReachedPercent = share(q.False, q.Requests), share(q.AtNow, q.Automatic), share(q.AtNow, q.Automatic-q.Elsewhere)
		out = append(out, *q)
	}
	slices.SortFunc(out, func(a, b LevelQuality) int {
		if (a.Agent == "all") != (b.Agent == "all") {
			if a.Agent == "all" {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.Agent, b.Agent)
	})
	return out
}

// JSON writes the qualities.
func (l *Levels) JSON(w io.Writer) error {
	text, err := json.Marshal(struct {
		Schema string         `json:"schema"`
		Levels []LevelQuality `json:"levels"`
	}{"ctx.levels/1", l.list()})
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// Table writes them as a table.
func (l *Levels) Table(w io.Writer) error {
	digits := func(n int) string { return terminal.Digits(int64(n)) }
	percent := func(p float64) string { return strconv.FormatFloat(p, 'f', 2, 64) }
	cells := [][]string{{"AGENT", "REQUESTS", "NOW", "FALSE", "FALSE %", "AUTOMATIC", "AT NOW", "AT NOW %", "ELSEWHERE", "WITHOUT THOSE %"}}
	for _, q := range l.list() {
		cells = append(cells, []string{q.Agent, digits(q.Requests), digits(q.Shown), digits(q.False), percent(q.FalsePercent), digits(q.Automatic), digits(q.AtNow), percent(q.AtNowPercent), digits(q.Elsewhere), percent(q.ReachedPercent)})
	}
	return writeCells(w, cells, 1)
}
