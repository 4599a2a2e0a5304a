// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// SessionTables describes the tables in which an agent's database keeps sessions, so that newer ones are noticed: those
// whose name begins with Prefix and is not in Read. A table of sessions has the columns ID, Workspace and Changed; one
// of their messages, if they are in tables, has the columns Of and Changed. Workspace is empty if a database belongs to
// one project. Databases whose tables do not name a directory, such as those of editors, are not compared.
type SessionTables struct {
	Prefix                     string
	Read                       []string
	ID, Of, Workspace, Changed string
}

// anyWorkspace is the workspace of a database that belongs to one project.
const anyWorkspace = ""

// Unread is the tables of a database that are not read, and when they last changed.
type Unread struct {
	Tables  []string             // names of tables with sessions or their messages
	Changed map[string]time.Time // times by workspace
	// OneProject is set if the database belongs to the project of the sessions that are read of it.
	OneProject bool
}

var unreads = struct {
	sync.Mutex
	of map[string]unreadOf
}{of: map[string]unreadOf{}}

type unreadOf struct {
	changed time.Time
	size    int64
	Unread
}

// UnreadOf returns what a database of the agent contains in tables that are not read. The result is remembered until
// the database changes.
func (a *Agent) UnreadOf(ctx context.Context, path string) (Unread, error) {
	changed, size, err := sqlite.Time(path)
	if err != nil || a.SessionTables == nil {
		return Unread{}, err
	}
	unreads.Lock()
	known, ok := unreads.of[path]
	unreads.Unlock()
	if ok && known.size == size && known.changed.Equal(changed) {
		return known.Unread, nil
	}
	known = unreadOf{changed: changed, size: size}
	err = transcript.Patiently(ctx, path, func(ctx context.Context) (err error) {
		known.Unread, err = a.SessionTables.unread(ctx, path)
		return err
	})
	if err == nil {
		unreads.Lock()
		unreads.of[path] = known
		unreads.Unlock()
	}
	return known.Unread, err
}

// newestRows is how many of the newest rows of a table of messages are checked.
const newestRows = 200

// unread reads the times of tables that are not read.
func (t *SessionTables) unread(ctx context.Context, path string) (Unread, error) {
	found := Unread{Changed: map[string]time.Time{}, OneProject: t.Workspace == ""}
	db, err := sqlite.Open(ctx, path)
	if err != nil {
		return found, err
	}
	defer db.Close()
	names, err := t.others(ctx, db)
	if err != nil {
		return found, err
	}
	var sessions, messages []string
	for _, name := range names {
		columns, err := db.Columns(ctx, name)
		switch {
		case err != nil || !columns[t.Changed]:
		case columns[t.ID] && (columns[t.Workspace] || t.Workspace == "" && !columns[t.Of]):
			sessions = append(sessions, name)
		case t.Of != "" && columns[t.Of]:
			messages = append(messages, name)
		}
	}
	workspace, of := t.Workspace, "s."+t.Workspace
	if workspace == "" {
		workspace, of = "''", "''"
	}
	for _, name := range sessions {
		if err := found.add(ctx, db, fmt.Sprintf(`SELECT %s, max(%s) FROM %s GROUP BY 1`, workspace, t.Changed, quoted(name))); err != nil {
			return found, err
		}
		found.Tables = append(found.Tables, name)
		for _, messages := range messages {
			newest := fmt.Sprintf(`SELECT %s AS of_id, %s AS at FROM %s ORDER BY rowid DESC LIMIT %d`, t.Of, t.Changed, quoted(messages), newestRows)
			// A table without rowid has no newest rows.
			_ = found.add(ctx, db, fmt.Sprintf(`SELECT %s, max(m.at) FROM (%s) m JOIN %s s ON s.%s = m.of_id GROUP BY 1`, of, newest, quoted(name), t.ID))
		}
	}
	if len(sessions) > 0 {
		found.Tables = append(found.Tables, messages...)
	}
	return found, nil
}

// others lists the tables of sessions that are not read.
func (t *SessionTables) others(ctx context.Context, db *sqlite.DB) (names []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT name FROM sqlite_master WHERE type = 'table'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if rows.Scan(&name) == nil && strings.HasPrefix(name, t.Prefix) && !slices.Contains(t.Read, name) {
			names = append(names, name)
		}
	}
	return names, rows.Err()
}

// add reads rows of a workspace and the time of its last change.
func (u *Unread) add(ctx context.Context, db *sqlite.DB, query string) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for n := 0; rows.Next() && n < transcript.MostSessions; n++ {
		r := make(row, 2)
		if rows.Scan(&r[0], &r[1]) != nil {
			continue
		}
		workspace, _, _ := strings.Cut(r.text(0), "\n") // the first of several
		if at := r.time(1); at.After(u.Changed[workspace]) {
			u.Changed[workspace] = at
		}
	}
	return rows.Err()
}

// Since returns when unread sessions of a workspace last changed.
func (u Unread) Since(workspace string) time.Time {
	at := u.Changed[workspace]
	if project := u.Changed[anyWorkspace]; project.After(at) && u.OneProject {
		at = project
	}
	return at
}

// quoted returns the name of a table for a statement.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
