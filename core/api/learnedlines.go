// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func lineLessonKey(l *core.LineLesson) uint64 { return l.Key }

// recallLines passes what earlier sessions of its kind have shown about its limits to a session.
func (c *Core) recallLines(e *entry) {
	if l := lessonOf(c.lines, lineLessonKey, e.session.LineLessonKey()); l == nil {
		e.session.ForgetLines()
	} else if e.session.LearnLines(l) {
		e.refresh()
	}
}

// readLineLessons replaces the lessons about limits. It leaves out implausible ones.
func (c *Core) readLineLessons(learned json.Value) {
	c.lines = nil
	for e := learned.Get("limits").Elements(); e.Next(); {
		if l, ok := readLineLesson(e.Value); ok {
			c.lines = append(c.lines, l)
		}
	}
	c.lines = c.lines[max(len(c.lines)-MaxLessons, 0):]
}

func readLineLesson(v json.Value) (core.LineLesson, bool) {
	l := core.LineLesson{
		Agent: v.Get("agent").String(), Model: v.Get("model").String(), Refuted: v.Get("refuted").Bool(),
		Rule: core.Unknown, Limit: core.Unknown, Base: core.Unknown, Window: core.Unknown, Input: core.Unknown,
	}
	var keyed, named bool
	l.Key, keyed = hexadecimal(v.Get("key").String())
	l.Last, named = hexadecimal(v.Get("last").String())
	if !keyed || !named || len(l.Agent) > 200 || len(l.Model) > 200 {
		return l, false
	}
	for _, f := range []struct {
		name string
		to   *int64
	}{
		{"rule", &l.Rule}, {"limit", &l.Limit}, {"compacted", &l.Compacted}, {"base", &l.Base}, {"window", &l.Window}, {"input", &l.Input}, {"reserve", &l.Reserve},
	} {
		n := v.Get(f.name)
		if n.Exists() && n.Kind() != json.Null && tokens(n, f.to) != "" {
			return l, false
		}
	}
	for e := v.Get("landings").Elements(); e.Next() && len(l.Landings) < 5; {
		n := int64(0)
		if tokens(e.Value, &n) != "" {
			return l, false
		}
		l.Landings = append(l.Landings, n)
	}
	for e := v.Get("sessions").Elements(); e.Next() && len(l.Sessions) < core.TeachersKept; {
		session, ok := hexadecimal(e.Value.String())
		if !ok {
			return l, false
		}
		l.Sessions = append(l.Sessions, session)
	}
	if at := v.Get("at"); at.Exists() && at.Kind() != json.Null && !moment(at, &l.At) {
		return l, false
	}
	return l, true
}

func writeFingerprints(w *json.Writer, list []uint64) {
	w.BeginArray()
	for _, n := range list {
		w.String(strconv.FormatUint(n, 16))
	}
	w.EndArray()
}
