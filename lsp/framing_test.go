// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// TestBytesThatGrowWhenFoldedEndNothing holds that bytes around a header cost their own stretch: those below are longer
// or shorter in small letters, and a length that is looked for there stands elsewhere in what was sent.
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
		c.conn.Close() // whatever of it is still waited for, nothing fails inside
		c.exitCode()
		if n := s.metrics.defects.Load(); n != 0 {
			t.Errorf("%q: %d failures inside", text, n)
		}
	}
}

// TestALengthBehindOtherBytesIsReadAsItStands holds that the number itself is read, not one that begins a byte or two
// beside it.
func TestALengthBehindOtherBytesIsReadAsItStands(t *testing.T) {
	c := start(t, newTestServer(t, Options{}))
	for _, before := range []string{"\xff", "Ⱥ", "\u212a", "garbage ", "İ"} {
		c.raw(before + frameText(`{"jsonrpc":"2.0","method":"other/nothing"}`))
		if m := c.note("(answer)"); m.Error == nil || m.Error.Code != codeParse {
			t.Errorf("%q is not said: %+v", before, m)
		}
		c.call("ctx/sessions", "{}")
	}
}

// TestAStrangersBytesAreNotSearched holds that a connection which does not begin with a header is closed: before
// initialize nothing is skipped to find one.
func TestAStrangersBytesAreNotSearched(t *testing.T) {
	frames := frameText(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	for _, text := range []string{
		"POST /content-length:75 HTTP/1.1\r\nReferer: http://evil.example/content-length:75\r\n\r\n" + frames,
		"garbage " + frames,
		"\xff" + frames,
		"Content-Length: many\r\n" + frames,
		"Content-Type: text/plain\r\n\r\n" + frames,
		"X-Long: " + strings.Repeat("x", 2*maxHeader) + "\r\n" + frames,
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
	c.exitCode() // and a browser's headers are never skipped
}

// TestADefectWhileReadingClosesThatConnectionAlone holds that a panic in the goroutine that reads ends one connection,
// with a word to its client and to the log, and nobody else's.
func TestADefectWhileReadingClosesThatConnectionAlone(t *testing.T) {
	s := newTestServer(t, Options{})
	other := start(t, s)
	c := start(t, s)
	methods["test/lane"] = method{lane: func(*connection, *request) string { panic("a defect in the reader") }}
	defer delete(methods, "test/lane")
	// The second is in the buffer already, and must not be read any more.
	c.raw(frameText(`{"jsonrpc":"2.0","id":1,"method":"test/lane"}`) + frameText(`{"jsonrpc":"2.0","id":2,"method":"test/lane"}`))
	if m := c.note("window/logMessage"); !strings.Contains(string(m.Params), "failed inside") {
		t.Errorf("the client is told %s", m.Params)
	}
	c.exitCode()
	other.call("ctx/sessions", "{}")
	if n := s.metrics.defects.Load(); n != 1 {
		t.Errorf("%d defects counted", n)
	}
}

// TestADefectInWorkOfItsOwnTurnCostsWhatIsBehindItNothing holds the lanes, the timers and the saves.
func TestADefectInWorkOfItsOwnTurnCostsWhatIsBehindItNothing(t *testing.T) {
	s := newTestServer(t, Options{})
	done := make(chan bool)
	s.lanes.run("one", func() { panic("a defect") })
	s.lanes.run("one", func() { close(done) })
	s.lanes.run("", func() { panic("another") })
	<-done
	s.lanes.wait()
	if n := s.metrics.defects.Load(); n != 2 {
		t.Errorf("%d defects counted", n)
	}
}

// FuzzFraming feeds bytes to the framing, before and after initialize. Whatever comes, it neither panics nor reads a
// body of another length than a header says, and a message behind a blank stretch is found again.
func FuzzFraming(f *testing.F) {
	for _, seed := range []string{
		"\xffContent-Length:\n", "Content-Length: 2\r\n\r\n{}", "Content-Length: 2\nX: y\n\n[]", "ȺContent-Length: 3\r\n\r\nabc",
		"Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: -1\r\n\r\n", "\r\n\r\nContent-Length: 0\r\n\r\n",
		"garbage\r\nContent-Length: 4\r\n\r\nnull", "Host: x\r\n\r\n", "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
		"Content-Length: 16777217\r\n\r\n{\"id\":7,\"method\":\"x\"}",
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, forgiving bool) {
		complaints := 0
		r := newFraming(bytes.NewReader(text), func(bad *frameError) {
			complaints++
			if bad.last || bad.message == "" || bad.code == 0 {
				t.Fatalf("complains of %+v", bad)
			}
		})
		r.forgiving = forgiving
		for {
			body, err := r.next()
			var bad *frameError
			switch {
			case errors.As(err, &bad):
				if bad.last {
					return
				}
			case err != nil:
				if err != io.EOF && err != io.ErrUnexpectedEOF {
					t.Fatalf("ends with %v", err)
				}
				return
			case !bytes.Contains(text, body):
				t.Fatalf("a body %q that was not sent", body)
			}
			if !forgiving && complaints > 0 {
				t.Fatal("skips before initialize")
			}
		}
	})
}

// TestAMessageIsFoundAgainBehindAnything is the other half of it: after any line, a header on a line of its own counts.
func TestAMessageIsFoundAgainBehindAnything(t *testing.T) {
	for _, garbage := range []string{"\xff\xfe", "Content-Length: x", "a: b", "Ⱥ: Content-Length: 3z", strings.Repeat("y", 3*maxHeader)} {
		r := newFraming(strings.NewReader(garbage+"\n"+frameText(`{"found":true}`)), func(*frameError) {})
		r.forgiving = true
		body, err := r.next()
		if err != nil || !json.Valid(body) {
			t.Errorf("%.20q: %q, %v", garbage, body, err)
		}
	}
}

// TestAClientThatDoesNotReadIsClosed holds that a client which leaves more unread than may be queued is closed, states
// and all, and is not left with a server that is silent for good.
func TestAClientThatDoesNotReadIsClosed(t *testing.T) {
	for name, fill := range map[string]func(b *outbox, part []byte) error{
		"answers": func(b *outbox, part []byte) error { return b.send(part) },
		"states": func(b *outbox, part []byte) error {
			b.replace(time.Now().String(), part)
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.err
		},
	} {
		s := newTestServer(t, Options{})
		here, there := net.Pipe() // it holds nothing: what is not read is not written
		code := make(chan int, 1)
		go func() { code <- s.Serve(context.Background(), there) }()
		var of *connection
		for of == nil {
			s.eachConnection(func(each *connection) { of = each })
		}
		part := notificationFrame("test", []byte(`"`+strings.Repeat("x", 1<<20)+`"`))
		refused := false
		for range 2 * maxQueued >> 20 {
			refused = refused || fill(of.out, part) != nil
		}
		if !refused {
			t.Errorf("%s: more than %d bytes are queued", name, maxQueued)
		}
		select {
		case <-code:
		case <-time.After(10 * time.Second):
			t.Errorf("%s: the connection stays", name)
		}
		if s.clients() != 0 {
			t.Errorf("%s: the connection is counted still", name)
		}
		here.Close()
	}
}
