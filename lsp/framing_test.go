// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// TestBytesThatGrowWhenFoldedEndNothing checks that invalid bytes around a header are skipped by their own length. The
// ones below get longer or shorter in lower case, so that a length found in the lower-case text is at another position
// in the input.
func TestBytesThatGrowWhenFoldedEndNothing(t *testing.T) {
	for _, text := range []string{
		"\xffContent-Length:\n",
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffContent-Length: 5\n",
		"ȺȺȺȺȺȺContent-Length: 12\r\n",
		"\u212aContent-Length: 7\r\n", // Kelvin
		"İİİİcontent-length:\n",
		"\x00content-LENGTH:\n",
	} {
		s := newTestServer(t, Options{})
		c := start(t, s)
		c.raw(text)
		c.note("(answer)")
		c.conn.Close() // whatever it is still waiting for, there is no internal failure
		c.exitCode()
		if n := s.metrics.defects.Load(); n != 0 {
			t.Errorf("%q: %d failures inside", text, n)
		}
	}
}

// TestALengthAfterOtherBytesIsReadUnchanged checks that the length itself is read, not digits that begin a byte or
// two away from it.
func TestALengthAfterOtherBytesIsReadUnchanged(t *testing.T) {
	c := start(t, newTestServer(t, Options{}))
	for _, before := range []string{"\xff", "Ⱥ", "\u212a", "garbage ", "İ"} {
		c.raw(before + frameText(`{"jsonrpc":"2.0","method":"other/nothing"}`))
		if m := c.note("(answer)"); m.Error == nil || m.Error.Code != api.Code(api.ParseError) {
			t.Errorf("%q is not said: %+v", before, m)
		}
		c.call("ctx/sessions", "{}")
	}
}

// TestUninitializedInputIsNotSearched checks that a connection that does not begin with a header is closed: before
// initialize, nothing is skipped to find one.
func TestUninitializedInputIsNotSearched(t *testing.T) {
	frames := frameText(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	for _, text := range []string{
		"POST /content-length:75 HTTP/1.1\r\nReferer: http://evil.example/content-length:75\r\n\r\n" + frames,
		"garbage " + frames,
		"\xff" + frames,
		"Content-Length: many\r\n" + frames,
		"Content-Type: text/plain\r\n\r\n" + frames,
		"X-Long: " + strings.Repeat("x", 2*wire.MaxHeader) + "\r\n" + frames,
		"Content-Length: 5\r\nContent-Length: 75\r\n\r\n" + frames,
		"Content-Length: 75\r\nHost: 127.0.0.1\r\n\r\n" + frames,
		"Content-Length: 75\r\nOrigin: http://evil.example\r\n\r\n" + frames,
	} {
		c := connect(t, newTestServer(t, Options{}))
		go c.raw(text)
		if m := c.note("(answer)"); m.Error == nil || string(m.ID) != "null" {
			t.Errorf("%.40q: answered %+v", text, m)
		}
		if code := c.exitCode(); code != 1 {
			t.Errorf("%.40q: code %d", text, code)
		}
	}
	c := start(t, newTestServer(t, Options{}))
	go c.raw("GET / HTTP/1.1\r\nHost: 127.0.0.1:9000\r\n\r\n")
	c.exitCode() // a browser's headers are never skipped
}

// TestADefectWhileReadingClosesThatConnectionAlone checks that a panic in the reading goroutine ends only one
// connection, with a message to its client and in the log.
func TestADefectWhileReadingClosesThatConnectionAlone(t *testing.T) {
	s := newTestServer(t, Options{})
	other := start(t, s)
	c := start(t, s)
	methods["test/lane"] = method{lane: func(*connection, *request) string { panic("a defect in the reader") }}
	defer delete(methods, "test/lane")
	// The second is in the buffer already, and must not be read.
	c.raw(frameText(`{"jsonrpc":"2.0","id":1,"method":"test/lane"}`) + frameText(`{"jsonrpc":"2.0","id":2,"method":"test/lane"}`))
	if m := c.note("window/logMessage"); !strings.Contains(string(m.Params), "internal error") {
		t.Errorf("the client is told %s", m.Params)
	}
	c.exitCode()
	other.call("ctx/sessions", "{}")
	if n := s.metrics.defects.Load(); n != 1 {
		t.Errorf("%d defects counted", n)
	}
}

// TestAPanicInASeparateTaskDelaysNoOther checks panics in lanes, timers and saves: the work that
// follows is not affected.
func TestAPanicInASeparateTaskDelaysNoOther(t *testing.T) {
	s := newTestServer(t, Options{})
	done := make(chan bool)
	s.lanes.Run("one", 0, func() { panic("a defect") })
	s.lanes.Run("one", 0, func() { close(done) })
	s.lanes.Run("", 0, func() { panic("another") })
	<-done
	s.lanes.Wait()
	if n := s.metrics.defects.Load(); n != 2 {
		t.Errorf("%d defects counted", n)
	}
}

// TestAClientThatDoesNotReadIsClosed checks that a client with more unread output than may be queued is disconnected,
// instead of being left with a server that never sends again.
func TestAClientThatDoesNotReadIsClosed(t *testing.T) {
	n := 0
	for name, fill := range map[string]func(b *wire.Outbox, part []byte) error{
		"answers": func(b *wire.Outbox, part []byte) error { return b.Send(part) },
		"states":  func(b *wire.Outbox, part []byte) error { n++; return b.Replace(strconv.Itoa(n), part) },
	} {
		s := newTestServer(t, Options{})
		here, there := net.Pipe() // unbuffered: output is written only when it is read
		code := make(chan int, 1)
		go func() { code <- s.Serve(context.Background(), there) }()
		var of *connection
		for of == nil {
			s.eachConnection(func(each *connection) { of = each })
		}
		part := wire.NotificationFrame("test", []byte(`"`+strings.Repeat("x", 1<<20)+`"`))
		refused := false
		for range 2 * wire.MaxQueued >> 20 {
			refused = refused || fill(of.out, part) != nil
		}
		if !refused {
			t.Errorf("%s: more than %d bytes are queued", name, wire.MaxQueued)
		}
		select {
		case <-code:
		case <-time.After(10 * time.Second):
			t.Errorf("%s: the connection stays", name)
		}
		if clients(s) != 0 {
			t.Errorf("%s: the connection is counted still", name)
		}
		here.Close()
	}
}
