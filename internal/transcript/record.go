// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// MaxRecord is the length of the longest record that is read. A longer one is
// skipped, and its length reported. The bound leaves room in a call for what
// surrounds a record.
const MaxRecord = MaxBatch - 4096

// MaxBatch is how many bytes of records one call carries at most.
const MaxBatch = 1 << 20

// ordinaryBatch is how many bytes of records one call carries where no record is longer. What a batch passes through
// keeps the size of the largest, and the memory of a WebAssembly instance never shrinks; a call costs microseconds.
const ordinaryBatch = 256 << 10

// maxLine is the length of the longest line in which a record is looked for
// that is short without its pictures.
const maxLine = 8 << 20

const (
	// longText is how long a text must be to count as a picture.
	longText = 64 << 10
	// pictureHead is how much of a picture is kept, because it contains its size
	// in pixels.
	pictureHead = 48 << 10
)

// withoutPictures shortens, in place, those texts of a record that are base64
// and so long that they must be a picture or another file. Such texts count by
// their size in pixels, if at all, and never by their letters.
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

// isBase64 says whether a text is base64; the beginning of a data URL may stand
// before it.
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

// AppendSkipped writes the record that stands for bytes which could not be
// read.
func AppendSkipped(dst []byte, n int64) []byte {
	dst = append(dst, `{"skipped":`...)
	dst = strconv.AppendInt(dst, n, 10)
	return append(dst, '}')
}
