// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"context"
	"hash/maphash"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Some agents write their messages as lines, and what was measured of them into a small document beside, which they
// rewrite. Such a document becomes a record of its own whenever it has changed: {"beside":NAME,"data":{…}}. It comes
// behind the lines that were there when it was read.

// A besideDocument is a document beside a transcript, and the name by which core/agent knows it.
type besideDocument struct {
	name, path string
	info       os.FileInfo
	given      uint64 // a hash of what was given
	// updates is set for a log of which only numbers are wanted.
	updates *grokUpdates
}

// besideDocuments lists the documents that an agent keeps beside a transcript.
func besideDocuments(by, transcript string) []besideDocument {
	var list []besideDocument
	add := func(name, path string) { list = append(list, besideDocument{name: name, path: path}) }
	switch folder := filepath.Dir(transcript); by {
	case agent.Droid:
		add("settings.json", strings.TrimSuffix(transcript, ".jsonl")+".settings.json")
	case agent.Grok:
		add("summary.json", filepath.Join(folder, "summary.json"))
		add("signals.json", filepath.Join(folder, "signals.json"))
		add("updates.jsonl", filepath.Join(folder, "updates.jsonl"))
		list[len(list)-1].updates = &grokUpdates{}
	case agent.Vibe:
		add("meta.json", filepath.Join(folder, "meta.json"))
	case agent.Kiro:
		add("session.json", kiroDocument(transcript))
	}
	return list
}

// besideTail follows the lines, and then the documents beside them.
type besideTail struct {
	lines     lineTail
	documents []besideDocument
	pending   queue
}

func (t *besideTail) Position() int64 { return t.lines.offset }

func (t *besideTail) Next(ctx context.Context, b *Batch) error {
	reset := false
	if len(t.pending) == 0 {
		if err := t.lines.Next(ctx, b); err != nil {
			return err
		}
		if b.Reset {
			for i := range t.documents {
				t.documents[i].info, t.documents[i].given = nil, 0
				if t.documents[i].updates != nil {
					t.documents[i].updates = &grokUpdates{}
				}
			}
		}
		if reset = b.Reset; b.Count > 0 {
			return nil
		}
	}
	err := t.pending.next(ctx, b, t.look)
	b.Reset = reset
	return err
}

// look reads the documents that have changed. One that is being written is read the next time.
func (t *besideTail) look(context.Context, *Batch) error {
	for i := range t.documents {
		d := &t.documents[i]
		info, err := os.Stat(d.path)
		if err != nil || d.info != nil && info.Size() == d.info.Size() && !changedTime(d.info, info) && os.SameFile(info, d.info) {
			continue
		}
		var text []byte
		ok := false
		if d.updates != nil {
			text, ok = d.updates.read(d.path)
		} else {
			text, ok = safefile.Small(d.path)
		}
		if !ok {
			d.info = info
			continue
		}
		text = trimSpace(text)
		if v, err := json.Parse(text); err != nil || v.Kind() != json.Object {
			continue
		}
		d.info = info
		if sum := maphash.Bytes(hashSeed, text); sum != d.given {
			d.given = sum
			record := append([]byte(`{"beside":"`+d.name+`","data":`), text...)
			t.pending = append(t.pending, append(record, '}'))
		}
	}
	return nil
}

// besideTime is when a transcript or one of its documents last changed.
func besideTime(s Session) (latest time.Time, size int64) {
	paths := []string{s.Path}
	for _, d := range besideDocuments(s.Agent, s.Path) {
		paths = append(paths, d.path)
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			size += info.Size()
			if info.ModTime().After(latest) {
				latest = info.ModTime()
			}
		}
	}
	return latest, size
}

// headBeside fills in what the documents beside a transcript tell about its session; it is false where the transcript
// itself has to be asked.
func headBeside(s *Session) bool {
	folder := filepath.Dir(s.Path)
	switch s.Agent {
	case agent.KimiCode:
		if of := filepath.Dir(folder); s.ID == "" && filepath.Base(of) == "agents" {
			s.ID, s.Parent = kimiCodeID(filepath.Base(filepath.Dir(of)), filepath.Base(folder))
		}
		if v, ok := configfile.ReadJSON(filepath.Join(filepath.Dir(filepath.Dir(folder)), "state.json")); ok {
			setText(&s.Workspace, v.Get("workDir"))
			setStart(s, v.Get("createdAt"))
		}
	case agent.Cline:
		if manifest, ok := strings.CutSuffix(s.Path, ".messages.json"); ok && s.Workspace == "" {
			s.Workspace = clineWorkspace(manifest + ".json")
		}
		return false
	case agent.Grok:
		if v, ok := configfile.ReadJSON(filepath.Join(folder, "summary.json")); ok {
			setText(&s.ID, v.Path("info", "id"))
			setText(&s.Workspace, v.Path("info", "cwd"))
			setStart(s, v.Get("created_at"))
			if v.Get("session_kind").Is("subagent") {
				setText(&s.Parent, v.Get("parent_session_id"))
				setText(&s.Label, v.Get("agent_name"))
			}
		}
	case agent.Vibe:
		if v, ok := configfile.ReadJSON(filepath.Join(folder, "meta.json")); ok {
			setText(&s.ID, v.Get("session_id"))
			setText(&s.Workspace, v.Path("environment", "working_directory"))
			setStart(s, v.Get("start_time"))
		}
	case agent.Kiro:
		if s.kind != kindBeside {
			return false
		}
		if s.ID == "" && !ofKirosEditor(s.Path) {
			s.ID = strings.TrimSuffix(filepath.Base(s.Path), ".jsonl")
		}
		if v, ok := configfile.ReadJSON(kiroDocument(s.Path)); ok {
			for e := v.Get("workspacePaths").Elements(); e.Next(); {
				setText(&s.Workspace, e.Value)
			}
			setText(&s.Label, v.Get("title"))
			setStart(s, v.Get("createdAt"))
			setText(&s.Workspace, v.Get("cwd"))
			setText(&s.Parent, v.Get("parent_session_id"))
			setStart(s, v.Get("created_at"))
		}
	case agent.KimiCLI:
	default:
		return false
	}
	if s.ID == "" {
		s.ID = filepath.Base(folder)
	}
	return s.Agent == agent.KimiCLI || s.Workspace != ""
}

func setStart(s *Session, at json.Value) {
	if s.Started.IsZero() && at.Kind() == json.String {
		s.Started, _ = time.Parse(time.RFC3339Nano, at.String())
	}
}

// ofKirosEditor tells the messages of Kiro's editor, in a folder for each session, from those of Kiro CLI.
func ofKirosEditor(transcript string) bool { return filepath.Base(transcript) == "messages.jsonl" }

// kiroDocument is what lies beside the messages of Kiro: the document of their session.
func kiroDocument(transcript string) string {
	if ofKirosEditor(transcript) {
		return filepath.Join(filepath.Dir(transcript), "session.json")
	}
	return strings.TrimSuffix(transcript, ".jsonl") + ".json"
}
