// Copyright The ctx-lsp authors. MIT licence.

package export

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/sink"
)

// A parquetSink writes Parquet files through ctx-lsp-fleet, several at a time.
type parquetSink struct {
	sink *sink.Sink
	done chan struct{} // closed when the program has ended

	mu     sync.Mutex // guards the fields below
	to     *bufio.Writer
	files  int64
	ending map[int64]chan error // files whose completion was not reported yet
	failed error                // why the program has ended
}

func openParquetSink() (*parquetSink, error) {
	program, err := sink.Start("parquet", "--schema="+Schema)
	if err != nil {
		return nil, fmt.Errorf("%w; or use --format=csv, which needs no other program", err)
	}
	p := &parquetSink{sink: program, done: make(chan struct{}), to: bufio.NewWriterSize(program, 64<<10), ending: map[int64]chan error{}}
	go p.read()
	return p, nil
}

// read reports the completion of files to their writers until the program ends.
func (p *parquetSink) read() {
	err := p.sink.Lines(func(line []byte) {
		var done struct {
			File  int64  `json:"file"`
			Error string `json:"error"`
		}
		if json.Unmarshal(line, &done) != nil {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		var failed error
		if done.Error != "" {
			failed = errors.New(done.Error)
		}
		if ending := p.ending[done.File]; ending != nil {
			ending <- failed
			delete(p.ending, done.File)
		}
	})
	if err == nil {
		err = errors.New("it has ended")
	}
	p.mu.Lock()
	p.failed = fmt.Errorf("%s: %w", sink.Name, err)
	for file, ending := range p.ending {
		ending <- p.failed
		delete(p.ending, file)
	}
	p.mu.Unlock()
	close(p.done)
}

// endWithin is how long an export waits for the program to end when all files are complete.
const endWithin = 10 * time.Second

func (p *parquetSink) close() { p.sink.Close(endWithin) }

// A sinkLine is one line for the program.
type sinkLine struct {
	File int64  `json:"file"`
	Open string `json:"open,omitempty"`
	Row  *Row   `json:"row,omitempty"`
	End  bool   `json:"end,omitempty"`
	Drop bool   `json:"drop,omitempty"`
}

// send writes a line, and flushes the buffer if now is set. p.mu must be held.
func (p *parquetSink) send(line sinkLine, now bool) error {
	if p.failed != nil {
		return p.failed
	}
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = p.to.Write(append(text, '\n'))
	if err == nil && now {
		err = p.to.Flush()
	}
	return err
}

// open starts a file.
func (p *parquetSink) open(path string) (fileWriter, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files++
	return &parquetFile{to: p, file: p.files}, p.send(sinkLine{File: p.files, Open: path}, false)
}

// A parquetFile is one file.
type parquetFile struct {
	to   *parquetSink
	file int64
}

func (f *parquetFile) Write(row *Row) error {
	f.to.mu.Lock()
	defer f.to.mu.Unlock()
	return f.to.send(sinkLine{File: f.file, Row: row}, false)
}

func (f *parquetFile) Close() error { return f.end(sinkLine{File: f.file, End: true}) }

func (f *parquetFile) abort() { _ = f.end(sinkLine{File: f.file, Drop: true}) }

// end sends the last line of a file and waits until the program has closed the file.
func (f *parquetFile) end(line sinkLine) error {
	ended := make(chan error, 1)
	f.to.mu.Lock()
	f.to.ending[f.file] = ended
	err := f.to.send(line, true)
	if err != nil {
		delete(f.to.ending, f.file)
	}
	failed := f.to.failed
	f.to.mu.Unlock()
	if err != nil {
		if failed == nil { // the program is ending, and its error follows
			<-f.to.done
			f.to.mu.Lock()
			failed = f.to.failed
			f.to.mu.Unlock()
		}
		return failed
	}
	return <-ended
}
