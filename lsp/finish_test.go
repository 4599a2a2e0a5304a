// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/ipc"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// TestRequestsBeforeTheEndOfTheInputAreAnswered sends requests that take a while and ends the input at once, on
// standard input and through the process that connects a client to the shared daemon.
func TestRequestsBeforeTheEndOfTheInputAreAnswered(t *testing.T) {
	serve := map[string]func(*Server, io.ReadWriteCloser) int{
		"standard input": func(s *Server, client io.ReadWriteCloser) int {
			return s.ServeToEnd(context.Background(), client)
		},
		"forwarded": func(s *Server, client io.ReadWriteCloser) int {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() {
				if conn, err := listener.Accept(); err == nil {
					s.Serve(context.Background(), conn)
				}
			}()
			conn, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			return ipc.Forward(client, conn, nil)
		},
	}
	for name, serve := range serve {
		t.Run(name, func(t *testing.T) { answersBeforeTheEnd(t, serve, false) })
		t.Run(name+" with shutdown", func(t *testing.T) { answersBeforeTheEnd(t, serve, true) })
	}
}

func answersBeforeTheEnd(t *testing.T, serve func(*Server, io.ReadWriteCloser) int, shutdown bool) {
	engine := newFakeEngine()
	engine.delay = func(string) { time.Sleep(time.Millisecond) }
	s := newTestServer(t, Options{Engine: using(engine), State: state.OpenLedgers(t.TempDir())})
	var in strings.Builder
	send := func(body string) { fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(body), body) }
	send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"capabilities":{}}}`)
	send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	send(`{"jsonrpc":"2.0","id":1,"method":"ctx/session/open","params":{"id":"a"}}`)
	for i := 2; i <= 200; i++ {
		send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ctx/session/update","params":{"id":"a","system":1}}`, i))
	}
	code, requests := 1, 201
	if shutdown {
		send(`{"jsonrpc":"2.0","id":201,"method":"shutdown"}`)
		code, requests = 0, 202
	}
	out := &onlyReads{}
	if got := serve(s, ipc.Stdio(strings.NewReader(in.String()), out)); got != code {
		t.Errorf("code %d", got)
	}
	for i := range requests {
		if !bytes.Contains(out.all.Bytes(), fmt.Appendf(nil, `"id":%d,"result"`, i)) {
			t.Fatalf("request %d is not answered: %.300s", i, out.all.Bytes())
		}
	}
}

// TestAShutdownAnswersRequestsThatTakeTooLong checks that a request whose work does not end has an answer, and that one
// that waits for the engine to be compiled is not late.
func TestAShutdownAnswersRequestsThatTakeTooLong(t *testing.T) {
	engine := newFakeEngine()
	end := make(chan struct{})
	defer close(end)
	engine.delay = func(method string) {
		if method == "ctx/session/update" {
			<-end
		}
	}
	compiled := make(chan struct{})
	s := newTestServer(t, Options{Engine: func(context.Context) (Engine, error) {
		<-compiled
		return engine, nil
	}})
	s.finishPatience = 50 * time.Millisecond
	c := start(t, s)
	_, opened := c.begin("ctx/session/open", `{"id":"a"}`)
	_, updated := c.begin("ctx/session/update", `{"id":"a","system":1}`)
	_, down := c.begin("shutdown", "null")
	time.Sleep(4 * s.finishPatience)
	close(compiled)
	if m := c.wait(opened); m.Error != nil {
		t.Errorf("the session that waited for the engine is not opened: %s", m.Error.Message)
	}
	if m := c.wait(updated); m.Error == nil || m.Error.Message != "The server was shut down before it could answer." {
		t.Errorf("the answer of the request without an end: %+v", m)
	}
	if m := c.wait(down); m.Error != nil {
		t.Errorf("shutdown: %s", m.Error.Message)
	}
}

// onlyReads is a client that only reads.
type onlyReads struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (a *onlyReads) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.all.Write(p)
}

var _ io.Writer = (*onlyReads)(nil)

// TestTheEndOfTheInputEndsTheConnection checks a connection that cannot be closed in one direction, such as a pipe.
func TestTheEndOfTheInputEndsTheConnection(t *testing.T) {
	c := start(t, newTestServer(t, Options{}))
	_, opened := c.begin("ctx/session/open", `{"id":"a"}`)
	c.send(`{"jsonrpc":"2.0","method":"` + wire.EndOfInput + `"}`)
	c.wait(opened)
	if code := c.exitCode(); code != 1 {
		t.Errorf("the exit code is %d", code)
	}
}

// TestAConnectionDoesNotWaitForRequestsInVain checks that a connection whose input has ended waits for its requests,
// but no longer than it lasts itself.
func TestAConnectionDoesNotWaitForRequestsInVain(t *testing.T) {
	s := newTestServer(t, Options{})
	late := make(chan time.Time)
	for name, end := range map[string]func(c *connection, cancel func()){
		"the request is answered": func(c *connection, _ func()) {
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.inflight, "1")
			c.answered.fire()
		},
		"the time is over":    func(*connection, func()) { late <- time.Time{} },
		"the client exits":    func(c *connection, _ func()) { c.end() },
		"the connection ends": func(_ *connection, cancel func()) { cancel() },
		"nothing is read":     func(c *connection, _ func()) { close(c.out.Failed) },
	} {
		c := newConnection(s, nopConn{})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c.ctx, c.inflight["1"] = ctx, &request{}
		done := make(chan struct{})
		go func() { c.finish(late); close(done) }()
		select {
		case <-done:
			t.Errorf("before %s, it does not wait", name)
		case <-time.After(20 * time.Millisecond):
		}
		end(c, cancel)
		if _, ended := receive(30*time.Second, done); !ended {
			t.Errorf("after %s, it waits", name)
		}
	}
}
