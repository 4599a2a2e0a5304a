// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// testEnvironment is one without a terminal, a home and a past.
func testEnvironment(t *testing.T, out, err *bytes.Buffer) *environment {
	home := t.TempDir()
	return &environment{
		Stdin: strings.NewReader(""), Stdout: out, Stderr: err, Dir: home, Now: time.Now, Columns: 80,
		Getenv: func(name string) string {
			switch name {
			case "HOME", "USERPROFILE":
				return home
			}
			return ""
		},
	}
}

// onCommandLine runs a command and returns what it prints.
func onCommandLine(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(context.Background(), testEnvironment(t, &out, &errs), args); code != exitOK {
		t.Fatalf("%v exits with %d: %s", args, code, errs.String())
	}
	return out.String()
}

type predictedStep struct {
	File              string
	Session           string
	Call              int64
	Predicted, Actual int64
}

func replaySteps(t *testing.T, path string) []predictedStep {
	t.Helper()
	var steps []predictedStep
	for _, line := range strings.Split(onCommandLine(t, "replay", "--steps", "--json", path), "\n") {
		if strings.HasPrefix(line, `{"file"`) {
			var s predictedStep
			if err := json.Unmarshal([]byte(line), &s); err != nil {
				t.Fatal(err)
			}
			if s.Session == "" {
				steps = append(steps, s)
			}
		}
	}
	return steps
}

// beforeCalls cuts a Claude Code transcript just before each of its metered
// requests: before the first line of each reply.
func beforeCalls(text []byte) [][]byte {
	var cuts [][]byte
	seen := map[string]bool{}
	at := 0
	for _, line := range bytes.SplitAfter(text, []byte("\n")) {
		var r struct {
			Type              string
			IsSidechain       bool
			IsAPIErrorMessage bool `json:"isApiErrorMessage"`
			Message           struct {
				ID, Model string
				Usage     *struct {
					In      int64 `json:"input_tokens"`
					Read    int64 `json:"cache_read_input_tokens"`
					Written int64 `json:"cache_creation_input_tokens"`
				}
			}
		}
		if json.Unmarshal(line, &r) == nil && r.Type == "assistant" && !r.IsSidechain && !r.IsAPIErrorMessage && r.Message.Model != "<synthetic>" &&
			r.Message.Usage != nil && r.Message.Usage.In+r.Message.Usage.Read+r.Message.Usage.Written > 0 && !seen[r.Message.ID] {
			seen[r.Message.ID] = true
			cuts = append(cuts, text[:at])
		}
		at += len(line)
	}
	return cuts
}

// There is one formula: what status says of a transcript that ends just
// before a request is what replay predicts for it, to the token.
func TestStatusSaysWhatReplayPredicts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "made.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	writeClaudeTranscript(f, "made", "/w", 12, 0)
	f.Close()
	paths := []string{path}
	if dir := os.Getenv("CTX_TRANSCRIPTS"); dir == "" {
		t.Log("CTX_TRANSCRIPTS is not set: only a session made up is tested")
	} else {
		real, _ := filepath.Glob(filepath.Join(dir, "claude-code", "*-0[157].jsonl"))
		paths = append(paths, real...)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cuts := beforeCalls(text)
		steps := replaySteps(t, path)
		if len(steps) < 5 {
			t.Errorf("%s: %d steps", path, len(steps))
		}
		for i := 0; i < len(steps); i += 1 + len(steps)/8 {
			step := steps[i]
			if int(step.Call) > len(cuts) {
				t.Errorf("%s: call %d of %d", path, step.Call, len(cuts))
				continue
			}
			cut := filepath.Join(t.TempDir(), "cut.jsonl")
			if err := os.WriteFile(cut, cuts[step.Call-1], 0o644); err != nil {
				t.Fatal(err)
			}
			var r struct{ Used int64 }
			if err := json.Unmarshal([]byte(onCommandLine(t, "status", "--json", cut)), &r); err != nil {
				t.Fatal(err)
			}
			if r.Used != step.Predicted {
				t.Errorf("%s call %d: status says %d, replay predicts %d (actual %d)", filepath.Base(path), step.Call, r.Used, step.Predicted, step.Actual)
			}
		}
	}
}

// Every transcript is read to its end, and no record of a known kind is left
// out.
func TestReplayReadsEveryTranscript(t *testing.T) {
	dir := os.Getenv("CTX_TRANSCRIPTS")
	if dir == "" {
		t.Skip("CTX_TRANSCRIPTS is not set")
	}
	var out, errs bytes.Buffer
	if code := run(context.Background(), testEnvironment(t, &out, &errs), []string{"replay", "--json", dir}); code != exitOK {
		t.Fatalf("it exits with %d: %s", code, errs.String())
	}
	if strings.Contains(errs.String(), "could not be read") {
		t.Error(errs.String())
	}
	var result struct {
		Total quality
	}
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", result.Total)
	if q := result.Total; q.Steps < 3000 || q.MedianTokens > 10 || q.P95Percent > 0.5 {
		t.Errorf("total %+v; wanted are a median of at most 10 tokens and a p95 of at most 0.5 %%", q)
	}
}

func TestPercentiles(t *testing.T) {
	for n, want := range map[int][3]int64{1: {1, 1, 1}, 2: {1, 2, 2}, 20: {10, 19, 20}, 100: {50, 95, 99}} {
		var sorted []int64
		for i := range n {
			sorted = append(sorted, int64(i+1))
		}
		if got := [3]int64{rank(sorted, 50), rank(sorted, 95), rank(sorted, 99)}; got != want {
			t.Errorf("of 1…%d the percentiles are %v, want %v", n, got, want)
		}
	}
}

// A 200 MB line is stepped over, and what follows is read.
func TestAnEndlessLineHidesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	writeClaudeTranscript(f, "s", "/w", 2, 0)
	fmt.Fprint(f, `{"type":"user","message":{"content":"`)
	piece := bytes.Repeat([]byte("x"), 1<<20)
	for range 200 {
		f.Write(piece)
	}
	fmt.Fprintln(f, `"}}`)
	writeClaudeTranscript(f, "s", "/w", 4, 0)
	f.Close()
	var r struct {
		LastRequest struct{ In int64 }
		Warnings    []string
	}
	if err := json.Unmarshal([]byte(onCommandLine(t, "status", "--json", path)), &r); err != nil {
		t.Fatal(err)
	}
	if r.LastRequest.In != 23000 {
		t.Errorf("the last request had %d", r.LastRequest.In)
	}
	if !strings.Contains(strings.Join(r.Warnings, " "), "skip") && len(r.Warnings) == 0 {
		t.Errorf("nothing is said about the line: %q", r.Warnings)
	}
}
