// Copyright The ctx-lsp authors. MIT licence.

package top

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestTheLogBeginsInOrderWithNames checks that the first lines wait until all sessions were read, are in the order of
// the table, and name a session without a title by its first words.
func TestTheLogBeginsInOrderWithNames(t *testing.T) {
	var out bytes.Buffer
	w := &Log{
		Out: &out, Style: terminal.Style{}, Now: func() time.Time { return noon },
		InMode:  func(_ context.Context, reading []byte) ([]byte, error) { return reading, nil },
		Opening: func(u follow.Update) string { return "words of " + u.ID }, IdleAfter: 15 * time.Minute,
	}
	update := func(id, title string, used, calls int64, ago time.Duration) {
		u := follow.Update{Session: transcript.Session{ID: id}, First: true, Reading: reading(id, "codex", title, used, 160_000, calls, ago, "working")}
		u.ID = id
		w.Update(u)
	}
	update("a", "A title", 40_000, 60, time.Minute)
	update("idle", "Left alone", 158_000, 1, 2*time.Hour)
	w.Expect(4)
	update("b", "", 100_000, 9, time.Minute)
	child := follow.Update{Session: transcript.Session{ID: "child", Parent: "a"}, First: true, Reading: reading("child", "codex", "", 5000, 160_000, 9, 0, "working")}
	child.ID = "child"
	w.Update(child)
	if out.Len() > 0 {
		t.Errorf("before the last session was read: %s", out.String())
	}
	failed := follow.Update{Session: transcript.Session{ID: "c"}, Problem: "cannot be read"}
	failed.ID = "c"
	w.Failed = func(error) {}
	w.Update(failed)
	want := `Codex, words of b: ~50% of 200k, 60.0k until it compacts, about 9 requests
Codex, A title: ~20% of 200k, 120.0k until it compacts, about 60 requests
Codex, Left alone: ~79% of 200k, 2.0k until it compacts, about 1 request
`
	if out.String() != want {
		t.Errorf("the log begins with\n%swant\n%s", out.String(), want)
	}
	out.Reset()
	update("d", "Later", 20_000, 80, 0)
	if want := "Codex, Later: ~10% of 200k, 140.0k until it compacts, about 80 requests\n"; out.String() != want {
		t.Errorf("a later session begins with %q, want %q", out.String(), want)
	}
}
