// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"io"
	"math"
	"strings"

	modernc "modernc.org/sqlite"

	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
)

// A tape is what a database has answered, or might have: the rows of one query after the other. The fuzz targets play
// tapes, so that a store is read thousands of times a second, and begin from those of databases as agents make them.
type tape struct {
	bytes     []byte
	recording bool
}

// The kinds of values on a tape, each before its value; the end of rows stands where a value would begin a row.
const (
	tapeEnd = iota
	tapeRow
	tapeNull
	tapeInteger
	tapeReal
	tapeText
	tapeBlob
	tapeKinds
)

func (t *tape) next() byte {
	if len(t.bytes) == 0 {
		return tapeEnd
	}
	c := t.bytes[0]
	t.bytes = t.bytes[1:]
	return c
}

func (t *tape) number() uint64 {
	var eight [8]byte
	t.bytes = t.bytes[copy(eight[:], t.bytes):]
	return binary.LittleEndian.Uint64(eight[:])
}

func (t *tape) text() []byte {
	n := int(t.next()) | int(t.next())<<8
	text := t.bytes[:min(n, len(t.bytes))]
	t.bytes = t.bytes[len(text):]
	return text
}

func (t *tape) value() driver.Value {
	switch t.next() % tapeKinds {
	case tapeInteger:
		return int64(t.number())
	case tapeReal:
		return math.Float64frombits(t.number())
	case tapeText:
		return string(t.text())
	case tapeBlob:
		return t.text()
	}
	return nil
}

// record adds a value to the tape.
func (t *tape) record(v driver.Value) {
	long := func(kind byte, s string) {
		s = s[:min(len(s), 1<<16-1)]
		t.bytes = append(append(t.bytes, kind, byte(len(s)), byte(len(s)>>8)), s...)
	}
	switch v := v.(type) {
	case int64:
		t.bytes = binary.LittleEndian.AppendUint64(append(t.bytes, tapeInteger), uint64(v))
	case float64:
		t.bytes = binary.LittleEndian.AppendUint64(append(t.bytes, tapeReal), math.Float64bits(v))
	case string:
		long(tapeText, v)
	case []byte:
		long(tapeBlob, string(v))
	default:
		t.bytes = append(t.bytes, tapeNull)
	}
}

// open stands for sqlite.Open while the tape is played or recorded.
func (t *tape) open(_ context.Context, path string) (*sqlite.DB, error) {
	connection := &tapeConnection{tape: t}
	if t.recording {
		under, err := (&modernc.Driver{}).Open("file:" + path + "?mode=ro")
		if err != nil {
			return nil, err
		}
		connection.under = under.(driver.QueryerContext)
	}
	return &sqlite.DB{DB: sql.OpenDB(connection)}, nil
}

// A tapeConnection is a connection to a tape; it has a database under it while that is recorded.
type tapeConnection struct {
	tape  *tape
	under driver.QueryerContext
}

func (c *tapeConnection) Connect(context.Context) (driver.Conn, error) { return c, nil }
func (c *tapeConnection) Driver() driver.Driver                        { return nil }
func (c *tapeConnection) Prepare(string) (driver.Stmt, error)          { return nil, driver.ErrSkip }

func (c *tapeConnection) Begin() (driver.Tx, error) { return nil, driver.ErrSkip }

// Close closes the database under the tape too, because Windows removes no file that is open.
func (c *tapeConnection) Close() error {
	if c.under == nil {
		return nil
	}
	return c.under.(io.Closer).Close()
}

func (c *tapeConnection) ExecContext(context.Context, string, []driver.NamedValue) (driver.Result, error) {
	return driver.RowsAffected(0), nil
}

func (c *tapeConnection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.under == nil {
		return &tapeRows{tape: c.tape, columns: make([]string, columnsOf(query))}, nil
	}
	rows, err := c.under.QueryContext(ctx, query, args)
	if err != nil {
		return nil, err
	}
	return &tapeRows{tape: c.tape, columns: rows.Columns(), under: rows}, nil
}

// columnsOf counts what a query selects: the commas that are in no bracket, before its FROM.
func columnsOf(query string) int {
	n, depth := 1, 0
	list, _, _ := strings.Cut(query, " FROM ")
	for _, c := range list {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			n++
		}
	}
	return n
}

type tapeRows struct {
	tape    *tape
	columns []string
	under   driver.Rows
}

func (r *tapeRows) Columns() []string { return r.columns }
func (r *tapeRows) Close() error {
	if r.under != nil {
		return r.under.Close()
	}
	return nil
}

func (r *tapeRows) Next(to []driver.Value) error {
	if r.under != nil {
		if err := r.under.Next(to); err != nil {
			r.tape.bytes = append(r.tape.bytes, tapeEnd)
			return err
		}
		r.tape.bytes = append(r.tape.bytes, tapeRow)
		for _, v := range to {
			r.tape.record(v)
		}
		return nil
	}
	if r.tape.next()%2 == tapeEnd {
		return io.EOF
	}
	for i := range to {
		to[i] = r.tape.value()
	}
	return nil
}
