// Copyright The ctx-lsp authors. MIT licence.

package ipc

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// framed returns a message in its form on the wire.
func framed(body string) string { return string(wire.Frame([]byte(body))) }

// fakeDaemon is a daemon that calls a function for its input.
type fakeDaemon struct {
	net.Conn
	with func(text string)
}

func (a fakeDaemon) Write(p []byte) (int, error) {
	a.with(string(p))
	return len(p), nil
}

// TestForwardNoticesAShutdownBeforeTheDaemonHasIt checks that a client that sends shutdown and exit at once gets exit
// code 0, however quickly the daemon ends.
func TestForwardNoticesAShutdownBeforeTheDaemonHasIt(t *testing.T) {
	shutdown, exit := framed(`{"jsonrpc":"2.0","id":1,"method":"shutdown"}`), framed(`{"jsonrpc":"2.0","method":"exit"}`)
	f := &forwarding{client: Stdio(strings.NewReader(shutdown+exit), io.Discard)}
	sent := ""
	f.daemon = fakeDaemon{with: func(text string) {
		if sent += text; strings.Contains(sent, "shutdown") && f.shutdown.Load() == nil {
			t.Errorf("the daemon has %q, and nobody has noticed the shutdown", sent)
		}
	}}
	f.listen()
	if sent != shutdown+exit+framed(`{"jsonrpc":"2.0","method":"`+wire.EndOfInput+`"}`) {
		t.Errorf("the daemon has %q", sent)
	}
}

// TestForwardReadsShutdownFromItsOwnMessage checks that the exit code depends on a shutdown message and its response,
// not on a text that contains the word.
func TestForwardReadsShutdownFromItsOwnMessage(t *testing.T) {
	for _, test := range []struct {
		body, id string
		code     int
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"shutdown"}`, "1", 0},
		{`{"jsonrpc":"2.0","id":"one","method":"shutdown"}`, `"one"`, 0},
		{`{"jsonrpc":"2.0","id":1,"method":"shutdown"}`, "2", 1},
		{`{"jsonrpc":"2.0","id":1, "params":null,  "meth\u006fd" : "shutdown" }`, "1", 0},
		{`{"jsonrpc":"2.0","id":1,"method":"ctx/count","params":{"method":"shutdown"}}`, "1", 1},
		{`{"jsonrpc":"2.0","id":1,"method":"ctx/count","params":{"text":"\"method\":\"shutdown\""}}`, "1", 1},
		{`["method":"shutdown"]`, "1", 1},
	} {
		here, daemon := net.Pipe()
		received := make(chan string, 1)
		go func() {
			text := make([]byte, len(framed(test.body)))
			io.ReadFull(daemon, text)
			answer := wire.ResultFrame([]byte(test.id), []byte("null"))
			daemon.Write(answer[:len(answer)-5])
			daemon.Write(answer[len(answer)-5:])
			received <- string(text)
			time.Sleep(20 * time.Millisecond)
			daemon.Close()
		}()
		in, _ := io.Pipe()
		code := Forward(Stdio(io.MultiReader(strings.NewReader(framed(test.body)), in), io.Discard), here, nil)
		if got := <-received; got != framed(test.body) || code != test.code {
			t.Errorf("%s: code %d, the daemon got %q", test.body, code, got)
		}
	}
}
