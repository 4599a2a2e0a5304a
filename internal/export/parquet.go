// Copyright The ctx-lsp authors. MIT licence.

//go:build !no_parquet

package export

import (
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"
)

// columnar are the formats that the library for Parquet writes. The build tag no_parquet leaves it out of the program
// that editors download.
var columnar = []string{"parquet"}

// parquetRows gives the library many rows at a time, which it takes apart column by column.
type parquetRows struct {
	to      *parquet.GenericWriter[Row]
	waiting []Row
}

// parquetAtOnce is how many rows wait for the library.
const parquetAtOnce = 128

func newParquet(to io.Writer) (Writer, error) {
	return &parquetRows{to: parquet.NewGenericWriter[Row](to, parquet.Compression(&parquet.Zstd), parquet.KeyValueMetadata("schema", Schema))}, nil
}

func (w *parquetRows) Write(row *Row) error {
	w.waiting = append(w.waiting, *row)
	if len(w.waiting) < parquetAtOnce {
		return nil
	}
	return w.flush()
}

func (w *parquetRows) flush() error {
	_, err := w.to.Write(w.waiting)
	clear(w.waiting) // their texts are not kept
	w.waiting = w.waiting[:0]
	return err
}

func (w *parquetRows) Close() error {
	return errors.Join(w.flush(), w.to.Close())
}
