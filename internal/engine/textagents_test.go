// Copyright The ctx-lsp authors. MIT licence.

package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

// TestTextAgentsAreReadOnFromAnyRecord saves each session of an agent that keeps its sessions as text after every
// record, restores it and continues reading, natively and under wazero. Each Reading must have the same bytes as in a
// session that was never saved. wasm/js/textagents.test.mjs does the same in Node.
func TestTextAgentsAreReadOnFromAnyRecord(t *testing.T) {
	text, err := os.ReadFile("../../testdata/conformance/agent-lines.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []struct {
			Name  string
			Calls []struct {
				Params struct {
					Agent   string
					Records []json.RawMessage
				}
			}
		}
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Vectors) < 17 {
		t.Fatalf("only %d vectors: %v", len(file.Vectors), err)
	}
	native, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	wasm, err := engine.Wasm(engine.Options{Instances: 1, Module: engine.Module(t, "core"), CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer wasm.Close()
	engines := map[string]engine.Engine{"native": native, "wazero": wasm}
	for _, v := range file.Vectors {
		var records []json.RawMessage
		for _, c := range v.Calls {
			records = append(records, c.Params.Records...)
		}
		var want [][]byte // the Readings after each record of the session that is never saved
		for _, name := range []string{"native", "wazero"} {
			call := func(method, params string) []byte {
				answer, err := engines[name].Call(context.Background(), method, []byte(params))
				if err != nil || method != "ctx/session/close" && bytes.HasPrefix(answer, []byte(`{"error"`)) {
					t.Fatalf("%s, %s: %s: %v %.500s", name, v.Name, method, err, answer)
				}
				return bytes.Clone(answer)
			}
			read := func(id string, record []byte) []byte {
				by := ""
				if agent := v.Calls[0].Params.Agent; agent != "" {
					by = fmt.Sprintf(`"agent":%q,`, agent)
				}
				return call("ctx/session/records", fmt.Sprintf(`{"id":%q,%s"open":true,"records":[%s]}`, id, by, record))
			}
			for len(want) < len(records) {
				want = append(want, read("a", records[len(want)]))
			}
			call("ctx/session/close", `{"id":"a"}`) // an unknown session under wazero, where it is read only once
			for i, record := range records {
				if got := read("a", record); !bytes.Equal(got, want[i]) {
					t.Fatalf("%s, %s, after record %d:\n%s\nwant\n%s", name, v.Name, i+1, got, want[i])
				}
				var all struct {
					Result struct{ Sessions []struct{ Session string } }
				}
				if err := json.Unmarshal(call("ctx/sessions", `{}`), &all); err != nil {
					t.Fatal(err)
				}
				var ledgers []json.RawMessage
				for _, s := range all.Result.Sessions { // including the sub-agents
					var saved struct {
						Result struct{ Ledger json.RawMessage }
					}
					if err := json.Unmarshal(call("ctx/session/save", fmt.Sprintf(`{"id":%q}`, s.Session)), &saved); err != nil {
						t.Fatal(err)
					}
					ledgers = append(ledgers, saved.Result.Ledger)
				}
				call("ctx/session/close", `{"id":"a"}`)
				for _, ledger := range ledgers {
					call("ctx/session/restore", fmt.Sprintf(`{"ledger":%s}`, ledger))
				}
			}
			call("ctx/session/close", `{"id":"a"}`)
		}
	}
}
