// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// remainder checks the fields that a shape's own reader has left, so that nothing is dropped silently. A number with a
// known name fills a gap. A number that contradicts another, or has an unknown name, gets a warning.
func (r *reader) remainder(u json.Value, c *counts) {
	w := remainder{r: r, c: c}
	w.before = *c
	w.object(u, "", true, 0)
	w.finish()
}

// ignoresUnknown reports whether unknown fields of a shape are ignored: its value is a whole response, with the usage
// as only a part, or all of its fields are known.
func (s shape) ignoresUnknown() bool {
	switch s {
	case ollama, llamacpp, lmstudio, acp, telemetry, statusLine, invokeModel, countAnswer:
		return true
	}
	return false
}

// A remainder is one walk through a usage.
type remainder struct {
	r           *reader
	c           *counts
	before      counts // the numbers from the shape's own reader
	lifetime    int64
	hasLifetime bool
	visited     int
	filled      bool // a number of the cache was recognized by its name
	scratch     []byte
}

const (
	maxInner   = 4
	maxVisited = 512
)

// object checks every member of an object. Only in familiar objects do names decide the meaning of numbers.
func (w *remainder) object(u json.Value, path string, familiar bool, depth int) {
	for f := u.Fields(); f.Next(); {
		if w.visited++; w.visited > maxVisited || depth > maxInner {
			w.r.warn("usage", phrase.FieldMembers.Text())
			return
		}
		name := path + string(f.Name())
		w.scratch = fold(f.Name(), w.scratch)
		switch f.Value.Kind() {
		case json.Object:
			switch {
			case f.Value.Len() == 0:
				w.other(f.Value, path, name, familiar)
			case among(w.scratch, details...):
				w.object(f.Value, name+".", familiar, depth+1)
			case aside(w.scratch):
			default:
				w.object(f.Value, name+".", false, depth+1)
			}
		case json.Array:
			w.other(f.Value, path, name, familiar)
			if !aside(w.scratch) {
				for e := f.Value.Elements(); e.Next(); {
					if e.Value.Kind() == json.Object {
						w.object(e.Value, name+".", false, depth+1)
					}
				}
			}
		case json.Null:
			w.word(path)
		case json.Number:
			if w.r.wasRead(f.Value) {
				w.compareRepeated(f.Value, name, w.word(path), familiar)
			} else {
				w.number(f.Value, name, w.word(path), familiar, depth > 0 && !isCache(path))
			}
		case json.String, json.Bool:
			w.other(f.Value, path, name, familiar)
		}
	}
}

// word returns the meaning of the folded name. In OpenCode's cache {read, write}, it depends on the object.
func (w *remainder) word(path string) word {
	if isCache(path) {
		switch string(w.scratch) {
		case "read", "write":
			w.r.cacheObject = true
		}
		switch string(w.scratch) {
		case "read":
			return word{cacheReadRole, separateSide}
		case "write":
			return word{cacheWriteRole, separateSide}
		}
	}
	return meaning(w.scratch)
}

func isCache(path string) bool { return len(path) == 6 && strings.EqualFold(path, "cache.") }

// number uses a number according to its meaning, or adds a warning about it.
func (w *remainder) number(v json.Value, name string, m word, familiar, nested bool) {
	switch {
	case m.role == noMatter:
		return
	case w.r.shape.ignoresUnknown() && (m.role == noRole || !familiar || nested):
		return
	case m.role == noRole, !familiar:
		w.r.warn(name, phrase.FieldUnclear.Text())
		return
	}
	n := w.r.whole(v, name)
	if n == core.Unknown {
		return
	}
	if m.role == lifetimeRole {
		w.lifetime, w.hasLifetime = min(w.lifetime+n, core.MaxTokens), true
		return
	}
	slot := w.slot(m.role)
	switch {
	case *slot == core.Unknown || *slot == 0: // programs may write 0 for unknown
		*slot = n
		w.sided(m, nested)
	case *slot != n && n != 0:
		w.r.warn(name, phrase.FieldOtherwise.Text())
	}
}

// compareRepeated compares a number that the shape's reader has read with the result, because the reader uses only the
// first if a number appears in several fields.
func (w *remainder) compareRepeated(v json.Value, name string, m word, familiar bool) {
	if !familiar || w.r.entry || w.r.shape.ignoresUnknown() {
		return
	}
	switch m.role {
	case cacheReadRole, cacheWriteRole, reasoningRole:
	default:
		return
	}
	n, fault := v.Int64()
	slot := w.slot(m.role)
	switch {
	case fault != json.NumberOK || n <= 0 || n > core.MaxTokens || *slot == n:
	case *slot == 0:
		*slot = n
	default:
		w.r.warn(name, phrase.FieldOtherwise.Text())
	}
}

// other warns about a member that should be a number but is not.
func (w *remainder) other(v json.Value, path, name string, familiar bool) {
	if familiar && !w.r.shape.ignoresUnknown() && w.word(path).role > noMatter && !among(w.scratch, details...) && !w.r.wasRead(v) {
		w.r.whole(v, name)
	}
}

// slot returns the field of the counts for a role.
func (w *remainder) slot(m role) *int64 {
	switch m {
	case inputRole:
		return &w.c.input
	case outputRole:
		return &w.c.output
	case totalRole:
		return &w.c.total
	case reasoningRole:
		return &w.c.reasoning
	case cacheReadRole:
		return &w.c.cacheRead
	case cacheWriteRole:
		return &w.c.cacheWrite
	default:
		return &w.c.tools
	}
}

// sided sets the placement of a number according to its name, if the shape does not define it.
func (w *remainder) sided(m word, nested bool) {
	switch m.role {
	case reasoningRole:
		if m.side == separateSide && w.c.thought == inside {
			w.c.thought = separate
		}
	case cacheReadRole, cacheWriteRole:
		w.filled = true
		if w.before.cacheRead != core.Unknown || w.before.cacheWrite != core.Unknown || w.c.cache == within || w.c.cache == without {
			return
		}
		switch {
		case m.side == separateSide && !nested:
			w.c.cache, w.r.cacheNamed = separate, true
		case m.side == includedSide, nested:
			w.r.cacheNamed = true
		}
	}
}

// finish adds up the lifetimes, and removes warnings about missing fields that were found under another name.
func (w *remainder) finish() {
	if w.hasLifetime && w.c.cacheWrite == core.Unknown {
		w.c.cacheWrite = w.lifetime
		w.sided(word{cacheWriteRole, separateSide}, false)
	}
	if w.r.cacheNamed {
		w.c.unclear = false
	}
	kept := w.r.warnings[:0]
	for _, s := range w.r.warnings {
		m := meaning(fold([]byte(s.Field), nil)).role
		if s.Reason.Is(phrase.FieldAbsent) && m > noMatter && m != lifetimeRole && *w.slot(m) != core.Unknown {
			continue
		}
		kept = append(kept, s)
	}
	w.r.warnings = kept
}

// wasRead reports whether the shape's reader has read this value.
func (r *reader) wasRead(v json.Value) bool {
	for _, at := range r.readAt {
		if at == v.Offset() {
			return true
		}
	}
	return false
}
