// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// A laidSession is a transcript of testdata at the location where its agent stores it, with the message for the agent's
// status line.
type laidSession struct{ from, to, id, status string }

var laidSessions = []laidSession{
	{
		"sessions/claude-code/compacted.jsonl", ".claude/projects/-home-ada-shop/11111111-2222-4333-8444-555555555555.jsonl", "11111111-2222-4333-8444-555555555555",
		`{"session_id":"11111111-2222-4333-8444-555555555555","transcript_path":PATH,"version":"2.1.33"}`,
	},
	{"sessions/codex/rollout.jsonl", ".codex/sessions/2026/03/02/rollout-2026-03-02T09-00-00-0197a000-0000-7000-8000-000000000001.jsonl", "0197a000-0000-7000-8000-000000000001", ""},
	{"sessions/gemini-cli/session.jsonl", ".gemini/tmp/shop/chats/session-2026-03-02T09-00-abcd1234.jsonl", "abcdef12-0000-4000-8000-000000000000", ""},
	{"sessions/qwen-code/chat.jsonl", ".qwen/projects/-home-ada-shop/chats/q-session.jsonl", "q-session", ""},
	{
		"sessions/copilot-cli/events.jsonl", ".copilot/session-state/s/events.jsonl", "s",
		`{"session_id":"s","transcript_path":PATH,"version":"1.0.60"}`,
	},
	{"lines/pi/tree.jsonl", ".pi/agent/sessions/--home-shop--/2026-03-02T09-00-00_5d1c0c7e-0000-4000-8000-00000000a001.jsonl", "5d1c0c7e-0000-4000-8000-00000000a001", ""},
	{"lines/kimi-code/wire.jsonl", ".kimi-code/sessions/wd_shop/k1/agents/main/wire.jsonl", "k1", ""},
	{"lines/kimi-cli/wire.jsonl", ".kimi/sessions/abc/k2/wire.jsonl", "k2", ""},
	{"lines/droid/session.jsonl", ".factory/sessions/-home-ada-shop/d1.jsonl", "d1", ""},
	{"lines/kiro/session.jsonl", ".kiro/sessions/cli/kiro1.jsonl", "kiro1", ""},
}

// TestPromptStatusLineStatusAndDaemonAgree checks that the line of a prompt, the agent's status line, status, the list
// of sessions and the daemon return the same for sessions of ten agents in one home, each in turn as the current
// session.
func TestPromptStatusLineStatusAndDaemonAgree(t *testing.T) {
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	home := env.Getenv("HOME")
	paths := make([]string, len(laidSessions))
	for i, s := range laidSessions {
		text, err := os.ReadFile(filepath.Join("..", "..", "testdata", filepath.FromSlash(s.from)))
		if err != nil {
			t.Fatal(err)
		}
		ago := time.Hour - time.Duration(i)*time.Minute
		paths[i] = dirstest.Place(t, home, dirstest.Recording{s.to: string(text)}, ago)[s.to]
	}
	dirstest.RefuseUnmoved(t, home)
	readingOf := func(stdin string, args ...string) *api.Reading {
		t.Helper()
		out.Reset()
		errs.Reset()
		env.Stdin = strings.NewReader(stdin)
		if code := run(context.Background(), env, args); code != exitOK {
			t.Fatalf("%v exits with %d: %s", args, code, errs.String())
		}
		r, err := terminal.Parse(bytes.TrimSpace(out.Bytes()))
		if err != nil {
			t.Fatalf("%v says %.300s: %s", args, out.String(), errs.String())
		}
		return r
	}
	listed := listedSessions(t, env, &out)
	lines := 0
	for i, s := range laidSessions {
		path := paths[i]
		now := time.Now()
		if err := os.Chtimes(path, now, now); err != nil { // the newest session is the current one
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(env.host().CacheDir(), "shell")); err != nil {
			t.Fatal(err) // the current session is saved in a note for some seconds
		}
		status := readingOf("", "status", "--json", "--learned=false", path)
		readings := map[string]*api.Reading{
			"prompt":              readingOf("", "statusline", "--for=shell", "--json", "--timeout=1m"),
			"the daemon":          daemonReading(t, home, path),
			"the list":            listed[s.id],
			"prompt, once again":  readingOf("", "statusline", "--for=shell", "--json", "--timeout=1m"),
			"what was learned in": readingOf("", "status", "--json", path),
		}
		if s.status != "" {
			lines++
			name, _ := json.Marshal(path)
			readings["the status line"] = readingOf(strings.Replace(s.status, "PATH", string(name), 1), "statusline", "--json", "--timeout=1m")
		}
		for who, r := range readings {
			switch {
			case r == nil:
				t.Errorf("%s: %s has nothing of it", s.to, who)
			case r.Agent != status.Agent || r.Session != status.Session && who != "the daemon":
				t.Errorf("%s: %s is of %s of %s", s.to, who, r.Session, r.Agent)
			case r.Used != status.Used || who != "the list" && (r.Display.Percent != status.Display.Percent || r.Display.Mark != status.Display.Mark ||
				r.Display.Limit != status.Display.Limit || r.Display.Left != status.Display.Left || r.Compaction.Level != status.Compaction.Level):
				t.Errorf("%s: status says %d (%s%s of %s, %s left, %s), %s %d (%s%s of %s, %s left, %s)", s.to,
					status.Used, status.Display.Mark, status.Display.Percent, status.Display.Limit, status.Display.Left, status.Compaction.Level,
					who, r.Used, r.Display.Mark, r.Display.Percent, r.Display.Limit, r.Display.Left, r.Compaction.Level)
			}
		}
	}
	t.Logf("%d sessions, %d of them with a status line", len(laidSessions), lines)
}

