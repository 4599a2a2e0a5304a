// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// A Batch is a piece of a session on its way to ctx/session/records.
type Batch struct {
	// Reset is set if everything read of the session before is void because its file was truncated or replaced. The
	// batch is then the first one of the new session.
	Reset bool
	// Count is the number of records, including skipped ones; Skipped is the number of those that could not be read.
	Count, Skipped int

	// Line is the line number of the first record if every record is on the line after the previous one; otherwise 0.
	Line     int64
	unplaced bool // the line of some record is unknown

	Body []byte // the records, separated by commas
	ends []int  // the end of each record in Body
}

func (b *Batch) clear() {
	b.Reset, b.Count, b.Skipped, b.Line, b.unplaced = false, 0, 0, 0, false
	b.Body, b.ends = b.Body[:0], b.ends[:0]
}

// Records returns the batch as a JSON array.
func (b *Batch) Records() []byte {
	out := make([]byte, 0, len(b.Body)+2)
	out = append(out, '[')
	out = append(out, b.Body...)
	return append(out, ']')
}

// fits reports whether n more bytes fit into the batch. An empty batch takes a record of any length.
func (b *Batch) fits(n int) bool {
	return len(b.Body) == 0 || len(b.Body)+n+1 <= ordinaryBatch
}

// add appends one record, which must be a whole JSON value.
func (b *Batch) add(record []byte) {
	if len(b.Body) > 0 {
		b.Body = append(b.Body, ',')
	}
	b.Body = append(b.Body, record...)
	b.ends = append(b.ends, len(b.Body))
	b.Count++
}

// skip adds a placeholder record for n bytes that could not be read.
func (b *Batch) skip(n int64) {
	if len(b.Body) > 0 {
		b.Body = append(b.Body, ',')
	}
	b.Body = AppendSkipped(b.Body, n)
	b.ends = append(b.ends, len(b.Body))
	b.Count++
	b.Skipped++
}

// Record returns the i-th record of the batch.
func (b *Batch) Record(i int) []byte {
	start := 0
	if i > 0 {
		start = b.ends[i-1] + 1
	}
	return b.Body[start:b.ends[i]]
}

// Span returns the records first to last, separated by commas.
func (b *Batch) Span(first, last int) []byte {
	start := 0
	if first > 0 {
		start = b.ends[first-1] + 1
	}
	return b.Body[start:b.ends[last]]
}

// addLine adds the records of a line: usually one object, several after a collision of two writers, or a placeholder
// for bytes that cannot be read.
func (b *Batch) addLine(line []byte) {
	line = TrimSpace(line)
	torn := 0
	for len(line) > 0 {
		end := -1
		if line[0] == '{' {
			end = json.ContainerEnd(line)
		}
		if end < 0 {
			torn++
			lost := lostBefore(line, &torn)
			b.skip(int64(lost))
			line = line[lost:]
			continue
		}
		b.add(line[:end])
		line = TrimSpace(line[end:])
	}
}

// addLong adds a line longer than MaxRecord if it is short enough without its pictures, and a placeholder otherwise. It
// changes the line.
func (b *Batch) addLong(line []byte) {
	length := int64(len(line))
	if short := withoutPictures(line); len(short) <= MaxRecord {
		b.addLine(short)
		return
	}
	b.skip(length)
}

// mostTorn limits how many broken records of one line the search for a whole record passes. Each costs a scan to the
// end of the line: without a limit, half a megabyte of records that begin and never end would take a minute.
const mostTorn = 32

// lostBefore returns how many bytes to drop from a line that begins with a broken record: the whole line, unless a
// writer stopped within a record and another one continued on the same line. The next record is found by its first key,
// which has to be that of the broken one. Every further broken record adds 1 to torn.
func lostBefore(line []byte, torn *int) int {
	key := line[:min(len(line), 2)]
	if len(line) > 2 && line[0] == '{' && line[1] == '"' {
		if end := json.StringEnd(line, 1); end > 0 && end < 40 {
			key = line[:end]
		}
	}
	for at := len(key); len(key) > 2 && *torn < mostTorn; {
		next := bytes.Index(line[at:], key)
		if next < 0 {
			break
		}
		at += next
		if json.ContainerEnd(line[at:]) > 0 {
			return at
		}
		*torn++
		at += len(key)
	}
	return len(line)
}
