// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// load finds what an agent loads when a session begins, by the agent's function. home is the agent's own folder. It
// writes nothing, and follows no link out of the workspace or the agent's own folders. It returns nil if it finds
// nothing.
func load(e dirs.Environment, s transcript.Session, home string, find func(*loader), servers []string, hidePaths bool) *Loaded {
	l := &loader{environment: e, session: s, home: home, budget: maxLoadedBytes, listing: maxListed, hidePaths: hidePaths, out: Loaded{Servers: servers}}
	defer l.close()
	if find != nil && !s.Started.IsZero() {
		if l.workspace = l.root(s.Workspace); l.workspace != nil {
			find(l)
			l.conclude()
		} else if dirs.Local(s.Workspace) {
			l.out.Unknown = append(l.out.Unknown, phrase.FolderGone.Text())
		}
	}
	if l.out.Memory == nil && l.out.Skills == nil && l.out.Agents == nil && len(l.out.Servers) == 0 && len(l.out.Unknown) == 0 {
		return nil
	}
	return &l.out
}
