// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/ipc"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

func TestTheExitCodeShowsWhetherShutdownCameFirst(t *testing.T) {
	s := newTestServer(t, Options{})
	c := start(t, s)
	if result := c.call("shutdown", "{}"); string(result) != "null" {
		t.Errorf("shutdown answered %s", result)
	}
	c.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := c.exitCode(); code != 0 {
		t.Errorf("exit after shutdown: code %d", code)
	}
	c = start(t, s)
	c.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := c.exitCode(); code != 1 {
		t.Errorf("exit without shutdown: code %d", code)
	}
	c = start(t, s)
	c.conn.Close()
	if code := c.exitCode(); code != 1 {
		t.Errorf("connection lost: code %d", code)
	}
}

// TestAShutdownWaitsForRequests checks that the response to shutdown is the last one.
func TestAShutdownWaitsForRequests(t *testing.T) {
	engine, hold := holding("ctx/session/history")
	c := start(t, newTestServer(t, Options{Engine: using(engine)}))
	c.call("ctx/session/open", `{"id":"a"}`)
	_, answer := c.begin("ctx/session/history", `{"id":"a"}`)
	_, last := c.begin("shutdown", `null`)
	select {
	case <-last:
		t.Error("it is answered while a request runs")
	case <-time.After(50 * time.Millisecond):
		close(hold)
		c.wait(answer)
		c.wait(last)
	}
}

func TestNothingIsAnsweredBeforeInitializeAndAfterShutdown(t *testing.T) {
	s := newTestServer(t, Options{})
	c := connect(t, s)
	if m := c.ask("ctx/sessions", "{}"); m.Error == nil || m.Error.Code != -32002 {
		t.Errorf("before initialize: %+v", m)
	}
	c.call("initialize", `{"capabilities":{}}`)
	if m := c.ask("initialize", `{"capabilities":{}}`); m.Error == nil || m.Error.Code != -32600 {
		t.Errorf("a second initialize: %+v", m)
	}
	for method, params := range map[string]string{"initialized": `{}`, "$/setTrace": `{"value":"off"}`, "$/cancelRequest": `{"id":99}`} {
		if got := string(c.call(method, params)); got != "null" {
			t.Errorf("%s with an id: %s", method, got)
		}
	}
	c.call("shutdown", "null")
	if m := c.ask("ctx/sessions", "{}"); m.Error == nil || m.Error.Code != -32600 {
		t.Errorf("after shutdown: %+v", m)
	}
}

func TestUnknownRequestsAreRefusedAndUnknownNotificationsIgnored(t *testing.T) {
	c := start(t, newTestServer(t, Options{}))
	for _, method := range []string{"$/nothing", "textDocument/nothing", "ctx/sesion/open"} {
		if m := c.ask(method, "{}"); m.Error == nil || m.Error.Code != -32601 {
			t.Errorf("%s: %+v", method, m)
		}
	}
	m := c.ask("ctx/nothing", "{}")
	if !strings.Contains(string(m.Error.Data), `"ctx/session/open"`) {
		t.Errorf("the known methods are not listed: %s", m.Error.Data)
	}
	c.send(`{"jsonrpc":"2.0","method":"$/nothing","params":{}}`)
	c.send(`{"jsonrpc":"2.0","method":"other/nothing"}`)
	c.call("ctx/sessions", "{}")
	c.quiet("(answer)", 50*time.Millisecond)
}

