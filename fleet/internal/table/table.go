// Copyright The ctx-lsp authors. MIT licence.

// Package table writes rows, which it reads as JSON lines, to Parquet files.
package table

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
)

// A line is one line of the input. The first line of a file opens it.
type line struct {
	File int64           `json:"file"`           // a number chosen by the caller
	Open string          `json:"open,omitempty"` // the path of a new file
	Row  json.RawMessage `json:"row,omitempty"`
	End  bool            `json:"end,omitempty"`  // write the rest and close
	Drop bool            `json:"drop,omitempty"` // close without the rest; the caller removes the file
}

// A done is one line of the output, for each file that was completed or dropped.
type done struct {
	File  int64  `json:"file"`
	Error string `json:"error,omitempty"`
}

// longestLine is the maximum length of a row; one with a thousand servers has less than 100 KB.
const longestLine = 16 << 20

// Run writes the rows of the input until it ends. An error for a file is reported when the file ends.
func Run(in io.Reader, out io.Writer, schema string) error {
	if schema != Schema {
		return fmt.Errorf("this version writes rows of %s, and not of %s; install the one of the same release as ctx-lsp", Schema, schema)
	}
	files := map[int64]*file{}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	answer := json.NewEncoder(out)
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("a line of the input cannot be read: %w", err)
		}
		f := files[l.File]
		if l.Open != "" {
			f = open(l.Open)
			files[l.File] = f
		}
		if f == nil {
			return fmt.Errorf("the input names the file %d, which it has not opened", l.File)
		}
		if l.Row != nil {
			f.row(l.Row)
		}
		if l.End || l.Drop {
			d := done{File: l.File}
			if err := f.close(l.End); err != nil {
				d.Error = err.Error()
			}
			delete(files, l.File)
			if err := answer.Encode(d); err != nil {
				return err
			}
		}
	}
	for _, f := range files {
		_ = f.close(false) // the caller ended without completing them
	}
	return lines.Err()
}

// rowsAtOnce is the number of rows that the library splits into columns at once.
const rowsAtOnce = 128

// A file is a Parquet file being written.
type file struct {
	out     *os.File
	to      *parquet.GenericWriter[Row]
	waiting []Row
	failed  error // the first error
}

func open(path string) *file {
	f := &file{}
	if f.out, f.failed = os.Create(path); f.failed == nil {
		f.to = parquet.NewGenericWriter[Row](f.out, parquet.Compression(&parquet.Zstd), parquet.KeyValueMetadata("schema", Schema))
	}
	return f
}

// row adds a row. An unknown column is an error, because it would silently be missing in the file.
func (f *file) row(text []byte) {
	if f.failed != nil {
		return
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var row Row
	if f.failed = decoder.Decode(&row); f.failed != nil {
		return
	}
	if f.waiting = append(f.waiting, row); len(f.waiting) >= rowsAtOnce {
		f.flush()
	}
}

func (f *file) flush() {
	if f.failed == nil {
		_, f.failed = f.to.Write(f.waiting)
	}
	clear(f.waiting) // releases the texts of the rows
	f.waiting = f.waiting[:0]
}

// close closes the file. If whole is set, it first writes the rest.
func (f *file) close(whole bool) error {
	if whole {
		f.flush()
		if f.failed == nil {
			f.failed = f.to.Close()
		}
	}
	if f.out == nil {
		return f.failed
	}
	err := f.out.Close()
	if !whole {
		return err
	}
	return errors.Join(f.failed, err)
}
