// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func newSession() *core.Session {
	return core.New(core.Identity{ID: "s"}, count.NewVocabularies())
}

func apply(s *core.Session, e core.Event) {
	if _, child := e.(core.ForChild); !child {
		s.Apply(e)
	}
}

// fuzzLines reads any text as the lines of an agent: nothing panics, and no number is impossible.
func fuzzLines(f *testing.F, by string) {
	fuzzFiles(f, "../../testdata/lines/"+by+"/*.jsonl", func(t *testing.T, session *core.Session) func(json.Value) {
		reader := agent.New(by)
		return func(record json.Value) {
			reader.Record(record, func(e core.Event) {
				plausible(t, e)
				apply(session, e)
			})
		}
	})
}

// fuzzFiles starts from transcripts, and passes each record of the mutated ones to a reader of a session, whose number
// must stay possible.
func fuzzFiles(f *testing.F, pattern string, begin func(*testing.T, *core.Session) func(json.Value)) {
	files, _ := filepath.Glob(pattern)
	if len(files) == 0 {
		f.Fatal("there is no transcript to begin from")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		session := newSession()
		read := begin(t, session)
		for line := range bytes.Lines(text) {
			if record, err := json.Parse(line); err == nil {
				read(record)
			}
		}
		if used := session.Reading().Used; used < 0 || used > 1<<45 {
			t.Errorf("%d tokens are used", used)
		}
	})
}

func FuzzPi(f *testing.F)        { fuzzLines(f, agent.Pi) }
func FuzzDSH(f *testing.F)       { fuzzLines(f, agent.DSH) }
func FuzzKimiCode(f *testing.F)  { fuzzLines(f, agent.KimiCode) }
func FuzzKimiCLI(f *testing.F)   { fuzzLines(f, agent.KimiCLI) }
func FuzzDroid(f *testing.F)     { fuzzLines(f, agent.Droid) }
func FuzzGrok(f *testing.F)      { fuzzLines(f, agent.Grok) }
func FuzzVibe(f *testing.F)      { fuzzLines(f, agent.Vibe) }
func FuzzContinue(f *testing.F)  { fuzzLines(f, agent.Continue) }
func FuzzCursor(f *testing.F)    { fuzzLines(f, agent.Cursor) }
func FuzzGPTMe(f *testing.F)     { fuzzLines(f, agent.GPTMe) }
func FuzzKiroLines(f *testing.F) { fuzzLines(f, agent.Kiro) }
