// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// The head of a session tells whose it is: its id, where it was started, and who started it.
// The functions of this file
// read only that; what the records mean is known to core/agent.

const (
	firstRead = 16 << 10 // enough for most heads
	longRead  = 1 << 20  // enough for a first record that carries a system prompt
	headLines = 200
)

// readHead fills in what the beginning of a session tells about it.
func readHead(s *Session, doc *json.Document) error {
	if head := of(*s).Head; head != nil && head(s) {
		return nil
	}
	if s.kind == kindTask {
		readTaskHead(s)
		return nil
	}
	if s.kind == kindStore {
		return readStoreHead(s)
	}
	if s.kind == kindDocument || s.kind == kindTree {
		return readDocumentHead(s, doc)
	}
	for _, size := range []int{firstRead, longRead} {
		text, all, err := headBytes(s, size)
		if err != nil {
			return err
		}
		if scanHead(s, doc, text, all) || all {
			return nil
		}
	}
	return nil
}

// headBytes returns the first bytes of a transcript; all is set if it has no more.
func headBytes(s *Session, size int) (text []byte, all bool, err error) {
	f, err := safefile.File(s.Path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	var r io.Reader = f
	if s.kind == kindZstd {
		decoder, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
		if err != nil {
			return nil, false, err
		}
		defer decoder.Close()
		r = decoder
	}
	text = make([]byte, size)
	n, err := io.ReadFull(r, text)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return text[:n], true, nil
	}
	return text[:n], false, err
}

// scanHead reads the first lines until enough of the session is known.
func scanHead(s *Session, doc *json.Document, text []byte, all bool) (known bool) {
	for line := 0; len(text) > 0 && line < headLines; line++ {
		record := text
		if newline := bytes.IndexByte(text, '\n'); newline >= 0 {
			record, text = text[:newline], text[newline+1:]
		} else if !all {
			return false // the line is incomplete, so more has to be read
		} else {
			text = nil
		}
		v, err := doc.Parse(trimSpace(record))
		if err != nil {
			continue
		}
		if describe(s, v) {
			return true
		}
	}
	return false
}

// describe reads what one record says about its session, and returns whether that is enough. It
// tells the formats apart
// by their fields and not by the agent's name, so that a file in an unexpected place is understood too.
func describe(s *Session, v json.Value) (known bool) {
	set := func(target *string, v json.Value) {
		if *target == "" && v.Kind() == json.String && v.TextLen() < 4096 {
			*target = v.String()
		}
	}
	at := v.Get("timestamp")
	if !at.Exists() {
		at = v.Get("startTime")
	}
	if s.Started.IsZero() && at.Kind() == json.String {
		s.Started, _ = time.Parse(time.RFC3339Nano, at.String())
	}
	if payload := v.Get("payload"); v.Get("type").Is("session_meta") { // Codex
		set(&s.ID, payload.Get("id"))
		set(&s.Workspace, payload.Get("cwd"))
		set(&s.Version, payload.Get("cli_version"))
		spawn := payload.Path("source", "subagent", "thread_spawn")
		set(&s.Parent, spawn.Get("parent_thread_id"))
		set(&s.Label, payload.Get("agent_nickname"))
		set(&s.Label, payload.Get("agent_role"))
		if sub := payload.Path("source", "subagent"); s.Label == "" && sub.Kind() == json.String {
			s.Label = sub.String()
		}
		return true
	}
	if data := v.Get("data"); v.Get("type").Is("session.start") { // Copilot CLI
		set(&s.ID, data.Get("sessionId"))
		set(&s.Workspace, data.Path("context", "cwd"))
		set(&s.Version, data.Get("copilotVersion"))
		return true
	}
	if kind := v.Get("type"); kind.Is("session") || kind.Is("session_start") { // Pi, DeepSeek Harness; Droid
		set(&s.ID, v.Get("id"))
	}
	set(&s.Workspace, v.Get("workspaceDirectory")) // Continue
	// Claude Code, Qwen Code and Gemini CLI write this into every record, or into the first.
	set(&s.ID, v.Get("sessionId"))
	set(&s.Workspace, v.Get("cwd"))
	set(&s.Version, v.Get("version"))
	if id := v.Get("agentId"); v.Get("isSidechain").Bool() && s.Parent == "" && id.Kind() == json.String && strings.HasPrefix(filepath.Base(s.Path), "agent-") {
		s.Parent = v.Get("sessionId").String()
		s.ID = s.Parent + "/agent-" + id.String()
	}
	return s.ID != "" && s.Workspace != ""
}

// Cleared says whether a transcript of Claude Code begins with the /clear that ended the conversation before it.
func Cleared(path string) bool {
	f, err := safefile.File(path)
	if err != nil {
		return false
	}
	defer f.Close()
	text := readSome(f, nil, 0, firstRead)
	for line := 0; len(text) > 0 && line < headLines; line++ {
		record := firstLine(text)
		text = text[min(len(record)+1, len(text)):]
		if bytes.Contains(record, []byte("<command-name>/clear</command-name>")) {
			return true
		}
		if bytes.Contains(record, []byte(`"type":"assistant"`)) {
			return false
		}
	}
	return false
}

// readDocumentHead reads the head of a JSON document, which is everything outside its messages.
// A document that is too
// large to be read has no head.
func readDocumentHead(s *Session, doc *json.Document) error {
	if s.Size > maxDocument {
		return nil
	}
	f, err := safefile.File(s.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxDocument)) // it may have grown meanwhile
	if err != nil {
		return err
	}
	pieces, _ := splitDocument(text)
	if len(pieces) == 0 {
		return nil
	}
	v, err := doc.Parse(pieces[0])
	if err != nil {
		return nil
	}
	describe(s, v)
	info := v
	if v.Get("info").Kind() == json.Object { // what `opencode export` writes
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
		s.Started = milliseconds(ms)
	}
	return nil
}

// registeredProjects reads Gemini CLI's list of projects: folder name → path.
func registeredProjects(path string) map[string]string {
	text, ok := safefile.Small(path)
	if !ok {
		return nil
	}
	v, err := json.Parse(text)
	if err != nil {
		return nil
	}
	registered := map[string]string{}
	for f := v.Get("projects").Fields(); f.Next(); {
		registered[f.Value.String()] = f.Key.String()
	}
	return registered
}

// labelOf is the name that a file beside a sub-agent's transcript gives it.
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

// listDatabase lists the sessions of a database; it has to ask the database.
func listDatabase(root Root, see func(candidate)) error {
	info, err := os.Stat(root.Path)
	if err != nil {
		return err
	}
	sessions, err := listed(root, kindDatabase, func() ([]Session, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		return databaseSessions(ctx, root.Agent, root.Path)
	})
	for i := range sessions {
		s := &sessions[i]
		see(candidate{agent: root.Agent, path: root.Path, info: info, kind: kindDatabase, id: s.ID, parent: s.Parent, alone: s.Parent == "", session: s})
	}
	return err
}
