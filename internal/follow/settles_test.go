// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestADatabaseIsReadAgainAfterAChange checks when a session is read again without a notice: soon after a change of its
// database, which may not show it yet, and once it certainly does.
func TestADatabaseIsReadAgainAfterAChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	dirstest.Write(t, path, "x")
	for _, c := range []struct {
		form transcript.Form
		age  time.Duration
		want time.Duration // at most
	}{
		{transcript.Store, 0, settlesUsually},
		{transcript.Database, 0, settlesUsually},
		{transcript.Store, sqlite.Settles / 2, sqlite.Settles / 2},
		{transcript.Store, sqlite.Settles, 0},
		{transcript.Lines, 0, 0},
	} {
		at := time.Now().Add(-c.age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		got := unsettled(transcript.Session{Agent: agent.Hermes, Path: path, Form: c.form})
		if (got > 0) != (c.want > 0) || got > max(c.want, sqlite.Settles-c.age+time.Millisecond) {
			t.Errorf("a change %v ago in the form %v: again in %v, want %v", c.age, c.form, got, c.want)
		}
	}
}
