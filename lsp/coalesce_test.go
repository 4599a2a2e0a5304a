// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// holdDocuments blocks the work on a client's documents until release is called.
func holdDocuments(s *Server) (release func()) {
	held := make(chan struct{})
	s.eachConnection(func(c *connection) { s.lanes.Run(documentLane(c, nil), c.number, func() { <-held }) })
	return func() { close(held) }
}

func quoted(text string) string {
	body, _ := json.Marshal(text)
	return string(body)
}

const promptURI = "file:///folding/CLAUDE.md"

// TestWholeTextsOfADocumentAreFolded has a client send 1 MB at each keystroke while its documents are blocked.
func TestWholeTextsOfADocumentAreFolded(t *testing.T) {
	const keystrokes = 150 // more than may wait
	s, counting := oneInstance(t, "ctx/document/change", "")
	c := start(t, s)
	var of *connection
	s.eachConnection(func(each *connection) { of = each })
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":0,"text":"# a\n"}}}`, promptURI))
	c.call("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, promptURI))
	before := counting.done.Load()
	release := holdDocuments(s)
	body := strings.Repeat("word ", 200_000)
	sent := make(chan struct{})
	var typed atomic.Int64
	go func() {
		for n := range keystrokes {
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"text":%s}]}}`,
				promptURI, n+1, quoted(fmt.Sprintf("# keystroke %d\n%s", n, body))))
			typed.Add(1)
		}
		close(sent)
	}()
	for seen, all := int64(-1), false; !all; {
		select {
		case <-sent:
			all = true
		case <-time.After(time.Minute): // a busy machine takes minutes for all of them, but not for one
			if typed.Load() == seen {
				now, _ := of.waits.Waiting()
				release()
				t.Fatalf("the client has to wait after %d keystrokes; %d bytes are kept", seen, now)
			}
			seen = typed.Load()
		}
	}
	of.folds.mu.Lock()
	if n := len(of.folds.waiting); n != 1 {
		t.Errorf("%d changes wait", n)
	}
	of.folds.mu.Unlock()
	if now, most := of.waits.Waiting(); most > 4<<20 {
		t.Errorf("%d bytes wait, and %d did at most", now, most)
	}
	release()
	hints := c.call("textDocument/inlayHint", fmt.Sprintf(`{"textDocument":{"uri":%q},"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}}}`, promptURI))
	if want := fmt.Sprintf(`"character":%d`, len("# keystroke 149")); !strings.Contains(string(hints), want) {
		t.Errorf("the last text does not count: %s", hints)
	}
	if n := counting.done.Load() - before; n > 3 {
		t.Errorf("%d texts were counted", n)
	}
	s.lanes.Wait()
	if now, _ := of.waits.Waiting(); now != 0 {
		t.Errorf("%d bytes are counted that nobody waits for", now)
	}
	if n := len(of.folds.waiting); n != 0 {
		t.Errorf("%d changes are remembered", n)
	}
}

