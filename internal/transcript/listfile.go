// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Lists of sessions are files of the cache: a line with the magic, then numbers and texts, then a checksum. Repeated
// texts, such as directories, are stored once.

const maxList = 64 << 20

// WriteList replaces a file of the cache. It ignores errors, because the search works without the file.
func WriteList(path string, text []byte) {
	if len(text) > maxList || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	_ = safefile.Replace(path, text)
}

// ListFile reads a file of the cache; nil if it cannot be read, is too large or is not a regular file.
func ListFile(path string) []byte {
	if info, err := os.Stat(path); err != nil || info.Size() > maxList || !info.Mode().IsRegular() {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return text
}

// A ListWriter appends to a list.
type ListWriter struct {
	To      []byte
	numbers map[string]uint64 // numbers of the texts in To
}

// Count appends a number that is not negative.
func (w *ListWriter) Count(n uint64) { w.To = binary.AppendUvarint(w.To, n) }

// Plain appends a text.
func (w *ListWriter) Plain(s string) {
	w.To = append(binary.AppendUvarint(w.To, uint64(len(s))), s...)
}

// Text appends a text, or its number if it was appended before.
func (w *ListWriter) Text(s string) {
	if n, again := w.numbers[s]; again {
		w.To = binary.AppendUvarint(w.To, n)
		return
	}
	if w.numbers == nil {
		w.numbers = map[string]uint64{}
	}
	w.numbers[s] = uint64(len(w.numbers)) + 1
	w.To = binary.AppendUvarint(w.To, 0)
	w.Plain(s)
}

func (w *ListWriter) when(t time.Time) {
	nanoseconds := int64(0)
	if !t.IsZero() {
		nanoseconds = t.UnixNano()
	}
	w.To = binary.AppendVarint(w.To, nanoseconds)
}

// Session appends the fields that differ between the sessions of a store.
func (w *ListWriter) Session(s *Session) {
	w.Plain(s.ID)
	key := s.Key
	if key == s.ID {
		key = ""
	}
	w.Text(key)
	w.Text(s.Workspace)
	w.Text(s.Parent)
	w.Text(s.Version)
	w.Text(s.Label)
	w.when(s.Started)
	w.when(s.Modified)
}

// End appends the checksum and returns the list.
func (w *ListWriter) End() []byte {
	return binary.LittleEndian.AppendUint32(w.To, crc32.ChecksumIEEE(w.To))
}

// A listReader reads a list.
type listReader struct {
	file    []byte
	all     string // file as a string, so that texts can be slices of it
	At, End int
	Good    bool // everything read so far was valid
	texts   []string
}

// ReadList returns a reader of the list in a file. A file that is damaged or has another magic reads as an empty list.
func ReadList(file []byte, magic string) *listReader {
	end := len(file) - 4
	if end < len(magic) || string(file[:len(magic)]) != magic ||
		crc32.ChecksumIEEE(file[:end]) != binary.LittleEndian.Uint32(file[end:]) {
		return &listReader{}
	}
	return &listReader{file: file, all: string(file[:end]), At: len(magic), End: end, Good: true}
}

func (r *listReader) Number() int64 {
	n, length := binary.Varint(r.file[r.At:r.End])
	r.Good, r.At = r.Good && length > 0, r.At+max(length, 0)
	return n
}

func (r *listReader) Count() uint64 {
	n, length := binary.Uvarint(r.file[r.At:r.End])
	r.Good, r.At = r.Good && length > 0, r.At+max(length, 0)
	return n
}

func (r *listReader) Plain() string {
	length := r.Count()
	if !r.Good || length > uint64(r.End-r.At) {
		r.Good = false
		return ""
	}
	return r.Bytes(int(length))
}

// Bytes returns the next n bytes, and "" without that many.
func (r *listReader) Bytes(n int) string {
	if !r.Good || n > r.End-r.At {
		r.Good = false
		return ""
	}
	r.At += n
	return r.all[r.At-n : r.At]
}

func (r *listReader) Text() string {
	n := r.Count()
	switch {
	case !r.Good:
		return ""
	case n == 0:
		r.texts = append(r.texts, r.Plain())
		return r.texts[len(r.texts)-1]
	case n > uint64(len(r.texts)):
		r.Good = false
		return ""
	}
	return r.texts[n-1]
}

func (r *listReader) when() time.Time {
	if n := r.Number(); n != 0 {
		return time.Unix(0, n)
	}
	return time.Time{}
}

func (r *listReader) Session(s *Session) {
	s.ID = r.Plain()
	if s.Key = r.Text(); s.Key == "" {
		s.Key = s.ID
	}
	s.Workspace, s.Parent, s.Version, s.Label = r.Text(), r.Text(), r.Text(), r.Text()
	s.Started, s.Modified = r.when(), r.when()
}
