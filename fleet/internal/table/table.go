// Copyright The ctx-lsp authors. MIT licence.

// Package table writes rows, which it reads as JSON lines, to a Parquet file.
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

// end is the last line of the input. Without it the caller has failed, and the file is not completed.
const end = "end"

// longestLine is the maximum length of a row; one with a thousand servers has less than 100 KB.
const longestLine = 16 << 20

const (
	// rowsAtOnce is the number of rows that the library splits into columns at once.
	rowsAtOnce = 128
	// rowsInGroup is the number of rows in a group, which readers process independently of others. The library keeps a
	// group in memory while it writes it.
	rowsInGroup = 64 << 10
)

// Run writes the rows of the input to a file. If the input has no last line, the file is incomplete and must be removed
// by the caller.
func Run(in io.Reader, path, schema string) error {
	if schema != Schema {
		return fmt.Errorf("this version writes rows of %s, and not of %s; install the one of the same release as ctx-lsp", Schema, schema)
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(in, out), out.Close())
}

func write(in io.Reader, out io.Writer) error {
	to := parquet.NewGenericWriter[Row](out, parquet.Compression(&parquet.Zstd), parquet.KeyValueMetadata("schema", Schema),
		parquet.MaxRowsPerRowGroup(rowsInGroup))
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	var waiting []Row
	flush := func() error {
		_, err := to.Write(waiting)
		clear(waiting) // releases the texts of the rows
		waiting = waiting[:0]
		return err
	}
	for lines.Scan() {
		if string(lines.Bytes()) == end {
			return errors.Join(flush(), to.Close())
		}
		row, err := read(lines.Bytes())
		if err != nil {
			return fmt.Errorf("a line of the input cannot be read: %w", err)
		}
		if waiting = append(waiting, row); len(waiting) >= rowsAtOnce {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

// read reads a row. An unknown column is an error, because it would silently be missing in the file.
func read(text []byte) (row Row, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&row)
	return row, err
}
