// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"cmp"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// Returns collects the forecasts for pauses, and the verdicts of compactions.
type Returns struct {
	by       map[returnKey]*ReturnQuality
	seen     map[seenReturn]bool
	verdicts []Judged
	wrong    []MissedReturn
}

// seenReturn identifies a request, because a session that continues another one in its own file repeats its records.
type seenReturn struct{ sent, read, wrote int64 }

type returnKey struct{ life, pause, cause string }

// ReturnQuality is the accuracy of the forecasts for a group of pauses.
type ReturnQuality struct {
	Life  string `json:"life,omitempty"`  // the cache's lifetime
	Pause string `json:"pause,omitempty"` // the length of the pause
	Cause string `json:"cause,omitempty"` // why the forecast was cold before its time
	// Pauses is the number of pauses, Cold the number of those with a cold request, Right the number of correct
	// forecasts and Perhaps the number of undecided ones.
	Pauses  int `json:"pauses"`
	Cold    int `json:"cold"`
	Right   int `json:"right"`
	Perhaps int `json:"perhaps"`
	// HitPercent treats an undecided forecast as half right.
	HitPercent float64 `json:"hitPercent"`
	// MedianPercent is the median error of the rewritten tokens of cold requests.
	MedianPercent float64 `json:"medianPercent"`

	errors []float64
}

// Judged is the verdict of a compaction in a session file.
type Judged struct {
	File string `json:"file"`
	api.Verdict
}

// MissedReturn is a pause with a wrong forecast.
type MissedReturn struct {
	File    string `json:"file"`
	Call    int64  `json:"call"`
	Minutes int64  `json:"minutes"`
	Life    int64  `json:"life"`
	Cause   string `json:"cause"`
	Cold    bool   `json:"cold"`
	Read    int64  `json:"read"`
	Wrote   int64  `json:"wrote"`
}

// NewReturns returns an empty collection.
func NewReturns() *Returns {
	return &Returns{by: map[returnKey]*ReturnQuality{}, seen: map[seenReturn]bool{}}
}

// Add adds the compactions of a file, and its requests after pauses.
func (r *Returns) Add(file string, steps []follow.Step, verdicts []api.Verdict) {
	for _, v := range verdicts {
		r.verdicts = append(r.verdicts, Judged{file, v})
	}
	for i := range steps {
		if back := steps[i].Return; back != nil {
			r.pause(file, &steps[i], back)
		}
	}
}

// pause compares one forecast with the request after it.
func (r *Returns) pause(file string, step *follow.Step, of *api.Return) {
	sent := of.Back.ColdFrom
	if of.Sent != nil {
		sent = int64(*of.Sent)
	}
	request := seenReturn{sent, of.Read, of.Wrote}
	if r.seen[request] {
		return
	}
	r.seen[request] = true
	cold := sent >= of.Back.ColdFrom
	perhaps := !cold && sent > of.Back.WarmUntil
	right := !perhaps && cold == of.Cold
	cause := string(of.Back.Cause)
	for _, key := range []returnKey{
		{lifetime(of.Back.Life), pauseOf(of.Pause), cause}, {"all", "", cause}, {"all", "", ""},
	} {
		q := r.by[key]
		if q == nil {
			q = &ReturnQuality{Life: key.life, Pause: key.pause, Cause: key.cause}
			r.by[key] = q
		}
		q.Pauses++
		switch {
		case perhaps:
			q.Perhaps++
		case right:
			q.Right++
		}
		if of.Cold {
			q.Cold++
		}
		if of.Cold && !of.Compacted && of.Wrote > 0 {
			off := of.Back.Rewritten - of.Wrote
			q.errors = append(q.errors, 100*float64(max(off, -off))/float64(of.Wrote))
		}
	}
	if !perhaps && !right {
		r.wrong = append(r.wrong, MissedReturn{file, step.Call, of.Pause / 60_000, of.Back.Life, cause, of.Cold, of.Read, of.Wrote})
	}
}

// lifetime formats the lifetime of a cache.
func lifetime(ms int64) string {
	if ms >= 3_600_000 {
		return strconv.FormatInt(ms/3_600_000, 10) + " h"
	}
	return strconv.FormatInt(ms/60_000, 10) + " min"
}

