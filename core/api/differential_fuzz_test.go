// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// FuzzTranscriptsAgree reads damaged transcripts in three ways: at once, in two pieces, and with a restart between the
// pieces. The Readings must be equal, and the rows of each must add up to what is used.
func FuzzTranscriptsAgree(f *testing.F) {
	files, _ := filepath.Glob("../../testdata/sessions/*/*.jsonl")
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text[:min(len(text), 1<<16)], uint16(i))
	}
	loaded := withVocabularies(f)
	f.Fuzz(func(t *testing.T, text []byte, at uint16) {
		var records [][]byte
		for line := range bytes.Lines(text) {
			if line = bytes.TrimSpace(line); json.Valid(line) && line[0] == '{' && len(records) < 200 {
				records = append(records, line)
			}
		}
		cut := int(at) % (len(records) + 1)
		read := func(c *Core, records [][]byte) {
			if len(records) > 0 {
				params := append([]byte(`{"id":"a","records":[`), bytes.Join(records, []byte(","))...)
				if answer := c.Call("ctx/session/records", append(params, "]}"...)); bytes.HasPrefix(answer, []byte(`{"error"`)) {
					t.Skip("a call with a record that cannot be read changes nothing, so pieces differ")
				}
			}
		}
		reading := func(c *Core) []byte { return bytes.Clone(c.Call("ctx/session/reading", []byte(`{"id":"a"}`))) }
		begun := func() *Core {
			c := beside(loaded)
			c.Call("ctx/session/open", []byte(`{"id":"a"}`))
			return c
		}
		whole, parts := begun(), begun()
		read(whole, records)
		read(parts, records[:cut])
		between := reading(parts)
		saved := bytes.TrimSuffix(bytes.TrimPrefix(bytes.Clone(parts.Call("ctx/session/save", []byte(`{"id":"a"}`))), []byte(`{"result":{`)), []byte("}}"))
		restored := beside(loaded)
		if answer := restored.Call("ctx/session/restore", append(append([]byte(`{"id":"a",`), saved...), '}')); bytes.HasPrefix(answer, []byte(`{"error"`)) {
			t.Fatalf("its own ledger is refused: %s", answer)
		}
		if after := reading(restored); !bytes.Equal(alone(t, after), alone(t, between)) {
			t.Errorf("restored after %d of %d records it is\n%s\nand was\n%s", cut, len(records), after, between)
		}
		read(parts, records[cut:])
		want := reading(whole)
		if got := reading(parts); !bytes.Equal(got, want) {
			t.Errorf("cut after %d of %d records it is\n%s\nand at once\n%s", cut, len(records), got, want)
		}
		for _, text := range [][]byte{between, want} {
			rowsAddUp(t, text)
		}
	})
}

// alone returns a Reading without the sub-agents, which have their own ledgers.
func alone(t *testing.T, text []byte) []byte {
	var answer struct{ Result map[string]json.RawMessage }
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	delete(answer.Result, "children")
	out, err := json.Marshal(answer.Result)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rowsAddUp checks that the rows of a Reading add up to used.
func rowsAddUp(t *testing.T, text []byte) {
	var answer struct {
		Result struct {
			Used      *int64
			Basis     string
			Breakdown []struct {
				Tokens   int64
				Deferred bool
			}
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	r := answer.Result
	if r.Used == nil || len(r.Breakdown) == 0 {
		return
	}
	sum := int64(0)
	for _, row := range r.Breakdown {
		if !row.Deferred {
			sum += row.Tokens
		}
	}
	if sum != *r.Used {
		t.Errorf("the rows have %d tokens, and %d are used: %s", sum, *r.Used, text)
	}
}
