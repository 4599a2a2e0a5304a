// Copyright The ctx-lsp authors. MIT licence.

// Package follow feeds an engine the records of sessions, and keeps it up to date while the sessions grow.
//
// It only moves bytes: core/agent interprets the records, so they are passed on raw, through ctx/session/records, to
// the engine that the caller uses.
//
//	finder := sessions.NewFinder(dirs.Host())
//	found, problems, err := finder.Find(ctx, sessions.Query{Workspace: dir})
//	feed := follow.NewFeed(found[0], call)
//	reading, err := feed.Read(ctx) // again whenever the session has changed
package follow
