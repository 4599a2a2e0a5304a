// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestEveryTranscriptIsKnownWhereverItIs checks that a transcript is read for the agent that wrote it, whatever its
// name, compressed or not.
func TestEveryTranscriptIsKnownWhereverItIs(t *testing.T) {
	files, err := filepath.Glob("../../testdata/sessions/*/*.json*")
	if err != nil || len(files) < 15 {
		t.Fatalf("only %d transcripts found: %v", len(files), err)
	}
	for _, file := range files {
		want := filepath.Base(filepath.Dir(file))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		w.Write(text)
		w.Close()
		form := transcript.Lines
		if strings.HasSuffix(file, ".json") {
			form = transcript.Document
		}
		plain := filepath.Join(t.TempDir(), "session")
		dirstest.Write(t, plain, string(text))
		s, err := At(plain)
		if err != nil || s.Agent != want || s.Form != form || s.Path != plain || s.Size != int64(len(text)) || s.ID == "" {
			t.Errorf("%s: %+v, %v", file, s, err)
		}
		if form != transcript.Lines {
			continue
		}
		again := filepath.Join(t.TempDir(), "session.gz")
		dirstest.Write(t, again, packed.String())
		c, err := At(again)
		if err != nil || c.Agent != want || c.Form != transcript.Compressed || c.Workspace != s.Workspace {
			t.Errorf("%s, compressed: %+v, %v", file, c, err)
		}
	}
}

func TestADatabaseWithoutSessionsIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.db")
	dirstest.Database(t, path, `CREATE TABLE other (a)`)
	if s, err := At(path); err == nil {
		t.Errorf("a database of another program is a session: %+v", s)
	}
}
