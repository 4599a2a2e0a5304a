// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"bytes"
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

// measured is one prediction made while real sessions were replayed.
type measured struct {
	group  string
	miss   int64
	actual int64
}

// replayed is what replaying real sessions showed.
type replayed struct {
	steps                          []measured
	compactions, warned            int // automatic ones, and those that the level announced
	requests, falseAlarms          int
	leads                          []int // requests from the first "soon" to an automatic compaction
	forecasts, held, wide          int
	skipped, unrecognised, records int
	foreknown                      []string
}

// enoughToAct is how many requests a person needs between the word that compaction is near and compaction.
const enoughToAct = 10

// TestRealSessions replays the transcripts under CTX_TRANSCRIPTS and holds
// what comes out against what docs/accuracy.md promises.
func TestRealSessions(t *testing.T) {
	root := os.Getenv("CTX_TRANSCRIPTS")
	if root == "" {
		t.Skip("CTX_TRANSCRIPTS names no folder of real transcripts")
	}
	shop := count.NewVocabularies()
	vocabulary, _ := assets.Pack("o200k")
	if err := shop.Load("o200k", vocabulary); err != nil {
		t.Fatal(err)
	}
	var r replayed
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(filepath.Ext(path), ".json") || entry.Name() == "MANIFEST.json" {
			return err
		}
		r.replay(t, path, shop)
		return nil
	})
	if err != nil || len(r.steps) == 0 {
		t.Fatalf("nothing was replayed in %s: %v", root, err)
	}
	if r.skipped+r.unrecognised > 0 {
		t.Errorf("of %d records %d were skipped, %d not recognised", r.records, r.skipped, r.unrecognised)
	}
	for i, s := range r.foreknown {
		if i < 5 {
			t.Errorf("a prediction knew what came after it: %s", s)
		}
	}
	all := func(string) bool { return true }
	r.expect(t, "all steps", all, 5, 0.3)
	r.expectTokens(t, "tool steps of Codex", func(g string) bool { return strings.HasPrefix(g, "codex tool") }, 20)
	r.expect(t, "Claude Code from 2.1.100", func(g string) bool { return strings.HasPrefix(g, "claude-code new") }, 1<<40, 0.2)
	if _, share := r.quantiles(func(g string) bool { return strings.HasSuffix(g, "compaction") }, 50); share > 5 {
		t.Errorf("the first call after a compaction misses by %.1f %% in the median", share)
	}
	if r.compactions-r.warned > 1 {
		t.Errorf("%d of %d automatic compactions came without the level \"now\"", r.compactions-r.warned, r.compactions)
	}
	slices.Sort(r.leads)
	t.Logf("requests from the first \"soon\" to a compaction: %d", r.leads)
	if n := len(r.leads); n > 0 && r.leads[(n-1)/2] < enoughToAct {
		t.Errorf("from the first \"soon\" to a compaction there are %d requests in the median; a person needs %d", r.leads[(n-1)/2], enoughToAct)
	}
	if r.falseAlarms*1000 > r.requests*15 {
		t.Errorf("the level was \"now\" before %d of %d other requests", r.falseAlarms, r.requests)
	}
	if held := float64(r.held) / float64(r.forecasts) * 100; held < 78 || held > 83 {
		t.Errorf("the range of calls left held in %.1f %% of %d forecasts", held, r.forecasts)
	}
	if r.wide > 0 {
		t.Errorf("%d ranges of calls left are wider than one to seven", r.wide)
	}
	t.Logf("%d of %d compactions announced, %d false alarms before %d requests; calls left held %d of %d",
		r.warned, r.compactions, r.falseAlarms, r.requests, r.held, r.forecasts)
}

func (r *replayed) pick(of func(string) bool) (misses []int64, shares []float64) {
	for _, s := range r.steps {
		if of(s.group) {
			misses = append(misses, max(s.miss, -s.miss))
			shares = append(shares, float64(max(s.miss, -s.miss))*100/float64(s.actual))
		}
	}
	slices.Sort(misses)
	slices.Sort(shares)
	return misses, shares
}

func (r *replayed) quantiles(of func(string) bool, percent int) (tokens int64, share float64) {
	misses, shares := r.pick(of)
	if len(misses) == 0 {
		return 0, 0
	}
	at := (len(misses)*percent+99)/100 - 1
	return misses[at], shares[at]
}

func (r *replayed) expect(t *testing.T, what string, of func(string) bool, median int64, p95 float64) {
	t.Helper()
	tokens, _ := r.quantiles(of, 50)
	_, share := r.quantiles(of, 95)
	misses, _ := r.pick(of)
	t.Logf("%s: %d steps, median %d tokens, p95 %.3f %%", what, len(misses), tokens, share)
	if tokens > median || share > p95 {
		t.Errorf("%s: median %d tokens, p95 %.3f %%; promised are %d and %.1f %%", what, tokens, share, median, p95)
	}
}

func (r *replayed) expectTokens(t *testing.T, what string, of func(string) bool, p95 int64) {
	t.Helper()
	tokens, _ := r.quantiles(of, 95)
	t.Logf("%s: p95 %d tokens", what, tokens)
	if tokens > p95 {
		t.Errorf("%s: p95 %d tokens; promised are %d", what, tokens, p95)
	}
}

// forecast is a range of calls that was stated at some call.
type forecast struct {
	core.Range
	call      int
	threshold int64
}

