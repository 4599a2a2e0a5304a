// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"testing"
	"time"
)

// TestAnIdleDaemonEndsAfterItsLastClient checks that a shared daemon ends after a time without a client, counted from
// its start, and never while it has one, even if one connects as the time is over.
func TestAnIdleDaemonEndsAfterItsLastClient(t *testing.T) {
	exits := make(chan struct{}, 10)
	s := newTestServer(t, Options{})
	s.ExitWhenIdle(time.Millisecond, func() { exits <- struct{}{} })
	if _, ended := receive(30*time.Second, exits); !ended {
		t.Fatal("a daemon that no client needs does not end")
	}
	s = newTestServer(t, Options{})
	s.ExitWhenIdle(time.Hour, func() { exits <- struct{}{} })
	first, second := start(t, s), start(t, s)
	expire := func(when string, wanted bool) {
		t.Helper()
		if armed := s.idle.timer.Stop(); armed != wanted {
			t.Errorf("%s, the time runs: %v", when, armed)
		}
		s.idle.expire()
		if ended := len(exits) > 0; ended != wanted {
			t.Errorf("%s, the daemon ends: %v", when, ended)
		}
	}
	expire("with two clients", false)
	first.conn.Close()
	first.exitCode()
	expire("with one client", false)
	second.conn.Close()
	second.exitCode()
	expire("without a client", true)
}

// TestMemoryIsKeptWhileAClientIsConnected checks that memory is released only without a client, and that a client that
// connects stops the timer.
func TestMemoryIsKeptWhileAClientIsConnected(t *testing.T) {
	released := 0
	r := rest{after: time.Hour, give: func() bool { released++; return true }}
	r.busy()
	r.busy()
	r.left()
	if r.timer != nil {
		t.Error("the time runs with one client")
	}
	r.left()
	r.busy()
	if r.timer.Stop() {
		t.Error("the time runs after a client has connected")
	}
	if r.begin(time.Hour, 0); released != 0 {
		t.Error("memory is released while a client is connected")
	}
	r.left()
	if r.begin(time.Hour, 0); released != 1 || !r.timer.Stop() {
		t.Errorf("without a client memory is released %d times, or that is not repeated", released)
	}
}
