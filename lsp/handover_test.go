// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// TestATranscriptIsConvertedAndNotKept checks the note and the comparison for a followed session and for an earlier
// one, and the error for a session reported by another program.
func TestATranscriptIsConvertedAndNotKept(t *testing.T) {
	m := newMachine(t)
	now, old := "00000001-0000-4000-8000-000000000000", "00000002-0000-4000-8000-000000000000"
	m.session(now, 1, m.work, 0, 50_000)
	m.session(old, 1, m.work, 90*24*time.Hour, 50_000)
	c := m.daemon()
	c.call("ctx/watch", `{}`)
	for _, id := range []string{now, old} {
		var note api.HandoverAnswer
		json.Unmarshal(c.call("ctx/handover", fmt.Sprintf(`{"id":%q,"tokens":300}`, id)), &note)
		if note.Session != id || note.Tokens > 300 || note.Asked != 300 || !strings.Contains(note.Text, "# Handover: ") || note.FirstAsked == "" {
			t.Errorf("the note of %s is %+v", id, note)
		}
	}
	refused := func(method, params, sentence string) {
		t.Helper()
		m := c.ask(method, params)
		if m.Error == nil || !strings.Contains(m.Error.Message, sentence) {
			t.Errorf("%s %s was answered %+v", method, params, m)
		}
	}
	refused("ctx/forgot", fmt.Sprintf(`{"id":%q}`, now), "This session was never compacted")
	refused("ctx/handover", `{"id":"nobody"}`, "There is no session")
	refused("ctx/handover", `{}`, `"id" is missing`)
	refused("ctx/handover", fmt.Sprintf(`{"id":%q,"tokens":5}`, now), `"tokens" must be a number from 150`)
	refused("ctx/handover", fmt.Sprintf(`{"id":%q,"tokens":200001}`, now), `"tokens" must be a number from 150 to 200000.`)
	for _, most := range []int64{150, 200_000} {
		var note api.HandoverAnswer
		json.Unmarshal(c.call("ctx/handover", fmt.Sprintf(`{"id":%q,"tokens":%d}`, now, most)), &note)
		if note.Asked != most || note.Tokens > most {
			t.Errorf("a note of at most %d tokens is %+v", most, note)
		}
	}
	refused("ctx/forgot", `{}`, `"id" is missing`)
	refused("ctx/forgot", `{"id":"nobody"}`, "There is no session")
	c.call("ctx/session/open", `{"id":"mine","model":"gpt-5"}`)
	refused("ctx/handover", `{"id":"mine"}`, "has no transcript on this machine")
	refused("ctx/forgot", `{"id":"mine"}`, "has no transcript on this machine")
}

// TestTheErrorOfATranscript checks the error of a note that cannot be written: the engine's own, a cancellation, or one
// that names the transcript.
func TestTheErrorOfATranscript(t *testing.T) {
	s := newTestServer(t, Options{})
	start(t, s)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	refused := api.Invalid("compaction", "is too large.")
	for name, test := range map[string]struct {
		ctx  context.Context
		err  error
		want *api.Error
	}{
		"canceled": {canceled, refused, cancelled()},
		"refused":  {t.Context(), fmt.Errorf("reading: %w", refused), refused},
		"gone":     {t.Context(), os.ErrNotExist, &api.Error{Kind: api.RequestFailed, Message: "/w/a.jsonl: file does not exist."}},
	} {
		s.eachConnection(func(c *connection) {
			got := c.transcriptError(&request{ctx: test.ctx}, transcript.Session{Path: "/w/a.jsonl"}, test.err)
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("%s: %+v, want %+v", name, got, test.want)
			}
		})
	}
	m := newMachine(t)
	m.session(firstID, 1, m.work, 90*24*time.Hour, 50_000)
	c := m.daemon()
	c.call("ctx/handover", fmt.Sprintf(`{"id":%q}`, firstID))
	path := filepath.Join(m.home, ".claude/projects/w", firstID+".jsonl")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if m := c.ask("ctx/handover", fmt.Sprintf(`{"id":%q}`, firstID)); m.Error == nil {
		t.Errorf("the note of an empty transcript is %s", m.Result)
	}
}

// TestReadingATranscriptIsBounded has a transcript that takes longer than a result may: the client sees progress and an
// error that says how long was read.
func TestReadingATranscriptIsBounded(t *testing.T) {
	s := newTestServer(t, Options{})
	c := start(t, s)
	s.eachConnection(func(of *connection) {
		ctx, cancel := context.WithCancel(t.Context())
		r := &request{ctx: ctx, fields: wire.FieldsOf([]byte(`{"workDoneToken":"t"}`))}
		read := func(ctx context.Context, progress func(int64)) error {
			for ; ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
				progress(30)
			}
			return ctx.Err()
		}
		fault := of.readTranscript(r, transcript.Session{Path: "/w/a.jsonl", Size: 100}, 2*time.Second, read)
		if want := "/w/a.jsonl could not be read within 2 s; the command line has no such limit."; fault == nil || fault.Message != want {
			t.Errorf("the error is %+v, want %s", fault, want)
		}
		cancel()
		if fault := of.readTranscript(r, transcript.Session{}, time.Minute, read); !reflect.DeepEqual(fault, cancelled()) {
			t.Errorf("the error of a canceled request is %+v", fault)
		}
	})
	c.call("ctx/sessions", `{}`)
	var progress []string
	for len(c.notes) > 0 {
		progress = append(progress, string((<-c.notes).Params))
	}
	want := []string{
		`{"token":"t","value":{"kind":"begin","message":"","percentage":30,"title":"Reading sessions"}}`, `{"token":"t","value":{"kind":"end"}}`,
	}
	if !slices.Equal(progress, want) {
		t.Errorf("the progress is %q", progress)
	}
}