// pauses are the groups of pauses in a report.
var pauses = [...]string{"5 to 6 min", "6 to 60 min", "over 1 h", ""}

func pauseOf(ms int64) string {
	switch {
	case ms <= 6*60_000:
		return pauses[0]
	case ms <= 60*60_000:
		return pauses[1]
	}
	return pauses[2]
}

// list returns the groups in order, with the sums over all of them last.
func (r *Returns) list() []ReturnQuality {
	out := make([]ReturnQuality, 0, len(r.by))
	for _, q := range r.by {
		q.HitPercent = rounded(100 * (float64(q.Right) + float64(q.Perhaps)/2) / float64(q.Pauses))
		if len(q.errors) > 0 {
			slices.Sort(q.errors)
			q.MedianPercent = rounded(rank(q.errors, 50))
		}
		out = append(out, *q)
	}
	slices.SortFunc(out, func(a, b ReturnQuality) int {
		all := func(q ReturnQuality) int {
			switch {
			case q.Life != "all":
				return 0
			case q.Cause != "":
				return 1
			}
			return 2
		}
		return cmp.Or(all(a)-all(b), cmp.Compare(a.Life, b.Life), slices.Index(pauses[:], a.Pause)-slices.Index(pauses[:], b.Pause), cmp.Compare(a.Cause, b.Cause))
	})
	return out
}

// JSON writes the groups, the wrong forecasts and the verdicts.
func (r *Returns) JSON(w io.Writer) error {
	text, err := json.Marshal(struct {
		Schema   string          `json:"schema"`
		Returns  []ReturnQuality `json:"returns"`
		Wrong    []MissedReturn  `json:"wrong"`
		Verdicts []Judged        `json:"verdicts"`
	}{"ctx.returns/1", r.list(), append([]MissedReturn{}, r.wrong...), append([]Judged{}, r.verdicts...)})
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// Table writes the groups, the wrong forecasts and the verdicts as tables.
func (r *Returns) Table(w io.Writer, style terminal.Style) error {
	percent := func(p float64) string { return strconv.FormatFloat(p, 'f', 1, 64) }
	digits := func(n int) string { return terminal.Digits(int64(n)) }
	cells := [][]string{{"CACHE", "PAUSE", "COLD BY", "PAUSES", "COLD", "RIGHT", "PERHAPS", "HIT %", "REWRITTEN: MEDIAN ERROR %"}}
	for _, q := range r.list() {
		cells = append(cells, []string{q.Life, q.Pause, q.Cause, digits(q.Pauses), digits(q.Cold), digits(q.Right), digits(q.Perhaps), percent(q.HitPercent), percent(q.MedianPercent)})
	}
	if err := writeCells(w, cells, 3); err != nil {
		return err
	}
	if len(r.wrong) > 0 {
		cells = [][]string{{"WRONG FORECAST IN", "COLD BY", "REQUEST", "MINUTES", "READ", "WRITTEN"}}
		for _, m := range r.wrong {
			cells = append(cells, []string{style.Clean(filepath.Base(m.File)), m.Cause, terminal.Digits(m.Call), terminal.Digits(m.Minutes), terminal.Digits(m.Read), terminal.Digits(m.Wrote)})
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if err := writeCells(w, cells, 2); err != nil {
			return err
		}
	}
	if len(r.verdicts) == 0 {
		return nil
	}
	known := func(n *int64) string {
		if n == nil {
			return "?"
		}
		return terminal.Digits(*n)
	}
	cells = [][]string{{"COMPACTION IN", "TRIGGER", "SOURCE", "AS PREDICTED", "LOOP", "THRESHOLD", "AT", "LEFT", "FREED"}}
	for _, v := range r.verdicts {
		loop, source := "", ""
		if v.Source != nil {
			source = string(*v.Source)
		}
		if v.Loop {
			loop = "yes"
		}
		cells = append(cells, []string{
			style.Clean(filepath.Base(v.File)), string(v.Trigger), source, string(v.AsPredicted), loop,
			known(v.Threshold), terminal.Digits(v.Before), known(v.Left), known(v.Freed),
		})
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return writeCells(w, cells, 5)
}
