// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeEngine stores the number of tokens sent for every session, which is enough to check the daemon's calls.
type fakeEngine struct {
	mu       sync.Mutex
	sessions map[string]*fakeSession
	delay    func(method string) // called outside the lock
}

type fakeSession struct {
	used, compactions int64
	workspace         string
}

// holding returns an engine that answers a method only after the channel is closed.
func holding(method string) (*fakeEngine, chan struct{}) {
	engine, hold := newFakeEngine(), make(chan struct{})
	engine.delay = func(called string) {
		if called == method {
			<-hold
		}
	}
	return engine, hold
}

func newFakeEngine() *fakeEngine { return &fakeEngine{sessions: map[string]*fakeSession{}} }

func (e *fakeEngine) Close() error { return nil }

func (e *fakeEngine) Call(_ context.Context, method string, params []byte) ([]byte, error) {
	if e.delay != nil {
		e.delay(method)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	var p struct {
		ID        string `json:"id"`
		Scope     string `json:"scope"`
		Workspace string `json:"workspace"`
		System    int64  `json:"system"`
		Ledger    struct{ Used int64 }
		At        int64 `json:"at"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	s := e.sessions[keyOf(p.Scope, p.ID)]
	switch method {
	case "ctx/sessions":
		var list []string
		for key := range e.sessions {
			scope, id, _ := strings.Cut(key, "/")
			if scope != "" && scope != p.Scope {
				continue
			}
			list = append(list, fmt.Sprintf(`{"session":%q}`, id))
		}
		return []byte(`{"result":{"sessions":[` + strings.Join(list, ",") + `]}}`), nil
	case "ctx/session/open":
		if s != nil {
			return []byte(`{"error":{"code":1004,"message":"there","data":{"kind":"session_exists"}}}`), nil
		}
		s = &fakeSession{workspace: p.Workspace}
		e.sessions[keyOf(p.Scope, p.ID)] = s
	case "ctx/session/restore":
		s = &fakeSession{used: p.Ledger.Used}
		e.sessions[keyOf(p.Scope, p.ID)] = s
	}
	if s == nil {
		return []byte(fmt.Sprintf(`{"error":{"code":1001,"message":"There is no session %s.","data":{"kind":"unknown_session","name":%q}}}`, p.ID, p.ID)), nil
	}
	switch method {
	case "ctx/session/close":
		delete(e.sessions, keyOf(p.Scope, p.ID))
		return []byte(`{"result":{}}`), nil
	case "ctx/session/save":
		return []byte(fmt.Sprintf(`{"result":{"ledger":{"session":%q,"used":%d}}}`, p.ID, s.used)), nil
	case "ctx/session/update":
		s.used += p.System
	case "ctx/session/compacted":
		s.used, s.compactions = 10, s.compactions+1
	}
	level := "ok"
	switch {
	case s.used > 100:
		level = "over"
	case s.used > 90:
		level = "now"
	case s.used > 80:
		level = "soon"
	}
	return []byte(fmt.Sprintf(`{"result":{"schema":"ctx.reading/3","session":%q,"workspace":%q,"used":%d,"limit":100,"percent":%d,`+
		`"compaction":{"threshold":100,"percent":%d,"level":%q,"count":%d},"asOf":%d,"display":{"percent":"%d%%","used":"%d","limit":"100","mark":""}}}`,
		p.ID, s.workspace, s.used, s.used, s.used, level, s.compactions, p.At, s.used, s.used)), nil
}

// testClient communicates with a server like an editor.
type testClient struct {
	t    testing.TB
	conn net.Conn
	in   *bufio.Reader
	code chan int

	mu       sync.Mutex
	next     int
	waiting  map[string]chan testMessage
	notes    chan testMessage
	skipped  []testMessage         // notifications read while waiting for another method
	requests func(testMessage) any // returns the result for a request of the server, or an error
}

type testMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int64           `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

func newTestServer(t testing.TB, options Options) *Server {
	if options.Engine == nil {
		engine := newFakeEngine()
		options.Engine = func(context.Context) (Engine, error) { return engine, nil }
	}
	s := New(options)
	s.heldPatience = 100 * time.Millisecond
	t.Cleanup(func() { s.Close() })
	return s
}

func connect(t testing.TB, s *Server) *testClient {
	here, there := net.Pipe()
	return connectBy(t, s, here, there)
}

// connectBy connects a client through the two ends of a connection.
func connectBy(t testing.TB, s *Server, here, there net.Conn) *testClient {
	c := &testClient{t: t, conn: here, in: bufio.NewReader(here), code: make(chan int, 1), waiting: map[string]chan testMessage{}, notes: make(chan testMessage, 10000)}
	go func() { c.code <- s.Serve(context.Background(), there) }()
	go c.read()
	t.Cleanup(func() { here.Close() })
	return c
}

// clients returns how many clients are connected.
func clients(s *Server) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.connections)
}

// start connects and initializes a client.
func start(t testing.TB, s *Server) *testClient {
	c := connect(t, s)
	c.call("initialize", `{"processId":null,"clientInfo":{"name":"test"},"capabilities":{}}`)
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	return c
}

// unanswered is the result of a request from the server that a client has not answered yet.
var unanswered any = "unanswered"

func (c *testClient) read() {
	for {
		m, err := readMessage(c.in)
		if err != nil {
			close(c.notes)
			return
		}
		switch {
		case m.Method != "" && m.ID != nil:
			var result any
			if c.requests != nil {
				result = c.requests(m)
			}
			if result == unanswered {
				continue
			}
			if refusal, refused := result.(error); refused {
				c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":%q}}`, m.ID, refusal))
				continue
			}
			body, _ := json.Marshal(result)
			c.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + string(body) + `}`)
		case m.Method != "":
			c.notes <- m
		default:
			c.mu.Lock()
			waiting := c.waiting[string(m.ID)]
			delete(c.waiting, string(m.ID))
			c.mu.Unlock()
			if waiting != nil {
				waiting <- m
			} else {
				m.Method = "(answer)"
				c.notes <- m
			}
		}
	}
}

