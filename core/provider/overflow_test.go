// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	stdjson "encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
)

type overflowCase struct {
	Name     string
	Provider string
	Status   int
	Value    stdjson.RawMessage
	Want     *struct {
		Prompt, Output, Limit *int64
		LimitIs, PromptIs     string
	}
}

func TestRefusalsTeachTheWindowAndThePrompt(t *testing.T) {
	limitKinds := map[string]core.LimitKind{"": core.LimitTotal, "total": core.LimitTotal, "input": core.LimitInput, "unknown": core.LimitUnknown}
	exactness := map[string]core.Exactness{"": core.Exact, "exact": core.Exact, "lowerBound": core.LowerBound, "approximate": core.Approximate}
	for _, c := range corpus[overflowCase](t, "overflow.json") {
		t.Run(c.Name, func(t *testing.T) {
			o, ok := Error(c.Provider, c.Status, parse(t, string(c.Value)))
			if ok != (c.Want != nil) {
				t.Fatalf("overflow %v, want %v: %+v", ok, c.Want != nil, o)
			}
			if !ok {
				return
			}
			want := core.Overflowed{
				Prompt: number(c.Want.Prompt), Output: number(c.Want.Output), Limit: number(c.Want.Limit),
				LimitIs: limitKinds[c.Want.LimitIs], PromptIs: exactness[c.Want.PromptIs], Note: o.Note,
			}
			if want.Limit == core.Unknown {
				want.LimitIs = core.LimitUnknown
			}
			if !reflect.DeepEqual(o, want) {
				t.Errorf("\n got %+v\nwant %+v", o, want)
			}
		})
	}
}

// The order matters if a sentence matches two patterns.
func TestTheMoreDetailedPatternWins(t *testing.T) {
	for _, c := range []struct{ text, name string }{
		{"maximum context length is 10 tokens. However, you requested 4 output tokens and your prompt contains at least 7 input tokens, for a total", "vllm, stopped counting"},
		{"maximum context length is 10 tokens. However, you requested 11 tokens (7 in the messages, 4 in the completion).", "openai, split"},
		{"maximum context length is 10 tokens. However, you requested about 11 tokens (11 of text input).", "openrouter"},
		{"maximum context length is 10 tokens. However, your messages resulted in 11 tokens", "openai"},
		{"exceeded model token limit: 10 (requested: 12)", "moonshot"},
		{"total number of tokens in the prompt cannot exceed 10 - received 12", "cohere"},
		{"exceeds the model's maximum context length of 10 tokens", "litellm"},
	} {
		got := ""
		for i := range refusals {
			var found captures
			if refusals[i].pattern.find([]byte(c.text), &found) {
				got = refusals[i].name
				break
			}
		}
		if got != c.name {
			t.Errorf("%q: %q came first, want %q", c.text, got, c.name)
		}
	}
}

func TestNothingOfAnErrorIsKept(t *testing.T) {
	const secret = "sk-ant-0123456789abcdef"
	for _, text := range []string{
		`{"error":{"message":"key ` + secret + `: prompt is too long: 213462 tokens > 200000 maximum"}}`,
		`{"error":{"message":"` + secret + ` exceeds the context window","code":"` + secret + `"}}`,
		`"` + secret + ` exceeds the context window"`,
	} {
		o, ok := Error("anthropic", 400, parse(t, text))
		if !ok {
			t.Errorf("%s: not recognised", text)
		}
		if strings.Contains(o.Note.String(), secret) {
			t.Errorf("the note holds a secret: %s", o.Note)
		}
	}
	for _, text := range []string{`{"prompt_tokens":"` + secret + `","completion_tokens":1}`, `{"input_tokens":["` + secret + `"],"output_tokens":{"a":"` + secret + `"}}`} {
		_, warnings, _ := Usage("", parse(t, text), nil)
		if len(warnings) == 0 {
			t.Errorf("%s: no warning", text)
		}
		for _, w := range warnings {
			if strings.Contains(w.Reason.String()+w.Field, secret) {
				t.Errorf("a warning holds a secret: %s", w)
			}
		}
	}
}

