// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// The head of a session identifies it: its id, where it was started, and its parent. The functions of this file read
// only the head; core/agent interprets the records.

// readHead fills in the fields that the beginning of a session shows.
func readHead(s *transcript.Session, doc *json.Document) error {
	if agents.Head(s) {
		return nil
	}
	if s.Form == transcript.Store {
		return agents.ReadStoreHead(s)
	}
	if s.Form == transcript.Document || s.Form == transcript.Folder {
		return readDocumentHead(s, doc)
	}
	for _, size := range []int{transcript.FirstRead, transcript.LongRead} {
		text, all, err := transcript.Beginning(s, size)
		if err != nil {
			return err
		}
		if scanHead(s, doc, text, all) || all {
			return nil
		}
	}
	return nil
}

// scanHead reads the first lines until enough of the session is known, and reports whether it is.
func scanHead(s *transcript.Session, doc *json.Document, text []byte, all bool) (known bool) {
	for line := 0; len(text) > 0 && line < transcript.HeadLines; line++ {
		record := text
		if newline := bytes.IndexByte(text, '\n'); newline >= 0 {
			record, text = text[:newline], text[newline+1:]
		} else if !all {
			return false // the line is incomplete, so more has to be read
		} else {
			text = nil
		}
		v, err := doc.Parse(transcript.TrimSpace(record))
		if err != nil {
			continue
		}
		if describe(s, v) {
			return true
		}
	}
	return false
}

// describe reads the session's fields in one record, and reports whether they are enough. It distinguishes formats by
// their fields instead of the agent's name, so that a file in an unexpected location is understood, too.
func describe(s *transcript.Session, v json.Value) (known bool) {
	at := v.Get("timestamp")
	if !at.Exists() {
		at = v.Get("startTime")
	}
	if s.Started.IsZero() && at.Kind() == json.String {
		s.Started, _ = time.Parse(time.RFC3339Nano, at.String())
	}
	if agents.First(s, v) {
		return true
	}
	if kind := v.Get("type"); kind.Is("session") || kind.Is("session_start") { // Pi, DeepSeek Harness; Droid
		transcript.SetText(&s.ID, v.Get("id"))
	}
	transcript.SetText(&s.Workspace, v.Get("workspaceDirectory")) // Continue
	// Claude Code, Qwen Code and Gemini CLI write this to every record, or to the first.
	transcript.SetText(&s.ID, v.Get("sessionId"))
	transcript.SetText(&s.Workspace, v.Get("cwd"))
	transcript.SetText(&s.Version, v.Get("version"))
	if id := v.Get("agentId"); v.Get("isSidechain").Bool() && s.Parent == "" && id.Kind() == json.String && strings.HasPrefix(filepath.Base(s.Path), "agent-") {
		s.Parent = v.Get("sessionId").String()
		s.ID = s.Parent + "/agent-" + id.String()
	}
	return s.ID != "" && s.Workspace != ""
}

// readDocumentHead reads the head of a JSON document, which is everything outside its messages. A document that is too
// large has no head.
func readDocumentHead(s *transcript.Session, doc *json.Document) error {
	if s.Size > transcript.MaxDocument {
		return nil
	}
	f, err := safefile.File(s.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, transcript.MaxDocument)) // it may have grown in the meantime
	if err != nil {
		return err
	}
	pieces, _ := transcript.SplitDocument(text)
	if len(pieces) == 0 {
		return nil
	}
	v, err := doc.Parse(pieces[0])
	if err != nil {
		return nil
	}
	describe(s, v)
	info := v
	if v.Get("info").Kind() == json.Object { // a file from `opencode export`
		info = v.Get("info")
	}
	set := func(target *string, keys ...string) {
		if value := info.Path(keys...); *target == "" && value.Kind() == json.String && value.TextLen() < 4096 {
			*target = value.String()
		}
	}
	set(&s.ID, "id")
	set(&s.Workspace, "directory")
	set(&s.Workspace, "config", "environment", "cwd") // mini-SWE-agent
	set(&s.Label, "title")
	set(&s.Version, "version")
	set(&s.Parent, "parentID")
	set(&s.ID, "instance_id")
	if created := info.Path("time", "created"); s.Started.IsZero() && created.Kind() == json.Number {
		ms, _ := created.Int64()
		s.Started = transcript.Milliseconds(ms)
	}
	return nil
}

// labelOf returns the name in the file next to a sub-agent's transcript, or "".
func labelOf(path string) string {
	stem, ok := strings.CutSuffix(path, ".jsonl")
	if !ok {
		return ""
	}
	text, ok := safefile.Small(stem + ".meta.json")
	if !ok {
		return ""
	}
	v, err := json.Parse(text)
	if err != nil {
		return ""
	}
	for _, key := range []string{"agentType", "name", "description"} {
		if label := v.Get(key); label.Kind() == json.String && label.TextLen() > 0 && label.TextLen() < 200 {
			return label.String()
		}
	}
	return ""
}
