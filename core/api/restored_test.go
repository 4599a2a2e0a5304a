// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/conformance/restored.json anew, after a change of the ledger's format")

// TestVectorsOfRestoredSessions holds the vectors of restored sessions, whose
// ledgers nobody writes by hand, against what is saved.
func TestVectorsOfRestoredSessions(t *testing.T) {
	const path = "../../testdata/conformance/restored.json"
	var file bytes.Buffer
	file.WriteString(`{
"subject": "Transcripts that are read on after a restore",
"about": "A saved ledger holds what the reader remembers; without it the Reading warns. Written by make vectors.",
"vectors": [`)
	for i, v := range []struct {
		name, session string
		cut           int
		forgets       bool
	}{
		{"Claude Code, before a compaction", "claude-code/compacted", 12, false},
		{"Codex, before turns are taken back", "codex/rolled-back", 14, false},
		{"Codex, with a ledger that lacks its reader", "codex/rolled-back", 14, true},
	} {
		records := recordsIn(t, "../../testdata/sessions/"+v.session+".jsonl")
		before := withVocabularies(t)
		open(t, before)
		send(t, before, records[:v.cut])
		_, params := moved(t, before)
		from := before // the unbroken one says what is expected
		if v.forgets {
			params = append(params[:bytes.Index(params, []byte(`,"reader":`))], "}}"...)
			from = beside(before)
			from.Call("ctx/session/restore", params)
		}
		want := send(t, from, records[v.cut:])
		var r struct {
			Result struct{ Used, Warnings, Breakdown any }
		}
		if err := json.Unmarshal(want, &r); err != nil {
			t.Fatal(err)
		}
		expect, _ := json.Marshal(map[string]any{"used": r.Result.Used, "warnings": r.Result.Warnings, "breakdown": r.Result.Breakdown})
		if i > 0 {
			file.WriteByte(',')
		}
		file.WriteString("\n{\"name\": \"" + v.name + "\", \"calls\": [\n {\"method\": \"ctx/session/restore\", \"params\": " + string(params) +
			"},\n {\"method\": \"ctx/session/records\", \"params\": {\"id\": \"a\", \"records\": [\n   " +
			string(bytes.Join(raw(records[v.cut:]), []byte(",\n   "))) + "]}, \"expect\": " + string(expect) + "}]}")
	}
	file.WriteString("\n]}\n")
	if *update {
		if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, file.Bytes()) {
		t.Errorf("%s is not what is saved today: %v; make vectors writes it anew", path, err)
	}
}

func raw(records []json.RawMessage) [][]byte {
	var list [][]byte
	for _, r := range records {
		list = append(list, r)
	}
	return list
}

// TestARestoredSessionShowsNothingMeasured is provider mode after a restart: what was measured before it is of a
// conversation that may have gone on.
func TestARestoredSessionShowsNothingMeasured(t *testing.T) {
	c := withVocabularies(t)
	call := func(method, params string) (r Reading) {
		t.Helper()
		var answer struct{ Result, Error json.RawMessage }
		if err := json.Unmarshal(c.Call(method, []byte(params)), &answer); err != nil || answer.Error != nil {
			t.Fatalf("%s: %v %s", method, err, answer.Error)
		}
		if err := json.Unmarshal(answer.Result, &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	call("ctx/session/open", `{"id":"a","agent":"claude-code","limits":{"window":200000}}`)
	call("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":50000,"out":60}}`)
	var saved struct {
		Result struct{ Ledger json.RawMessage }
	}
	if err := json.Unmarshal(c.Call("ctx/session/save", []byte(`{"id":"a"}`)), &saved); err != nil {
		t.Fatal(err)
	}
	if call("ctx/session/restore", `{"id":"b","ledger":`+string(saved.Result.Ledger)+`}`).Used == 0 {
		t.Error("hybrid mode has forgotten what was measured")
	}
	r := call("ctx/session/reading", `{"id":"b","mode":"provider"}`)
	if r.Used != 0 || r.LastRequest != nil || r.AgentPercent != nil || r.Display.Percent != "0.0%" || r.Unmeasured != "not measured since it was restored" {
		t.Errorf("after a restore: used %d, last request %+v, agent %+v, %q because %q", r.Used, r.LastRequest, r.AgentPercent, r.Display.Percent, r.Unmeasured)
	}
	call("ctx/session/usage", `{"id":"b","provider":"ctx","usage":{"in":60000,"out":60}}`)
	if r = call("ctx/session/reading", `{"id":"b","mode":"provider"}`); r.Used != 60000 || r.LastRequest == nil || r.Unmeasured != "" {
		t.Errorf("after the next request: used %d because %q", r.Used, r.Unmeasured)
	}
}
