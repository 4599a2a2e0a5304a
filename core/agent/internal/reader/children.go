// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// MaxChildren is how many sub-agents are read inside one transcript.
const maxChildren = 200

// Children are readers for the sub-agents recorded inside a transcript.
type Children struct {
	Readers map[uint64]Reader
	IDs     map[uint64]string
}

// Record passes a record to a sub-agent's reader, and makes one for a new sub-agent.
func (c *Children) Record(fresh func() Reader, id, record json.Value, emit func(core.Event)) {
	key := Hash(id)
	if c.Readers[key] == nil && !c.Open(key, id, fresh()) {
		return
	}
	c.Pass(key, record, emit)
}

// Open adds a reader for another conversation. It returns false if there are too many.
func (c *Children) Open(key uint64, id json.Value, reader Reader) bool {
	if len(c.Readers) >= maxChildren {
		return false
	}
	if c.Readers == nil {
		c.Readers, c.IDs = make(map[uint64]Reader), make(map[uint64]string)
	}
	c.Readers[key] = reader
	c.IDs[key] = Short(id)
	if c.IDs[key] == "" {
		c.IDs[key] = "sidechain"
	}
	return true
}

// labeled is a reader of a conversation with its own label.
type labeled interface{ ChildLabel() string }

// Pass passes a record to the reader of a conversation.
func (c *Children) Pass(key uint64, record json.Value, emit func(core.Event)) {
	child, label := c.IDs[key], "sub-agent"
	if named, ok := c.Readers[key].(labeled); ok {
		label = named.ChildLabel()
	}
	c.Readers[key].Record(record, func(e core.Event) {
		emit(core.ForChild{Child: child, Label: label, Event: e})
	})
}

// Walk saves or restores the readers of all sub-agents.
func (c *Children) Walk(to *codec.Codec, fresh func() Reader) {
	n := to.Length("readers", len(c.Readers), maxChildren)
	to.Refuse(n > 0 && to.Depth > 0) // sub-agents cannot have sub-agents
	if to.Damaged() || to.Depth > 0 {
		return
	}
	to.Depth++
	var order []uint64
	if to.Saving() {
		order = codec.Keys(c.Readers)
	}
	for i := 0; i < n && !to.Damaged(); i++ {
		key, id, reader := uint64(0), "", Reader(nil)
		if to.Saving() {
			key = order[i]
			id, reader = c.IDs[key], c.Readers[key]
		} else {
			reader = fresh()
		}
		to.Hash("key", &key)
		to.Names("id", &id)
		k, ok := reader.(Keeper)
		if to.Refuse(!ok); !ok {
			break
		}
		k.Walk(to)
		if to.Restoring() {
			if c.Readers == nil {
				c.Readers, c.IDs = make(map[uint64]Reader), make(map[uint64]string)
			}
			c.Readers[key], c.IDs[key] = reader, id
		}
	}
	to.Depth--
}
