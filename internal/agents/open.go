// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"

	"github.com/ctx-lsp/ctx-lsp/internal/agents/opencode"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// OpenTail starts at the beginning of a session.
func OpenTail(s transcript.Session) transcript.Tail {
	tail := OpenOwn(s)
	if store := UsageStore(s); store != "" {
		return &usageTail{Tail: tail, session: s, store: store}
	}
	return tail
}

// OpenOwn starts at the beginning of a session's own records, without those that are kept elsewhere.
func OpenOwn(s transcript.Session) transcript.Tail {
	switch s.Form {
	case transcript.Folder:
		return opencode.OpenTree(s)
	case transcript.Database:
		return opencode.OpenDatabase(s)
	case transcript.Task:
		return &taskTail{session: s}
	case transcript.Store:
		return transcript.OpenStore(s, func(ctx context.Context) ([]transcript.StoreRecord, error) {
			return storeRecords(ctx, s.Agent, s.Path, s.Key)
		})
	case transcript.WithSidecars:
		return transcript.OpenWithSidecars(s.Path, Sidecars(s))
	}
	return transcript.Open(s)
}
