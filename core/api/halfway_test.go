// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// recordsIn splits a transcript like hosts do: into lines, or into the head of a document and its messages.
func recordsIn(t *testing.T, path string) []json.RawMessage {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var records []json.RawMessage
	if filepath.Ext(path) == ".jsonl" {
		for _, line := range bytes.Split(text, []byte("\n")) {
			if len(line) > 0 && json.Valid(line) {
				records = append(records, line)
			}
		}
		return records
	}
	var head map[string]json.RawMessage
	if err := json.Unmarshal(text, &head); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var messages []json.RawMessage
	if err := json.Unmarshal(head["messages"], &messages); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	head["messages"] = json.RawMessage("[]")
	first, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	return append([]json.RawMessage{first}, messages...)
}

// send sends records to a session, some at a time, and returns its Reading.
func send(t *testing.T, c *Core, records []json.RawMessage) []byte {
	t.Helper()
	answer := c.Call("ctx/session/reading", []byte(`{"id":"a"}`))
	for len(records) > 0 {
		n, size := 0, 0
		for n < len(records) && size < MaxParams/2 {
			size += len(records[n])
			n++
		}
		list, err := json.Marshal(records[:n])
		if err != nil {
			t.Fatal(err)
		}
		answer = c.Call("ctx/session/records", append(append([]byte(`{"id":"a","records":`), list...), '}'))
		if bytes.HasPrefix(answer, []byte(`{"error"`)) {
			t.Fatalf("%.300s", answer)
		}
		records = records[n:]
	}
	return bytes.Clone(answer)
}

// beside returns a new core with the vocabularies of another.
func beside(loaded *Core) *Core {
	c := New()
	c.vocabularies = loaded.vocabularies
	return c
}

// moved saves the sessions of one core and restores them in a new one.
func moved(t *testing.T, from *Core) (to *Core, ledger []byte) {
	t.Helper()
	to = beside(from)
	var ids []string
	for _, e := range from.sessions {
		ids = append(ids, e.session.ID)
	}
	for _, id := range ids {
		name, _ := json.Marshal(id)
		saved := bytes.Clone(from.Call("ctx/session/save", append(append([]byte(`{"id":`), name...), '}')))
		params := bytes.TrimSuffix(bytes.TrimPrefix(saved, []byte(`{"result":`)), []byte(`}`))
		if answer := to.Call("ctx/session/restore", params); bytes.HasPrefix(answer, []byte(`{"error"`)) {
			t.Fatalf("%s of %.2000s", answer, params)
		}
		if id == "a" {
			ledger = params
		}
	}
	return to, ledger
}

// TestTranscriptsAreReadOnAfterARestore cuts every transcript at every record: the rest is understood after a restore
// as if there had been none.
func TestTranscriptsAreReadOnAfterARestore(t *testing.T) {
	files, err := filepath.Glob("../../testdata/sessions/*/*.json*")
	if err != nil || len(files) < 9 {
		t.Fatalf("only %d transcripts found: %v", len(files), err)
	}
	loaded := withVocabularies(t)
	for _, file := range files {
		records := recordsIn(t, file)
		whole := beside(loaded)
		open(t, whole)
		want := send(t, whole, records)
		differ := 0
		for cut := range len(records) + 1 {
			before := beside(loaded)
			open(t, before)
			then := send(t, before, records[:cut])
			after, ledger := moved(t, before)
			if cut > 0 && !bytes.Contains(ledger, []byte(`"reader":{"agent":`)) {
				t.Errorf("%s at %d: the ledger has no reader", file, cut)
			}
			if now := send(t, after, nil); !bytes.Equal(now, then) {
				t.Fatalf("%s at %d: restored as\n%s\nwas\n%s", file, cut, now, then)
			}
			if got := send(t, after, records[cut:]); !bytes.Equal(got, want) {
				if differ++; differ == 1 {
					t.Errorf("%s at %d:\n%s\nunbroken\n%s", file, cut, got, want)
				}
			}
		}
		t.Logf("%s: %d of %d cuts differ", strings.TrimPrefix(file, "../../testdata/sessions/"), differ, len(records)+1)
	}
}