// TestACanceledRequestSeparatesNoChanges checks that a request between two changes keeps the first one only while it
// waits for a response, and that changes that were replaced are not reported as errors.
func TestACanceledRequestSeparatesNoChanges(t *testing.T) {
	var log lockedBuffer
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	counting := &countingEngine{Engine: pool, method: "ctx/document/change"}
	s := newTestServer(t, Options{Engine: using(counting), Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := start(t, s)
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":0,"text":"# a\n"}}}`, promptURI))
	version := 0
	for _, test := range []struct {
		cancels, versions bool
		changes           int64
	}{{true, true, 1}, {false, true, 2}, {true, false, 1}} {
		c.call("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, promptURI))
		before := counting.done.Load()
		release := holdDocuments(s)
		change := func() {
			version++
			of := fmt.Sprint(version)
			if !test.versions {
				of = "null"
			}
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":%s},"contentChanges":[{"text":"# %d\n"}]}}`, promptURI, of, version))
		}
		change()
		id, answer := c.begin("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, promptURI))
		if test.cancels {
			c.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":` + id + `}}`)
			c.wait(answer)
		}
		change()
		change()
		c.call("ctx/models", `{}`) // everything has arrived
		release()
		s.lanes.Wait()
		if n := counting.done.Load() - before; n != test.changes {
			t.Errorf("the request is canceled: %v; %d changes were made, want %d", test.cancels, n, test.changes)
		}
	}
	if text := log.String(); strings.Contains(text, "failed") {
		t.Errorf("the log has %s", text)
	}
}

// TestFoldingChangesNoAnswer sends random edits and requests without waiting, and again one at a time.
func TestFoldingChangesNoAnswer(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewSource(seed))
	pool, err := engine.Native(engine.Options{Instances: 2})
	if err != nil {
		t.Fatal(err)
	}
	s := newTestServer(t, Options{Engine: func(context.Context) (Engine, error) { return pool, nil }})
	uris := []string{promptURI, "file:///folding/AGENTS.md"}
	for round := range 60 {
		together, apart := start(t, s), start(t, s)
		version := 0
		type question struct{ together chan testMessage }
		var questions []question
		both := func(body string) {
			together.send(body)
			apart.send(body)
			apart.call("ctx/models", `{"query":"gpt-5.5"}`) // so that no request is waiting
			s.lanes.Wait()
		}
		for _, uri := range uris {
			both(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"version":0,"text":"# a\nb\n"}}}`, uri))
		}
		held, least := make(chan struct{}), lowest(s)
		s.eachConnection(func(c *connection) {
			if c.number == least {
				s.lanes.Run(documentLane(c, nil), c.number, func() { <-held })
			}
		})
		var bodies []string
		for range 5 + r.Intn(30) {
			uri := uris[r.Intn(2)]
			text := quoted(strings.Repeat("# x\n", r.Intn(5)) + strings.Repeat("word ", r.Intn(50)))
			version++
			change := fmt.Sprintf(`{"text":%s}`, text)
			switch r.Intn(8) {
			case 0, 1:
				change = fmt.Sprintf(`{"range":{"start":{"line":%d,"character":0},"end":{"line":%d,"character":0}},"text":%s}`, r.Intn(3), r.Intn(3), text)
			case 2:
				change += fmt.Sprintf(`,{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":%s}`, text)
			case 3:
				version -= r.Intn(3) // a client with wrong version numbers
			case 4:
				bodies = append(bodies, fmt.Sprintf("?%s", uri))
				continue
			}
			bodies = append(bodies, fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":%d},"contentChanges":[%s]}}`, uri, version, change))
		}
		bodies = append(bodies, "?"+uris[0], "?"+uris[1])
		ask := func(c *testClient, uri string) chan testMessage {
			_, answer := c.begin("textDocument/inlayHint", fmt.Sprintf(`{"textDocument":{"uri":%q},"range":{"start":{"line":0,"character":0},"end":{"line":99,"character":0}}}`, uri))
			return answer
		}
		for _, body := range bodies {
			if uri, asks := strings.CutPrefix(body, "?"); asks {
				questions = append(questions, question{together: ask(together, uri)})
			} else {
				together.send(body)
			}
		}
		together.call("ctx/models", `{"query":"gpt-5.5"}`) // everything has arrived
		close(held)
		n := 0
		for _, body := range bodies {
			if uri, asks := strings.CutPrefix(body, "?"); asks {
				got, want := together.wait(questions[n].together), apart.wait(ask(apart, uri))
				if string(got.Result) != string(want.Result) {
					t.Fatalf("round %d, question %d: %s, and one at a time %s", round, n, got.Result, want.Result)
				}
				n++
			} else {
				apart.send(body)
				apart.call("textDocument/codeLens", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uris[0]))
			}
		}
		for _, c := range []*testClient{together, apart} {
			c.conn.Close()
			c.exitCode()
		}
	}
}

// lowest returns the lowest number of the current connections.
func lowest(s *Server) uint64 {
	least := ^uint64(0)
	s.eachConnection(func(c *connection) { least = min(least, c.number) })
	return least
}

func TestAnEditThatCannotBeReadReplacesNothing(t *testing.T) {
	for params, whole := range map[string]bool{
		`{"textDocument":{"uri":"a","version":1},"contentChanges":[{"text":"x"}]}`:                 true,
		`{"textDocument":{"uri":"a","version":null},"contentChanges":[{"range":null,"text":"x"}]}`: true,
		`{"textDocument":{"uri":"a"},"contentChanges":[{"range":{},"text":"y"},{"text":"x"}]}`:     true,
		`{"textDocument":{"uri":"a"},"contentChanges":[{"range":{},"text":"y"}]}`:                  false,
		`{"textDocument":{"uri":"a"},"contentChanges":[]}`:                                         false,
		`{"textDocument":{"uri":"a"},"contentChanges":[{"text":5}]}`:                               false,
		`{"textDocument":{"uri":"a"},"contentChanges":[5]}`:                                        false,
		`{"textDocument":{"uri":"a","version":"1"},"contentChanges":[{"text":"x"}]}`:               false,
		`{"textDocument":{"uri":5},"contentChanges":[{"text":"x"}]}`:                               false,
		`{"textDocument":"a","contentChanges":[{"text":"x"}]}`:                                     false,
		`{"contentChanges":[{"text":"x"}]}`:                                                        false,
		`{}`:                                                                                       false,
	} {
		fields := wire.FieldsOf([]byte(params))
		if e := editIn(fields); e.whole != whole || whole && e.uri != "a" {
			t.Errorf("%s: %+v", params, e)
		}
	}
}
