// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// searchBriefly limits the search for a shorter input, which Go runs for a minute whenever an input reaches new code.
// With several goroutines, coverage differs from run to run, so that search finds nothing, but would take all the time.
func searchBriefly() {
	if limit := flag.Lookup("test.fuzzminimizetime"); limit != nil && limit.Value.String() == limit.DefValue {
		limit.Value.Set("20x")
	}
}

// FuzzCalls sends the lines of a text as messages over its own connection, to a daemon with the real core in which
// another client has a session. For any input there must be no internal failure, the connection must stay open unless
// told to end, every response must be JSON without internal ids, and the other client's session must not change.
func FuzzCalls(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ctx/session/open","params":{"id":"a","label":"l"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"ctx/session/open","params":{"id":"a"}}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"ctx/session/update","params":{"id":"a","system":{"tokens":5},"append":[{"kind":"user","text":"x"}]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"ctx/session/reading","params":{"id":"b","\u0069d":"victim"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"ctx/session/open","params":{"id":"victim","shared":true,"scope":"A","parent":"victim"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"ctx/session/records","params":{"id":"r","agent":"claude-code","records":[{"type":"user"}],"open":{"label":"x"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"ctx/session/restore","params":{"ledger":{"schema":"ctx.ledger/1","session":"z","names":[],"numbers":[]}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/AGENTS.md","version":1,"languageId":"markdown","text":"# a\n@b.md"}}}` + "\n" +
			`{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///w/AGENTS.md"},"position":{"line":0,"character":0}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"ctx/document/open","params":{"id":"d","set":"s","path":"AGENTS.md","text":"# x"}}`,
		`{"jsonrpc":"2.0","id":"q","method":"ctx/count","params":{"text":"a","model":"gpt-5.5"}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`, `{"id":1,"result":null}`, `{"id":null,"error":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`, `[]`, `{"method":"ctx/sessions","id":{},"id":1}`,
		`{"jsonrpc":"2.0","id":9,"method":"ctx/focus","params":{"session":"victim"}}`,
	} {
		f.Add([]byte(seed))
	}
	s := newTestServer(f, Options{Engine: realEngine(f, "native")})
	victim := start(f, s)
	victim.call("ctx/session/open", `{"id":"victim"}`)
	victim.call("ctx/session/update", `{"id":"victim","system":{"tokens":123}}`)
	before := string(victim.call("ctx/session/items", `{"id":"victim"}`)) + string(victim.call("ctx/session/save", `{"id":"victim"}`))
	scope := ""
	for _, each := range s.all(func(each *session) bool { return each.id == "victim" }) {
		scope = each.scope
	}
	searchBriefly()
	f.Fuzz(func(t *testing.T, text []byte) {
		victim.t = t
		here, there := net.Pipe()
		defer here.Close()
		served := make(chan int, 1)
		go func() { served <- s.Serve(context.Background(), there) }()
		send := func(body []byte) bool {
			_, err := here.Write(wire.Frame(body))
			return err == nil
		}
		go func() {
			send([]byte(`{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"capabilities":{}}}`))
			send([]byte(`{"jsonrpc":"2.0","method":"initialized","params":{}}`))
			for _, line := range bytes.Split(text, []byte("\n")) {
				if !send(line) {
					return
				}
			}
			send([]byte(`{"jsonrpc":"2.0","id":"the last","method":"ctx/models","params":{"query":"nothing has this name"}}`))
		}()
		ends := bytes.Contains(text, []byte("exit")) || bytes.Contains(text, []byte("shutdown")) || bytes.Contains(text, []byte(`\u`))
		in := bufio.NewReader(here)
		here.SetReadDeadline(time.Now().Add(20 * time.Second))
		for {
			m, err := readMessage(in)
			if err != nil {
				if !ends {
					t.Fatalf("the connection ends: %v", err)
				}
				break
			}
			if body, _ := json.Marshal(m); strings.Contains(string(body), scope) {
				t.Fatalf("another client's scope: %s", body)
			}
			if string(m.ID) == `"the last"` {
				break
			}
		}
		here.Close()
		<-served
		if n := s.metrics.defects.Load(); n != 0 {
			t.Fatalf("%d failures inside", n)
		}
		if after := string(victim.call("ctx/session/items", `{"id":"victim"}`)) + string(victim.call("ctx/session/save", `{"id":"victim"}`)); after != before {
			t.Fatalf("another client's session was changed:\n%s\n%s", before, after)
		}
	})
}
