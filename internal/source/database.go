// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// databasePatience is how long one read of a database may take. It is bounded because a malicious file may contain a
// table that is really an endless view.
var databasePatience = 10 * time.Second

const (
	// mostSessions and mostRows bound how many rows are read of a table, and mostBytes how much they may hold.
	mostSessions = 100_000
	mostRows     = 1 << 20
	mostBytes    = 256 << 20
)

// openDatabase opens an agent's SQLite database for reading, in a way that
// cannot disturb the agent.
//
// A database in WAL mode is more than one file, and SQLite creates the -wal
// and -shm files it does not find even for a reader. So:
//
//   - both are there: mode=ro with readonly_shm, which takes only read locks,
//     blocks nobody and creates nothing;
//   - no -wal: everything is in the database file, and nobody is writing:
//     immutable, which takes no lock at all. If a -wal appears meanwhile, the
//     next read sees it;
//   - a -wal without -shm, as a crash or a copy leaves it: what the -wal holds
//     cannot be read without creating a -shm. The database file is read as it
//     is, immutable, and stale is true.
//
// A database in rollback mode is opened with mode=ro; its agent waits for a
// reader no longer than one query lasts.
func openDatabase(ctx context.Context, path string) (db *sql.DB, stale bool, err error) {
	// SQLite names the side files after the name it was given; the agent may
	// know the file by another, so links are resolved first.
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, false, err
	}
	wal, err := inWALMode(real)
	if err != nil {
		return nil, false, err
	}
	query := url.Values{"mode": {"ro"}}
	query.Add("_pragma", "busy_timeout(250)")
	query.Add("_pragma", "query_only(1)")
	if wal {
		log, logErr := os.Stat(real + "-wal")
		_, shmErr := os.Stat(real + "-shm")
		switch {
		case logErr == nil && shmErr == nil:
			query.Set("readonly_shm", "1")
		default:
			query.Set("immutable", "1")
			stale = logErr == nil && log.Size() > 0
		}
	}
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(real)}).EscapedPath(), RawQuery: query.Encode()}
	db, err = sql.Open("sqlite", name.String())
	if err != nil {
		return nil, false, err
	}
	db.SetMaxOpenConns(1)
	if err := db.PingContext(ctx); err != nil {
		db.Close()
		return nil, false, databaseError(path, err)
	}
	return db, stale, nil
}

// inWALMode reads the mode from the header of a database file.
func inWALMode(path string) (bool, error) {
	f, err := openFile(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	header := readSome(f, nil, 0, 100)
	if len(header) < 100 || string(header[:16]) != "SQLite format 3\x00" {
		return false, fmt.Errorf("%s is not a SQLite database", path)
	}
	return header[18] == 2, nil
}

// databaseError turns an error of SQLite into a sentence.
func databaseError(path string, err error) error {
	text := err.Error()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s did not answer in time: %w", path, err)
	case errors.Is(err, context.Canceled), errors.Is(err, fs.ErrNotExist):
		return err
	case strings.Contains(text, "SQLITE_BUSY"), strings.Contains(text, "database is locked"):
		return fmt.Errorf("%s is locked by its agent just now; it is read again at the next change", path)
	case strings.Contains(text, "malformed"), strings.Contains(text, "not a database"):
		return fmt.Errorf("%s is damaged: %w", path, err)
	case strings.Contains(text, "no such table"), strings.Contains(text, "no such column"):
		return fmt.Errorf("%s is of a version that ctx-lsp does not know: %w", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// databaseTime is when a database last changed. Its log is written long before the file itself.
func databaseTime(path string) (latest time.Time, size int64, err error) {
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
