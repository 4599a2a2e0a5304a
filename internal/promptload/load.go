// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Find returns what an agent loads when a session starts, using the agent's function find. home is the agent's own
// directory. Find writes nothing, and follows no link out of the workspace or the agent's own directories. It returns
// nil if it finds nothing.
func Find(e dirs.Environment, s transcript.Session, home string, find func(*Loader), servers []string, hidePaths bool) *Loaded {
	l := &Loader{Environment: e, Session: s, Home: home, Budget: maxLoadedBytes, Listing: MaxListed, hidePaths: hidePaths, Out: Loaded{Servers: servers}}
	defer l.Close()
	if find != nil && !s.Started.IsZero() {
		if l.Workspace = l.Root(s.Workspace); l.Workspace != nil {
			find(l)
			l.conclude()
		} else if dirs.Local(s.Workspace) {
			l.Out.Unknown = append(l.Out.Unknown, phrase.FolderGone.Text())
		}
	}
	if l.Out.Memory == nil && l.Out.Skills == nil && l.Out.Agents == nil && len(l.Out.Servers) == 0 && len(l.Out.Unknown) == 0 {
		return nil
	}
	return &l.Out
}
