// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestNotificationsAreNeverAnswered checks those that come too early or too late, which change nothing, and those that
// fail.
func TestNotificationsAreNeverAnswered(t *testing.T) {
	var log lockedBuffer
	engine := newFakeEngine()
	var opened atomic.Int64
	engine.delay = func(method string) {
		if method == "ctx/session/open" {
			opened.Add(1)
		}
	}
	s := newTestServer(t, Options{Engine: using(engine), Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := connect(t, s)
	c.send(`{"jsonrpc":"2.0","method":"ctx/session/open","params":{"id":"early"}}`)
	c.call("initialize", `{"capabilities":{}}`)
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	c.send(`{"jsonrpc":"2.0","method":"ctx/session/update","params":{"id":"gone"}}`)
	c.call("ctx/session/open", `{"id":"a"}`)
	if got := string(c.call("ctx/sessions", `{}`)); got != `{"sessions":[{"session":"a"}]}` {
		t.Errorf("the sessions are %s", got)
	}
	for end := time.Now().Add(30 * time.Second); !strings.Contains(log.String(), "a notification failed") && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // a shutdown waits only for requests
	}
	c.call("shutdown", `null`)
	c.send(`{"jsonrpc":"2.0","method":"ctx/session/open","params":{"id":"late"}}`)
	c.ask("ctx/sessions", `{}`) // the notification has arrived
	s.lanes.Wait()
	if n := opened.Load(); n != 1 {
		t.Errorf("%d sessions were opened", n)
	}
	c.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := c.exitCode(); code != 0 {
		t.Errorf("the exit code is %d", code)
	}
	for m := range c.notes {
		if m.Method == "(answer)" {
			t.Errorf("a notification was answered with %+v", m)
		}
	}
	if text := log.String(); strings.Count(text, "a notification failed") != 1 || !strings.Contains(text, "There is no session gone.") {
		t.Errorf("the log has %s", text)
	}
}

// TestADaemonEndsWithItsClientsProcess checks a client that ends without a word, while its connection stays open.
func TestADaemonEndsWithItsClientsProcess(t *testing.T) {
	client := exec.Command(os.Args[0], "-test.run=^TestServeForAnother$")
	client.Env = append(os.Environ(), "CTX_TEST_SERVE="+t.TempDir())
	in, err := client.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	c := connect(t, newTestServer(t, Options{}))
	c.call("initialize", fmt.Sprintf(`{"processId":%d,"capabilities":{}}`, client.Process.Pid))
	c.call("ctx/sessions", `{}`)
	select {
	case code := <-c.code:
		t.Fatalf("it ends with %d while its client runs", code)
	default:
	}
	in.Close()
	if err := client.Wait(); err != nil {
		t.Log(err)
	}
	if code := c.exitCode(); code != 1 {
		t.Errorf("the exit code is %d", code)
	}
}
