// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"os"
	"slices"
)

// A long transcript need not be read as a whole to find how full the window is: records before the last compaction are
// not sent any more, and the last measured request covers everything before it.

const (
	// tailFirst is how many bytes from the end are searched first, and tailMost the maximum.
	tailFirst = 256 << 10
	tailMost  = 16 << 20
	// tailMeasures is the number of measured requests to read: the last one gives the number, the ones before give its
	// correction and its range.
	tailMeasures = 24
	// glimpseBytes is the tailMost of a preview. A preview needs only the number, so it begins at the last measured
	// requests; each writes several records. Some agents do not send the reasoning of earlier turns again, which
	// requires reading a whole turn and thus more requests.
	glimpseBytes        = 1 << 20
	glimpseMeasures     = 6
	glimpseMeasuresLong = 64
)

// RecentTail returns a tail that begins at the last measured request before the last compaction, or after it if enough
// requests have been measured since. It reads backward, so the length of the transcript does not matter.
func RecentTail(path string, m *Marks) (Tail, error) {
	f, info, err := openWithInfo(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	at, _ := recentEnd(m, f, info.Size(), tailMost, tailMeasures)
	return &lineTail{path: path, offset: at, begin: at, lead: append(leadTo(m, f, at), fixedRecords(m, f, at)...)}, nil
}

// Preview returns a tail of the end of a transcript, long enough to find how full the window is, and its length in
// bytes. The tail is nil if the file cannot be read.
func Preview(path string, m *Marks) (tail Tail, length int64) {
	f, info, err := openWithInfo(path)
	if err != nil {
		return nil, 0
	}
	defer f.Close()
	wanted := glimpseMeasures
	if m.LongTurns {
		wanted = glimpseMeasuresLong
	}
	at, text := recentEnd(m, f, info.Size(), glimpseBytes, wanted)
	at = lastMeasures(m, text, at, wanted)
	return &lineTail{path: path, offset: at, begin: at, lead: leadTo(m, f, at)}, info.Size() - at
}

// leadTo returns the records before an offset that identify the session and its model if no others do: the first
// record, and the last one that names the model.
func leadTo(m *Marks, f *os.File, offset int64) [][]byte {
	if m.Head == "" {
		return nil
	}
	head := ReadSome(f, nil, 0, min(offset, MaxRecord))
	first, _, ended := bytes.Cut(head, []byte("\n"))
	if !ended || !bytes.Contains(first[:min(len(first), 256)], []byte(m.Head)) {
		return nil
	}
	lead := [][]byte{first}
	const before = 512 // bytes of a record before its type, and more
	for from := offset; from > 0 && offset-from < tailMost; {
		end := min(from+before, offset)
		from = max(0, from-tailFirst)
		text := ReadSome(f, nil, from, end)
		at := lastIndex(text, []byte(m.Model))
		begin := bytes.LastIndexByte(text[:max(at, 0)], '\n') + 1
		if begin == 0 {
			continue // it may begin in the part before, and the next read contains it whole
		}
		line, _, _ := bytes.Cut(ReadSome(f, nil, from+int64(begin), min(from+int64(begin)+MaxRecord, offset)), []byte("\n"))
		return append(lead, line)
	}
	return lead
}

// headBytes is how many bytes at the beginning are searched for records of the fixed context.
const headBytes = 1 << 20

// fixedRecords returns the records before an offset with the fixed context, in file order: the last one of each kind
// near the beginning of the transcript.
func fixedRecords(m *Marks, f *os.File, offset int64) (records [][]byte) {
	if len(m.Fixed) == 0 {
		return nil
	}
	head := ReadSome(f, nil, 0, min(offset, headBytes))
	head = head[:bytes.LastIndexByte(head, '\n')+1]
	var starts []int
	for _, mark := range m.Fixed {
		at := lastIndex(head, []byte(mark))
		if start := bytes.LastIndexByte(head[:max(at, 0)], '\n') + 1; at >= 0 && !slices.Contains(starts, start) {
			starts = append(starts, start)
		}
	}
	slices.Sort(starts)
	for _, start := range starts {
		line, _, _ := bytes.Cut(head[start:], []byte("\n"))
		records = append(records, line)
	}
	return records
}

// lastMeasures returns the offset of the first record of the last wanted measured requests in a text; at, the offset of
// the text itself, if it has fewer.
func lastMeasures(m *Marks, text []byte, at int64, wanted int) int64 {
	end := len(text)
	for range wanted {
		last := lastIndex(text[:end], []byte(m.Measured))
		if last < 0 {
			return at
		}
		end = bytes.LastIndexByte(text[:last], '\n') + 1
	}
	return at + int64(end)
}

// lastIndex returns the same as bytes.LastIndex. It searches forward in steps from the end, which is ten times as fast;
// a mark that does not occur is searched for in the whole text (BenchmarkGlimpse).
func lastIndex(text, mark []byte) int {
	if len(mark) == 0 {
		return -1
	}
	const step = 8 << 10
	for end := len(text); end > 0; end -= step {
		from := max(0, end-step)
		within := text[from:min(len(text), end+len(mark)-1)] // a mark may begin in this step and end after it
		last := -1
		for at := bytes.Index(within, mark); at >= 0; at = bytes.Index(within[last+1:], mark) {
			last += 1 + at
		}
		if last >= 0 {
			return from + last
		}
	}
	return -1
}

// recentEnd returns the offset of the first record of a tail, and the text from there. It searches growing parts of the
// end, up to most bytes, for the last compaction or the wanted number of measured requests.
func recentEnd(m *Marks, f *os.File, size, most int64, wanted int) (offset int64, text []byte) {
	for span := int64(tailFirst); ; span *= 4 {
		from := max(0, size-span)
		text = ReadSome(f, text, from, size)
		start := 0
		if from > 0 { // the first line is incomplete
			newline := bytes.IndexByte(text, '\n')
			if newline < 0 {
				newline = len(text) - 1
			}
			start = newline + 1
		}
		text = text[start:]
		at := int64(start)
		last := lastIndex(text, []byte(m.Compacted))
		if last >= 0 {
			// The fixed context was in the prompts before the compaction and is in those after it, so the last measured
			// prompt is the base until the next one.
			measured := lastIndex(text[:last], []byte(m.Measured))
			if measured >= 0 {
				last = measured
			}
			if measured >= 0 || from == 0 || span >= most {
				line := bytes.LastIndexByte(text[:last], '\n') + 1
				return from + at + int64(line), text[line:]
			}
			continue
		}
		if from == 0 || span >= most {
			return from + at, text
		}
		if m.Measured != "" && bytes.Count(text, []byte(m.Measured)) >= wanted {
			return from + at, text
		}
	}
}
