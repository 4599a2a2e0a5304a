// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func (c *Core) reading(v json.Value) *Error {
	if err := only(v, []string{"id"}); err != nil {
		return err
	}
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	c.writeReading(e)
	return nil
}

func (c *Core) close(v json.Value) *Error {
	if err := only(v, []string{"id"}); err != nil {
		return err
	}
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	c.remove(e)
	c.out.BeginObject()
	c.out.EndObject()
	return nil
}

// list answers with every session in short, children after their parents.
func (c *Core) list(v json.Value) *Error {
	if err := only(v, nil); err != nil {
		return err
	}
	w := &c.out
	w.BeginObject()
	w.Field("sessions")
	w.BeginArray()
	for _, e := range c.sessions {
		c.writeBrief(e, true)
	}
	w.EndArray()
	w.EndObject()
	return nil
}

// readBeside reads the one number that a call has beside its session's id.
func readBeside(v json.Value, name string, to *int64) *Error {
	for f := v.Fields(); f.Next(); {
		var err *Error
		switch string(f.Name()) {
		case "id":
		case name:
			err = readOptional(&f, to)
		default:
			err = unknownField(&f, []string{"id", name})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Core) history(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	most := int64(200)
	if err := readBeside(v, "points", &most); err != nil {
		return err
	}
	most = max(most, 2)
	points, landings := e.session.Curve()
	r := e.session.Reading()
	w := &c.out
	w.BeginObject()
	w.Field("points")
	w.BeginArray()
	// Evenly thinned, the newest point always among them.
	stride := (int64(len(points)) + most - 1) / most
	for i, p := range points {
		if stride > 1 && int64(len(points)-1-i)%stride != 0 {
			continue
		}
		w.BeginObject()
		number(w, "at", p.At)
		number(w, "call", p.Call)
		number(w, "used", p.Used)
		if r.Limit > 0 {
			percent(w, "percent", core.Share(p.Used, r.Limit))
		} else {
			percent(w, "percent", core.Unknown)
		}
		w.EndObject()
	}
	w.EndArray()
	w.Field("compactions")
	w.BeginArray()
	for _, l := range landings {
		w.BeginObject()
		number(w, "at", l.At)
		number(w, "call", l.Call)
		number(w, "before", l.Before)
		number(w, "after", l.After)
		w.Field("trigger")
		if l.Auto {
			w.String("auto")
		} else {
			w.String("manual")
		}
		w.EndObject()
	}
	w.EndArray()
	number(w, "line", r.Compaction.Line)
	number(w, "limit", r.Limit)
	w.EndObject()
	return nil
}

func (c *Core) items(v json.Value) *Error {
	e, err := c.sessionOf(v)
	if err != nil {
		return err
	}
	top := int64(20)
	if err := readBeside(v, "top", &top); err != nil {
		return err
	}
	list := e.session.Largest(int(min(top, 1000)))
	w := &c.out
	w.BeginObject()
	w.Field("items")
	w.BeginArray()
	for _, it := range list {
		w.BeginObject()
		w.Field("index")
		w.Int(int64(it.Index))
		w.Field("kind")
		w.String(it.Kind.String())
		w.Field("label")
		w.String(it.Label)
		w.Field("tokens")
		w.Int(it.Tokens)
		w.Field("basis")
		w.String(it.Basis.String())
		percent(w, "share", it.Share)
		w.EndObject()
	}
	w.EndArray()
	w.Field("total")
	w.Int(int64(e.session.Len()))
	w.EndObject()
	return nil
}
