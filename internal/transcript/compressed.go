// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// compressedTail reads a compressed transcript. Such a file is complete: if it changes, it is another file and is read
// again from its start.
type compressedTail struct {
	path string
	info os.FileInfo

	// The following fields are set while the file is being read.
	file    *os.File
	decoder io.ReadCloser
	lines   lineTail
	buf     []byte
	held    int // the bytes of buf not returned yet
	ended   bool
	failed  error

	given    int64
	returned bool // records of the file were returned
	void     bool // records of an earlier reading were returned, and the caller does not know yet that they are void
}

func (t *compressedTail) Position() int64 { return t.given }

// These limit the memory and time that a malicious file can take.
const (
	maxZstdWindow = 64 << 20
	// A file may unpack to unpackedAnyway bytes plus mostTimes its size.
	unpackedAnyway = 256 << 20
	mostTimes      = 200
)

// MostUnpacked returns how many bytes a compressed file of the given size may unpack to. Transcripts stay far below.
func MostUnpacked(size int64) int64 { return unpackedAnyway + mostTimes*size }

// IsCompressed reports whether start is the start of a file compressed with zstd or gzip.
func IsCompressed(start []byte) bool {
	return bytes.HasPrefix(start, []byte("\x28\xb5\x2f\xfd")) || isGzip(start)
}

func isGzip(start []byte) bool { return bytes.HasPrefix(start, []byte("\x1f\x8b")) }

// Decompress returns a reader of the uncompressed contents of a zstd or gzip file. It fails after [MostUnpacked] bytes.
// Closing it leaves the file open.
func Decompress(f *os.File) (io.ReadCloser, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	bound := bounded{left: MostUnpacked(info.Size()), most: MostUnpacked(info.Size())}
	if isGzip(ReadSome(f, nil, 0, 2)) {
		decoder, err := gzip.NewReader(f)
		if err != nil {
			return nil, err
		}
		bound.Reader, bound.close = decoder, func() { decoder.Close() }
		return &bound, nil
	}
	decoder, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, err
	}
	bound.Reader, bound.close = decoder, decoder.Close
	return &bound, nil
}

// bounded is a decoder's output up to a number of bytes.
type bounded struct {
	io.Reader
	close      func()
	left, most int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		if n, err := b.Reader.Read(p); n == 0 && err != nil {
			return 0, err
		}
		return 0, fmt.Errorf("it unpacks to more than %d MB, which is %d times its size; only the start was read", b.most>>20, mostTimes)
	}
	n, err := b.Reader.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

func (b *bounded) Close() error {
	b.close()
	return nil
}

func (t *compressedTail) Next(ctx context.Context, b *Batch) error {
	b.clear()
	if err := t.read(ctx, b); err != nil {
		return err
	}
	b.Reset, t.void = t.void, false
	t.returned = t.returned || b.Count > 0
	return nil
}

func (t *compressedTail) read(ctx context.Context, b *Batch) error {
	info, err := os.Stat(t.path)
	if err != nil {
		if !t.ended {
			t.startOver()
		}
		return err
	}
	if t.info != nil && (!os.SameFile(t.info, info) || ChangedTime(t.info, info) || t.info.Size() != info.Size()) {
		t.startOver()
	}
	if t.info == nil {
		if err := t.open(); err != nil {
			return err
		}
		t.info = info
	}
	for !t.ended {
		if err := ctx.Err(); err != nil {
			t.startOver()
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
			rest := t.buf[taken:t.held]
			if newline := bytes.IndexByte(rest, '\n'); newline >= 0 {
				b.skip(int64(newline))
				taken += newline + 1
			} else {
				t.lines.skipping = int64(len(rest))
				taken = t.held
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

func (t *compressedTail) open() error {
	f, err := safefile.File(t.path)
	if err != nil {
		return err
	}
	decoder, err := Decompress(f)
	if err != nil {
		f.Close()
		return err
	}
	t.file, t.decoder = f, decoder
	t.buf = make([]byte, MaxBatch)
	return nil
}

func (t *compressedTail) close() {
	if t.decoder != nil {
		t.decoder.Close()
		t.file.Close()
		t.decoder, t.file, t.buf, t.held = nil, nil, nil, 0
	}
}

// startOver makes the next call read the file from its start.
func (t *compressedTail) startOver() {
	t.close()
	*t = compressedTail{path: t.path, void: t.void || t.returned}
}
