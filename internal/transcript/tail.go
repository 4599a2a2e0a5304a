// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// A Tail reads one session from the position where it stopped the last time. It keeps no file open between calls, so
// that an agent can rename, replace or delete its files on every system.
type Tail interface {
	// Next fills b with the next records, at most [MaxBatch] bytes of them. An empty batch means that nothing was
	// added. If the session no longer exists, errors.Is(err, fs.ErrNotExist) is true. When it exists again, Next
	// continues if it is still the same session; otherwise it starts over with b.Reset set.
	Next(ctx context.Context, b *Batch) error
	// Position returns how far the session has been read, in bytes if its form has bytes.
	Position() int64
}

// Open returns a tail at the beginning of a transcript that is one file: lines, compressed or not, or a document.
func Open(s Session) Tail {
	switch s.Form {
	case Compressed:
		return &compressedTail{path: s.Path}
	case Document:
		return &documentTail{path: s.Path}
	}
	return &lineTail{path: s.Path, line: 1}
}

// lineTail follows a JSONL file by its offset.
type lineTail struct {
	path string

	info   os.FileInfo // state of the file when last read
	offset int64       // everything before it was returned
	mark   mark        // the bytes just before offset and at the beginning of the file
	// sum is a checksum of the bytes from begin to offset, which finds a rewritten file of the same size.
	sum   uint32
	begin int64
	line  int64 // the line at offset; 0 if unknown
	// skipping counts the bytes of an overlong line that has not ended yet.
	skipping int64
	// lead are records before offset that name the agent or model of those after it. They are returned first.
	lead [][]byte
}

func (t *lineTail) Position() int64 { return t.offset }

// BeginsWithin reports whether a tail that was not read yet begins after the first line of its transcript.
func BeginsWithin(t Tail) bool {
	lines, ok := t.(*lineTail)
	return ok && lines.offset > 0
}

