// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"slices"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// MaxLessons is how many lessons of earlier sessions are kept; the oldest are dropped first.
const MaxLessons = 512

func lessonKey(l *core.Lesson) uint64 { return l.Key }

// lessonOf returns the lesson with a key, or nil.
func lessonOf[T any](lessons []T, keyOf func(*T) uint64, key uint64) *T {
	for i := range lessons {
		if keyOf(&lessons[i]) == key {
			return &lessons[i]
		}
	}
	return nil
}

// withLessons returns lessons with those of the open sessions. A changed lesson moves to the end, and the first ones
// are dropped if there are too many.
func withLessons[T any](c *Core, lessons []T, learnedFrom func(*core.Session) (T, bool), keyOf func(*T) uint64, merge func(into, from *T)) []T {
	for _, e := range c.sessions {
		l, some := learnedFrom(e.session)
		if !some {
			continue
		}
		key := keyOf(&l)
		if kept := lessonOf(lessons, keyOf, key); kept != nil {
			merge(kept, &l)
			l = *kept
			lessons = slices.DeleteFunc(lessons, func(each T) bool { return keyOf(&each) == key })
		}
		lessons = append(lessons, l)
	}
	return lessons[max(len(lessons)-MaxLessons, 0):]
}

// learnedGet returns the lessons of earlier sessions and of the open ones, for the host to store.
func (c *Core) learnedGet(v json.Value) *Error {
	if err := c.fillNoParams(v); err != nil {
		return err
	}
	c.lessons = withLessons(c, c.lessons, (*core.Session).Lesson, lessonKey, (*core.Lesson).Merge)
	c.limits = withLessons(c, c.limits, (*core.Session).LimitsLesson, limitsLessonKey, (*core.LimitsLesson).Merge)
	writeLearnedAnswer(&c.out, c)
	return nil
}

// learnedSet replaces the lessons of earlier sessions. It leaves out implausible lessons, because they come from a file
// that contains only numbers.
func (c *Core) learnedSet(v json.Value) *Error {
	var p learnedParams
	if err := c.fillLearnedParams(v, &p); err != nil {
		return err
	}
	learned := p.Learned
	if learned.Kind() != json.Object && !learned.IsNull() {
		return invalid("learned", "must be what ctx/learned/get answered, not "+learned.Kind().String()+".")
	}
	var lessons []core.Lesson
	for e := learned.Get("lessons").Elements(); e.Next(); {
		if l, ok := readLesson(e.Value); ok {
			lessons = append(lessons, l)
		}
	}
	c.lessons = lessons[max(len(lessons)-MaxLessons, 0):]
	c.readLimitsLessons(learned)
	c.taught = !learned.IsNull()
	for _, e := range c.sessions {
		c.recall(e)
	}
	writeNothing(&c.out)
	return nil
}

func readLesson(v json.Value) (core.Lesson, bool) {
	l := core.Lesson{AfterBase: core.Unknown, Second: core.Unknown, Agent: v.Get("agent").String(), Model: v.Get("model").String()}
	key, keyed := hexadecimal(v.Get("key").String())
	session, named := hexadecimal(v.Get("session").String())
	mode, known := reasoningMode(v.Get("reasoning").String())
	if !keyed || !named || !known || len(l.Agent) > 200 || len(l.Model) > 200 {
		return l, false
	}
	l.Key, l.Session, l.Mode = key, session, mode
	if l.Place, known = hexadecimal(v.Get("place").String()); !known {
		return l, false
	}
	for e := v.Get("bases").Elements(); e.Next() && len(l.Bases) < 5; {
		n := int64(0)
		if tokens(e.Value, &n) != "" {
			return l, false
		}
		l.Bases = append(l.Bases, n)
	}
	for e := v.Get("rows").Elements(); e.Next() && len(l.Rows) < int(core.Summary); {
		n := int64(0)
		if tokens(e.Value, &n) != "" {
			return l, false
		}
		l.Rows = append(l.Rows, n)
	}
	for e := v.Get("paces").Elements(); e.Next() && len(l.Paces) < 5; {
		p := core.Pace{}
		for _, f := range []struct {
			name string
			to   *int64
		}{{"tokens", &p.Tokens}, {"steps", &p.Steps}, {"requests", &p.Requests}, {"turns", &p.Turns}} {
			if tokens(e.Value.Get(f.name), f.to) != "" {
				return l, false
			}
		}
		l.Paces = append(l.Paces, p)
	}
	for _, f := range []struct {
		name string
		to   *int64
	}{{"afterBase", &l.AfterBase}, {"second", &l.Second}, {"actual", &l.Actual}, {"estimated", &l.Estimated}, {"steps", &l.Steps}} {
		n := v.Get(f.name)
		if n.Kind() != json.Null && tokens(n, f.to) != "" {
			return l, false
		}
	}
	if at := v.Get("at"); at.Kind() != json.Null && !moment(at, &l.At) {
		return l, false
	}
	return l, len(l.Bases) > 0
}

// hexadecimal parses a number in the format of strconv.FormatUint with base 16.
func hexadecimal(s string) (n uint64, ok bool) {
	n, err := strconv.ParseUint(s, 16, 64)
	return n, err == nil
}