func TestABadFrameCostsItselfAlone(t *testing.T) {
	s := newTestServer(t, Options{})
	for _, test := range []struct {
		name, bytes string
		code        int64
		id          string
	}{
		{"no header", "{\"jsonrpc\":\"2.0\"}\r\n", -32700, "null"},
		{"garbage line", "\x00\x01\xff garbage\r\n", -32700, "null"},
		{"header without length", "Content-Type: x\r\n\r\n", -32700, "null"},
		{"a length of four gigabytes", "Content-Length: 4294967296\r\n\r\n", -32700, "null"},
		{"a length that is no number", "Content-Length: many\r\n\r\n", -32700, "null"},
		{"a negative length", "Content-Length: -5\r\n\r\n", -32700, "null"},
		{"a header of a megabyte", "X-Long: " + strings.Repeat("x", 1<<20) + "\r\n\r\n", -32700, "null"},
		{"broken JSON", frameText(`{"jsonrpc":"2.0",`), -32700, "null"},
		{"a batch", frameText(`[{"jsonrpc":"2.0","id":1,"method":"x"}]`), -32600, "null"},
		{"a number", frameText(`17`), -32600, "null"},
		{"a method that is no string", frameText(`{"jsonrpc":"2.0","id":77,"method":5}`), -32600, "77"},
		{"params that are a string", frameText(`{"jsonrpc":"2.0","id":78,"method":"ctx/sessions","params":"y"}`), -32602, "78"},
		{"an id that is an object", frameText(`{"jsonrpc":"2.0","id":{},"method":"x"}`), -32600, "null"},
		{"a body over the limit", frameText(`{"jsonrpc":"2.0","id":79,"method":"ctx/count","params":{"text":"` + strings.Repeat("x", wire.MaxBody) + `"}}`), 1003, "79"},
	} {
		c := start(t, s)
		c.raw(test.bytes)
		m := c.note("(answer)")
		if m.Error == nil || m.Error.Code != test.code || string(m.ID) != test.id {
			t.Errorf("%s: id %s, error %+v; want %d for id %s", test.name, m.ID, m.Error, test.code, test.id)
		}
		if m.Error != nil && !strings.HasSuffix(m.Error.Message, ".") {
			t.Errorf("%s: %q is no sentence", test.name, m.Error.Message)
		}
		if kind := map[int64]string{-32700: "parse_error", 1003: "limit_exceeded"}[test.code]; kind != "" && m.Error != nil && !strings.Contains(string(m.Error.Data), `"kind":"`+kind+`"`) {
			t.Errorf("%s: data %s; want the kind %s", test.name, m.Error.Data, kind)
		}
		c.call("ctx/sessions", "{}") // the connection still works
		c.conn.Close()
		c.exitCode()
	}
}

func frameText(body string) string { return string(wire.Frame([]byte(body))) }

func TestATruncatedBodyEndsTheConnection(t *testing.T) {
	c := start(t, newTestServer(t, Options{}))
	c.raw("Content-Length: 100\r\n\r\n{\"jsonrpc\"")
	c.conn.Close()
	if code := c.exitCode(); code != 1 {
		t.Errorf("code %d", code)
	}
}

func TestIdsOfEveryKindComeBackAsTheyWere(t *testing.T) {
	c := start(t, newTestServer(t, Options{}))
	for _, id := range []string{`"text"`, `-7`, `0`, `1.5`, `9007199254740993`, `"7"`, `"ü\n"`} {
		c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ctx/sessions"}`)
		if m := c.note("(answer)"); string(m.ID) != id || m.Error != nil {
			t.Errorf("id %s came back as %s (%+v)", id, m.ID, m.Error)
		}
	}
}

