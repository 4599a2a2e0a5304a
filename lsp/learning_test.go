// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// TestLearnedCorrectionsAreKeptForTheNextDaemon checks that the corrections from the sessions of one daemon, open or
// closed, are known to the next one, that a daemon without a session writes nothing, and that a file that cannot be
// read is reported.
func TestLearnedCorrectionsAreKeptForTheNextDaemon(t *testing.T) {
	dir := t.TempDir()
	var log bytes.Buffer
	run := func(do func(c *testClient)) (learned string) {
		pool, err := engine.Native(engine.Options{Instances: 1})
		if err != nil {
			t.Fatal(err)
		}
		log.Reset()
		s := newTestServer(t, Options{
			Engine: func(context.Context) (Engine, error) { return pool, nil }, Learned: state.OpenLearned(dir),
			Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})),
		})
		c := start(t, s)
		learned = string(c.call("ctx/learned/get", `{}`))
		do(c)
		c.call("shutdown", `null`)
		c.send(`{"jsonrpc":"2.0","method":"exit"}`)
		c.exitCode()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return learned
	}
	path := state.OpenLearned(dir).Path()
	if learned := run(func(*testClient) {}); learned != `{"learned":{"lessons":[],"limits":[]}}` {
		t.Errorf("at first it has learned %s", learned)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a daemon without a session has written a file")
	}
	converse := func(c *testClient, model string) {
		c.call("ctx/session/open", `{"id":"a","model":"`+model+`","agent":"claude-code"}`)
		for n := range 4 {
			c.call("ctx/session/update", `{"id":"a","system":8000,"tools":5000,"append":[{"kind":"user","text":"`+strings.Repeat("a line of words ", 500)+`"}]}`)
			c.call("ctx/session/usage", fmt.Sprintf(`{"id":"a","provider":"ctx","usage":{"in":%d,"out":10}}`, 20_000+3_000*n))
		}
	}
	run(func(c *testClient) { converse(c, "claude-opus-5") })
	run(func(c *testClient) {
		converse(c, "claude-sonnet-5")
		c.call("ctx/session/close", `{"id":"a"}`)
	})
	if learned := run(func(*testClient) {}); !strings.Contains(learned, "claude-opus-5") || !strings.Contains(learned, "claude-sonnet-5") {
		t.Errorf("the next daemon has learned %s", learned)
	}
	if log.Len() > 0 {
		t.Errorf("its log has %s", log.String())
	}
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path, "a directory"), 0o700); err != nil {
		t.Fatal(err)
	}
	run(func(c *testClient) { c.call("ctx/session/open", `{"id":"b","model":"claude-opus-5"}`) })
	if text := log.String(); !strings.Contains(text, "learned corrections cannot be read") || !strings.Contains(text, "learned corrections cannot be saved") {
		t.Errorf("with a file that cannot be read, the log has %q", text)
	}
}

// TestCorrectionsAreSavedWithTheSessionsThatEnd checks that a client without sessions costs no save at its end.
func TestCorrectionsAreSavedWithTheSessionsThatEnd(t *testing.T) {
	counting := &countingEngine{Engine: newFakeEngine(), method: "ctx/learned/get"}
	taught := &countingEngine{Engine: counting, method: "ctx/learned/set"}
	s := newTestServer(t, Options{Engine: using(taught), Learned: state.OpenLearned(t.TempDir())})
	start(t, s).call("ctx/session/open", `{"id":"a","shared":true}`)
	for params, want := range map[string]int64{"": 0, `{"id":"b"}`: 1} {
		before := counting.done.Load()
		c := start(t, s)
		if params != "" {
			c.call("ctx/session/open", params)
		}
		c.conn.Close()
		c.exitCode()
		if got := counting.done.Load() - before; got != want {
			t.Errorf("a client with the session %q costs %d saves, want %d", params, got, want)
		}
	}
	if n := taught.done.Load(); n != 0 {
		t.Errorf("an engine is taught %d times, without corrections", n)
	}
}

// TestAnEngineThatLearnsNothingIsReported checks the log of a daemon whose engine refuses learned corrections.
func TestAnEngineThatLearnsNothingIsReported(t *testing.T) {
	learned := state.OpenLearned(t.TempDir())
	pool, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	s := newTestServer(t, Options{Engine: using(pool), Learned: learned})
	c := start(t, s)
	c.call("ctx/session/open", `{"id":"a","model":"claude-opus-5"}`)
	c.call("ctx/session/update", `{"id":"a","system":8000,"tools":5000,"append":[{"kind":"user","tokens":60000}]}`)
	c.call("ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":90000,"out":10}}`)
	s.Close()
	before, _ := os.ReadFile(learned.Path())
	var log bytes.Buffer
	s = newTestServer(t, Options{Learned: learned, Log: slog.New(slog.NewTextHandler(&log, nil))})
	c = start(t, s)
	c.call("ctx/session/open", `{"id":"a","shared":true}`)
	s.Close()
	if text := log.String(); !strings.Contains(text, "learned corrections cannot be used") || strings.Count(text, "learned corrections cannot be saved") != 1 {
		t.Errorf("the log has %s", text)
	}
	if after, _ := os.ReadFile(learned.Path()); string(after) != string(before) || len(before) == 0 {
		t.Errorf("learned is %s, and was %s", after, before)
	}
}
