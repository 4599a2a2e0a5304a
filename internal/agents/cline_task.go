// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"hash/maphash"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// taskTail reads both documents of a task as one list, ordered by the times of their messages.
type taskTail struct {
	session transcript.Session

	seen  [2]os.FileInfo // the files when they were read; nil if missing
	begun bool
	both  bool // the document of sent messages exists
	shown []taskPiece
	sent  []taskPiece
	size  int64

	pending transcript.Queue
}

// A taskPiece is a message of either document.
type taskPiece struct {
	record  []byte
	hash    uint64
	ts      int64
	request bool // it announces a request, and changes until the request is over
	user    bool
}

func (t *taskTail) Position() int64 { return t.size }

func (t *taskTail) Next(ctx context.Context, b *transcript.Batch) error {
	return t.pending.Next(ctx, b, t.reread)
}

func (t *taskTail) reread(ctx context.Context, b *transcript.Batch) error {
	paths := [2]string{t.session.Path, filepath.Join(filepath.Dir(t.session.Path), SentFile)}
	var now [2]os.FileInfo
	changed := false
	for i, path := range paths {
		info, err := os.Stat(path)
		if err != nil && (i == 0 || !transcript.IsAbsent(err)) {
			return err
		}
		if err == nil {
			now[i] = info
		}
		was := t.seen[i]
		changed = changed || (was == nil) != (now[i] == nil) ||
			was != nil && (was.Size() != now[i].Size() || transcript.ChangedTime(was, now[i]) || !os.SameFile(was, now[i]))
	}
	if t.begun && !changed {
		return nil
	}
	var pieces [2][][]byte
	size := int64(0)
	for i, path := range paths {
		if now[i] == nil {
			continue
		}
		text, err := transcript.ReadDocument(path, now[i])
		if err != nil {
			return err
		}
		size += int64(len(text))
		whole := false
		if pieces[i], whole = transcript.SplitDocument(text); !whole && t.begun {
			return nil // the document was being written; the rest comes with the next change
		}
		if len(pieces[i]) > 0 && len(transcript.TrimSpace(text)) > 0 && transcript.TrimSpace(text)[0] == '{' {
			pieces[i] = pieces[i][1:] // newer versions begin with an envelope
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	t.seen, t.size = now, size
	t.give(shownPieces(pieces[0]), sentPieces(pieces[1]), b)
	return nil
}

// shownPieces returns the shown messages that affect the context. Most others repeat content that was sent.
func shownPieces(records [][]byte) []taskPiece {
	var kept []taskPiece
	var doc json.Document
	cut := ""
	for _, record := range records {
		v, err := doc.Parse(record)
		if err != nil {
			continue
		}
		p := taskPiece{record: record, hash: maphash.Bytes(transcript.HashSeed, record)}
		p.ts, _ = v.Get("ts").Int64()
		say := v.Get("say")
		p.request = say.Is("api_req_started") || say.Is("api_req_finished")
		now := string(v.Get("conversationHistoryDeletedRange").Raw())
		switch {
		case v.Get("partial").Bool():
			continue
		case p.request, now != cut, len(kept) == 0, say.Is("user_feedback"), say.Is("condense_context"), say.Is("compaction"):
		default:
			continue
		}
		cut = now
		kept = append(kept, p)
	}
	return kept
}

func sentPieces(records [][]byte) []taskPiece {
	var kept []taskPiece
	var doc json.Document
	for _, record := range records {
		v, err := doc.Parse(record)
		if err != nil {
			continue
		}
		p := taskPiece{record: record, hash: maphash.Bytes(transcript.HashSeed, record), user: v.Get("role").Is("user")}
		p.ts, _ = v.Get("ts").Int64()
		kept = append(kept, p)
	}
	return kept
}

// give adds the new messages of the two lists to pending, or all of them if an earlier one has changed.
func (t *taskTail) give(shown, sent []taskPiece, b *transcript.Batch) {
	both := t.seen[1] != nil
	fresh := t.begun && both == t.both && continues(t.shown, shown) && continues(t.sent, sent)
	if !fresh {
		b.Reset = t.begun
		t.shown, t.sent = nil, nil
		t.pending = append(t.pending, taskHead(t.session, both))
	}
	given := map[*taskPiece]bool{}
	for i := range t.shown {
		if shown[i].hash == t.shown[i].hash {
			given[&shown[i]] = true
		}
	}
	for i := range t.sent {
		given[&sent[i]] = true
	}
	for _, p := range merged(shown, sent) {
		if !given[p] {
			t.pending = append(t.pending, p.record)
		}
	}
	for _, list := range [][]taskPiece{shown, sent} {
		for i := range list {
			list[i].record = nil // pending has its own copy
		}
	}
	t.begun, t.both, t.shown, t.sent = true, both, shown, sent
}

// continues reports whether a list only extends the messages that were returned from it. A request may have been
// completed.
func continues(given, now []taskPiece) bool {
	if len(now) < len(given) {
		return false
	}
	for i := range given {
		if given[i].hash != now[i].hash && !(now[i].request && given[i].request && now[i].ts == given[i].ts) {
			return false
		}
	}
	return true
}

// merged orders both lists by time. Messages without a time, as older versions sent them, follow the request that was
// announced for them: for each request, one of the user and its answer.
func merged(shown, sent []taskPiece) []*taskPiece {
	var out []*taskPiece
	i, j, requests, prompts := 0, 0, 0, 0
	for i < len(shown) || j < len(sent) {
		take := j == len(sent) // take the shown message
		if i < len(shown) && j < len(sent) {
			switch {
			case sent[j].ts > 0:
				take = shown[i].ts <= sent[j].ts
			case sent[j].user:
				take = prompts >= requests
			}
		}
		if take {
			if shown[i].request {
				requests++
			}
			out = append(out, &shown[i])
			i++
			continue
		}
		if sent[j].user {
			prompts++
		}
		out = append(out, &sent[j])
		j++
	}
	return out
}

// taskHead returns a record of the directory's data about its task, and of whether the sent messages exist.
func taskHead(s transcript.Session, sent bool) []byte {
	folder := filepath.Dir(s.Path)
	var w json.Writer
	w.BeginObject()
	optional := func(key, value string) {
		if value != "" {
			w.Key(key)
			w.String(strings.ToValidUTF8(value, "\uFFFD"))
		}
	}
	optional("table", "task")
	optional("id", s.ID)
	optional("extension", filepath.Base(filepath.Dir(filepath.Dir(folder))))
	optional("workspace", s.Workspace)
	w.Key("sent")
	w.Bool(sent)
	if v, ok := configfile.ReadJSON(filepath.Join(folder, "task_metadata.json")); ok {
		if e := v.Get("model_usage").Elements(); e.Next() {
			model, provider := "", ""
			transcript.SetText(&model, e.Value.Get("model_id"))
			transcript.SetText(&provider, e.Value.Get("model_provider_id"))
			optional("model", model)
			optional("provider", provider)
		}
	}
	w.EndObject()
	return w.Buf
}
