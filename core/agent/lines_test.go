// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/neutral"
)

// TestWhatIsToldAnewSaysTheSame reads every transcript of lines twice: as its reader has it, and told in neutral
// records. After every record both sessions have the same numbers, and so they have when the reader of the neutral
// records is saved and restored after each of them.
func TestWhatIsToldAnewSaysTheSame(t *testing.T) {
	files, err := filepath.Glob("../../testdata/lines/*/*.jsonl")
	if err != nil || len(files) < 8 {
		t.Fatalf("only %d transcripts found: %v", len(files), err)
	}
	for _, file := range files {
		by := filepath.Base(filepath.Dir(file))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		as, told, restored := newSession(), newSession(), newSession()
		raw, reader, again := agent.ReadLines(by), agent.New(by), agent.New(by)
		for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
			raw.Record(parse(t, line), func(e core.Event) {
				apply(as, e)
				record := neutral.Event(by, e)
				if record == nil {
					t.Fatalf("%s, line %d: %T is not told", file, i+1, e)
				}
				if found := agent.Recognise(parse(t, record)); found != by {
					t.Fatalf("%s is taken for %q's", record, found)
				}
				reader.Record(parse(t, record), func(e core.Event) { apply(told, e) })
				var state agent.State
				if !agent.Save(by, again, &state) {
					t.Fatalf("%s, line %d: not saved", file, i+1)
				}
				if again = agent.Restore(state); again == nil {
					t.Fatalf("%s, line %d: not restored", file, i+1)
				}
				again.Record(parse(t, record), func(e core.Event) { apply(restored, e) })
			})
			for _, other := range []*core.Session{told, restored} {
				if got, want := shown(other), shown(as); got != want {
					t.Fatalf("%s, line %d:\n told %s\nwant %s", file, i+1, got, want)
				}
			}
		}
	}
}

func newSession() *core.Session {
	return core.New(core.Identity{ID: "s"}, count.NewVocabularies())
}

func apply(s *core.Session, e core.Event) {
	if _, child := e.(core.ForChild); !child {
		s.Apply(e)
	}
}

// shown is what a session says of itself.
func shown(s *core.Session) string {
	r := s.Reading()
	return fmt.Sprintf("%s %s %s %s %s: %d tokens, %v, %d items, rows %v, %d compactions, spent %v", s.Agent, s.Model, s.Provider, s.Route, s.Workspace, r.Used, r.Basis, s.Len(), r.Breakdown, r.Compactions, r.Spent)
}

// fuzzLines reads anything as the lines of an agent: nothing panics, and all that comes of it can be told.
func fuzzLines(f *testing.F, by string) {
	fuzzFiles(f, "../../testdata/lines/"+by+"/*.jsonl", func(t *testing.T, session *core.Session) func(json.Value) {
		raw, reader := agent.ReadLines(by), agent.New(by)
		return func(record json.Value) {
			raw.Record(record, func(e core.Event) {
				plausible(t, e)
				if told := neutral.Event(by, e); told != nil {
					v, err := json.Parse(told)
					if err != nil {
						t.Fatalf("%s: %v", told, err)
					}
					reader.Record(v, func(e core.Event) { apply(session, e) })
				}
			})
		}
	})
}

// fuzzFiles begins from transcripts, and gives each record of whatever comes of them to a reader for a session, whose
// number must stay one that can be.
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
func FuzzKiroLines(f *testing.F) { fuzzLines(f, agent.Kiro) }