// openWithInfo opens a file and returns its state.
func openWithInfo(path string) (*os.File, os.FileInfo, error) {
	f, err := safefile.File(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func (t *lineTail) Next(ctx context.Context, b *Batch) error {
	b.clear()
	f, info, err := openWithInfo(t.path)
	if err != nil {
		return err
	}
	defer f.Close()
	switch {
	case t.info == nil:
	case info.Size() < t.offset, !os.SameFile(t.info, info) && !t.mark.matches(f), ChangedTime(t.info, info) && !t.same(f, info.Size()):
		*t = lineTail{path: t.path, line: 1}
		b.Reset = true
	}
	for _, record := range t.lead {
		b.addLine(record)
	}
	if err := t.read(ctx, f, info.Size(), b); err != nil {
		return err
	}
	t.info, t.lead = info, nil
	t.mark.sample(f, t.offset)
	return nil
}

// same reports whether a file whose time has changed still has the content before the offset. Agents append, so only a
// file that did not grow is compared as a whole.
func (t *lineTail) same(f *os.File, size int64) bool {
	if !t.mark.matches(f) {
		return false
	}
	return size != t.info.Size() || t.summed(f)
}

// summed reports whether the bytes before the offset have the checksum of those that were read.
func (t *lineTail) summed(f *os.File) bool {
	h := crc32.New(castagnoli)
	_, err := io.Copy(h, io.NewSectionReader(f, t.begin, t.offset-t.begin))
	return err == nil && h.Sum32() == t.sum
}

// castagnoli is the polynomial that CPUs have an instruction for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// take moves the offset behind text, which was read there.
func (t *lineTail) take(text []byte) {
	t.sum = crc32.Update(t.sum, castagnoli, text)
	t.offset += int64(len(text))
}

// read fills the batch with the records after the offset.
func (t *lineTail) read(ctx context.Context, f *os.File, size int64, b *Batch) error {
	chunk := takeChunk()
	defer giveChunk(chunk)
	buf := chunk[:ordinaryBatch]
	for t.offset < size {
		if err := ctx.Err(); err != nil && b.Count == 0 && !b.Reset {
			return err // a batch that was begun is returned, because it is not read again
		}
		want := min(size-t.offset, int64(len(buf)))
		n, err := f.ReadAt(buf[:want], t.offset)
		if n == 0 {
			if errors.Is(err, io.EOF) {
				return nil // the file has shrunk in the meantime; the next call notices it
			}
			return fmt.Errorf("reading %s at byte %d: %w", t.path, t.offset, err)
		}
		taken, full, long := t.lines(buf[:n], t.offset+int64(n) >= size, b)
		t.take(buf[:taken])
		switch {
		case long:
			if wait := t.longLine(f, size, b); wait {
				return nil
			}
		case full, len(b.Body) > ordinaryBatch/2: // not much of the next piece would fit
			return nil
		case taken == 0 && len(buf) < len(chunk) && want == int64(len(buf)):
			buf = chunk[:] // the line is longer than most
		case taken == 0:
			return nil
		}
	}
	return nil
}

// longLine reads a line longer than MaxRecord, because it may be short enough without its pictures. wait is set if the
// batch already contains records, or the writer has not finished the line.
func (t *lineTail) longLine(f *os.File, size int64, b *Batch) (wait bool) {
	if b.Count > 0 {
		return true // the line gets a batch of its own
	}
	text := ReadSome(f, nil, t.offset, min(size, t.offset+maxLine))
	newline := bytes.IndexByte(text, '\n')
	switch {
	case newline >= 0:
		t.take(text[:newline+1])
		before := b.Count
		b.addLong(text[:newline])
		t.placed(b, before)
		t.passed()
		return false
	case len(text) < maxLine:
		return true
	}
	t.skipping = int64(len(text))
	t.take(text)
	return false
}

// lines reads whole lines from chunk until the batch is full. last means that the file ends with the chunk; a complete
// object is then read even without its newline. long is set if the next line does not end in the chunk and is longer
// than MaxRecord.
func (t *lineTail) lines(chunk []byte, last bool, b *Batch) (taken int, full, long bool) {
	for taken < len(chunk) {
		line, _, ended := bytes.Cut(chunk[taken:], []byte("\n"))
		before := b.Count
		switch {
		case t.skipping > 0 && !ended:
			t.skipping += int64(len(line))
			return len(chunk), false, false
		case t.skipping > 0:
			b.skip(t.skipping + int64(len(line)))
			t.skipping = 0
		case len(line) > MaxRecord:
			return taken, false, true
		case !ended && !last:
			return taken, false, false
		case !ended && !isObject(TrimSpace(line)): // the writer has not finished the line
			return taken, true, false
		case !b.fits(len(line)):
			return taken, true, false
		default:
			b.addLine(line)
		}
		t.placed(b, before)
		if taken += len(line); ended {
			t.passed()
			taken++
		}
	}
	return taken, false, false
}

// isObject reports whether a line is one whole object.
func isObject(line []byte) bool {
	return len(line) > 0 && line[0] == '{' && json.ContainerEnd(line) == len(line)
}

// passed counts a line that was read.
func (t *lineTail) passed() {
	if t.line > 0 {
		t.line++
	}
}

// placed sets the batch's line to that of its first record, as long as every record is on the line after the previous
// one. The records of the current line are those from index before on.
func (t *lineTail) placed(b *Batch, before int) {
	switch n := b.Count - before; {
	case n == 0:
	case before == 0 && n == 1:
		b.Line = t.line
	case n > 1 || t.line != b.Line+int64(before):
		b.Line, b.unplaced = 0, true
	}
	if b.unplaced {
		b.Line = 0
	}
}

// ChangedTime reports whether two files were modified at different times.
func ChangedTime(a, b os.FileInfo) bool { return !a.ModTime().Equal(b.ModTime()) }

// A mark remembers a few bytes of a file, to distinguish a file that has grown from one that was rewritten.
type mark struct {
	head, tail []byte
	offset     int64
}

const markSize = 256

func (m *mark) sample(f io.ReaderAt, offset int64) {
	m.offset = offset
	m.head = ReadSome(f, m.head[:0], 0, min(markSize, offset))
	m.tail = ReadSome(f, m.tail[:0], max(0, offset-markSize), offset)
}

func (m *mark) matches(f io.ReaderAt) bool {
	head := ReadSome(f, nil, 0, min(markSize, m.offset))
	tail := ReadSome(f, nil, max(0, m.offset-markSize), m.offset)
	return bytes.Equal(head, m.head) && bytes.Equal(tail, m.tail)
}
