// Copyright The ctx-lsp authors. MIT licence.

package source

import "bytes"

// Batch is a piece of a session on its way to ctx/session/records.
type Batch struct {
	// Reset is set when everything read of the session before is void: its
	// file was truncated or replaced. The batch is then the first of the
	// session as it is now.
	Reset bool
	// Count is the number of records, skipped ones included; Skipped counts
	// those that could not be read.
	Count, Skipped int

	// Line is the line of the file that the first record stands on, where each
	// record has the line after the one before; 0 otherwise.
	Line     int64
	unplaced bool // some record has not

	body []byte // records, each but the first after a comma
	ends []int  // where each record ends in body
}

func (b *Batch) clear() {
	b.Reset, b.Count, b.Skipped, b.Line, b.unplaced = false, 0, 0, 0, false
	b.body, b.ends = b.body[:0], b.ends[:0]
}

// Records is the batch as a JSON array.
func (b *Batch) Records() []byte {
	out := make([]byte, 0, len(b.body)+2)
	out = append(out, '[')
	out = append(out, b.body...)
	return append(out, ']')
}

// fits says whether n more bytes may join the batch.
func (b *Batch) fits(n int) bool {
	return len(b.body) == 0 || len(b.body)+n+1 <= MaxBatch
}

// add appends one record, which must be one whole JSON value.
func (b *Batch) add(record []byte) {
	if len(b.body) > 0 {
		b.body = append(b.body, ',')
	}
	b.body = append(b.body, record...)
	b.ends = append(b.ends, len(b.body))
	b.Count++
}

// skip appends the stand-in for n bytes that could not be read.
func (b *Batch) skip(n int64) {
	if len(b.body) > 0 {
		b.body = append(b.body, ',')
	}
	b.body = appendSkipped(b.body, n)
	b.ends = append(b.ends, len(b.body))
	b.Count++
	b.Skipped++
}

// record is the i-th record of the batch.
func (b *Batch) record(i int) []byte {
	start := 0
	if i > 0 {
		start = b.ends[i-1] + 1
	}
	return b.body[start:b.ends[i]]
}

// addLine appends what one line holds: usually one object, after a collision
// of two writers perhaps several, perhaps none that can be read.
func (b *Batch) addLine(line []byte) {
	line = trimSpace(line)
	for len(line) > 0 {
		end := -1
		if line[0] == '{' {
			end = valueEnd(line)
		}
		if end < 0 {
			lost := lostBefore(line)
			b.skip(int64(lost))
			line = line[lost:]
			continue
		}
		b.add(line[:end])
		line = trimSpace(line[end:])
	}
}

// addLong appends a line that is longer than a record may be, if it is not
// without its pictures. The line is changed.
func (b *Batch) addLong(line []byte) {
	length := int64(len(line))
	if short := withoutPictures(line); len(short) <= MaxRecord {
		b.addLine(short)
		return
	}
	b.skip(length)
}

// lostBefore is how much of a line that begins with a broken record is lost:
// all of it, unless a writer that stopped in mid-record was followed by one
// that did not begin a new line. A record's first key tells where one begins.
func lostBefore(line []byte) int {
	key := line[:min(len(line), 2)]
	if len(line) > 2 && line[0] == '{' && line[1] == '"' {
		if end := stringEnd(line, 1); end > 0 && end < 40 {
			key = line[:end]
		}
	}
	for at := len(key); len(key) > 2; {
		next := bytes.Index(line[at:], key)
		if next < 0 {
			break
		}
		at += next
		if valueEnd(line[at:]) > 0 {
			return at
		}
		at += len(key)
	}
	return len(line)
}