// listedSessions returns the sessions listed by `ctx-lsp sessions`.
func listedSessions(t *testing.T, env *environment, out *bytes.Buffer) map[string]*api.Reading {
	t.Helper()
	out.Reset()
	if code := run(context.Background(), env, []string{"sessions", "--json", "--limit=0"}); code != exitOK {
		t.Fatalf("sessions exits with %d", code)
	}
	var list struct {
		Sessions []api.Reading
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatalf("%v: %.300s", err, out.String())
	}
	found := map[string]*api.Reading{}
	for i := range list.Sessions {
		found[list.Sessions[i].Session] = &list.Sessions[i]
	}
	return found
}

// daemonReading requests the only session of a home from the daemon, like an editor.
func daemonReading(t *testing.T, home, path string) *api.Reading {
	t.Helper()
	var errs bytes.Buffer
	env := testEnvironment(t, nil, &errs)
	alone := filepath.Join(env.Getenv("HOME"), strings.TrimPrefix(path, home))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(alone), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(alone, text, 0o600); err != nil {
		t.Fatal(err)
	}
	watched, _ := daemonOf(t, env, "", false)
	return watched
}

// awaited is the warning of a Reading that was published before all records were read, on a busy machine.
var awaited = []byte(phrase.NewestAwaited.Text().String())

// daemonOf requests a session from a daemon, like an editor; an empty id means the only one. It returns the first
// Reading of all its records from ctx/watch or ctx/reading, and with focus that of ctx/focus for the environment's
// directory.
func daemonOf(t *testing.T, of *environment, id string, focus bool) (watched, focused *api.Reading) {
	t.Helper()
	return daemonIn(t, "none", of, id, focus)
}

// daemonIn is daemonOf with a directory for the daemon's state.
func daemonIn(t *testing.T, state string, of *environment, id string, focus bool) (watched, focused *api.Reading) {
	t.Helper()
	stdin, editor := io.Pipe()
	answers, stdout := io.Pipe()
	var errs bytes.Buffer
	env := *of
	env.Stdin, env.Stdout, env.Stderr = stdin, stdout, &errs
	done := make(chan int, 1)
	go func() {
		done <- run(context.Background(), &env, []string{"serve", "--stdio", "--state=" + state, "--engine=native"})
	}()
	send := func(body string) { fmt.Fprintf(editor, "Content-Length: %d\r\n\r\n%s", len(body), body) }
	go func() {
		send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
		send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		send(`{"jsonrpc":"2.0","id":2,"method":"ctx/watch","params":{}}`)
	}()
	in := textproto.NewReader(bufio.NewReader(answers))
	watchdog := time.AfterFunc(time.Minute, func() { answers.Close() })
	defer watchdog.Stop()
	asked := false
	for watched == nil || focus && focused == nil {
		header, err := in.ReadMIMEHeader()
		if err != nil {
			t.Fatalf("%s: no session came within a minute: %v %s", id, err, errs.String())
		}
		length, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, length)
		if _, err := io.ReadFull(in.R, body); err != nil {
			t.Fatal(err)
		}
		var m struct {
			ID     json.Number
			Method string
			Result json.RawMessage
			Params json.RawMessage
		}
		if err := json.Unmarshal(body, &m); err != nil {
			t.Fatal(err)
		}
		var bodies []json.RawMessage
		switch {
		case m.Method == "ctx/reading":
			bodies = append(bodies, m.Params)
		case m.ID == "2":
			var list struct{ Sessions []json.RawMessage }
			if err := json.Unmarshal(m.Result, &list); err != nil {
				t.Fatalf("%v: %.300s", err, body)
			}
			bodies = list.Sessions
		case m.ID == "3":
			if focused, err = terminal.Parse(m.Result); err != nil {
				t.Fatalf("%v: %.300s", err, body)
			}
		}
		for _, raw := range bodies {
			if bytes.Contains(raw, awaited) {
				continue
			}
			r, err := terminal.Parse(raw)
			if err != nil {
				t.Fatalf("%v: %.300s", err, raw)
			}
			if r.Parent == nil && (id == "" || r.Session == id) {
				watched = r
			}
		}
		if watched != nil && focus && !asked {
			asked = true
			where, _ := json.Marshal(env.Dir)
			go send(fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":"ctx/focus","params":{"workspace":%s}}`, where))
		}
	}
	go io.Copy(io.Discard, answers)
	send(`{"jsonrpc":"2.0","id":4,"method":"shutdown"}`)
	send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := <-done; code != exitOK {
		t.Errorf("the daemon exits with %d: %s", code, errs.String())
	}
	return watched, focused
}
