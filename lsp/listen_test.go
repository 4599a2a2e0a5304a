// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// shortDir is a folder whose sockets have paths that every system takes.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ctx")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// TestAPipeHasOneOwner holds that of several that come to a stale socket at once one listens, and that nobody but the
// one who listens ever removes the file.
func TestAPipeHasOneOwner(t *testing.T) {
	path := filepath.Join(shortDir(t), "s")
	for round := range 10 {
		stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		stale.SetUnlinkOnClose(false)
		stale.Close()
		places := make(chan *Place, 8)
		var racing sync.WaitGroup
		for range 8 {
			racing.Add(1)
			go func() {
				defer racing.Done()
				place, err := Pipe(path).Listen()
				if err == nil {
					places <- place
				} else if !errors.Is(err, ErrTaken) {
					t.Error(err)
				}
			}()
		}
		racing.Wait()
		close(places)
		var owner *Place
		n := 0
		for owner = range places {
			n++
		}
		if n != 1 {
			t.Fatalf("round %d: %d listen", round, n)
		}
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatalf("round %d: the one who listens is not reached: %v", round, err)
		}
		conn.Close()
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("the socket: %v %v", info, err)
		}
		owner.Release()
		if _, err := os.Lstat(path); err == nil {
			t.Error("the socket stays behind")
		}
	}
}

// TestAPortAsksForItsSecret holds that nobody is served at a port who cannot read the user's files.
func TestAPortAsksForItsSecret(t *testing.T) {
	s := newTestServer(t, Options{})
	s.AskSecret("the secret", "/run/secret")
	for _, options := range []string{`null`, `{}`, `{"secret":""}`, `{"secret":"The secret"}`, `{"secret":7}`, `{"\u0073ecret":"no"}`} {
		c := connect(t, s)
		m := c.ask("initialize", `{"capabilities":{},"initializationOptions":`+options+`}`)
		if m.Error == nil || !strings.Contains(m.Error.Message, "/run/secret") || strings.Contains(m.Error.Message, "the secret") {
			t.Errorf("%s: %+v", options, m)
		}
		c.exitCode() // and it may not try again
	}
	c := connect(t, s)
	c.call("initialize", `{"capabilities":{},"initializationOptions":{"secret":"the secret","model":"gpt-5.5"}}`)
	c.call("ctx/sessions", "{}")
}

// TestMetricsAnswerOwnHosts holds that a page whose name was made to lead to this machine reads nothing.
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

// TestEditorsThatAskForDifferentThingsHaveDifferentDaemons holds that nobody's wishes are those of whoever came first,
// and that who looks for a session looks at all of them.
func TestEditorsThatAskForDifferentThingsHaveDifferentDaemons(t *testing.T) {
	dir := shortDir(t)
	getenv := func(name string) string { return map[string]string{"XDG_RUNTIME_DIR": dir}[name] }
	sockets := map[string]bool{}
	for _, asked := range [][]string{nil, {"--state=none"}, {"--engine=native"}, {"--engine=native", "--state=none"}, {"OPENAI_API_KEY=1"}} {
		at, err := NewRendezvous(getenv, "build", asked...)
		if err != nil {
			t.Fatal(err)
		}
		place, err := at.Listen()
		if err != nil {
			t.Fatal(err)
		}
		defer place.Release()
		sockets[at.Socket()] = true
	}
	at, _ := NewRendezvous(getenv, "build")
	if len(sockets) != 5 || len(at.Sockets()) != 5 {
		t.Errorf("%d sockets, %d are found", len(sockets), len(at.Sockets()))
	}
	long := filepath.Join(dir, strings.Repeat("x", 100))
	if _, err := NewRendezvous(func(string) string { return long }, "build"); err == nil && runtime.GOOS != "windows" {
		t.Error("a path that no socket can have is no error where it could still be mended")
	}
}

// halves is a client on standard input and output.
type halves struct {
	io.Reader
	io.Writer
}

func (halves) Close() error { return nil }

// TestForwardReadsShutdownFromItsOwnMessage holds that the exit code tells of a shutdown that was said, not of a text
// in which the word stands.
func TestForwardReadsShutdownFromItsOwnMessage(t *testing.T) {
	for _, test := range []struct {
		body string
		code int
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"shutdown"}`, 0},
		{`{"jsonrpc":"2.0","id":1, "params":null,  "meth\u006fd" : "shutdown" }`, 0},
		{`{"jsonrpc":"2.0","id":1,"method":"ctx/count","params":{"method":"shutdown"}}`, 1},
		{`{"jsonrpc":"2.0","id":1,"method":"ctx/count","params":{"text":"\"method\":\"shutdown\""}}`, 1},
		{`["method":"shutdown"]`, 1},
	} {
		here, daemon := net.Pipe()
		received := make(chan string, 1)
		go func() {
			text := make([]byte, len(frameText(test.body)))
			io.ReadFull(daemon, text)
			daemon.Write([]byte("x"))
			received <- string(text)
			time.Sleep(20 * time.Millisecond)
			daemon.Close()
		}()
		in, _ := io.Pipe()
		code := Forward(halves{io.MultiReader(strings.NewReader(frameText(test.body)), in), io.Discard}, here, nil)
		if got := <-received; got != frameText(test.body) || code != test.code {
			t.Errorf("%s: code %d, the daemon got %q", test.body, code, got)
		}
	}
}

// TestADaemonThatIsJustGoingIsFollowedByAnother holds that a client which comes at the moment of the idle exit is
// served: while nothing was answered, what it said is told to the next daemon.
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
		code <- Forward(halves{in, out}, first, func() (net.Conn, error) {
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
