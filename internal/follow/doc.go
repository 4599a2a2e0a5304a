// Copyright The ctx-lsp authors. MIT licence.

// Package follow feeds an engine the records of sessions, and keeps it up to date while the sessions grow.
//
// It moves bytes and nothing else: what a record means is core/agent's business, so records are handed on raw, through
// ctx/session/records, to whichever engine the caller uses.
//
//	finder := sessions.NewFinder(dirs.Host())
//	found, problems, err := finder.Find(ctx, sessions.Query{Workspace: dir})
//	feed := follow.NewFeed(found[0], call)
//	reading, err := feed.Read(ctx) // again whenever the session has changed
package follow
