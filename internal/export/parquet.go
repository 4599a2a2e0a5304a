// Copyright The ctx-lsp authors. MIT licence.

//go:build !no_parquet

package export

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

// columnar are the formats that the library for Parquet writes. The build tag no_parquet leaves it out of the program
// that editors download.
var columnar = []string{"parquet"}

type parquetRows struct{ *parquet.GenericWriter[Row] }

func newParquet(to io.Writer) (Writer, error) {
	return parquetRows{parquet.NewGenericWriter[Row](to, parquet.Compression(&parquet.Zstd), parquet.KeyValueMetadata("schema", Schema))}, nil
}

func (w parquetRows) Write(row *Row) error {
	_, err := w.GenericWriter.Write([]Row{*row})
	return err
}
