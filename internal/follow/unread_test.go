// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestAFollowedSessionBecomesOld checks that a followed session gets a new Reading, once, if a newer unread file of its
// agent appears, although nothing was appended to the session.
func TestAFollowedSessionBecomesOld(t *testing.T) {
	m := dirstest.NewMachine(t)
	m.At = time.Now().Add(-time.Hour)
	workspace := dirstest.Whole("/w/a")
	path := m.Put(".claude/projects/-w-a/"+dirstest.UUID1+".jsonl", dirstest.ClaudeLine(dirstest.UUID1, workspace))
	e := newFakeEngine()
	_, updates := following(t, m, e, sessions.Query{Near: workspace})
	await(t, updates, dirstest.UUID1, 2, 30*time.Second)

	m.At = m.At.Add(30 * time.Minute)
	file := m.Put("made/"+dirstest.UUID2+".jsonl", `{"kind":"turn","thread":"9f","body":{"text":"hello"}}`+"\n")
	if err := os.Rename(file, filepath.Join(filepath.Dir(path), filepath.Base(file))); err != nil {
		t.Fatal(err)
	}
	timeout := time.After(90 * time.Second)
	for {
		select {
		case u := <-updates:
			v, _ := json.Parse(u.Reading)
			if n, _ := v.Get("unread").Int64(); u.ID != dirstest.UUID1 || n == 0 {
				continue
			}
		case <-timeout:
			t.Fatal("the session was not marked")
		}
		break
	}
	dirstest.Add(t, path, dirstest.ClaudeLine(dirstest.UUID1, workspace))
	await(t, updates, dirstest.UUID1, 4, 30*time.Second)
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.unread) != 1 || e.unread[0] != "claude-code" {
		t.Errorf("updates have said %q", e.unread)
	}
}

// TestNewerUnreadDataIsNewsOnce checks which unread data of a later search is news.
func TestNewerUnreadDataIsNewsOnce(t *testing.T) {
	at := time.Unix(1_000_000, 0)
	f := NewFeed(transcript.Session{ID: "s"}, newFakeEngine().call)
	for i, c := range []struct {
		at   time.Time
		news bool
	}{{time.Time{}, false}, {at, true}, {at, false}, {at.Add(-1), false}, {at.Add(1), true}, {time.Time{}, false}} {
		if got := f.noteUnread(&transcript.Session{Unread: c.at}); got != c.news {
			t.Errorf("%d: %v", i, got)
		}
	}
	f = NewFeed(transcript.Session{ID: "s", Unread: at}, newFakeEngine().call)
	if f.noteUnread(&transcript.Session{Unread: at}) {
		t.Error("what the first search has found is news")
	}
	if f, err := NewRecentFeed(transcript.Session{ID: "s", Form: transcript.Document, Unread: at}, newFakeEngine().call); err != nil || f.noteUnread(&transcript.Session{Unread: at}) {
		t.Errorf("what the first search has found is news: %v", err)
	}
	if reading, err := f.newsSince(t.Context()); reading != nil || err != nil {
		t.Errorf("before the session is open: %s, %v", reading, err)
	}
}
