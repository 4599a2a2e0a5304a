// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func (c *Core) reading(v json.Value) *Error {
	var p readingParams
	if err := c.fillReadingParams(v, &p); err != nil {
		return err
	}
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	var rows []core.HostRow
	if err := c.readHostRows(p.Rows, &rows); err != nil {
		return err
	}
	shown := c.read(&c.shown, e, p.Mode)
	shown.inWords, shown.hostRows = shown.inWords || p.Panel, rows
	writeReading(&c.out, shown)
	return nil
}

func (c *Core) close(v json.Value) *Error {
	if err := c.fillSessionParams(v); err != nil {
		return err
	}
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	c.remove(e)
	writeNothing(&c.out)
	return nil
}

// list returns the sessions of a scope in short, children after their parents.
func (c *Core) list(v json.Value) *Error {
	var p sessionsParams
	if err := c.fillSessionsParams(v, &p); err != nil {
		return err
	}
	writeSessionsAnswer(&c.out, &listing{c, p.Scope, p.Mode})
	return nil
}

// A listing contains the sessions that are visible in a scope.
type listing struct {
	core  *Core
	scope string
	mode  Mode // the mode of the Readings; "" for each session's own
}

func (l *listing) write(w *json.Writer) {
	w.BeginArray()
	for _, e := range l.core.sessions {
		if e.scope == l.scope || e.scope == "" && l.core.find(l.scope, e.session.ID) == nil {
			writeListedSession(w, l.core.brief(e, 0, l.mode))
		}
	}
	w.EndArray()
}

// A history contains the prompts of a session, limited to the requested number of points.
type history struct {
	Points           []point
	Compactions      []core.Landing
	Verdicts         []core.Verdict
	Moves            []core.ThresholdMove
	Breaks           []core.CacheBreak
	Threshold, Limit int64
}

type point struct {
	core.Point
	Percent int64
}

// byAgent reports whether a compaction was started by the agent instead of the user.
type byAgent bool

func (b byAgent) String() string {
	if b {
		return "auto"
	}
	return "manual"
}

func (c *Core) history(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	var p historyParams
	p.unset()
	if err := c.fillHistoryParams(v, &p); err != nil {
		return err
	}
	most := max(p.Points, 2)
	points, landings := e.session.Curve()
	r := e.session.Reading()
	answer := history{Compactions: landings, Verdicts: e.session.Verdicts(), Moves: e.session.Moves(), Threshold: r.Compaction.Threshold, Limit: r.Limit}
	_, _, answer.Breaks = e.session.CacheBreaks()
	// Every stride-th point is kept, counted back from the newest, which is always included.
	stride := (int64(len(points)) + most - 1) / most
	for i, at := range points {
		if stride > 1 && int64(len(points)-1-i)%stride != 0 {
			continue
		}
		share := core.Unknown
		if r.Limit > 0 {
			share = core.Share(at.Used, r.Limit)
		}
		answer.Points = append(answer.Points, point{at, share})
	}
	writeHistoryAnswer(&c.out, &answer)
	return nil
}

// largest contains the largest items of a session, and the number of all its items.
type largest struct {
	Items []core.Largest
	Total int
}

func (c *Core) items(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	var p itemsParams
	p.unset()
	if err := c.fillItemsParams(v, &p); err != nil {
		return err
	}
	writeItemsAnswer(&c.out, &largest{e.session.Largest(int(min(p.Top, 1000))), e.session.Len()})
	return nil
}
