// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"log/slog"
	"strings"
	"testing"
)

// TestADefectInAConnectionClosesIt checks that a panic in a connection's own work is reported to its client, logged
// with its stack, and closes that connection alone.
func TestADefectInAConnectionClosesIt(t *testing.T) {
	var log lockedBuffer
	s := newTestServer(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	c := start(t, s)
	var of *connection
	s.eachConnection(func(each *connection) { of = each })
	other := start(t, s)
	func() {
		defer of.survive("a task")
		panic("a defect")
	}()
	want := `{"message":"The daemon had an internal error in a task; this connection is closed; see the daemon's log.","type":1}`
	if got := string(c.note("window/logMessage").Params); got != want {
		t.Errorf("the client is sent %s", got)
	}
	if code := c.exitCode(); code != 1 {
		t.Errorf("the exit code is %d", code)
	}
	func() {
		defer s.survive("another task")
		panic("another defect")
	}()
	other.call("ctx/sessions", `{}`)
	text := log.String()
	for _, part := range []string{"a defect", `at="a task"`, "another defect", `at="another task"`, "recover_test.go"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in the log: %s", part, text)
		}
	}
	if n := s.metrics.defects.Load(); n != 2 {
		t.Errorf("%d defects were counted", n)
	}
}
