// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"math/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// TestATranscriptCutAnywhereIsReadSoFar cuts every transcript at random bytes and damages others: only whole records
// must be read, and they must not cause impossible results.
func TestATranscriptCutAnywhereIsReadSoFar(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewSource(seed))
	files, _ := filepath.Glob(filepath.Join("..", "..", "testdata", "sessions", "*", "*.json*"))
	if len(files) < 12 {
		t.Fatalf("only %d transcripts", len(files))
	}
	folder := t.TempDir()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(file))
		for range 60 {
			cut := append([]byte(nil), text[:random.Intn(len(text)+1)]...)
			for n := random.Intn(3) * random.Intn(3); n > 0 && len(cut) > 0; n-- {
				switch at := random.Intn(len(cut)); random.Intn(3) {
				case 0:
					cut[at] = byte(random.Intn(256))
				case 1: // a piece is written twice
					cut = append(cut[:at:at], append(append([]byte(nil), cut[at/2:at]...), cut[at:]...)...)
				case 2:
					cut = append(cut[:at:at], cut[min(len(cut), at+random.Intn(200)):]...)
				}
			}
			path := filepath.Join(folder, "cut"+filepath.Ext(file))
			if err := os.WriteFile(path, cut, 0o644); err != nil {
				t.Fatal(err)
			}
			s, err := At(path)
			if err != nil {
				t.Fatalf("seed %d, %s cut to %d bytes: %v", seed, file, len(cut), err)
			}
			var records []string
			var b transcript.Batch
			for tail := agents.OpenTail(s); ; {
				if err := tail.Next(t.Context(), &b); err != nil {
					t.Fatalf("seed %d, %s cut to %d bytes: %v", seed, file, len(cut), err)
				}
				if b.Count == 0 {
					break
				}
				for i := range b.Count {
					records = append(records, string(b.Record(i)))
				}
			}
			reader := agent.New(name)
			session := core.New(core.Identity{ID: "s"}, bytesCounted{})
			for _, record := range records {
				v, err := json.Parse([]byte(record))
				if err != nil {
					continue // the engine counts it as skipped
				}
				reader.Record(v, session.Apply)
			}
			if used := session.Reading().Used; used < 0 || used > 1<<41 {
				t.Fatalf("seed %d, %s cut to %d bytes: %d tokens used", seed, file, len(cut), used)
			}
		}
	}
}

// bytesCounted knows no model and counts a token for each byte, which is more than any tokenizer does.
type bytesCounted struct{}

func (bytesCounted) Resolve(model, provider, route string) core.Resolved {
	return core.Resolved{Meter: bytesCounted{}, Limits: core.NoLimits}
}

func (bytesCounted) Item(it *core.Item) core.Count {
	return core.Count{Tokens: int64(len(it.Text)), Basis: core.Estimated}
}

func (bytesCounted) Part(p *core.Part) core.Count {
	return core.Count{Tokens: int64(len(p.Text)), Basis: core.Estimated}
}
func (bytesCounted) Step(core.Step) int64 { return 0 }
func (bytesCounted) Family() string       { return "bytes" }
func (bytesCounted) Density() int64       { return 1000 }