func TestHostileErrorsAreReadInLinearTime(t *testing.T) {
	for _, piece := range []string{"maximum context length is 1 tokens ", "prompt is too long", "(((((", "You passed 1 input tokens and requested 1 output tokens.", "9", "input length and "} {
		text := strings.Repeat(piece, 1<<20/len(piece))
		quoted, _ := stdjson.Marshal(text)
		v, err := json.Parse(quoted)
		if err != nil {
			t.Fatal(err)
		}
		if used := rusage.Of(func() { Error("", 400, v) }); used > 2*time.Second {
			t.Errorf("%q repeated to 1 MB used %v", piece, used)
		}
	}
}

func TestNumbersTooLargeAreUnknown(t *testing.T) {
	o, ok := Error("anthropic", 400, parse(t, `"prompt is too long: 99999999999999999999999999 tokens > 200000 maximum"`))
	if !ok || o.Prompt != core.Unknown || o.Limit != 200000 {
		t.Errorf("%v %+v", ok, o)
	}
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern pattern
		text    string
		ok      bool
		values  []int64
	}{
		{"a # b", "x A 12 B", true, []int64{12}},
		{"a # b", "a x b", false, nil},
		{"a{ (#)} end", "a end", true, nil},
		{"a{ (#)} end", "a (5) end", true, []int64{5}},
		{"<x|y> #", "y 1,234,567", true, []int64{1234567}},
		{"a~b #", "a b x b 3", true, []int64{3}},
		{"a~b #", "a b x", false, nil},
		{"# tokens", "12, 13 tokens", true, []int64{13}},
	} {
		var got captures
		ok := c.pattern.find([]byte(c.text), &got)
		if ok != c.ok || ok && got.n != len(c.values) {
			t.Errorf("%q in %q: %v %+v", c.pattern, c.text, ok, got)
			continue
		}
		for i, v := range c.values {
			if got.value[i] != v {
				t.Errorf("%q in %q: %v", c.pattern, c.text, got.value[:got.n])
			}
		}
	}
}

