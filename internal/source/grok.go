// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"bytes"
	"hash/maphash"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Grok Build writes each notification of a session into updates.jsonl, beside the conversation. What is wanted of it is
// a number: how much the window holds, which stands in most lines and is newer than signals.json. A fall to less than
// half of it is taken for a compaction; Grok Build records none of its own there, so this is inferred.

// grokUpdates reads on in that log and keeps numbers only.
type grokUpdates struct {
	offset int64
	tokens int64 // in the window, as the last line has it
	turns  int64 // that are complete
	prompt uint64
	falls  []grokFall
}

type grokFall struct{ turn, before, after int64 }

const (
	// mostUpdates bounds how much of the log is read at once, and maxUpdate a line of it.
	mostUpdates = 256 << 20
	maxUpdate   = 1 << 20
	// mostFalls bounds how many compactions are remembered.
	mostFalls = 1000
)

// Read reads what was added, and says what is known by now: a document, or nothing if no line had a number.
func (g *grokUpdates) Read(path string) (document []byte, ok bool) {
	f, err := safefile.File(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, false
	}
	if info.Size() < g.offset {
		*g = grokUpdates{} // it was written anew
	}
	var doc json.Document
	buffer, have, over := make([]byte, maxUpdate), 0, false
	for end := g.offset + mostUpdates; g.offset+int64(have) < end; {
		n, err := f.ReadAt(buffer[have:], g.offset+int64(have))
		have += n
		at := 0
		for {
			newline := bytes.IndexByte(buffer[at:have], '\n')
			if newline < 0 {
				break
			}
			if !over {
				if v, err := doc.Parse(buffer[at : at+newline]); err == nil {
					g.update(v)
				}
			}
			over = false
			at += newline + 1
		}
		g.offset += int64(at)
		have = copy(buffer, buffer[at:have])
		if have == len(buffer) { // a line that is too long says nothing
			over = true
			g.offset += int64(have)
			have = 0
		}
		if err != nil || n == 0 {
			break
		}
	}
	if g.tokens <= 0 {
		return nil, false
	}
	w := json.Writer{}
	w.BeginObject()
	w.Key("totalTokens")
	w.Int(g.tokens)
	w.Key("falls")
	w.BeginArray()
	for _, fall := range g.falls {
		w.BeginObject()
		for _, n := range []struct {
			key string
			n   int64
		}{{"turn", fall.turn}, {"before", fall.before}, {"after", fall.after}} {
			w.Key(n.key)
			w.Int(n.n)
		}
		w.EndObject()
	}
	w.EndArray()
	w.EndObject()
	return w.Buf, true
}

// update reads one notification.
func (g *grokUpdates) update(v json.Value) {
	params := v.Get("params")
	if update := params.Get("update"); update.Get("sessionUpdate").Is("turn_completed") {
		// The same turn may be told again.
		if prompt := maphash.Bytes(hashSeed, update.Get("prompt_id").Raw()); g.turns == 0 || prompt != g.prompt {
			g.turns, g.prompt = g.turns+1, prompt
		}
	}
	total := params.Path("_meta", "totalTokens")
	n, fault := total.Int64()
	if total.Kind() != json.Number || fault != json.NumberOK || n <= 0 || n > 1<<40 {
		return
	}
	if n < g.tokens/2 && len(g.falls) < mostFalls {
		g.falls = append(g.falls, grokFall{g.turns, g.tokens, n})
	}
	g.tokens = n
}
