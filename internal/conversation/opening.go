// Copyright The ctx-lsp authors. MIT licence.

package conversation

import (
	"context"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

const (
	// openingRunes is the maximum number of characters of the first prompt in a name.
	openingRunes = 60
	// openingReads is how many batches of a transcript are searched for it.
	openingReads = 4
)

// Opening returns the first words of the first prompt, on one line, as a name for a session that its agent has not
// named; "" before the first prompt. It reads the beginning of the transcript and stores nothing. The words are the
// user's own: they are for the user's screen and must not appear in files, logs or messages to others.
func Opening(ctx context.Context, s transcript.Session) string {
	if s.Parent != "" {
		return ""
	}
	if s.Form == transcript.Lines { // one of the first records usually contains it
		if words := requestIn(begin(s), &s); words != "" {
			return shortened(words)
		}
	}
	c := begin(s)
	tail := agents.OpenTail(s)
	var batch transcript.Batch
	for range openingReads {
		if tail.Next(ctx, &batch) != nil || batch.Count == 0 || c.add(batch.Records()) != nil {
			return ""
		}
		if words := c.request(0); words != "" {
			return shortened(words)
		}
	}
	return ""
}

// requestIn returns the words of the first request at the beginning of a transcript of lines; "" if it comes later.
func requestIn(c *Conversation, s *transcript.Session) string {
	text, _, err := transcript.Beginning(s, transcript.FirstRead)
	if err != nil {
		return ""
	}
	var doc ownjson.Document
	for {
		line := transcript.FirstLine(text)
		if len(line) == len(text) {
			return "" // it may be incomplete
		}
		text = text[len(line)+1:]
		before := len(c.Items)
		if v, err := doc.Parse(transcript.TrimSpace(line)); err == nil {
			c.record(v)
		}
		if words := c.request(before); words != "" {
			return words
		}
	}
}

// request returns the words of the first request among the items from an index on, or "".
func (c *Conversation) request(from int) string {
	for i := from; i < len(c.Items); i++ {
		if words, ok := c.Items[i].Request(); ok {
			return words
		}
	}
	return ""
}

// Openings caches the openings of sessions that are shown repeatedly, in memory only. The zero value is ready.
type Openings struct {
	mu    sync.Mutex
	known map[string]opening
}

type opening struct {
	words string
	size  int64 // the transcript's length at that time
}

const (
	// openingsKept is the maximum number of cached openings.
	openingsKept = 1000
	// openingWithin is the maximum size of a transcript without a prompt to be read again after it has grown.
	openingWithin = 1 << 20
)

// Of returns the opening of a session.
func (o *Openings) Of(ctx context.Context, s transcript.Session) string {
	key := s.Path + "\x00" + s.ID
	o.mu.Lock()
	known := o.known[key]
	o.mu.Unlock()
	if known.words != "" || known.size > openingWithin {
		return known.words
	}
	info, err := os.Stat(s.Path)
	if err != nil || info.Size() == known.size {
		return ""
	}
	known = opening{Opening(ctx, s), info.Size()}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known == nil || len(o.known) >= openingsKept {
		o.known = map[string]opening{}
	}
	o.known[key] = known
	return known.words
}

// WithOpening adds the first words of the first prompt to a copy of a Reading, for the user's screen.
func WithOpening(reading []byte, opening string) []byte {
	if opening == "" || len(reading) == 0 {
		return reading
	}
	w := ownjson.Writer{Buf: make([]byte, 0, len(reading)+len(opening)+32)}
	w.Reopen(reading)
	w.StringField(`,"opening":`, opening)
	w.EndObject()
	return w.Buf
}

// shortened returns the beginning of a text on one line, cut at a word if possible.
func shortened(text string) string {
	line := core.OneLine(strings.TrimSpace(text))
	if utf8.RuneCountInString(line) <= openingRunes {
		return line
	}
	cut := string([]rune(line)[:openingRunes-1])
	if space := strings.LastIndexByte(cut, ' '); space > len(cut)*2/3 {
		cut = cut[:space]
	}
	return strings.TrimRight(cut, " ,;:.") + "…"
}
