// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// MaxLessons is how many lessons of earlier sessions are kept; the oldest are
// forgotten first.
const MaxLessons = 512

func (c *Core) lesson(key uint64) (int, bool) {
	for i := range c.lessons {
		if c.lessons[i].Key == key {
			return i, true
		}
	}
	return 0, false
}

// learnedGet answers with the lessons of earlier sessions and of the open ones,
// for the host to keep.
func (c *Core) learnedGet(v json.Value) *Error {
	if err := c.fillNoParams(v); err != nil {
		return err
	}
	for _, e := range c.sessions {
		l, ok := e.session.Lesson()
		if !ok {
			continue
		}
		if i, known := c.lesson(l.Key); known {
			merged := c.lessons[i]
			merged.Merge(&l)
			c.lessons = append(append(c.lessons[:i], c.lessons[i+1:]...), merged)
			continue
		}
		c.lessons = append(c.lessons, l)
	}
	if extra := len(c.lessons) - MaxLessons; extra > 0 {
		c.lessons = append(c.lessons[:0], c.lessons[extra:]...)
	}
	c.addLineLessons()
	writeLearnedAnswer(&c.out, c)
	return nil
}

// learnedSet replaces the lessons of earlier sessions. It leaves out lessons
// that cannot be right, because the file they come from is only numbers.
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
	if extra := len(lessons) - MaxLessons; extra > 0 {
		lessons = lessons[extra:]
	}
	c.lessons = lessons
	c.readLineLessons(learned)
	for _, e := range c.sessions {
		c.recall(e)
	}
	writeNothing(&c.out)
	return nil
}

// maxToolSizes is how many sizes of tools are read of a lesson.
const maxToolSizes = 64

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
	for e := v.Get("tools").Elements(); e.Next() && len(l.Tools) < maxToolSizes; {
		name, named := hexadecimal(e.Value.Get("name").String())
		size := core.ToolSize{Name: name}
		if tokens(e.Value.Get("tokens"), &size.Tokens) != "" || !named {
			return l, false
		}
		l.Tools = append(l.Tools, size)
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

// hexadecimal reads what strconv.FormatUint writes. ParseUint would add 17 KB
// to the module, for errors that quote their input.
func hexadecimal(s string) (n uint64, ok bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		default:
			return 0, false
		}
		n = n<<4 | uint64(c)
	}
	return n, len(s) > 0 && len(s) <= 16
}
