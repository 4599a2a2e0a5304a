// Copyright The ctx-lsp authors. MIT licence.

package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/sink"
)

// A parquetFile is a Parquet file that ctx-lsp-fleet writes.
type parquetFile struct {
	sink   *sink.Sink
	to     *bufio.Writer
	rows   *json.Encoder
	done   chan struct{} // closed when the program has ended
	failed error         // how it ended; valid once done is closed
}

// withoutSink adds an alternative to the error for a missing program.
func withoutSink(err error) error {
	return fmt.Errorf("%w; or use --format=csv, which needs no other program", err)
}

// createParquet starts a file.
func createParquet(path string) (fileWriter, error) {
	program, err := sink.Start("parquet", "--schema="+Schema, path)
	if err != nil {
		return nil, withoutSink(err)
	}
	f := &parquetFile{sink: program, to: bufio.NewWriterSize(program, 64<<10), done: make(chan struct{})}
	f.rows = json.NewEncoder(f.to)
	go func() {
		f.failed = program.Lines(func([]byte) {})
		close(f.done)
	}()
	return f, nil
}

func (f *parquetFile) Write(row *Row) error { return f.check(f.rows.Encode(row)) }

// Close sends the last line, and waits until the program has completed the file.
func (f *parquetFile) Close() error {
	_, err := f.to.WriteString("end\n")
	if err == nil {
		err = f.to.Flush()
	}
	if err = f.check(err); err != nil {
		return err
	}
	<-f.done
	f.sink.Close(0)
	if f.failed != nil {
		return fmt.Errorf("%s: %w", sink.Name, f.failed)
	}
	return nil
}

// check returns the program's error if the program cannot be written to because it has ended.
func (f *parquetFile) check(err error) error {
	if err == nil {
		return nil
	}
	<-f.done
	if f.failed != nil {
		err = f.failed
	}
	return fmt.Errorf("%s: %w", sink.Name, err)
}

// endWithin is how long an export that fails waits for the program to end.
const endWithin = 10 * time.Second

func (f *parquetFile) abort() { f.sink.Close(endWithin) }
