// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	stdjson "encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

type usageCase struct {
	Name     string
	Provider string
	Value    stdjson.RawMessage
	Want     struct {
		Request                              string
		In, Out, Reasoning                   *int64
		CacheRead, CacheWrite                *int64
		KeptLong, CacheLife                  int64
		Text, Image, Audio, Video, Document  *int64
		Window                               *int64
		Sum, Partial, Ambiguous, ServerTools bool
		Counted, Aside                       bool
		Note, Warning                        string
	}
}

func corpus[T any](t *testing.T, name string) []T {
	t.Helper()
	text, err := os.ReadFile("../../testdata/providers/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []T }
	decoder := stdjson.NewDecoder(strings.NewReader(string(text)))
	if err := decoder.Decode(&file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatalf("%s has no cases", name)
	}
	return file.Cases
}

func parse(t *testing.T, text string) json.Value {
	t.Helper()
	v, err := json.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func number(n *int64) int64 {
	if n == nil {
		return core.Unknown
	}
	return *n
}

func TestEveryProviderMeansWhatItsDocumentationSays(t *testing.T) {
	for _, c := range corpus[usageCase](t, "usage.json") {
		t.Run(c.Name, func(t *testing.T) {
			m, warnings, err := Usage(c.Provider, parse(t, string(c.Value)), nil)
			if err != nil {
				t.Fatal(err)
			}
			if c.Want.Warning == "" && len(warnings) > 0 {
				t.Errorf("warned without need: %v", warnings)
			}
			if c.Want.Warning != "" && (len(warnings) == 0 || warnings[0].Field != c.Want.Warning) {
				t.Errorf("warnings %v, want one of %s", warnings, c.Want.Warning)
			}
			if (c.Want.Note == "") != m.Note.Empty() || !strings.Contains(m.Note.String(), c.Want.Note) {
				t.Errorf("note %q, want %q in it", m.Note, c.Want.Note)
			}
			want := core.NewMetered()
			want.Request, want.Note = c.Want.Request, m.Note
			want.In, want.Out, want.Reasoning = number(c.Want.In), number(c.Want.Out), number(c.Want.Reasoning)
			want.CacheRead, want.CacheWrite = number(c.Want.CacheRead), number(c.Want.CacheWrite)
			want.KeptLong, want.CacheLife = c.Want.KeptLong, c.Want.CacheLife
			want.ByModality.Text, want.ByModality.Image = number(c.Want.Text), number(c.Want.Image)
			want.ByModality.Audio, want.ByModality.Video = number(c.Want.Audio), number(c.Want.Video)
			want.ByModality.Document = number(c.Want.Document)
			want.Window, want.Sum, want.Partial = number(c.Want.Window), c.Want.Sum, c.Want.Partial
			want.Counted, want.SideRequest = c.Want.Counted, c.Want.Aside
			want.Ambiguous, want.ServerTools = c.Want.Ambiguous, c.Want.ServerTools
			if !reflect.DeepEqual(m, want) {
				t.Errorf("\n got %+v\nwant %+v", m, want)
			}
		})
	}
}

func TestWhatHoldsNoUsageSaysSo(t *testing.T) {
	for _, text := range []string{`{}`, `{"error":{"message":"no"}}`, `{"usage":{}}`, `{"usage":{"cost":1}}`, `null`, `[]`, `5`, `true`, `"<html>"`} {
		m, _, err := Usage("", parse(t, text), nil)
		if err != ErrNoUsage {
			t.Errorf("%s: error %v, read as %+v", text, err, m)
		}
	}
}

func TestWhatIsNoObjectIsAWarning(t *testing.T) {
	for text, field := range map[string]string{
		`{"usage":[1]}`: "usage", `{"usage":"x"}`: "usage", `{"usage":null}`: "usage",
		`{"usageMetadata":[]}`: "usageMetadata",
	} {
		m, warnings, err := Usage("", parse(t, text), nil)
		if err != nil || len(warnings) != 1 || warnings[0].Field != field || m.In != core.Unknown || m.Out != core.Unknown {
			t.Errorf("%s: %+v, %v, %v", text, m, warnings, err)
		}
	}
	for _, text := range []string{`[[]]`, `[[],{"input_tokens":1,"output_tokens":2}]`} {
		if _, warnings, _ := Usage("", parse(t, text), nil); len(warnings) > 0 {
			t.Errorf("%s: %v", text, warnings)
		}
	}
	// For a named provider, the missing field is known.
	for provider, field := range map[string]string{"openai": "prompt_tokens", "anthropic": "input_tokens", "bedrock": "inputTokens", "gemini": "promptTokenCount", "cohere": "tokens"} {
		for _, text := range []string{`{}`, `{"usage":{}}`} {
			if text != `{}` && provider == "gemini" {
				continue
			}
			_, warnings, err := Usage(provider, parse(t, text), nil)
			if err != nil || len(warnings) == 0 || warnings[0].Field != field {
				t.Errorf("%s %s: %v, %v", provider, text, warnings, err)
			}
		}
	}
}

// An object is a usage by its names alone if two of them are known numbers and none is a name that a message has.
func TestTwoWordsMakeAUsage(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: false, `{"input":1}`: false, `{"input":1,"output":2}`: true, `{"input":null,"output":null}`: true, `{"input":"a","output":"b"}`: false,
		`{"input":1,"output":"b"}`: true, `{"input":1,"price":2}`: false, `{"input":1,"cache":{"read":1}}`: true, `{"cache":{"read":1}}`: false,
		`{"output":"b","cache":{"read":1}}`: true, `{"input":1,"cache":3}`: false,
		`{"input":1,"output":2,"text":"a"}`: false, `{"input":1,"output":2,"role":"user"}`: false, `{"content":[],"input":1,"output":2}`: false,
	} {
		if got := namesUsage(parse(t, text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestTheDocumentationNamesEveryShape(t *testing.T) {
	text, err := os.ReadFile("../../docs/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	for s := noShape + 1; s < shapes; s++ {
		name := s.String()
		if s == sdk4 || s == sdk {
			name = "ai-sdk-4, ai-sdk"
		}
		if !strings.Contains(string(text), "| "+name+" |") {
			t.Errorf("docs/providers.md has no row for %s", name)
		}
	}
}

// TestAWrappedUsageIsFound checks the objects that agents and clients wrap around a usage, and those of them without
// one: input, output, request and window of the usage.
func TestAWrappedUsageIsFound(t *testing.T) {
	const tokens = `"tokens":{"input":10,"output":2,"reasoning":3,"cache":{"read":90,"write":5}}`
	const none, event = "none", "-1 -1 \"\" -1 partial"
	for text, want := range map[string]string{
		`{"type":"message.part.updated","properties":{"part":{"messageID":"m","id":"p","type":"step-finish",` + tokens + `}}}`: `105 5 "p" -1`,
		`{"type":"step_finish","part":{"messageID":"m","id":"p","type":"step-finish",` + tokens + `}}`:                         `105 5 "p" -1`,
		`{"properties":{"part":{"messageID":"m","id":"p","type":"text",` + tokens + `}}}`:                                      event,
		`{"part":{"id":"p","type":"step-finish",` + tokens + `}}`:                                                              none,

		`{"data":{"info":{"id":"i","role":"assistant",` + tokens + `}}}`:                                                           `105 5 "i" -1`,
		`{"properties":{"info":{"id":"i","role":"assistant","time":{"created":1},"tokens":{"input":0,"output":0}}}}`:               event,
		`{"properties":{"info":{"id":"i","role":"assistant","time":{"created":1,"completed":2},"tokens":{"input":0,"output":7}}}}`: `0 7 "i" -1`,
		`{"info":{"id":"i","role":"assistant","time":{"created":1},"tokens":{"input":1,"output":7}}}`:                              `1 7 "i" -1`,
		`{"type":"session.usage.updated"}`: event,
		`{"context_window":{"context_window_size":0,"total_input_tokens":7,"total_output_tokens":3}}`: `7 3 "" -1`,
		`{"info":{"id":"i","role":"user"}}`:                          event,
		`{"info":{"id":"i",` + tokens + `}}`:                         none,
		`{"id":"i","modelID":"m","role":"assistant",` + tokens + `}`: `105 5 "i" -1`,
		`{"id":"i","modelID":"m",` + tokens + `}`:                    `105 5 "i" -1`,
		`{"id":"i","modelID":"m","role":"user"}`:                     event,
		`{"id":"i","modelID":"m"}`:                                   none,

		`{"AdditionalProperties":{"LastInputTokenCount":7,"LastOutputTokenCount":3}}`:  `7 3 "" -1`,
		`{"additionalProperties":{"lastInputTokenCount":7,"lastOutputTokenCount":3}}`:  `7 3 "" -1`,
		`{"LastInputTokenCount":7,"LastOutputTokenCount":3,"AdditionalProperties":{}}`: none,
		`{"params":{"update":{"sessionUpdate":"usage_update","used":5,"size":100}}}`:   `5 0 "" 100`,
		`{"type":"result","num_turns":1,"usage":{"input_tokens":3,"output_tokens":1}}`: `3 1 "" -1`,
		`{"steps":[{"usage":{"input_tokens":1,"output_tokens":1},"response":{"id":"a"}},{"usage":{"input_tokens":3,"output_tokens":1},"response":{"id":"b"}}],"usage":{"input_tokens":4,"output_tokens":2}}`: `3 1 "b" -1`,
		`{"last_token_usage":{"input_tokens":3,"output_tokens":1},"total_token_usage":{"input_tokens":30,"output_tokens":1},"model_context_window":100}`:                                                     `3 1 "" 100`,
	} {
		m, warnings, err := Usage("", parse(t, text), nil)
		got := fmt.Sprintf("%d %d %q %d", m.In, m.Out, m.Request, m.Window)
		if m.Partial {
			got += " partial"
		}
		if err == ErrNoUsage {
			got = none
		}
		if got != want || len(warnings) > 0 {
			t.Errorf("%s: %s, want %s: %v, %v", text, got, want, warnings, err)
		}
	}
}

// TestOneValueHasAFewWarnings checks that warnings are not repeated, and that their number is bounded.
func TestOneValueHasAFewWarnings(t *testing.T) {
	var r reader
	for i := range 2 * maxWarnings {
		for range 2 {
			r.warn(fmt.Sprint(i), core.Named("a reason"))
		}
	}
	if r.warn("0", core.Named("another")); len(r.warnings) != maxWarnings || r.warnings[31].Field != "31" {
		t.Errorf("%d warnings: %v", len(r.warnings), r.warnings)
	}
}