// Reading any error must end, and all numbers must come from it.
func TestErrorsOfAnyShape(t *testing.T) {
	seed := time.Now().UnixNano()
	random := rand.New(rand.NewSource(seed))
	cases := corpus[overflowCase](t, "overflow.json")
	for range 2000 {
		text := []byte(cases[random.Intn(len(cases))].Value)
		mutated := append([]byte(nil), text...)
		for range 1 + random.Intn(4) {
			mutated[random.Intn(len(mutated))] = `"{}[]:,0123456789 aeio\`[random.Intn(22)]
		}
		v, err := json.Parse(mutated)
		if err != nil {
			continue
		}
		o, ok := Error("", 0, v)
		for _, n := range []int64{o.Prompt, o.Output, o.Limit} {
			if n != core.Unknown && (n < 0 || n > 5*core.MaxTokens || !ok) {
				t.Fatalf("seed %d: %s: %+v", seed, mutated, o)
			}
		}
	}
}

// An error's text may be JSON within JSON.
func TestEscapesInsideOfTextsAreUndone(t *testing.T) {
	for escaped, want := range map[string]string{
		`5 \u003e 4`: "5 > 4", `5 \u003E 4`: "5 > 4", `\u003e`: ">", `\"a\/b\'`: `"a/b'`, `a\nb`: "a\nb",
		`\u013e`: `\u013e`, `\u0a3e`: `\u0a3e`, `\u003`: `\u003`, `\t`: `\t`, `a\`: `a\`,
	} {
		s := statement{text: []byte(escaped)}
		if s.unescape(); string(s.text) != want {
			t.Errorf("%s becomes %q, want %q", escaped, s.text, want)
		}
	}
}

// An error is read as deep as providers and their gateways nest it, and no deeper.
func TestAnErrorIsReadToADepth(t *testing.T) {
	const refusal = `"prompt is too long: 213462 tokens > 200000 maximum"`
	for _, around := range []struct{ before, after string }{{`{"error":`, `}`}, {`{"code":`, `}`}, {`[`, `]`}} {
		for depth := range 2 * maxDepth {
			text := strings.Repeat(around.before, depth) + refusal + strings.Repeat(around.after, depth)
			if o, ok := Error("", 400, parse(t, text)); ok != (depth <= maxDepth) || ok && o.Prompt != 213462 {
				t.Errorf("%d times %s: %v, %+v", depth, around.before, ok, o)
			}
		}
	}
}

func TestPatternsFindNumbersInSentences(t *testing.T) {
	const unknown = core.Unknown
	for _, c := range []struct {
		pattern pattern
		text    string
		found   bool
		numbers []int64
	}{
		{"limit #", "the LIMIT 12 is low", true, []int64{12}},
		{"Limit #", "the limit 12", true, []int64{12}},
		{"limit #", "the limit is 12", false, nil},
		{"limit #", "limit", false, nil},
		{"limit #.", "limit 1,234,567.", true, []int64{1234567}},
		{"limit #, ", "limit 1,234, or", true, []int64{1234}},
		{"limit #,", "limit 12,", true, []int64{12}},
		{"limit #", "limit 12: too long", true, []int64{12}},
		{"limit #", "limit 12/13", true, []int64{12}},
		{"limit #,or", "limit 12,or less", true, []int64{12}},
		{"limit #", "limit ,12", false, nil},
		{"limit #,,", "limit 1,,2", true, []int64{1}},
		{"limit # or #", fmt.Sprintf("limit %d or 99999999999999999999", core.MaxTokens+1), true, []int64{unknown, unknown}},
		{"limit #", fmt.Sprintf("limit %d", core.MaxTokens), true, []int64{core.MaxTokens}},
		{"a{, #}{; #} end", "a end", true, nil},
		{"a{, #}{; #} end", "a, 1 end", true, []int64{1}},
		{"a{, #}{; #} end", "a; 2 end", true, []int64{2}},
		{"a{, #}{; #} end", "a, 1; 2 end", true, []int64{1, 2}},
		{"a{, #}{; #} end", "a; 2, 1 end", false, nil},
		{"a{ {`}b{`} #} end", "a end", true, nil},
		{"a{ {`}b{`} #} end", "a `b` 3 end", true, []int64{3}},
		{"a{ {`}b{`} #} end", "a b 3 end", true, []int64{3}},
		{"a{ {`}b{`} #} end", "a `b end", false, nil},
		{"[#", "{7", false, nil},
		{"@#", "`7", false, nil},
		{"<in|for> #", "for 3", true, []int64{3}},
		{"<in|for> #", "in 3", true, []int64{3}},
		{"<in|for> #", "at 3", false, nil},
		{"<# of|#> it", "3 it", true, []int64{3}},
		{"a ~# b", "a 1 c, 2 b", true, []int64{2}},
		{"{x}#", "7", true, []int64{7}},
		{"", "anything", false, nil},
	} {
		var got captures
		if found := c.pattern.find([]byte(c.text), &got); found != c.found || found && !slices.Equal(got.value[:got.n], c.numbers) {
			t.Errorf("%q in %q: %v, %v", c.pattern, c.text, found, got.value[:got.n])
		}
	}
}

func TestAGapOfAPatternHasALimit(t *testing.T) {
	for gap, want := range map[int]bool{0: true, 1: true, maxGap: true, maxGap + 1: false} {
		var found captures
		text := "limit" + strings.Repeat("-", gap) + "7"
		if got := pattern("limit~#").find([]byte(text), &found); got != want || want && found.value[0] != 7 {
			t.Errorf("a gap of %d: %v, %d", gap, got, found.value[0])
		}
	}
}
