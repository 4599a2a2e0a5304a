// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestUninitializedClientsHaveATimeLimit checks that a connection that is only held open is closed, and one with a
// client is not.
func TestUninitializedClientsHaveATimeLimit(t *testing.T) {
	s := newTestServer(t, Options{})
	serve := func() (here net.Conn, ended chan int) {
		here, there := net.Pipe()
		ended = make(chan int, 1)
		go func() { ended <- s.serveWithin(context.Background(), there, 300*time.Millisecond) }()
		t.Cleanup(func() { here.Close() })
		return here, ended
	}
	silent, ended := serve()
	go io.WriteString(silent, "Content-Length: 100\r\n\r\n{")
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Error("a stranger is heard for ever")
	}
	known, ended := serve()
	go io.Copy(io.Discard, known)
	io.WriteString(known, frameText(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`))
	select {
	case <-ended:
		t.Error("a client that has introduced itself is sent away")
	case <-time.After(time.Second):
	}
}

// TestUninitializedClientsHaveASizeLimit checks that large messages are not buffered before initialize.
func TestUninitializedClientsHaveASizeLimit(t *testing.T) {
	s := newTestServer(t, Options{})
	c := connect(t, s)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"x":"` + strings.Repeat("x", 2<<20) + `"}}`)
	c.exitCode()
	c = start(t, s)
	if m := c.ask("ctx/session/open", `{"id":"a","label":"`+strings.Repeat("x", 2<<20)+`"}`); m.Error != nil {
		t.Errorf("a client that has introduced itself: %s", m.Error.Message)
	}
}

// failingListener is a listener that fails a few times before it returns a connection.
type failingListener struct {
	net.Listener
	mu     sync.Mutex
	faults []error
}

func (l *failingListener) Accept() (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.faults) > 0 {
		fault := l.faults[0]
		l.faults = l.faults[1:]
		return nil, fault
	}
	return l.Listener.Accept()
}

// TestASystemWithoutHandlesEndsNoDaemon checks that a failure to accept one client does not end the daemon for the
// others.
func TestASystemWithoutHandlesEndsNoDaemon(t *testing.T) {
	s := newTestServer(t, Options{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	faults := []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, errors.New("anything")}
	begun := time.Now()
	go func() { ended <- s.ServeListener(ctx, &failingListener{Listener: listener, faults: faults}) }()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, frameText(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`))
	conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.ReadFull(conn, make([]byte, 20)); err != nil {
		t.Errorf("no client is served: %v", err)
	}
	if took := time.Since(begun); took < 500*time.Millisecond {
		t.Errorf("five attempts within %v have no pauses", took)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if n := s.metrics.defects.Load(); n != 0 {
		t.Errorf("%d defects are counted", n)
	}
}

// defectiveEngine panics when a document is closed.
type defectiveEngine struct{ Engine }

func (e defectiveEngine) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	switch method {
	case "ctx/document/open":
		return []byte(`{"result":{}}`), nil
	case "ctx/document/close":
		panic("a defect of the engine")
	}
	return e.Engine.Call(ctx, method, params)
}

// TestADefectAtTheEndOfAConnectionEndsNoDaemon checks that a listener serves others after a panic, and ends when it is
// closed.
func TestADefectAtTheEndOfAConnectionEndsNoDaemon(t *testing.T) {
	s := newTestServer(t, Options{Engine: using(defectiveEngine{newFakeEngine()})})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.ServeListener(context.Background(), listener) }()
	for n := range int64(2) {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, frameText(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`))
		io.WriteString(conn, frameText(`{"jsonrpc":"2.0","id":2,"method":"ctx/document/open","params":{"id":"d"}}`))
		in := bufio.NewReader(conn)
		for id := ""; id != "2"; {
			m, err := readMessage(in)
			if err != nil {
				t.Fatal(err)
			}
			id = string(m.ID)
		}
		conn.Close()
		for end := time.Now().Add(30 * time.Second); s.metrics.defects.Load() <= n; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("no defect is counted")
			}
		}
	}
	listener.Close()
	if err, came := receive(30*time.Second, ended); !came || !errors.Is(err, net.ErrClosed) {
		t.Errorf("after its listener was closed: %v", err)
	}
}
