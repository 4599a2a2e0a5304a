// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"cmp"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// glimpseMost is the size of the largest session that is read whole for a preview.
const glimpseMost = 1 << 20

// RecentTail returns a tail of a session that begins before its last compaction. A session that cannot be read from its
// end is read from the beginning.
func RecentTail(s transcript.Session) (transcript.Tail, error) {
	marks := agents.Of(s).Marks
	if marks == nil || s.Form != transcript.Lines || agents.UsageStore(s) != "" {
		return agents.OpenTail(s), nil
	}
	return transcript.RecentTail(s.Path, marks)
}

// NewPreview prepares to read only the end of a session that shows how full its window is, and returns its length in
// bytes. The feed is nil if the session cannot be read from its end and is too large to read whole.
func NewPreview(s transcript.Session, call client.Call) (feed *Feed, length int64) {
	marks := agents.Of(s).Marks
	if marks == nil || s.Form != transcript.Lines {
		if s.Size > glimpseMost {
			return nil, 0
		}
		return NewFeed(s, call), cmp.Or(s.Size, glimpseMost) // the size of a session in a database is unknown
	}
	tail, length := transcript.Preview(s.Path, marks)
	if tail == nil {
		return nil, 0
	}
	return &Feed{Session: s, ID: s.ID, call: call, tail: tail}, length
}
