// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// clineMessages ends the name of the document with the messages of a session of Cline 4. Next to it is a manifest that
// names the model, and after a compaction a document with the messages that are sent instead. The messages themselves
// stay as they were.
const clineMessages = ".messages.json"

// clineSubAgent separates the id of a session from that of its sub-agent. The messages of sub-agents are in the
// session's directory, without a manifest of their own.
const clineSubAgent = "__"

// clineStem returns the name of a document with messages, without its ending.
func clineStem(path string) string { return strings.TrimSuffix(filepath.Base(path), clineMessages) }

// clineManifestOf returns the manifest of a session, and for a sub-agent that of its parent, with the parent's id; ""
// for a file that is not a session of Cline 4.
func clineManifestOf(path string) (manifest, parent string) {
	stem, ok := strings.CutSuffix(path, clineMessages)
	if !ok {
		return "", ""
	}
	folder := filepath.Dir(path)
	if name := filepath.Base(folder); name != filepath.Base(stem) {
		manifest := filepath.Join(folder, name+".json")
		if info, err := os.Stat(manifest); err == nil && info.Mode().IsRegular() {
			return manifest, name
		}
	}
	return stem + ".json", ""
}

// clineCompaction returns the path of the document with the messages that are sent after a compaction.
func clineCompaction(s transcript.Session) string {
	if stem, ok := strings.CutSuffix(s.Path, clineMessages); ok && s.Form == transcript.Document {
		return stem + ".compaction.json"
	}
	return ""
}

// joinCline adds the manifest and the compaction to the messages of a session of Cline 4.
func joinCline(s transcript.Session, tail transcript.Tail) transcript.Tail {
	if clineCompaction(s) == "" {
		return tail
	}
	return &clineTail{Tail: tail, session: s}
}

type clineTail struct {
	transcript.Tail
	session transcript.Session
	begun   bool // the manifest was passed

	info   os.FileInfo // the document when it was last read; nil without one
	record []byte      // the compaction; nil without one
	after  string      // the id of the message after which it came
	count  int         // the number of messages before it
	passed int
	placed bool

	raw     transcript.Batch
	pending transcript.Queue
}

func (t *clineTail) Next(ctx context.Context, b *transcript.Batch) error {
	return t.pending.Next(ctx, b, t.join)
}

func (t *clineTail) join(ctx context.Context, b *transcript.Batch) error {
	changed := t.load()
	if err := t.Tail.Next(ctx, &t.raw); err != nil {
		return err
	}
	if changed && (t.placed || t.passed > t.count) { // it belongs before messages that were already passed
		t.Tail = OpenOwn(t.session)
		if err := t.Tail.Next(ctx, &t.raw); err != nil {
			return err
		}
		t.raw.Reset = true
	}
	if t.raw.Reset {
		b.Reset, t.begun, t.passed, t.placed = true, false, 0, false
	}
	if !t.begun && t.raw.Count > 0 {
		t.begun = true
		if record := clineManifest(t.session); record != nil {
			t.pending = append(t.pending, record)
		}
	}
	var doc json.Document
	for i := range t.raw.Count {
		record := bytes.Clone(t.raw.Record(i))
		t.pending = append(t.pending, record)
		if v, err := doc.Parse(record); err == nil && v.Get("messages").Kind() != json.Array {
			t.passed++
			t.place(v.Get("id").String())
		}
	}
	if changed {
		t.place("")
	}
	return nil
}

// place adds the compaction if it comes after a message with this id, or after those that were passed.
func (t *clineTail) place(id string) {
	if t.record == nil || t.placed || t.after != "" && id != "" && id != t.after || (t.after == "" || id == "") && t.passed != t.count {
		return
	}
	t.placed = true
	t.pending = append(t.pending, t.record)
}

// load reads the compaction if it has changed.
func (t *clineTail) load() (changed bool) {
	path := clineCompaction(t.session)
	info, err := os.Stat(path)
	if err != nil || t.info != nil && info.Size() == t.info.Size() && !transcript.ChangedTime(t.info, info) && os.SameFile(info, t.info) {
		return false
	}
	text, err := transcript.ReadDocument(path, info)
	if err != nil {
		return false
	}
	v, err := json.Parse(text)
	if err != nil || v.Get("messages").Kind() != json.Array {
		return false // it is being written; the rest comes with the next change
	}
	count, _ := v.Get("source_message_count").Int64()
	after, _ := strings.CutPrefix(v.Get("source_last_message_key").String(), "id:")
	w := json.Writer{}
	w.BeginObject()
	w.Key("table")
	w.String(agent.ClineCompaction)
	w.Key("sent")
	w.Raw(v.Get("messages").Raw())
	w.EndObject()
	t.info, t.record, t.after, t.count = info, w.Buf, after, int(count)
	return true
}

// clineManifest returns the record of a session's manifest; nil without one. Sub-agents have their parent's model.
func clineManifest(s transcript.Session) []byte {
	manifest, _ := clineManifestOf(s.Path)
	v, ok := configfile.ReadJSON(manifest)
	if !ok {
		return nil
	}
	w := json.Writer{}
	w.BeginObject()
	w.Key("table")
	w.String(agent.ClineSession)
	for _, name := range []string{"model", "provider"} {
		if text := v.Get(name); text.Kind() == json.String && text.TextLen() < 1000 {
			w.Key(name)
			w.String(text.String())
		}
	}
	if text := v.Path("metadata", "sessionHistoryOrigin", "version"); text.Kind() == json.String && text.TextLen() < 100 {
		w.Key("version")
		w.String(text.String())
	}
	w.EndObject()
	return w.Buf
}
