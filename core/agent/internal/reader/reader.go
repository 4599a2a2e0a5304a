// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Reader translates the records of one transcript, in their order.
type Reader interface {
	// Record emits the events of one record. Data that the events point to is valid only until emit returns.
	Record(record json.Value, emit func(core.Event))
}

// A Keeper is a reader whose memory can be saved.
type Keeper interface {
	Reader
	Walk(c *codec.Codec)
}