// TestDamagedReadersAreRefused changes the reader's state in a ledger.
func TestDamagedReadersAreRefused(t *testing.T) {
	before := withVocabularies(t)
	open(t, before)
	send(t, before, recordsIn(t, "../../testdata/sessions/codex/rollout.jsonl")[:20])
	_, ledger := moved(t, before)
	var whole map[string]map[string]any
	if err := json.Unmarshal(ledger, &whole); err != nil {
		t.Fatal(err)
	}
	reader := whole["ledger"]["reader"].(map[string]any)
	state, names, format := reader["state"].(string), reader["names"].([]any), reader["format"]
	for _, change := range []any{
		map[string]any{"agent": "nobody", "format": format, "names": names, "state": state},
		map[string]any{"agent": "claude-code", "format": format, "names": names, "state": state},
		map[string]any{"agent": "claude-code", "format": agent.StateFormat("claude-code"), "names": names, "state": state},
		map[string]any{"agent": "codex", "names": names, "state": state},
		map[string]any{"agent": "codex", "format": "0123456789abcdef", "names": names, "state": state},
		map[string]any{"agent": "codex", "format": format, "names": names[1:], "state": state},
		map[string]any{"agent": "codex", "format": format, "names": append([]any{7}, names[1:]...), "state": state},
		map[string]any{"agent": "codex", "format": format, "names": names, "state": state[:len(state)-4]},
		map[string]any{"agent": "codex", "format": format, "names": names, "state": "/////////////////////" + state[21:]},
		map[string]any{"agent": "codex", "format": format, "names": names, "state": "?"},
		map[string]any{"agent": "codex", "format": format, "names": names},
		map[string]any{},
		"codex", nil,
	} {
		whole["ledger"]["reader"] = change
		params, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		if answer := beside(before).Call("ctx/session/restore", params); !bytes.Contains(answer, []byte(`"kind":"bad_ledger"`)) {
			t.Errorf("%.200v was answered with %.300s", change, answer)
		}
	}
}

// TestASessionWithoutItsReaderWarns continues in the middle.
func TestASessionWithoutItsReaderWarns(t *testing.T) {
	before := withVocabularies(t)
	open(t, before)
	records := recordsIn(t, "../../testdata/sessions/codex/rollout.jsonl")
	send(t, before, records[:20])
	_, ledger := moved(t, before)
	var whole map[string]map[string]any
	if err := json.Unmarshal(ledger, &whole); err != nil {
		t.Fatal(err)
	}
	delete(whole["ledger"], "reader")
	params, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	after := beside(before)
	after.Call("ctx/session/restore", params)
	if answer := send(t, after, records[20:]); bytes.Count(answer, []byte(phrase.Forgotten.English())) != 1 {
		t.Errorf("%s", answer)
	}
}

func open(t *testing.T, c *Core) {
	t.Helper()
	must(t, c, "ctx/session/open", `{"id":"a"}`)
}

// TestRealTranscriptsAreReadOnAfterARestore cuts each real transcript once.
func TestRealTranscriptsAreReadOnAfterARestore(t *testing.T) {
	root := os.Getenv("CTX_TRANSCRIPTS")
	if root == "" {
		t.Skip("CTX_TRANSCRIPTS names no folder of real transcripts")
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	loaded := withVocabularies(t)
	files, differ, without, largest := 0, 0, 0, 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".json") || entry.Name() == "MANIFEST.json" {
			return err
		}
		records := recordsIn(t, path)
		cut := r.IntN(len(records) + 1)
		whole := beside(loaded)
		open(t, whole)
		want := send(t, whole, records)
		before := beside(loaded)
		open(t, before)
		send(t, before, records[:cut])
		after, ledger := moved(t, before)
		files++
		var saved struct{ Ledger Ledger }
		if err := json.Unmarshal(ledger, &saved); err != nil {
			t.Fatal(err)
		}
		if saved.Ledger.Reader != nil {
			largest = max(largest, len(saved.Ledger.Reader.State))
		} else if cut > 0 && before.find("", "a").feed.reader != nil {
			without++
			return nil
		}
		if got := send(t, after, records[cut:]); !bytes.Equal(got, want) {
			differ++
			t.Errorf("file %d (%s) differs at %d of %d records", files, before.find("", "a").feed.agent, cut, len(records))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d transcripts: %d differ, %d without a reader; the largest state has %d characters", files, differ, without, largest)
	if without > files/20 {
		t.Errorf("%d of %d readers remember too much to be saved", without, files)
	}
}
