// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"bytes"
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

// first is the number shown before the first request of a session was measured, and the measurement.
type first struct {
	file                    string
	used, low, high, actual int64
	basis                   core.Basis
}

// firstsToJudge is how many sessions of an agent say something about the share of ranges that covered.
const firstsToJudge = 10

// firstRequest reads a session until its first request is measured.
func firstRequest(t *testing.T, path string, shop *count.Vocabularies) (agentID string, f first, ok bool) {
	s := core.New(core.Identity{ID: path}, shop)
	var seen agent.Installation
	answering := false
	var before core.Reading
	emit := func(e core.Event) {
		if ok {
			return
		}
		switch e := e.(type) {
		case core.ForChild:
			return
		case core.Appended:
			if e.Item.Kind.Reply() && !e.Item.NotReply && !answering {
				answering, before = true, s.Reading()
			}
		case core.TurnStarted:
			answering = false
		case core.Metered:
			if e.In <= 0 || e.Sum || e.SideRequest {
				break
			}
			if !answering {
				before = s.Reading()
			}
			f = first{path, before.Used, before.Low, before.High, e.In, before.Basis}
			agentID, ok = s.Agent, true
			return
		}
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
	var document json.Document
	var reader agent.Reader
	for _, record := range readableRecords(t, path) {
		v, err := document.Parse(record)
		if err != nil {
			return "", f, false
		}
		if reader == nil {
			if reader = agent.New(agent.Recognise(v)); reader == nil {
				continue
			}
		}
		reader.Record(v, emit)
		if ok {
			return agentID, f, true
		}
	}
	return "", f, false
}

// readableRecords returns the records of a file, or none if it is a document of another form than one record per line
// or a list of messages.
func readableRecords(t *testing.T, path string) [][]byte {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) == ".json" {
		if v, err := json.Parse(text); err != nil || v.Get("messages").Kind() != json.Array {
			return nil
		}
		return recordsOf(t, path)
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if _, err := json.Parse(line); err != nil {
		return nil
	}
	return realRecords(t, path)
}

// TestFirstRequests compares what is shown before the first request of each real session with what was measured. The
// ranges are meant to cover 85%, for each agent with a table of its prompts.
func TestFirstRequests(t *testing.T) {
	shop := count.NewVocabularies()
	vocabulary, _ := assets.Pack("o200k")
	if err := shop.Load("o200k", vocabulary); err != nil {
		t.Fatal(err)
	}
	found := map[string][]first{}
	for _, variable := range []string{"CTX_TRANSCRIPTS", "CTX_SAMPLES", "CTX_FRESH"} {
		root := os.Getenv(variable)
		if root == "" {
			t.Logf("%s names no directory", variable)
			continue
		}
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.Contains(filepath.Ext(path), ".json") || entry.Name() == "MANIFEST.json" {
				return err
			}
			if id, f, ok := firstRequest(t, path, shop); ok {
				found[id] = append(found[id], f)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(found) == 0 {
		t.Skip("no session was measured")
	}
	for id, list := range found {
		covered, errors, shares := 0, []int64{}, []int64{}
		for _, f := range list {
			if f.low <= f.actual && f.actual <= f.high {
				covered++
			}
			errors = append(errors, max(f.used-f.actual, f.actual-f.used))
			shares = append(shares, errors[len(errors)-1]*1000/f.actual)
			if testing.Verbose() {
				t.Logf("%s %s: shown %d (%d to %d, %v), measured %d", id, filepath.Base(f.file), f.used, f.low, f.high, f.basis, f.actual)
			}
		}
		slices.Sort(errors)
		slices.Sort(shares)
		n := len(list)
		if n >= firstsToJudge && covered*100 < n*85 {
			t.Errorf("%s: the ranges covered %d of %d first requests", id, covered, n)
		}
		t.Logf("FIRST %s: %d sessions, off by %d tokens in the median (%d.%d%%), ranges covered %d", id, n, errors[n/2], shares[n/2]/10, shares[n/2]%10, covered)
	}
}
