// Copyright The ctx-lsp authors. MIT licence.

// Package sqlite reads the SQLite databases in which agents keep sessions, without disturbing the agent and without
// writing anything next to its files.
//
// A database in WAL mode is more than one file, and SQLite creates missing -wal and -shm files even for a reader. So:
//
//   - If both exist, SQLite opens them with mode=ro and readonly_shm, which takes only read locks, blocks no other
//     process and creates nothing.
//   - Without a -wal, all data is in the database file, and no process is writing. It is opened with immutable, which
//     takes no lock at all. If a -wal appears in the meantime, the next read sees it.
//   - With a -wal but no usable -shm, after a crash, in a copy or in a read-only directory, this package reads the log
//     itself and shows SQLite the database with the committed pages of the log; see overlay.go. Nothing is locked, so
//     [DB.Changed] reports after reading whether the files have changed in the meantime.
//
// A database in rollback mode is opened with mode=ro; its agent waits for a reader no longer than one query lasts.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// DB is a database that is open for reading.
type DB struct {
	*sql.DB
	path    string
	overlay *overlay // nil if SQLite reads the files itself
}

// Open opens an agent's database for reading.
func Open(ctx context.Context, path string) (*DB, error) {
	// SQLite derives the names of the side files from the name it was given; the agent may know the file by another
	// name, so links are resolved first.
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	wal, err := inWALMode(real)
	if err != nil {
		return nil, err
	}
	query := url.Values{"mode": {"ro"}}
	if wal {
		log, logErr := os.Stat(real + "-wal")
		_, shmErr := os.Stat(real + "-shm")
		switch {
		case logErr != nil || log.Size() == 0:
			query.Set("immutable", "1")
		case shmErr != nil:
			return openOverlaid(ctx, path, real)
		default:
			query.Set("readonly_shm", "1")
		}
	}
	db, err := open(ctx, real, query)
	if err == nil {
		return &DB{DB: db, path: path}, nil
	}
	if wal && query.Get("readonly_shm") != "" && ctx.Err() == nil {
		if overlaid, failed := openOverlaid(ctx, path, real); failed == nil {
			return overlaid, nil
		}
	}
	return nil, Sentence(path, err)
}

// open opens a name with SQLite, and checks that it is a database.
func open(ctx context.Context, name string, query url.Values) (*sql.DB, error) {
	query.Add("_pragma", "busy_timeout(250)")
	query.Add("_pragma", "query_only(1)")
	address := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(name)}).EscapedPath(), RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	var tables int
	if err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// Close closes the database.
func (db *DB) Close() error {
	err := db.DB.Close()
	if db.overlay != nil {
		db.overlay.close()
	}
	return err
}

// Changed reports whether the files have changed since they were opened, so that the data read may be inconsistent and
// should be read again. It always returns false if SQLite holds a lock.
func (db *DB) Changed() bool { return db.overlay != nil && db.overlay.changed() }

// Columns returns the columns of a table, none if there is no such table. New versions of agents add columns, so
// readers check before they select.
func (db *DB) Columns(ctx context.Context, table string) (map[string]bool, error) {
	rows, err := db.QueryContext(ctx, "SELECT name FROM pragma_table_info(?1)", table)
	if err != nil {
		return nil, Sentence(db.path, err)
	}
	defer rows.Close()
	columns := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, Sentence(db.path, err)
		}
		columns[name] = true
	}
	return columns, Sentence(db.path, rows.Err())
}

// Pick returns the wanted columns for a SELECT, with NULL for those that the table lacks.
func Pick(has map[string]bool, wanted ...string) string {
	picked := make([]string, len(wanted))
	for i, name := range wanted {
		if picked[i] = "NULL"; has[name] {
			picked[i] = `"` + name + `"`
		}
	}
	return strings.Join(picked, ", ")
}

// inWALMode reports whether the header of a database file says that it is in WAL mode.
func inWALMode(path string) (bool, error) {
	f, err := safefile.File(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	header := make([]byte, headerSize)
	if n, _ := io.ReadFull(f, header); n < headerSize || string(header[:16]) != "SQLite format 3\x00" {
		return false, fmt.Errorf("%s is not a SQLite database", path)
	}
	return header[18] == 2, nil
}

const headerSize = 100

// Sentence turns an error from SQLite into a message for users; nil stays nil.
func Sentence(path string, err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	switch {
	case errors.Is(err, context.DeadlineExceeded), strings.Contains(text, "interrupted"):
		return fmt.Errorf("%s did not respond in time: %w", path, err)
	case errors.Is(err, context.Canceled), errors.Is(err, fs.ErrNotExist):
		return err
	case strings.Contains(text, "SQLITE_BUSY"), strings.Contains(text, "database is locked"):
		return fmt.Errorf("%s is currently locked by its agent; it is read again at the next change", path)
	case strings.Contains(text, "malformed"), strings.Contains(text, "not a database"):
		return fmt.Errorf("%s is damaged: %w", path, err)
	case strings.Contains(text, "no such table"), strings.Contains(text, "no such column"):
		return fmt.Errorf("%s has an unsupported version: %w", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Settles is how long after a change of its files a database may still show its earlier content: SQLite shows a commit
// only once the log is on disk, and that changes no time.
const Settles = time.Second

// seenLately is how long a database that has not settled is not read again.
const seenLately = 100 * time.Millisecond

// Seen is the state of a database when it was last read.
type Seen struct {
	at      time.Time
	changed time.Time
	size    int64
	early   bool // it was read before the change had settled
}

// SeenAt returns the state of a database that is about to be read.
func SeenAt(path string) (Seen, error) {
	changed, size, err := Time(path)
	return SeenAs(changed, size), err
}

// SeenAs returns the state of a store whose files last changed at a time, and have a total size.
func SeenAs(changed time.Time, size int64) Seen {
	return Seen{at: time.Now(), changed: changed, size: size, early: time.Since(changed) < Settles}
}

// IsCurrent reports whether what was read at this state is still what the database in the other state has.
func (s Seen) IsCurrent(now Seen) bool {
	return s.changed.Equal(now.changed) && s.size == now.size && (!s.early || now.at.Sub(s.at) < seenLately)
}

// Time returns when a database last changed, and the total size of its files. SQLite writes the log long before the
// file itself.
func Time(path string) (latest time.Time, size int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, 0, err
	}
	latest, size = info.ModTime(), info.Size()
	if log, err := os.Stat(path + "-wal"); err == nil {
		size += log.Size()
		if log.ModTime().After(latest) && log.Size() > 0 {
			latest = log.ModTime()
		}
	}
	return latest, size, nil
}
