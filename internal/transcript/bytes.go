// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"hash/maphash"
	"io"
)

// HashSeed is the seed of this process's hashes of records.
var HashSeed = maphash.MakeSeed()

// Limits of the reads at the start of a transcript.
const (
	FirstRead = 16 << 10 // enough for most heads
	LongRead  = 1 << 20  // enough for a first record that carries a system prompt
	HeadLines = 200
)

// FirstLine returns text up to its first newline.
func FirstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// IsSpace reports whether c is white space of JSON.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// byteOrderMark begins the files of editors and shells of Windows.
var byteOrderMark = []byte("\xef\xbb\xbf")

// Unmarked returns b without a byte order mark at its beginning.
func Unmarked(b []byte) []byte { return bytes.TrimPrefix(b, byteOrderMark) }

// TrimSpace returns b without white space and zero bytes at its ends, and without a byte order mark.
func TrimSpace(b []byte) []byte {
	b = bytes.Trim(b, " \t\r\n\x00")
	if rest, marked := bytes.CutPrefix(b, byteOrderMark); marked {
		return bytes.Trim(rest, " \t\r\n\x00")
	}
	return b
}

// ReadSome returns the bytes between two offsets, or as many as can be read. It reuses the memory of dst if that is
// large enough.
func ReadSome(f io.ReaderAt, dst []byte, from, to int64) []byte {
	n := int(to - from)
	if cap(dst) < n {
		dst = make([]byte, n)
	}
	dst = dst[:n]
	got, _ := f.ReadAt(dst, from)
	return dst[:got]
}
