// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// zstdTail reads a transcript that its agent has compressed. Such a file is
// complete: if it changes, it is another file, and is read anew.
type zstdTail struct {
	path string
	info os.FileInfo

	// The following is set while the file is being read.
	file    *os.File
	decoder *zstd.Decoder
	lines   lineTail
	buf     []byte
	held    int // the bytes of buf that were not returned yet
	ended   bool
	failed  error

	given int64
}

func (t *zstdTail) Position() int64 { return t.given }

// maxZstdWindow bounds the memory for which a malicious file can ask.
const maxZstdWindow = 64 << 20

func (t *zstdTail) Next(ctx context.Context, b *Batch) error {
	b.clear()
	info, err := os.Stat(t.path)
	if err != nil {
		t.close()
		return err
	}
	if t.info != nil && (!os.SameFile(t.info, info) || ChangedTime(t.info, info) || t.info.Size() != info.Size()) {
		t.close()
		*t = zstdTail{path: t.path}
		b.Reset = true
	}
	if t.info == nil {
		if err := t.open(); err != nil {
			return err
		}
		t.info = info
	}
	for !t.ended {
		if err := ctx.Err(); err != nil {
			t.close()
			*t = zstdTail{path: t.path}
			return err
		}
		var err error
		for t.held < len(t.buf) && err == nil {
			var n int
			n, err = t.decoder.Read(t.buf[t.held:])
			t.held += n
		}
		last := err != nil
		if err != nil && err != io.EOF {
			t.failed = fmt.Errorf("%s is damaged after %d bytes of records: %w", t.path, t.given+int64(t.held), err)
		}
		taken, full, long := t.lines.lines(t.buf[:t.held], last, b)
		if long {
			t.lines.skipping = int64(t.held - taken)
			taken = t.held
			if newline := bytes.IndexByte(t.buf[:t.held], '\n'); newline >= 0 {
				b.skip(int64(newline))
				t.lines.skipping, taken = 0, newline+1
			}
		}
		t.given += int64(taken)
		t.held = copy(t.buf, t.buf[taken:t.held])
		if full && b.Count > 0 {
			return nil
		}
		if last || full {
			if t.held > 0 {
				b.skip(int64(t.held))
			}
			t.ended = true
			t.close()
		}
	}
	if b.Count == 0 && t.failed != nil {
		err := t.failed
		t.failed = nil
		return err
	}
	return nil
}

func (t *zstdTail) open() error {
	f, err := safefile.File(t.path)
	if err != nil {
		return err
	}
	decoder, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		f.Close()
		return err
	}
	t.file, t.decoder = f, decoder
	t.buf = make([]byte, MaxBatch)
	return nil
}

func (t *zstdTail) close() {
	if t.decoder != nil {
		t.decoder.Close()
		t.file.Close()
		t.decoder, t.file, t.buf, t.held = nil, nil, nil, 0
	}
}
