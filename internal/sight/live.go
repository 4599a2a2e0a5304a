// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"context"

	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A Live is a session that answers while it continues: each answer reads only the records that were added. Its texts
// are in memory as long as it is.
type Live struct {
	from      *conversation.Follower
	files     func(workspace string) Files
	session   *Session
	workspace string
	rewritten int
}

// Follow returns a session that has read nothing yet. files opens the files of its workspace.
func Follow(s transcript.Session, files func(workspace string) Files) *Live {
	return &Live{from: conversation.Follow(s), files: files}
}

// Next reads what was added, and returns the session, and its conversation. After an error the Live is of no further
// use.
func (l *Live) Next(ctx context.Context, progress func(bytes int64)) (*Session, *conversation.Conversation, error) {
	c, err := l.from.Next(ctx, progress)
	switch {
	case err != nil:
		return nil, nil, err
	case l.session == nil || l.session.c != c || l.rewritten != c.Rewritten || l.workspace != c.Workspace:
		l.session, l.rewritten, l.workspace = New(c, l.files(c.Workspace)), c.Rewritten, c.Workspace
	default:
		l.session.grow()
	}
	return l.session, c, nil
}
