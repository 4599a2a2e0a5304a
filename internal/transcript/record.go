// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// MaxRecord is the length of the longest record that is read. A longer one is skipped, and its length reported. The
// rest of a batch is for what surrounds the record in a call.
const MaxRecord = MaxBatch - 4096

// MaxBatch is the maximum number of bytes of records in one call.
const MaxBatch = 1 << 20

// ordinaryBatch is the maximum number of bytes of records in one call if no record is longer. Every buffer on a batch's
// path stays as large as the largest batch, and the memory of a WebAssembly instance never shrinks, while a call costs
// only microseconds.
const ordinaryBatch = 256 << 10

// maxLine is the length of the longest line that is searched for a record short enough without its pictures.
const maxLine = 8 << 20

const (
	// longText is the minimum length of a base64 text to be treated as a picture.
	longText = 64 << 10
	// pictureHead is the number of bytes kept of a picture, because they contain its size in pixels.
	pictureHead = 48 << 10
)

// withoutPictures shortens, in place, the texts of a record that are base64 and so long that they must be a picture or
// another file. Their tokens depend on the size in pixels, if on anything, never on the characters.
func withoutPictures(record []byte) []byte {
	out := record[:0]
	for i := 0; i < len(record); {
		quote := bytes.IndexByte(record[i:], '"')
		if quote < 0 {
			return append(out, record[i:]...)
		}
		out = append(out, record[i:i+quote]...)
		i += quote
		end := json.StringEnd(record, i)
		if end < 0 {
			return append(out, record[i:]...)
		}
		if text := record[i+1 : end-1]; len(text) > longText && isBase64(text) {
			out = append(out, record[i:i+1+pictureHead]...)
			out = append(out, '"')
		} else {
			out = append(out, record[i:end]...)
		}
		i = end
	}
	return out
}

// isBase64 reports whether a text is base64, optionally after the start of a data URL.
func isBase64(text []byte) bool {
	if comma := bytes.IndexByte(text[:min(len(text), 100)], ','); comma >= 0 && bytes.HasPrefix(text, []byte("data:")) {
		text = text[comma+1:]
	}
	for _, c := range text {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '+' && c != '/' && c != '=' && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// AppendSkipped appends a placeholder record for n bytes that could not be read.
func AppendSkipped(dst []byte, n int64) []byte {
	dst = append(dst, `{"skipped":`...)
	dst = strconv.AppendInt(dst, n, 10)
	return append(dst, '}')
}