func TestCancelledRequestsReturnAnError(t *testing.T) {
	engine := newFakeEngine()
	hold := make(chan struct{})
	engine.delay = func(method string) {
		if method == "ctx/session/history" || method == "ctx/session/update" {
			<-hold
		}
	}
	c := start(t, newTestServer(t, Options{Engine: using(engine)}))
	c.call("ctx/session/open", `{"id":"a"}`)
	// A request that is being processed, and changes that wait for it, can be canceled.
	question, asked := c.begin("ctx/session/history", `{"id":"a"}`)
	ids, answers := []string{question}, []chan testMessage{asked}
	for range 8 {
		id, answer := c.begin("ctx/session/update", `{"id":"a","system":5}`)
		ids, answers = append(ids, id), append(answers, answer)
	}
	time.Sleep(20 * time.Millisecond)
	for _, id := range ids {
		c.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":` + id + `}}`)
	}
	for _, answer := range answers {
		if m := c.wait(answer); m.Error == nil || m.Error.Code != -32800 {
			t.Errorf("cancelled: %+v", m)
		}
	}
	close(hold)
	if got := used(t, c.call("ctx/session/reading", `{"id":"a"}`)); got != 0 {
		t.Errorf("a cancelled change was made: used %d", got)
	}
	// A change that has begun is finished, and its result is sent.
	hold2 := make(chan struct{})
	engine.delay = func(method string) {
		if method == "ctx/session/update" {
			<-hold2
		}
	}
	change, changed := c.begin("ctx/session/update", `{"id":"a","system":5}`)
	time.Sleep(20 * time.Millisecond)
	c.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":` + change + `}}`)
	time.Sleep(20 * time.Millisecond)
	close(hold2)
	if m := c.wait(changed); m.Error != nil || used(t, m.Result) != 5 {
		t.Errorf("a change under way: %+v", m)
	}
}

