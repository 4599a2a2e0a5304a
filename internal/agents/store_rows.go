// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// errChanged is the error of a database that was written while it was read without a lock.
var errChanged = errors.New("the agent wrote to its database while it was read; it is read again at the next change")

const (
	// mostSessions and mostRows bound how many rows of a table are read, and mostBytes their total size.
	mostSessions = 100_000
	mostRows     = 200_000
	mostBytes    = 256 << 20
)

// A row is the values of a row, in SQLite's types.
type row []any

func (r row) text(i int) string {
	switch v := r[i].(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

func (r row) bytes(i int) []byte {
	switch v := r[i].(type) {
	case string:
		return []byte(v)
	case []byte:
		return v
	}
	return nil
}

// number returns a whole number, transcript.Unknown for any other value.
func (r row) number(i int) int64 {
	switch v := r[i].(type) {
	case int64:
		return v
	case float64:
		if v >= -1<<53 && v <= 1<<53 {
			return int64(v)
		}
	case bool:
		if v {
			return 1
		}
		return 0
	}
	return transcript.Unknown
}

// time returns a time stored as seconds, milliseconds, or text.
func (r row) time(i int) time.Time {
	switch v := r[i].(type) {
	case time.Time:
		return v
	case int64:
		return instant(v)
	case float64:
		return instant(r.number(i))
	}
	text := r.text(i)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00"} {
		if at, err := time.Parse(layout, text); err == nil {
			return sane(at)
		}
	}
	return time.Time{}
}

// instant reads seconds or milliseconds since 1970.
func instant(n int64) time.Time {
	switch {
	case n <= 0 || n > 1<<50:
		return time.Time{}
	case n > 1e14: // microseconds
		return sane(time.UnixMicro(n))
	case n > 1e11:
		return sane(time.UnixMilli(n))
	}
	return sane(time.Unix(n, 0))
}

func sane(at time.Time) time.Time {
	if at.Year() < 1990 || at.Year() > 2200 {
		return time.Time{}
	}
	return at
}

func milliseconds(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// openDatabase opens a database for reading. The fuzz targets replace it with one that needs no file.
var openDatabase = sqlite.Open

// opened runs a function on an open database, in one transaction. It returns errChanged if the data that it read may be
// of two moments.
func opened(ctx context.Context, path string, do func(q *query) error) error {
	db, err := openDatabase(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	q := &query{ctx: ctx, db: db, path: path}
	if _, err := db.ExecContext(ctx, "BEGIN"); err != nil {
		return sqlite.Sentence(path, err)
	}
	err = do(q)
	_, _ = db.ExecContext(ctx, "ROLLBACK") // nothing was written
	if db.Changed() {
		return errChanged
	}
	return err
}

// A query reads from one database.
type query struct {
	ctx   context.Context
	db    *sqlite.DB
	path  string
	bytes int
}

// columns returns the columns of a table; none if it does not exist.
func (q *query) columns(table string) (map[string]bool, error) { return q.db.Columns(q.ctx, table) }

// each calls a function with every row. It stops when the function returns false.
func (q *query) each(statement string, args []any, do func(row) bool) error {
	rows, err := q.db.QueryContext(q.ctx, statement, args...)
	if err != nil {
		return sqlite.Sentence(q.path, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return sqlite.Sentence(q.path, err)
	}
	values := make(row, len(names))
	targets := make([]any, len(names))
	for i := range values {
		targets[i] = &values[i]
	}
	for n := 0; rows.Next(); n++ {
		if err := rows.Scan(targets...); err != nil {
			continue // skip a row that cannot be read
		}
		for _, v := range values {
			switch v := v.(type) {
			case string:
				q.bytes += len(v)
			case []byte:
				q.bytes += len(v)
			}
		}
		if n >= mostRows || q.bytes > mostBytes {
			return tooMuch{q.path}
		}
		if !do(values) {
			return nil
		}
	}
	return sqlite.Sentence(q.path, rows.Err())
}

// one returns the first row of a query; nil if there is none.
func (q *query) one(statement string, args ...any) (found row, err error) {
	err = q.each(statement, args, func(r row) bool {
		found = append(row(nil), r...)
		return false
	})
	return found, err
}

type tooMuch struct{ path string }

func (e tooMuch) Error() string {
	return e.path + " has a session with too many rows: at most 200,000 rows or 256 MB are read"
}

// parsed returns a text as JSON; a Missing value if it is not JSON.
func parsed(text []byte) json.Value {
	v, err := json.Parse(transcript.Unmarked(text))
	if err != nil {
		return json.Value{}
	}
	return v
}

// whole returns a number of JSON as a count, or transcript.Unknown if it is not one. A fraction is cut off.
func whole(v json.Value) int64 {
	if v.Kind() != json.Number {
		return transcript.Unknown
	}
	n, fault := v.Milli()
	if fault != json.NumberOK || n < 0 || n/1000 > 1<<50 {
		return transcript.Unknown
	}
	return n / 1000
}

// sum adds counts of which some may be unknown; unknown if all are.
func sum(counts ...int64) int64 {
	total := int64(transcript.Unknown)
	for _, n := range counts {
		if n >= 0 {
			total = max(total, 0) + n
		}
	}
	return total
}

// timeOf returns a time in JSON: a number of seconds or milliseconds, also as a text, or a date.
func timeOf(v json.Value) time.Time {
	switch v.Kind() {
	case json.Number:
		return instant(whole(v))
	case json.String:
		if v.TextLen() < 40 {
			if at, err := time.Parse(time.RFC3339Nano, v.String()); err == nil {
				return sane(at)
			}
			if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
				return instant(n)
			}
		}
	}
	return time.Time{}
}
