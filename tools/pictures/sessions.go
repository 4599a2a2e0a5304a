// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type record map[string]any

// A session is an invented session of Claude Code.
type session struct {
	id, folder, title, model string
	calls, in, step          int
	ago                      time.Duration // the time since its last record
}

// sampleTime is the end of the sample session. Unlike the sessions in the pictures, which are live, it is always the
// same.
var sampleTime = time.Date(2026, 3, 2, 16, 0, 0, 0, time.UTC)

// writeSample writes the session shown to users who have none: a long one that was compacted.
func writeSample(path string) error {
	s := session{"0197f1c6-5555-7000-8000-000000000005", "/home/ada/atlas", "Draw the coast of the map", "claude-opus-4-6", 150, 24_000, 2_300, 0}
	return s.writeTo(path, sampleTime)
}

// writeSessions writes a few sessions to a home directory.
func writeSessions(home string, now time.Time) error {
	for _, s := range []session{
		{"0197f1c2-1111-7000-8000-000000000001", "/home/ada/shop", "Mend the parser of dates", "claude-opus-4-6", 60, 24_000, 2_700, 4 * time.Second},
		{"0197f1c3-2222-7000-8000-000000000002", "/home/ada/shop", "Write the release notes", "claude-opus-4-6", 30, 21_000, 1_500, 3 * time.Minute},
		{"0197f1c4-3333-7000-8000-000000000003", "/home/ada/atlas", "", "claude-sonnet-4-5", 120, 22_000, 4_300, time.Minute},
		{"0197f1c5-4444-7000-8000-000000000004", "/home/ada/atlas", "Translate the labels of the map", "claude-opus-4-6", 12, 22_000, 900, 20 * time.Hour},
	} {
		if err := s.write(home, now.Add(-s.ago)); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) write(home string, last time.Time) error {
	return s.writeTo(filepath.Join(home, ".claude", "projects", strings.ReplaceAll(s.folder, "/", "-"), s.id+".jsonl"), last)
}

func (s *session) writeTo(path string, last time.Time) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	var b strings.Builder
	var fault error
	parent, call := any(nil), 0
	add := func(id string, r record) {
		at := last.Add(-time.Duration(s.calls-call) * 40 * time.Second).UTC()
		for name, value := range (record{
			"uuid": id, "parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": s.folder, "sessionId": s.id,
			"version": "2.1.120", "gitBranch": "main", "timestamp": at.Format("2006-01-02T15:04:05.000Z"),
		}) {
			r[name] = value
		}
		line, err := json.Marshal(r)
		if err != nil {
			fault = err
		}
		b.Write(append(line, '\n'))
		parent = id
	}
	tools := []struct {
		name  string
		input record
	}{
		{"Read", record{"file_path": s.folder + "/src/api.go"}},
		{"Bash", record{"command": "npm test"}},
		{"Read", record{"file_path": s.folder + "/src/parser/dates.ts"}},
		{"Grep", record{"pattern": "TODO", "path": s.folder + "/src"}},
		{"mcp__github__search_issues", record{"query": "dates"}},
		{"Edit", record{"file_path": s.folder + "/src/api.go"}},
	}
	user := func(content any) record {
		return record{"type": "user", "message": record{"role": "user", "content": content}}
	}
	add("u", user("Please look into the parser. "+strings.Repeat("It reads dates of other calendars wrong. ", 30)))
	in := s.in
	for ; call < s.calls; call++ {
		if in > 165_000 {
			parent = nil
			add(fmt.Sprint("c", call), record{"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "compactMetadata": record{"trigger": "auto", "preTokens": in}})
			summary := user(strings.Repeat("This session is being continued from a previous conversation. ", 300))
			summary["isCompactSummary"] = true
			add(fmt.Sprint("s", call), summary)
			in = 31_000
		}
		tool := tools[call%len(tools)]
		size := s.step * (3 + call*7%10) / 10
		add(fmt.Sprint("a", call), record{"type": "assistant", "requestId": fmt.Sprint("req_", call), "message": record{
			"role": "assistant", "type": "message", "model": s.model, "id": fmt.Sprint("msg_", call), "stop_reason": "tool_use",
			"content": []record{
				{"type": "text", "text": strings.Repeat("I look at the next part of it. ", 6)},
				{"type": "tool_use", "id": fmt.Sprint("toolu_", call), "name": tool.name, "input": tool.input},
			},
			"usage": record{"input_tokens": 3, "cache_creation_input_tokens": s.step, "cache_read_input_tokens": in - s.step - 3, "output_tokens": 120},
		}})
		add(fmt.Sprint("r", call), user([]record{{"type": "tool_result", "tool_use_id": fmt.Sprint("toolu_", call), "content": strings.Repeat("const a = parse(input); // line\n", size/9)}}))
		in += size*21/20 + 130
	}
	if s.title != "" {
		line, _ := json.Marshal(record{"type": "summary", "summary": s.title, "leafUuid": parent}) // strings always encode
		b.Write(append(line, '\n'))
	}
	if fault != nil {
		return fault
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		return err
	}
	return os.Chtimes(path, last, last)
}