func TestTenThousandRequestsInFlightAndACancelStorm(t *testing.T) {
	engine, hold := holding("ctx/session/reading")
	c := start(t, newTestServer(t, Options{Engine: using(engine)}))
	c.call("ctx/session/open", `{"id":"a"}`)
	var answers []chan testMessage
	for range 10_000 {
		_, answer := c.begin("ctx/session/reading", `{"id":"a"}`)
		answers = append(answers, answer)
	}
	for i := range 20_000 {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}`, i%10_000*2))
	}
	time.Sleep(50 * time.Millisecond)
	close(hold)
	cancelled, answered := 0, 0
	for _, answer := range answers {
		if m := c.wait(answer); m.Error != nil && m.Error.Code == -32800 {
			cancelled++
		} else if m.Error == nil {
			answered++
		}
	}
	if cancelled+answered != len(answers) || cancelled == 0 || answered == 0 {
		t.Errorf("%d cancelled and %d answered of %d", cancelled, answered, len(answers))
	}
	c.call("ctx/sessions", "{}")
}

func TestMoreRequestsThanMayWaitAreRefusedAtOnce(t *testing.T) {
	engine, hold := holding("ctx/session/reading")
	c := start(t, newTestServer(t, Options{Engine: using(engine)}))
	c.call("ctx/session/open", `{"id":"a"}`)
	for range maxInflight {
		c.begin("ctx/session/reading", `{"id":"a"}`)
	}
	if m := c.ask("ctx/sessions", "{}"); m.Error == nil || m.Error.Code != 1003 {
		t.Errorf("one too many: %+v", m)
	}
	close(hold)
}

func TestADefectInOneRequestCostsNoOther(t *testing.T) {
	engine := newFakeEngine()
	engine.delay = func(method string) {
		if method == "ctx/models" {
			panic("a defect")
		}
	}
	var log lockedBuffer
	c := start(t, newTestServer(t, Options{Engine: using(engine), Log: slog.New(slog.NewTextHandler(&log, nil))}))
	if m := c.ask("ctx/models", "{}"); m.Error == nil || m.Error.Code != -32603 {
		t.Errorf("a panic: %+v", m)
	}
	if text := log.String(); !strings.Contains(text, "method=ctx/models") || !strings.Contains(text, "a defect") || !strings.Contains(text, "connection_test.go") {
		t.Errorf("the log has %s", text)
	}
	c.call("ctx/sessions", "{}")
}

func TestTheLogHasTheReasonWhyAMessageCannotBeRead(t *testing.T) {
	var log lockedBuffer
	c := start(t, newTestServer(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))}))
	for range loggedUnreadable + 5 {
		c.send(`{"jsonrpc":"2.0","method":"ctx/sessions","params":{"secret words"`)
	}
	c.call("ctx/sessions", "{}")
	text := log.String()
	if got := strings.Count(text, "a message of the client cannot be read"); got != loggedUnreadable {
		t.Errorf("%d messages are logged:\n%s", got, text)
	}
	if !strings.Contains(text, "The message is not valid JSON") || !strings.Contains(text, "connection=") || strings.Count(text, "they are not logged") != 1 {
		t.Errorf("the log has %s", text)
	}
	if strings.Contains(text, "secret words") {
		t.Errorf("the log has text of a message: %s", text)
	}
}

func TestInitializeReturnsTheCapabilities(t *testing.T) {
	c := connect(t, newTestServer(t, Options{Version: "1.2.3"}))
	var result struct {
		Capabilities struct {
			PositionEncoding string
			Experimental     struct {
				Ctx struct{ Methods, Notifications []string }
			}
			DiagnosticProvider json.RawMessage
		}
		ServerInfo struct{ Name, Version string }
	}
	raw := c.call("initialize", `{"capabilities":{"general":{"positionEncodings":["utf-16","utf-8"]},"textDocument":{"diagnostic":{}}}}`)
	if err := json.Unmarshal(raw, &result); err != nil {
		t.Fatal(err)
	}
	if result.Capabilities.PositionEncoding != "utf-8" || result.ServerInfo.Version != "1.2.3" || result.Capabilities.DiagnosticProvider == nil {
		t.Errorf("%s", raw)
	}
	if len(result.Capabilities.Experimental.Ctx.Methods) < 20 {
		t.Errorf("methods: %v", result.Capabilities.Experimental.Ctx.Methods)
	}
}

// TestTheLastResponseIsWrittenIfTheInputEnds checks that a client that sends everything, ends its input, and
// only then reads gets all responses.
func TestTheLastResponseIsWrittenIfTheInputEnds(t *testing.T) {
	var in strings.Builder
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`,
		`{"jsonrpc":"2.0","method":"exit"}`,
	} {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	for range 20 {
		out := &slowWriter{}
		s := newTestServer(t, Options{})
		code := s.Serve(context.Background(), ipc.Stdio(strings.NewReader(in.String()), out))
		if got := out.text(); code != 0 || !strings.HasSuffix(got, `{"jsonrpc":"2.0","id":2,"result":null}`) {
			t.Fatalf("exit code %d after %q", code, got)
		}
	}
}

// slowWriter takes a moment for each write.
type slowWriter struct {
	mu  sync.Mutex
	all strings.Builder
}

func (w *slowWriter) Write(p []byte) (int, error) {
	time.Sleep(10 * time.Millisecond)
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.Write(p)
}

func (w *slowWriter) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.String()
}

// TestAnIdBelongsToOneRequestAtATime checks that the second of two requests with one id is refused and changes nothing,
// and that the first one is answered.
func TestAnIdBelongsToOneRequestAtATime(t *testing.T) {
	engine, hold := holding("ctx/session/reading")
	c := start(t, newTestServer(t, Options{Engine: using(engine)}))
	c.call("ctx/session/open", `{"id":"a"}`)
	c.send(`{"jsonrpc":"2.0","id":77,"method":"ctx/session/reading","params":{"id":"a"}}`)
	c.send(`{"jsonrpc":"2.0","id":77,"method":"ctx/session/update","params":{"id":"a","system":5}}`)
	if m := c.note("(answer)"); string(m.ID) != "77" || m.Error == nil || m.Error.Code != -32600 || !strings.Contains(m.Error.Message, "The id 77 belongs to a request that is still running.") {
		t.Errorf("the second: %+v", m)
	}
	close(hold)
	if m := c.note("(answer)"); string(m.ID) != "77" || m.Error != nil {
		t.Errorf("the first: %+v", m)
	}
	if got := used(t, c.call("ctx/session/reading", `{"id":"a"}`)); got != 0 {
		t.Errorf("the refused request changed the session to %d", got)
	}
}
