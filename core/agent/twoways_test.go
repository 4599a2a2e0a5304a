// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
)

// flipping writes a transcript of Gemini CLI in which each prompt is counted in one of two ways, apart by a share in
// thousandths: its records, one for each call and one for its result.
func flipping(random *rand.Rand, requests int, apart func() int64) (records []string) {
	records = append(records, `{"sessionId":"flips","projectHash":"00","startTime":"2026-06-14T15:30:00.000Z","kind":"main"}`)
	prompt := int64(60_000 + random.Intn(60_000))
	for n := range requests {
		if n%15 == 0 {
			records = append(records, fmt.Sprintf(`{"id":"u%d","timestamp":"2026-06-14T%02d:%02d:00.000Z","type":"user","content":"Look at the next file."}`, n, 10+n/60, n%60))
		}
		words := 20 + random.Intn(900)
		counted, out := prompt+prompt*apart()/1000, 30+random.Int63n(200)
		call := fmt.Sprintf(`{"id":"m%d","timestamp":"2026-06-14T%02d:%02d:01.000Z","type":"gemini","content":"I will look.","tokens":{"input":%d,"output":%d,"cached":0,"thoughts":0,"tool":0,"total":%d},"model":"gemini-3.1-pro-preview","toolCalls":[{"id":"c%d","name":"read_file","args":{"file_path":"a.ts"},"status":"success","result":[{"functionResponse":{"id":"c%d","name":"read_file","response":{"output":"%s"}}}]}]}`,
			n, 10+n/60, n%60, counted, out, counted+out, n, n, strings.Repeat("word ", words))
		records = append(records, call)
		prompt += out + int64(words)*114/100 + 20
	}
	return records
}

// TestTwoWaysOfCountingInATranscript checks that ranges cover nine of ten prompts of transcripts whose provider counts
// in two ways, that the Reading names the reason, and that it does so only there.
func TestTwoWaysOfCountingInATranscript(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewSource(seed))
	shop := count.NewVocabularies()
	vocabulary, _ := assets.Pack("o200k")
	if err := shop.Load("o200k", vocabulary); err != nil {
		t.Fatal(err)
	}
	for name, apart := range map[string]func() func() int64{
		"12%":       func() func() int64 { return func() int64 { return random.Int63n(2) * 124 } },
		"7 to 15%":  func() func() int64 { a := 70 + random.Int63n(81); return func() int64 { return random.Int63n(2) * a } },
		"no flips":  func() func() int64 { return func() int64 { return 0 } },
		"each time": func() func() int64 { n := int64(0); return func() int64 { n++; return n % 2 * 124 } },
	} {
		steps, held := 0, 0
		for range 6 {
			s := core.New(core.Identity{ID: "flips"}, shop)
			s.Recording = true
			reader := agent.New(agent.GeminiCLI)
			for _, record := range flipping(random, 70, apart()) {
				reader.Record(parse(t, []byte(record)), s.Apply)
			}
			for _, step := range s.TakeSteps() {
				steps++
				if step.Low <= step.Actual && step.Actual <= step.High {
					held++
				}
			}
			if cause := s.Reading().RangeCause.String(); (cause == "counted in two ways by the provider") != (name != "no flips") {
				t.Errorf("%s: the range is wide because of %q", name, cause)
			}
		}
		t.Logf("%s: %d of %d", name, held, steps)
		if steps < 6*60 || name != "no flips" && held*1000 < steps*900 {
			t.Errorf("%s: %d of %d ranges covered the prompt", name, held, steps)
		}
	}
}