// thresholds are the limits that calls are counted to: the agents' own are reached
// too seldom to say anything about the forecast.
var thresholds = []int64{80_000, 120_000, 160_000, 200_000, 240_000}

func (r *replayed) replay(t *testing.T, path string, shop *count.Vocabularies) {
	s := core.New(core.Identity{ID: path}, shop)
	s.Recording = true
	var (
		reader    agent.Reader
		seen      agent.Installation
		prompts   []int64
		forecasts []forecast
		request   string
		before    int64 // used, just before an answer begins
		answering bool
		alarm     bool
		soon      = -1 // the request before which the level was "soon" first, since the last compaction
	)
	apply := func(e core.Event) {
		s.Apply(e)
		if now := (agent.Installation{Agent: s.Agent, Version: s.AgentVersion, Model: s.Model}); now.Agent != seen.Agent || now.Version != seen.Version || now.Model != seen.Model {
			seen = now
			if l, ok := agent.Window(now); ok {
				s.Apply(core.LimitsKnown{Limits: l, Source: core.FromAgentTable})
			}
			rule, _ := agent.Rule(now)
			s.Apply(core.RuleSet{Rule: rule})
		}
	}
	emit := func(e core.Event) {
		switch e := e.(type) {
		case core.ForChild:
			return
		case core.Skipped:
			r.skipped++
		case core.TurnStarted, core.Resumed:
			answering = false
		case core.Appended:
			switch {
			case e.Item.Kind == core.User && answering && s.Agent == agent.Codex:
				answering = false // Codex makes the request again if another agent's message comes while the model reasons
			case e.Item.Kind.Reply() && !answering:
				answering = true
				before = s.Reading().Used
			}
		case core.Compacted:
			if e.Auto {
				r.compactions++
				if alarm {
					r.warned++
				}
				lead := 0
				if soon >= 0 {
					lead = len(prompts) - soon
				}
				r.leads = append(r.leads, lead)
			}
			alarm, soon = false, -1
		case core.Metered:
			if e.Through == s.Len() {
				before = s.Reading().Used
			}
			r.requests++
			if alarm {
				r.falseAlarms++
			}
			answering = false
		}
		apply(e)
		m, ok := e.(core.Metered)
		if ok {
			era := ""
			if s.Agent == agent.ClaudeCode && len(strings.Split(s.AgentVersion+"..", ".")[2]) >= 3 {
				era = " new"
			}
			for _, step := range s.TakeSteps() {
				group := s.Agent + era + " " + step.Kind
				r.steps = append(r.steps, measured{group, step.Predicted - step.Actual, step.Actual})
				if step.Predicted != before && !(s.Agent == agent.Codex && step.Kind == "resume") {
					r.foreknown = append(r.foreknown, fmt.Sprintf("%s, call %d: %d predicted, %d shown before it", path, step.Call, step.Predicted, before))
				}
			}
			if m.Request != "" && m.Request == request {
				return // reported again
			}
			request = m.Request
			prompts = append(prompts, m.In)
			used := s.Reading().Used
			for _, threshold := range thresholds {
				if used >= threshold || used < threshold*4/10 {
					continue
				}
				if calls := callsLeft(s, threshold); calls != nil {
					forecasts = append(forecasts, forecast{*calls, len(prompts), threshold})
				}
			}
		}
		if item, appended := e.(core.Appended); ok || appended && !item.Item.Kind.Reply() {
			level := s.Reading().Compaction.Level
			alarm = level >= core.Now
			if level >= core.Soon && soon < 0 {
				soon = len(prompts)
			}
		}
	}
	var document json.Document
	for _, record := range realRecords(t, path) {
		r.records++
		v, err := document.Parse(record)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if reader == nil {
			if reader = agent.New(agent.Recognise(v)); reader == nil {
				r.unrecognised++
				continue
			}
		}
		reader.Record(v, emit)
	}
	for _, f := range forecasts {
		for i := f.call; i < len(prompts) && prompts[i] >= prompts[i-1]/2; i++ {
			if prompts[i] < f.threshold {
				continue
			}
			r.forecasts++
			if calls := int64(i - f.call + 1); calls >= f.Low && calls <= f.High {
				r.held++
			}
			if f.High > 7*f.Low {
				r.wide++
			}
			break
		}
	}
}

// callsLeft returns the forecast for a compaction threshold; nil if there is
// none yet, or if the threshold is beyond the limit.
func callsLeft(s *core.Session, threshold int64) *core.Range {
	rule := *s.Rule()
	s.Apply(core.RuleSet{Rule: core.Rule{Name: "a threshold", Threshold: threshold, Growth: rule.Growth}})
	c := s.Reading().Compaction
	s.Apply(core.RuleSet{Rule: rule})
	if c.Threshold != threshold || c.CallsLeft == nil {
		return nil
	}
	calls := *c.CallsLeft
	return &calls
}

// realRecords cuts a file into records; two on one line are two.
func realRecords(t *testing.T, path string) [][]byte {
	t.Helper()
	if filepath.Ext(path) != ".jsonl" {
		return recordsOf(t, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for _, line := range bytes.Split(text, []byte("\n")) {
		for len(bytes.TrimSpace(line)) > 0 {
			end := len(line)
			if _, err := json.Parse(line); err != nil {
				if end = bytes.Index(line, []byte("}{")) + 1; end <= 0 {
					t.Fatalf("%s: %v", path, err)
				}
			}
			out = append(out, line[:end])
			line = line[end:]
		}
	}
	return out
}
