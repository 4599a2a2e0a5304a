// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Lists of sessions are kept in files of the cache: a line that says what it is, numbers and texts, and a checksum. A
// text that repeats, as folders do, stands once.

const maxList = 64 << 20

// writeList replaces a file of the cache. Errors are ignored, because the search is of use without it.
func writeList(path string, text []byte) {
	if len(text) > maxList || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	_ = safefile.Replace(path, text)
}

// listFile reads a file of the cache, nil where it cannot be one.
func listFile(path string) []byte {
	if info, err := os.Stat(path); err != nil || info.Size() > maxList || !info.Mode().IsRegular() {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return text
}

// A listWriter appends to a list.
type listWriter struct {
	to      []byte
	numbers map[string]uint64 // of the texts that stand there
}

func (w *listWriter) plain(s string) {
	w.to = append(binary.AppendUvarint(w.to, uint64(len(s))), s...)
}

func (w *listWriter) text(s string) {
	if n, again := w.numbers[s]; again {
		w.to = binary.AppendUvarint(w.to, n)
		return
	}
	if w.numbers == nil {
		w.numbers = map[string]uint64{}
	}
	w.numbers[s] = uint64(len(w.numbers)) + 1
	w.to = binary.AppendUvarint(w.to, 0)
	w.plain(s)
}

func (w *listWriter) when(t time.Time) {
	nanoseconds := int64(0)
	if !t.IsZero() {
		nanoseconds = t.UnixNano()
	}
	w.to = binary.AppendVarint(w.to, nanoseconds)
}

// session writes what is not the same of all sessions of a store.
func (w *listWriter) session(s *Session) {
	w.plain(s.ID)
	key := s.Key
	if key == s.ID {
		key = ""
	}
	w.text(key)
	w.text(s.Workspace)
	w.text(s.Parent)
	w.text(s.Version)
	w.text(s.Label)
	w.when(s.Started)
	w.when(s.Modified)
}

func (w *listWriter) end() []byte {
	return binary.LittleEndian.AppendUint32(w.to, crc32.ChecksumIEEE(w.to))
}

// A listReader reads a list.
type listReader struct {
	file    []byte
	all     string // the same: texts are parts of it
	at, end int
	good    bool // so far everything was as it is written
	texts   []string
}

func readList(file []byte, magic string) *listReader {
	end := len(file) - 4
	if end < len(magic) || string(file[:len(magic)]) != magic ||
		crc32.ChecksumIEEE(file[:end]) != binary.LittleEndian.Uint32(file[end:]) {
		return &listReader{}
	}
	return &listReader{file: file, all: string(file[:end]), at: len(magic), end: end, good: true}
}

func (r *listReader) number() int64 {
	n, length := binary.Varint(r.file[r.at:r.end])
	r.good, r.at = r.good && length > 0, r.at+max(length, 0)
	return n
}

func (r *listReader) count() uint64 {
	n, length := binary.Uvarint(r.file[r.at:r.end])
	r.good, r.at = r.good && length > 0, r.at+max(length, 0)
	return n
}

func (r *listReader) plain() string {
	length := r.count()
	if !r.good || length > uint64(r.end-r.at) {
		r.good = false
		return ""
	}
	r.at += int(length)
	return r.all[r.at-int(length) : r.at]
}

func (r *listReader) text() string {
	n := r.count()
	switch {
	case !r.good:
		return ""
	case n == 0:
		r.texts = append(r.texts, r.plain())
		return r.texts[len(r.texts)-1]
	case n > uint64(len(r.texts)):
		r.good = false
		return ""
	}
	return r.texts[n-1]
}

func (r *listReader) when() time.Time {
	if n := r.number(); n != 0 {
		return time.Unix(0, n)
	}
	return time.Time{}
}

func (r *listReader) session(s *Session) {
	s.ID = r.plain()
	if s.Key = r.text(); s.Key == "" {
		s.Key = s.ID
	}
	s.Workspace, s.Parent, s.Version, s.Label = r.text(), r.text(), r.text(), r.text()
	s.Started, s.Modified = r.when(), r.when()
}
