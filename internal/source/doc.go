// Copyright The ctx-lsp authors. MIT licence.

// Package source finds the sessions that coding agents keep on this machine
// and follows them while they grow.
//
// It moves bytes and nothing else: it knows where each agent keeps its
// sessions, which workspace a session belongs to, and where one record ends
// and the next begins. What a record means is core/agent's business, so
// everything read here is handed on raw, through ctx/session/records, to
// whichever engine the caller uses.
//
//	finder := source.NewFinder(dirs.Host())
//	sessions, problems, err := finder.Find(ctx, source.Query{Workspace: dir})
//	feed := source.NewFeed(sessions[0], call)
//	reading, err := feed.Read(ctx) // again whenever the session has changed
//
// # Records
//
//   - A JSONL transcript gives its lines, in file order. A line that is not
//     JSON, or longer than [MaxRecord], becomes {"skipped":bytes}; one that is
//     too long only because of pictures in it loses their ends. Two objects
//     glued onto one line by two writers are two records. The last line counts
//     as soon as its object is closed, newline or not.
//   - A JSON document gives its top-level object with the array "messages"
//     emptied, then each of those messages. When it is rewritten, only what
//     changed is given again; the same id given again replaces.
//   - A row of a database is one object: its table's name under "table", then
//     its columns; a column "data" that holds JSON is embedded as JSON. A
//     message's row comes before the rows of its parts, and a row that
//     changes is given again.
//
// # Never
//
// No file of an agent is written, locked or created: transcripts are opened
// for reading, databases with mode=ro in a way that creates no -wal and no
// -shm file (see internal/sqlite).
package source
