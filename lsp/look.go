// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A look is how one client wants its Readings, as ctx/watch said. Whatever Reading the client gets has it, whichever
// message brings it.
type look struct {
	lines *api.Lines // finished short texts; nil where none are wanted
}

// readLook reads what ctx/watch says of the look of Readings.
func readLook(params wire.Fields) (look, *wire.Fault) {
	var l look
	lines, words := params.Get("lines"), params.Get("words")
	if string(lines) == "null" {
		lines = nil
	}
	if lines == nil {
		return l, nil
	}
	var refused *api.Error
	wire.ReadValue(lines, func(lines json.Value) {
		if words == nil {
			l.lines, refused = api.ReadLines(lines, json.Value{})
			return
		}
		wire.ReadValue(words, func(words json.Value) { l.lines, refused = api.ReadLines(lines, words) })
	})
	if refused != nil {
		return l, refusedBy(refused)
	}
	return l, nil
}

// refusedBy is a refusal of the core's for a client.
func refusedBy(e *api.Error) *wire.Fault {
	w := &json.Writer{}
	w.BeginObject()
	w.Key("kind")
	w.String(e.Kind)
	if e.Field != "" {
		w.Key("field")
		w.String(e.Field)
	}
	if len(e.Known) > 0 {
		w.Key("known")
		w.BeginArray()
		for _, name := range e.Known {
			w.String(name)
		}
		w.EndArray()
	}
	w.EndObject()
	return &wire.Fault{Code: api.Code(e.Kind), Message: e.Message, Data: w.Buf}
}

// look is how the client wants its Readings.
func (c *connection) look() look {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watching == nil {
		return look{}
	}
	return c.watching.look
}

// plain is the look of a Reading as the engine writes it.
func (l look) plain() bool { return l.lines == nil }

// of is a Reading with this look.
func (l look) of(reading []byte) []byte {
	if l.lines != nil && len(reading) > 0 {
		reading = l.lines.Append(reading)
	}
	return reading
}
