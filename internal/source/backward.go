// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"bytes"
	"cmp"
	"os"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A long transcript need not be read as a whole to know how full the window is: what stands before the last compaction
// is not sent any more, and the last metered request measures everything before it.

var (
	// boundaries are parts of the records with which a compaction begins.
	boundaries = [][]byte{
		[]byte(`"subtype":"compact_boundary"`), // Claude Code
		[]byte(`"type":"compacted"`),           // Codex
	}
	// measures are parts of the records that contain a provider's usage.
	measures = [][]byte{
		[]byte(`"usage":{"`),           // Claude Code
		[]byte(`"last_token_usage":{`), // Codex
		[]byte(`"usageMetadata":{`),    // Qwen Code
	}
)

const (
	// tailFirst is how many bytes from the end are searched first, and tailMost how many at most.
	tailFirst = 256 << 10
	tailMost  = 16 << 20
	// tailMeasures is how many metered requests are wanted: the last one gives the number, and those before it give its
	// correction and its range.
	tailMeasures = 24
	// glimpseMost is the same as tailMost for a glimpse, which wants the number alone, and so begins at the last
	// requests of these: one request writes several records. Some agents do not send the reasoning of earlier turns
	// again, so that a whole turn has to be seen.
	glimpseMost         = 1 << 20
	glimpseMeasures     = 6
	glimpseMeasuresLong = 64
)

// endsAlone reports whether the end of a session can be read without its beginning.
func endsAlone(s transcript.Session) bool {
	return agents.Of(s).EndsAlone && s.Form == transcript.Lines
}

// RecentTail is a tail that begins at the last request that was metered before
// the last compaction of a transcript, or where enough requests have been
// metered since, whichever is later.
// It reads backwards, so the length of the transcript does not matter. What
// is not a plain transcript is read from its beginning.
func RecentTail(s transcript.Session) (Tail, error) {
	if !endsAlone(s) || agents.UsageStore(s) != "" {
		return OpenTail(s), nil
	}
	f, err := safefile.File(s.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	at, _ := recentEnd(f, info.Size(), tailMost, tailMeasures)
	return &lineTail{path: s.Path, offset: at, lead: leadTo(f, at)}, nil
}

// NewGlimpse prepares to read only so much of the end of a session as tells how full its window is, and says how many
// bytes that are. The feed is nil where a session is not known by its end, and is too long to be read for a glimpse.
func NewGlimpse(s transcript.Session, call Call) (feed *Feed, length int64) {
	if !endsAlone(s) {
		if s.Size > glimpseMost {
			return nil, 0
		}
		return NewFeed(s, call), cmp.Or(s.Size, glimpseMost) // nobody knows how long one in a database is
	}
	f, err := safefile.File(s.Path)
	if err != nil {
		return nil, 0
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0
	}
	wanted := glimpseMeasures
	if agents.Of(s).LongTurns {
		wanted = glimpseMeasuresLong
	}
	at, text := recentEnd(f, info.Size(), glimpseMost, wanted)
	at = lastMeasures(text, at, wanted)
	return &Feed{Session: s, ID: s.ID, call: call, tail: &lineTail{path: s.Path, offset: at, lead: leadTo(f, at)}}, info.Size() - at
}

var (
	// sessionMeta is part of the first record of Codex, which alone names the agent, its version and the directory.
	sessionMeta = []byte(`"type":"session_meta"`)
	// turnContext is part of the records of Codex that name the model, one at the beginning of each turn.
	turnContext = []byte(`"type":"turn_context"`)
)

// leadTo returns the records before an offset that name the session and its model, if only they do: the first record of
// a Codex session and its last turn_context.
func leadTo(f *os.File, offset int64) [][]byte {
	head := transcript.ReadSome(f, nil, 0, min(offset, MaxRecord))
	first, _, ended := bytes.Cut(head, []byte("\n"))
	if !ended || !bytes.Contains(first[:min(len(first), 256)], sessionMeta) {
		return nil
	}
	lead := [][]byte{first}
	const before = 512 // bytes of a record before its type, and more
	for from := offset; from > 0 && offset-from < tailMost; {
		end := min(from+before, offset)
		from = max(0, from-tailFirst)
		text := transcript.ReadSome(f, nil, from, end)
		at := lastIndex(text, turnContext)
		begin := bytes.LastIndexByte(text[:max(at, 0)], '\n') + 1
		if at < 0 || begin == 0 {
			continue // it may begin in the step before, which has it whole
		}
		line, _, _ := bytes.Cut(transcript.ReadSome(f, nil, from+int64(begin), min(from+int64(begin)+MaxRecord, offset)), []byte("\n"))
		return append(lead, line)
	}
	return lead
}

// lastMeasures is the offset of the record with which the last so many metered requests of a text begin, which stands
// at an offset itself; that offset where the text has fewer.
func lastMeasures(text []byte, at int64, wanted int) int64 {
	end := len(text)
	for range wanted {
		last := -1
		for _, mark := range measures {
			last = max(last, lastIndex(text[:end], mark))
		}
		if last < 0 {
			return at
		}
		end = bytes.LastIndexByte(text[:last], '\n') + 1
	}
	return at + int64(end)
}

// lastIndex is bytes.LastIndex by steps from the end, each of which searches forwards. Processors do that ten times as
// fast, and a mark of another agent is searched for in all of the text (BenchmarkGlimpse).
func lastIndex(text, mark []byte) int {
	const step = 8 << 10
	for end := len(text); end > 0; end -= step {
		from := max(0, end-step)
		within := text[from:min(len(text), end+len(mark)-1)] // a mark may begin in this step and end behind it
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

// recentEnd is the offset of the first record of a tail, and the text from there on: it searches a part of the end,
// then larger ones up to most, for the last compaction or for so many metered requests.
func recentEnd(f *os.File, size, most int64, wanted int) (offset int64, text []byte) {
	for span := int64(tailFirst); ; span *= 4 {
		from := max(0, size-span)
		text = transcript.ReadSome(f, text, from, size)
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
		last := -1
		for _, mark := range boundaries {
			last = max(last, lastIndex(text, mark))
		}
		if last >= 0 {
			// What surrounds the conversation was in the prompts before the compaction, and is in those after it: the
			// last of them is the base until one is measured.
			measured := -1
			for _, mark := range measures {
				measured = max(measured, lastIndex(text[:last], mark))
			}
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
		found := 0
		for _, mark := range measures {
			found += bytes.Count(text, mark)
		}
		if found >= wanted {
			return from + at, text
		}
	}
}