func readMessage(in *bufio.Reader) (testMessage, error) {
	var m testMessage
	length := 0
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return m, err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		fmt.Sscanf(line, "Content-Length: %d", &length)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(in, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}

// raw sends bytes. An error is not logged, because the test may have ended; if it has not, it waits for a response.
func (c *testClient) raw(text string) { _, _ = io.WriteString(c.conn, text) }

func (c *testClient) send(body string) {
	c.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

// begin sends a request and returns the channel for its response.
func (c *testClient) begin(method, params string) (id string, answer chan testMessage) {
	c.mu.Lock()
	c.next++
	id = fmt.Sprint(c.next)
	answer = make(chan testMessage, 1)
	c.waiting[id] = answer
	c.mu.Unlock()
	c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	return id, answer
}

// receive waits for a value from a channel, for a time in which this process is running. The time is a sum of short
// sleeps: while the process is stopped, or waits for other programs, a sleep does not end, but still counts as a short
// one. On an idle machine, this is the time given.
func receive[T any](while time.Duration, from <-chan T) (value T, came bool) {
	const beat = 20 * time.Millisecond
	slept := time.NewTimer(beat)
	defer slept.Stop()
	for left := while / beat; left > 0; left-- {
		select {
		case value = <-from:
			return value, true
		case <-slept.C:
			slept.Reset(beat)
		}
	}
	return value, false
}

func (c *testClient) wait(answer chan testMessage) testMessage {
	c.t.Helper()
	m, came := receive(30*time.Second, answer)
	if !came {
		c.t.Fatal("no answer within 30 s in which this process ran")
	}
	return m
}

func (c *testClient) ask(method, params string) testMessage {
	c.t.Helper()
	_, answer := c.begin(method, params)
	return c.wait(answer)
}

// call sends a request and fails the test unless it gets a result.
func (c *testClient) call(method, params string) json.RawMessage {
	c.t.Helper()
	m := c.ask(method, params)
	if m.Error != nil {
		c.t.Fatalf("%s: %d %s", method, m.Error.Code, m.Error.Message)
	}
	return m.Result
}

// note returns the next notification of a method.
func (c *testClient) note(method string) testMessage {
	c.t.Helper()
	for {
		m, came := receive(30*time.Second, c.notes)
		came = came && m.Method != "" // a closed channel has empty messages
		switch {
		case !came:
			c.t.Fatalf("no %s within 30 s in which this process ran, or before the connection's end", method)
		case m.Method == method:
			return m
		}
	}
}

// kept is note that keeps the notifications of other methods for later calls, because their order depends on the load
// of the machine.
func (c *testClient) kept(method string) testMessage {
	c.t.Helper()
	if i := slices.IndexFunc(c.skipped, func(m testMessage) bool { return m.Method == method }); i >= 0 {
		m := c.skipped[i]
		c.skipped = slices.Delete(c.skipped, i, i+1)
		return m
	}
	for {
		m, came := receive(30*time.Second, c.notes)
		came = came && m.Method != "" // a closed channel has empty messages
		switch {
		case !came:
			c.t.Fatalf("no %s within 30 s in which this process ran, or before the connection's end", method)
		case m.Method == method:
			return m
		}
		c.skipped = append(c.skipped, m)
	}
}

// quiet fails the test if a notification of a method arrives within a while.
func (c *testClient) quiet(method string, while time.Duration) {
	c.t.Helper()
	deadline := time.After(while)
	for {
		select {
		case m := <-c.notes:
			if m.Method == method {
				c.t.Fatalf("%s came: %s", method, m.Params)
			}
		case <-deadline:
			return
		}
	}
}

func (c *testClient) exitCode() int {
	c.t.Helper()
	code, came := receive(30*time.Second, c.code)
	if !came {
		c.t.Fatal("the server did not end within 30 s in which this process ran")
	}
	return code
}

func used(t testing.TB, reading json.RawMessage) int64 {
	t.Helper()
	var r struct{ Used int64 }
	if err := json.Unmarshal(reading, &r); err != nil {
		t.Fatalf("%s: %v", reading, err)
	}
	return r.Used
}
