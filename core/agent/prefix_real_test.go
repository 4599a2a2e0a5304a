// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// firstPrompt is the invisible part of the first measured prompt of a real session, and the table's sizes for its
// agent.
type firstPrompt struct {
	path, agent, version, model string

	fixed, read, in int64 // measured
	system, tools   int64 // by the table, in tokens of the model
	cached          int64 // the part of both that all sessions share
	optional        int64 // of the tools, what some sessions do without
}

func (f *firstPrompt) inTable() int64 { return f.system + f.tools }

// splits reports whether the cache read separates tools and system prompt from the rest: something was read, but not a
// whole conversation.
func (f *firstPrompt) splits() bool {
	return f.agent == agent.ClaudeCode && f.read > 0 && f.read <= f.fixed && f.read*10 <= f.in*9
}

// base returns the part that was read according to the table: tools and the fixed part of the system prompt, or all of
// it if that was read, without an optional tool that would not fit.
func (f *firstPrompt) base() int64 {
	best := int64(0)
	for _, n := range []int64{f.cached - f.optional, f.cached, f.inTable() - f.optional, f.inTable()} {
		if n <= f.read+500 && n > best {
			best = n
		}
	}
	if best == 0 {
		best = f.cached - f.optional
	}
	return best
}

// times returns the same with the table's sizes multiplied by the given hundredths.
func (f firstPrompt) times(percent int64) firstPrompt {
	for _, n := range []*int64{&f.system, &f.tools, &f.cached, &f.optional} {
		*n = *n * percent / 100
	}
	return f
}

// TestTablesFitRealSessions compares the table of built-in prompts and tools with the first prompts of the sessions
// under CTX_TRANSCRIPTS and CTX_SAMPLES: `make test-prefix` prints the differences.
func TestTablesFitRealSessions(t *testing.T) {
	prompts := firstPrompts(t)
	byAgent := map[string][]firstPrompt{}
	for _, f := range prompts {
		byAgent[f.agent] = append(byAgent[f.agent], f)
		line := ""
		if f.splits() {
			line = "; of what was read from the cache " + percentOf(f.base(), f.read)
		}
		t.Logf("%s %s %s: the table has %d, measured are %d: %s%s", f.path, f.version, f.model, f.inTable(), f.fixed, percentOf(f.inTable(), f.fixed), line)
	}
	for id, of := range byAgent {
		if fault := tableFault(of, tells(of)); fault != "" {
			t.Errorf("%s: %s", id, fault)
		}
		if !tells(of) {
			t.Logf("%s: most of each first prompt is something else; no session tells whether its table is too small", id)
			continue
		}
		// A table that is wrong by a third must not pass.
		for _, percent := range []int64{67, 150} {
			broken := make([]firstPrompt, len(of))
			for i := range of {
				broken[i] = of[i].times(percent)
			}
			if tableFault(broken, true) == "" {
				t.Errorf("%s: a table that is %d %% of the real one passes too", id, percent)
			}
		}
	}
}

func percentOf(n, whole int64) string {
	tenths := n * 1000 / max(whole, 1)
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

// firstPrompts reads the real sessions, each to its first measured prompt.
func firstPrompts(t *testing.T) (prompts []firstPrompt) {
	t.Helper()
	shop := count.NewVocabularies()
	vocabulary, _ := assets.Pack("o200k")
	if err := shop.Load("o200k", vocabulary); err != nil {
		t.Fatal(err)
	}
	eachRealSession(t, func(root, path string) {
		if f, ok := firstOf(path, shop); ok {
			f.path, _ = filepath.Rel(root, path)
			prompts = append(prompts, f)
		}
	})
	if len(prompts) == 0 {
		t.Fatal("no session has a table")
	}
	return prompts
}

// eachRealSession visits the files below the directories of real sessions. Without such directories, the test is
// skipped.
func eachRealSession(t *testing.T, visit func(root, path string)) {
	t.Helper()
	roots := 0
	for _, variable := range []string{"CTX_TRANSCRIPTS", "CTX_SAMPLES"} {
		root := os.Getenv(variable)
		if root == "" {
			continue
		}
		roots++
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".json") || entry.Name() == "MANIFEST.json" {
				return err
			}
			visit(root, path)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if roots == 0 {
		t.Skip("neither CTX_TRANSCRIPTS nor CTX_SAMPLES names a folder of real sessions")
	}
}

// firstOf reads a session until its first prompt was measured and its table was read; ok is false if there is none.
func firstOf(path string, shop *count.Vocabularies) (f firstPrompt, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return f, false
	}
	s := core.New(core.Identity{ID: path}, shop)
	var reader agent.Reader
	last := map[core.Kind]core.PrefixKnown{}
	emit := func(e core.Event) {
		if _, child := e.(core.ForChild); child || ok {
			return
		}
		s.Apply(e)
		switch e := e.(type) {
		case core.Metered:
			if f.in == 0 {
				f.in, f.read = e.In, max(e.CacheRead, 0)
			}
		case core.PrefixKnown:
			if e.Source == core.FromTable {
				last[e.Kind] = e
			}
		}
	}
	// measured adds what the table said last, when the record of the first usage was read.
	measured := func() {
		if f.in == 0 || len(last[core.Tools].Parts) == 0 {
			return
		}
		density := shop.Resolve(s.Model, s.Provider, s.Route).Meter.Density()
		f.add(last[core.System], density)
		f.add(last[core.Tools], density)
		if f.tools > 0 {
			f.agent, f.version, f.model, ok = s.Agent, s.AgentVersion, s.Model, true
			for _, row := range s.Reading().Breakdown {
				if !row.Deferred && !strings.HasSuffix(row.Label.String(), ", inside the conversation") && (row.Kind.Fixed() && row.Kind != core.Documents || row.Kind == core.Prefix) {
					f.fixed += row.Tokens
				}
			}
		}
	}
	var document json.Document
	for rest := text; len(rest) > 0 && !ok; {
		record := rest
		if filepath.Ext(path) == ".jsonl" {
			record, rest, _ = cutLine(rest)
		} else {
			rest = nil
		}
		v, err := document.Parse(record)
		if err != nil {
			continue
		}
		if reader == nil {
			if reader = agent.New(agent.Recognise(v)); reader == nil {
				continue
			}
		}
		reader.Record(v, emit)
		measured()
	}
	return f, ok
}

