// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A Store is how an agent keeps its sessions if they are not text that core/agent could read by itself: a database, an
// operation log or binary messages. Nothing is kept between two calls: a session is written as a whole, and a follower
// compares what was written before with what is written now.
type Store struct {
	// List lists the sessions that a file holds: their ids, parents, workspaces, labels, versions and times.
	List func(ctx context.Context, path string) ([]transcript.Session, error)
	// Write writes one of them as records.
	Write func(ctx context.Context, path, id string, to *transcript.StoreWriter) error
	// Tables are tables that only databases of this agent have, each with a column of it.
	Tables []Table
	// Text reports whether a document is a session of this agent, if one file is one session. File is the name of the
	// file, if all have the same.
	Text func(json.Value) bool
	File string
	// Line reports whether a record is the first of a session of this agent, if its files consist of lines.
	Line func(json.Value) bool
}

// A Table is the name of a table, and of a column of it.
type Table struct{ Name, Column string }

// mostTables is how many tables a store may have: the second one of each is looked for after the first of all.
const mostTables = 2

// storeOf returns the store of an agent; nil if its sessions are text.
func storeOf(id string) *Store {
	if a := ByID(id); a != nil {
		return a.Store
	}
	return nil
}

// OfDatabase returns the agent whose store a database is, by its tables; nil if it is unknown.
func OfDatabase(ctx context.Context, path string) *Agent {
	db, err := sqlite.Open(ctx, path)
	if err != nil {
		return nil
	}
	defer db.Close()
	for i := range mostTables {
		for _, a := range all {
			if a.Store == nil || i >= len(a.Store.Tables) {
				continue
			}
			table := a.Store.Tables[i]
			if columns, err := db.Columns(ctx, table.Name); err == nil && columns[table.Column] {
				return a
			}
		}
	}
	return nil
}

// OfLine returns the agent whose store begins with a record, by its content; nil if it is unknown.
func OfLine(record json.Value) *Agent {
	for _, a := range all {
		if a.KeepsLines() && a.Store.Line(record) {
			return a
		}
	}
	return nil
}

// KeepsLines reports whether the files of the agent's store consist of lines.
func (a *Agent) KeepsLines() bool { return a.Store != nil && a.Store.Line != nil }

// storeRecords returns a session of a store as records.
func storeRecords(ctx context.Context, of, path, id string) ([]transcript.StoreRecord, error) {
	store := storeOf(of)
	if store == nil {
		return nil, nil
	}
	for tries := 0; ; tries++ {
		to := transcript.StoreWriter{By: of}
		err := store.Write(ctx, path, id, &to)
		if !errors.Is(err, errChanged) || tries == 3 {
			return to.Records, err
		}
	}
}

// StoreSessions lists the sessions of a store.
func StoreSessions(ctx context.Context, agent, path string) ([]transcript.Session, error) {
	store := storeOf(agent)
	if store == nil {
		return nil, nil
	}
	var found []transcript.Session
	err := transcript.Patiently(ctx, path, func(ctx context.Context) (err error) {
		found, err = store.List(ctx, path)
		return err
	})
	sessions := make([]transcript.Session, 0, len(found))
	for _, s := range found {
		if s.ID != "" {
			s.Agent, s.Path, s.Form, s.Key = agent, path, transcript.Store, s.ID
			sessions = append(sessions, s)
		}
	}
	if err == nil && len(found) > 0 && len(sessions) == 0 {
		err = fmt.Errorf("%s has an unsupported version, so its sessions have no names", path)
	}
	return sessions, err
}

// listStore lists the sessions of a store that is one file with many of them.
func listStore(root Root, see func(Candidate)) error {
	info, err := os.Stat(root.Path)
	if err != nil {
		return err
	}
	sessions, err := listed(root, transcript.Store, func() ([]transcript.Session, error) {
		return StoreSessions(context.Background(), root.Agent, root.Path)
	})
	if err != nil {
		return err
	}
	changed, _, _ := sqlite.Time(root.Path)
	for i := range sessions {
		s := &sessions[i]
		if s.Modified.IsZero() {
			s.Modified = changed
		}
		see(Candidate{Agent: root.Agent, Path: root.Path, Info: info, Kind: transcript.Store, ID: s.ID, Parent: s.Parent, Alone: s.Parent == "", Session: s})
	}
	return nil
}

// storeFiles lists the sessions of a store that has a file for each, below folders that a pattern names.
func storeFiles(patterns ...string) lister {
	return func(root Root, see func(Candidate)) error {
		if _, err := os.Stat(root.Path); err != nil {
			return err
		}
		for _, pattern := range patterns {
			files, _ := filepath.Glob(filepath.Join(Escaped(root.Path), pattern))
			for _, file := range files {
				seeDatabase(Candidate{Agent: root.Agent, Path: file, Kind: transcript.Store, Alone: true}, see)
			}
		}
		return nil
	}
}

// seeDatabase makes a candidate of a database, if it is there. Its log is newer than the database itself.
func seeDatabase(c Candidate, see func(Candidate)) {
	c.changed, _, _ = sqlite.Time(c.Path)
	seeFile(c, see)
}

// Escaped is a folder in a pattern that matches it alone.
func Escaped(folder string) string {
	out := make([]byte, 0, len(folder))
	for i := range len(folder) {
		switch c := folder[i]; c {
		case '*', '?', '[':
			out = append(out, '[', c, ']')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}
