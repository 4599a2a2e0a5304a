// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

// lookalikes write the records of another agent, so only the agent's name distinguishes them.
var lookalikes = map[string][]string{
	agent.Pi:         {agent.OMP, agent.Prime, agent.OpenClaw},
	agent.ClaudeCode: {agent.OpenClaude, agent.IFlow, agent.Qoder},
	agent.Codex:      {agent.Augure, agent.TraeX},
	agent.OpenCode:   {agent.MiMoCode, agent.ZCode},
}

// A textSession is a handwritten transcript, and the agent that it is read for.
type textSession struct {
	agent, file string
	records     []json.RawMessage
	named       bool // whether the call has to name the agent
}

// textSessions lists the transcripts of agents that keep sessions as text and have no vector file of their own: those
// of testdata/lines, and one for each lookalike.
func textSessions(t *testing.T) (list []textSession) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/lines/*/*.jsonl")
	if err != nil || len(files) < 12 {
		t.Fatalf("only %d transcripts of lines found: %v", len(files), err)
	}
	files = append(files, "../../testdata/sessions/claude-code/turns.jsonl", "../../testdata/sessions/opencode/rows.jsonl", "../../testdata/sessions/codex/rolled-back.jsonl")
	for _, file := range files {
		by, name := filepath.Base(filepath.Dir(file)), filepath.Base(file)
		records := recordsIn(t, file)
		if by != agent.ClaudeCode && by != agent.OpenCode && by != agent.Codex {
			list = append(list, textSession{by, name, records, false})
		}
		if by == agent.Pi && name != "tree.jsonl" {
			continue
		}
		for _, other := range lookalikes[by] {
			list = append(list, textSession{other, name, records, true})
		}
	}
	return list
}

// params returns the parameters for sending a part of the session.
func (s *textSession) params(records []json.RawMessage) string {
	named := ""
	if s.named {
		named = fmt.Sprintf("%q: %q, ", "agent", s.agent)
	}
	return `{"id": "a", ` + named + `"open": true, "records": [` + "\n   " + string(bytes.Join(raw(records), []byte(",\n   "))) + "]}"
}

// TestVectorsOfTextAgents compares the vectors of agents that keep sessions as text with their transcripts: the Reading
// after each half of a session.
func TestVectorsOfTextAgents(t *testing.T) {
	const path = "../../testdata/conformance/agent-lines.json"
	var file bytes.Buffer
	file.WriteString(`{
"subject": "Agents that keep sessions as text",
"about": "The transcripts of testdata/lines, and one of each agent that writes another's records. Written by make vectors.",
"vectors": [`)
	for i, s := range textSessions(t) {
		c := withVocabularies(t)
		if i > 0 {
			file.WriteByte(',')
		}
		fmt.Fprintf(&file, "\n{\"name\": \"%s, %s\", \"calls\": [", s.agent, s.file)
		half := (len(s.records) + 1) / 2
		for n, part := range [][]json.RawMessage{s.records[:half], s.records[half:]} {
			answer := c.Call("ctx/session/records", []byte(s.params(part)))
			var r struct {
				Result map[string]json.RawMessage
			}
			if err := json.Unmarshal(answer, &r); err != nil || r.Result == nil {
				t.Fatalf("%s, %s: %v in %.300s", s.agent, s.file, err, answer)
			}
			if by := string(r.Result["agent"]); by != fmt.Sprintf("%q", s.agent) || string(r.Result["used"]) == "0" {
				t.Errorf("%s, %s: %s tokens of agent %s", s.agent, s.file, r.Result["used"], by)
			}
			if n > 0 {
				file.WriteByte(',')
			}
			fmt.Fprintf(&file, "\n {\"method\": \"ctx/session/records\", \"params\": %s, \"expect\": {\"agent\": %s, \"used\": %s, \"basis\": %s}}",
				s.params(part), r.Result["agent"], r.Result["used"], r.Result["basis"])
		}
		file.WriteString("]}")
	}
	file.WriteString("\n]}\n")
	if *update {
		if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, file.Bytes()) {
		t.Errorf("%s does not contain the transcripts: %v; make vectors writes it", path, err)
	}
}

func raw(records []json.RawMessage) (list [][]byte) {
	for _, r := range records {
		list = append(list, r)
	}
	return list
}
