// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/neutral"
	"github.com/ctx-lsp/ctx-lsp/internal/stores"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// OpenTail starts at the beginning of a session.
func OpenTail(s transcript.Session) Tail {
	tail := openRaw(s)
	if store := agents.UsageStore(s); store != "" {
		return &usageTail{Tail: tail, session: s, store: store}
	}
	return tail
}

// openRaw starts at the beginning of a session's own records, without those that are kept elsewhere.
func openRaw(s transcript.Session) Tail {
	switch s.Form {
	case transcript.Folder:
		return openTree(s)
	case transcript.Database:
		return openDatabase(s)
	case transcript.Task:
		return &taskTail{session: s}
	case transcript.Store:
		return openStore(s, func(ctx context.Context) ([]neutral.Record, error) {
			return stores.Tell(ctx, s.Agent, s.Path, s.Key)
		})
	case transcript.WithSidecars:
		return openWithSidecars(s.Path, agents.Sidecars(s))
	}
	return openPlain(s)
}
