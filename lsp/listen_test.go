// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/ipc"
)

// TestAPortAsksForItsSecret checks that a client on a port is refused unless it can read the user's files.
func TestAPortAsksForItsSecret(t *testing.T) {
	s := newTestServer(t, Options{})
	s.AskSecret("the secret", "/run/secret")
	for _, options := range []string{`null`, `{}`, `{"secret":""}`, `{"secret":"The secret"}`, `{"secret":7}`, `{"\u0073ecret":"no"}`} {
		c := connect(t, s)
		m := c.ask("initialize", `{"capabilities":{},"initializationOptions":`+options+`}`)
		if m.Error == nil || !strings.Contains(m.Error.Message, "/run/secret") || strings.Contains(m.Error.Message, "the secret") {
			t.Errorf("%s: %+v", options, m)
		}
		c.exitCode() // it may not try again
	}
	c := connect(t, s)
	c.call("initialize", `{"capabilities":{},"initializationOptions":{"secret":"the secret","model":"gpt-5.5"}}`)
	c.call("ctx/sessions", "{}")
}

// TestMetricsAnswerOwnHosts checks that a web page whose domain resolves to this machine cannot read the metrics.
func TestMetricsAnswerOwnHosts(t *testing.T) {
	s := newTestServer(t, Options{})
	for _, test := range []struct {
		listening, asked string
		code             int
	}{
		{"127.0.0.1", "127.0.0.1:9464", 200},
		{"127.0.0.1", "localhost:9464", 200},
		{"127.0.0.1", "LOCALHOST", 200},
		{"::1", "[::1]:9464", 200},
		{"127.0.0.1", "evil.example:9464", 403},
		{"127.0.0.1", "127.0.0.1.evil.example", 403},
		{"127.0.0.1", "192.168.1.7:9464", 403},
		{"127.0.0.1", "", 403},
		{"0.0.0.0", "192.168.1.7:9464", 200},
		{"0.0.0.0", "evil.example:9464", 403},
		{"box.lan", "box.lan:9464", 200},
		{"box.lan", "evil.example:9464", 403},
	} {
		request := httptest.NewRequest("GET", "/metrics", nil)
		request.Host = test.asked
		answer := httptest.NewRecorder()
		s.MetricsHandler(test.listening).ServeHTTP(answer, request)
		if answer.Code != test.code {
			t.Errorf("listening at %s, asked as %q: %d, want %d", test.listening, test.asked, answer.Code, test.code)
		}
	}
}

// TestADaemonThatIsJustGoingIsFollowedByAnother checks that a client that connects during the idle exit is served: if
// nothing was answered, its messages are sent to the next daemon.
func TestADaemonThatIsJustGoingIsFollowedByAnother(t *testing.T) {
	s := newTestServer(t, Options{})
	first, going := net.Pipe()
	go func() {
		io.CopyN(io.Discard, going, 20)
		going.Close()
	}()
	in, client := io.Pipe()
	answers, out := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- ipc.Forward(ipc.Stdio(in, out), first, func() (net.Conn, error) {
			here, there := net.Pipe()
			go s.Serve(context.Background(), there)
			return here, nil
		})
		out.Close()
	}()
	go io.WriteString(client, frameText(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"capabilities":{}}}`))
	m, err := readMessage(bufio.NewReader(answers))
	if err != nil || string(m.ID) != `"hello"` || m.Error != nil {
		t.Fatalf("%+v, %v", m, err)
	}
	go io.Copy(io.Discard, answers)
	fmt.Fprint(client, frameText(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)+frameText(`{"jsonrpc":"2.0","method":"exit"}`))
	select {
	case code := <-code:
		if code != 0 {
			t.Errorf("code %d", code)
		}
	case <-time.After(20 * time.Second):
		t.Error("it does not end")
	}
}
