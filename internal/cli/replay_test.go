// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// testEnvironment returns an environment without a terminal, a home and saved data.
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

// onCommandLine runs a command and returns its output.
func onCommandLine(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(context.Background(), testEnvironment(t, &out, &errs), args); code != exitOK {
		t.Fatalf("%v exits with %d: %s", args, code, errs.String())
	}
	return out.String()
}

type predictedStep struct {
	File                         string
	Session                      string
	Call                         int64
	Predicted, Low, High, Actual int64
	Kind                         string
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

// beforeCalls cuts a transcript just before each of its measured requests: before the first record of each answer. The
// index of a cut is the request's, starting at 0; it is nil if the transcript cannot be cut there.
func beforeCalls(t *testing.T, path string, text []byte) [][]byte {
	switch filepath.Base(filepath.Dir(path)) {
	case "codex":
		return beforeCodexCalls(text)
	case "opencode", "gemini-cli", "mini-swe-agent":
		return beforeMessages(t, text)
	}
	return beforeClaudeCalls(text)
}

func beforeClaudeCalls(text []byte) [][]byte {
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

// beforeCodexCalls cuts a transcript of Codex, in which an answer's items come before the count of its request.
func beforeCodexCalls(text []byte) [][]byte {
	var cuts [][]byte
	at, answer, total := 0, -1, int64(0)
	for _, line := range bytes.SplitAfter(text, []byte("\n")) {
		var r struct {
			Type    string
			Payload struct {
				Type, Role string
				Info       *struct {
					Total struct {
						Tokens int64 `json:"total_tokens"`
					} `json:"total_token_usage"`
					Last struct {
						In int64 `json:"input_tokens"`
					} `json:"last_token_usage"`
				}
			}
		}
		if json.Unmarshal(line, &r) == nil {
			switch p := r.Payload; {
			case r.Type == "response_item" && answer < 0 && (p.Role == "assistant" || p.Type == "reasoning" || strings.HasSuffix(p.Type, "_call")):
				answer = at
			case r.Type == "compacted":
				answer = -1
			case r.Type == "event_msg" && p.Type == "turn_aborted":
				answer = -1
			case r.Type == "event_msg" && p.Type == "token_count" && p.Info != nil && p.Info.Last.In > 0 && p.Info.Total.Tokens != total:
				total = p.Info.Total.Tokens
				if answer < 0 {
					answer = at
				}
				cuts = append(cuts, text[:answer])
				answer = -1
			}
		}
		at += len(line)
	}
	return cuts
}

// beforeMessages cuts a document's list of messages before each measured one.
func beforeMessages(t *testing.T, text []byte) [][]byte {
	var document map[string]json.RawMessage
	var messages []json.RawMessage
	if json.Unmarshal(text, &document) != nil || json.Unmarshal(document["messages"], &messages) != nil {
		t.Fatal("a document without messages")
	}
	var cuts [][]byte
	for i, message := range messages {
		var m struct {
			Info struct {
				Tokens struct {
					Input int64
					Cache struct{ Read, Write int64 }
				}
			} // OpenCode
			Tokens struct{ Input int64 } // Gemini CLI
			Extra  struct {
				Response struct {
					Usage struct {
						In int64 `json:"prompt_tokens"`
					}
				}
			} // mini-swe-agent
		}
		if json.Unmarshal(message, &m) != nil || m.Info.Tokens.Input+m.Info.Tokens.Cache.Read+m.Info.Tokens.Cache.Write+m.Tokens.Input+m.Extra.Response.Usage.In <= 0 {
			continue
		}
		document["messages"], _ = json.Marshal(messages[:i])
		cut, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		cuts = append(cuts, cut)
	}
	return cuts
}

// There is one formula: for a transcript that ends just before a request, status shows exactly the prediction of
// replay. The requests are picked at random.
func TestStatusMatchesThePredictionsOfReplay(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewSource(seed))
	path := madeTranscript(t)
	paths := []string{path}
	if dir := os.Getenv("CTX_TRANSCRIPTS"); dir == "" {
		t.Log("CTX_TRANSCRIPTS is not set: only a session made up is tested")
	} else {
		for _, agent := range []string{"claude-code", "codex", "opencode", "gemini-cli", "mini-swe-agent"} {
			real, _ := filepath.Glob(filepath.Join(dir, agent, "*.json*"))
			paths = append(paths, real...)
		}
	}
	random.Shuffle(len(paths)-1, func(i, j int) { paths[1+i], paths[1+j] = paths[1+j], paths[1+i] })
	began := time.Now()
	for i, path := range paths {
		if time.Since(began) > 45*time.Second {
			t.Logf("%d of %d sessions were compared within the time", i, len(paths))
			break
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cuts := beforeCalls(t, path, text)
		steps := replaySteps(t, path)
		random.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		for _, step := range steps[:min(len(steps), 4)] {
			if int(step.Call) > len(cuts) {
				t.Errorf("%s: call %d of %d", path, step.Call, len(cuts))
				continue
			}
			cut := filepath.Join(t.TempDir(), "cut"+filepath.Ext(path))
			if err := os.WriteFile(cut, cuts[step.Call-1], 0o644); err != nil {
				t.Fatal(err)
			}
			var r struct {
				Used  int64
				Range api.Span
			}
			if err := json.Unmarshal([]byte(onCommandLine(t, "status", "--json", cut)), &r); err != nil {
				t.Fatal(err)
			}
			if r.Used == step.Predicted && (r.Range.Low != step.Low || r.Range.High != step.High) {
				t.Errorf("%s call %d (%s): status says %d to %d, replay %d to %d", path, step.Call, step.Kind, r.Range.Low, r.Range.High, step.Low, step.High)
			}
			if r.Used != step.Predicted {
				t.Errorf("%s call %d (%s): status says %d, replay predicts %d (actual %d)", path, step.Call, step.Kind, r.Used, step.Predicted, step.Actual)
			}
		}
	}
}

// madeTranscript returns the transcript of a session of twelve requests.
func madeTranscript(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "made.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	writeClaudeTranscript(f, "made", "/w", 12, 0)
	return path
}

// TestStepsOfRedactedTextAreListedSeparately checks that steps after redacted text have rows of their own and are
// excluded from the others, because removed text cannot be predicted.
func TestStepsOfRedactedTextAreListedSeparately(t *testing.T) {
	path := madeTranscript(t)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A message of the user and a result lose a secret; secrets in the first prompt were never predicted.
	whole := string(text)
	const result = `"tool_use_id":"toolu_5","type":"tool_result","content":"`
	cut := strings.Replace(strings.Replace(whole, result, result+"[REDACTED] ", 1), "Please look into it", "Use [REDACTED]", 1)
	kinds := func(text string) (steps map[string]int) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var result realReplay
		if err := json.Unmarshal([]byte(onCommandLine(t, "replay", "--json", path)), &result); err != nil {
			t.Fatal(err)
		}
		steps = map[string]int{}
		for _, q := range result.Kinds {
			steps[q.Kind] = q.Steps
		}
		return steps
	}
	before, after := kinds(whole), kinds(cut)
	apart := 0
	for kind, n := range after {
		if plain, redacted := strings.CutSuffix(kind, ", redacted"); redacted {
			apart += n
			if before[plain] != after[plain]+n {
				t.Errorf("of %d %s steps %d stand apart and %d do not", before[plain], plain, n, after[plain])
			}
		}
	}
	if apart != 1 {
		t.Errorf("%d steps stand apart: %v, before %v", apart, after, before)
	}
}

// A line of 200 MB is skipped, and the following ones are read.
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
		Warnings    []api.Text
	}
	if err := json.Unmarshal([]byte(onCommandLine(t, "status", "--json", path)), &r); err != nil {
		t.Fatal(err)
	}
	if r.LastRequest.In != 23000 {
		t.Errorf("the last request had %d", r.LastRequest.In)
	}
	if !strings.Contains(strings.Join(api.Sentences(r.Warnings), " "), "skip") && len(r.Warnings) == 0 {
		t.Errorf("nothing is said about the line: %q", r.Warnings)
	}
}