func cutLine(text []byte) (line, rest []byte, found bool) {
	for i, b := range text {
		if b == '\n' {
			return text[:i], text[i+1:], true
		}
	}
	return text, nil, false
}

// add adds sizes from the table, in tokens of a model.
func (f *firstPrompt) add(e core.PrefixKnown, density int64) {
	for _, p := range e.Parts {
		n := p.Tokens
		if p.Reference {
			n = n * density / 1000
		}
		if e.Kind == core.System {
			f.system += n
		} else {
			f.tools += n
		}
		if p.Cached == core.IsCached {
			f.cached += n
		}
		if p.Optional {
			f.optional += n
		}
	}
}

// wellExplained is the share of a first prompt, in percent, that a table must explain if the prompt contains little
// else. An agent without such sessions is only compared with the measurements.
const wellExplained = 75

// tells reports whether the sessions can distinguish a right table from a wrong one.
func tells(of []firstPrompt) bool {
	return slices.ContainsFunc(of, func(f firstPrompt) bool { return f.splits() || f.inTable()*100 >= f.fixed*wellExplained })
}

// tableFault returns the fault of a table, "" if it fits. No session may have less in its prompt than the table, or
// have read less from the cache than the table's minimum. For sessions whose cache separates tools and system prompt,
// the table must explain nine tenths in the median; the others must include one that it explains almost completely, if
// the sessions can tell.
func tableFault(of []firstPrompt, telling bool) string {
	var shares []int64
	best := int64(0)
	for _, f := range of {
		if f.inTable()-f.optional > f.fixed*103/100 {
			return fmt.Sprintf("%s: the table has %d, measured are %d", f.path, f.inTable(), f.fixed)
		}
		best = max(best, f.inTable()*100/f.fixed)
		if f.splits() {
			if least := f.cached - f.optional; least > f.read+500 {
				return fmt.Sprintf("%s: the table has at least %d before the conversation, read were %d", f.path, least, f.read)
			}
			shares = append(shares, f.base()*100/f.read)
		}
	}
	if len(shares) >= 3 {
		if m := middle(shares); m < 90 {
			return fmt.Sprintf("in the median the table explains %d %% of what was read before the conversation, want 90", m)
		}
	} else if best < wellExplained && telling {
		return fmt.Sprintf("the table explains %d %% of no session, the most is %d", wellExplained, best)
	}
	return ""
}

// TestTheTableOfGeminiCLI compares the oldest row with prompts without any other content: 6,272 to 6,343 tokens in
// March 2026.
func TestTheTableOfGeminiCLI(t *testing.T) {
	shop := count.NewVocabularies()
	f := firstPrompt{}
	for _, e := range lastKnown(eventsOf(t, agent.GeminiCLI,
		`{"sessionId":"s","projectHash":"p","startTime":"2026-03-20T10:00:00.000Z"}`,
		`{"id":"1","type":"user","timestamp":"2026-03-20T10:00:00.000Z","content":"Hello."}`,
		`{"id":"2","type":"gemini","model":"gemini-3-flash-preview","timestamp":"2026-03-20T10:00:09.000Z","content":"Hi.","tokens":{"input":6300,"output":2}}`)) {
		if e.Source == core.FromTable {
			f.add(e, shop.Resolve("gemini-3-flash-preview", "google", "").Meter.Density())
		}
	}
	if f.inTable() < 6272*97/100 || f.inTable() > 6343*103/100 {
		t.Errorf("the table has %d", f.inTable())
	}
}

func middle(of []int64) int64 {
	slices.Sort(of)
	return of[(len(of)-1)/2]
}
