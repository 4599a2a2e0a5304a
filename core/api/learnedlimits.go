// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func limitsLessonKey(l *core.LimitsLesson) uint64 { return l.Key }

// recallLimits passes what earlier sessions of its kind have shown about its limits to a session.
func (c *Core) recallLimits(e *entry) {
	if l := lessonOf(c.limits, limitsLessonKey, e.session.LimitsLessonKey()); l == nil {
		e.session.ForgetLimits()
	} else if e.session.LearnLimits(l) {
		e.refresh()
	}
}

// readLimitsLessons replaces the lessons about limits. It leaves out implausible ones.
func (c *Core) readLimitsLessons(learned json.Value) {
	c.limits = nil
	for e := learned.Get("limits").Elements(); e.Next(); {
		if l, ok := readLimitsLesson(e.Value); ok {
			c.limits = append(c.limits, l)
		}
	}
	c.limits = c.limits[max(len(c.limits)-MaxLessons, 0):]
}

func readLimitsLesson(v json.Value) (core.LimitsLesson, bool) {
	l := core.LimitsLesson{
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
