// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	stdjson "encoding/json"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

type streamCase struct {
	Name     string
	Provider string
	Events   []stdjson.RawMessage
	Want     struct {
		Request               string
		In, Out, Reasoning    *int64
		CacheRead, CacheWrite *int64
		CacheLife             int64
		Sum, ServerTools      bool
	}
}

func (c *streamCase) want() core.Metered {
	m := core.NewMetered()
	m.Request, m.In, m.Out, m.Reasoning = c.Want.Request, number(c.Want.In), number(c.Want.Out), number(c.Want.Reasoning)
	m.CacheRead, m.CacheWrite, m.Sum, m.ServerTools = number(c.Want.CacheRead), number(c.Want.CacheWrite), c.Want.Sum, c.Want.ServerTools
	m.CacheLife = c.Want.CacheLife
	return m
}

// withoutNotes removes the fields that tests of streams do not compare.
func withoutNotes(m core.Metered) core.Metered {
	m.Note = core.Text{}
	m.ByModality = core.NoModality
	return m
}

func TestStreamsGatherByTheirProvidersRule(t *testing.T) {
	for _, c := range corpus[streamCase](t, "streams.json") {
		t.Run(c.Name, func(t *testing.T) {
			var acc Accumulator
			var m core.Metered
			for i, event := range c.Events {
				var err error
				var warnings []Warning
				m, warnings, err = Usage(c.Provider, parse(t, string(event)), &acc)
				if err != nil && i == len(c.Events)-1 {
					t.Fatalf("event %d: %v", i, err)
				}
				if len(warnings) > 0 {
					t.Errorf("event %d: %v", i, warnings)
				}
			}
			if got := withoutNotes(m); !reflect.DeepEqual(got, c.want()) {
				t.Errorf("\n got %+v\nwant %+v", got, c.want())
			}
		})
	}
}

// The text of a stream is split at the ends of objects, and a string may contain any character.
func TestAnObjectEndsOutsideOfStrings(t *testing.T) {
	for text, want := range map[string]int{
		`{"a":1} {`: 7, `[[1],[2]],`: 9, `{"a":"}"}`: 9, `{"a":"\"}"}`: 11, `{"a":"\\"}"`: 10, `{"a":"\\\"}"}`: 13,
		``: 0, `{"a":1`: 0, `{"a":"}`: 0, `{"a":"\"}`: 0,
	} {
		if got := extent([]byte(text)); got != want {
			t.Errorf("%s ends at %d, want %d", text, got, want)
		}
	}
}

// A value from an earlier piece of a stream stays until a later piece replaces it. If tools ran on the server, that
// applies to the whole request.
func TestPiecesOfAStreamComplementEachOther(t *testing.T) {
	gather := func(pieces ...string) core.Metered {
		t.Helper()
		var acc Accumulator
		var m core.Metered
		for _, piece := range pieces {
			var err error
			if m, _, err = Usage("", parse(t, piece), &acc); err != nil {
				t.Fatalf("%s: %v", piece, err)
			}
		}
		return m
	}
	const start = `{"type":"message_start","message":{"id":"m","usage":{"input_tokens":9000,"output_tokens":1`
	const delta = `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":50`
	const searched = `,"server_tool_use":{"web_search_requests":1}`
	for _, m := range []core.Metered{gather(start+`}}}`, delta+searched+`}}`), gather(start+searched+`}}}`, delta+`}}`)} {
		if !m.ServerTools || m.Note.Empty() || m.In != 9000 || m.Out != 50 {
			t.Errorf("a search of the server: %+v", m)
		}
	}
	status := func(window string) string {
		return `{"context_window":{"context_window_size":` + window + `,"current_usage":{"input_tokens":5,"output_tokens":1}}}`
	}
	if m := gather(status("200000"), status("1000000")); m.Window != 1000000 {
		t.Errorf("a later window: %+v", m)
	}
	if m := gather(status("200000"), status("0")); m.Window != 200000 {
		t.Errorf("no later window: %+v", m)
	}
	// {read, write} shows that reasoning is not included in the output.
	if m := gather(`{"input":10,"output":1}`, `{"input":10,"output":5,"reasoning":3,"cache":{"read":40,"write":0}}`); m.In != 50 || m.Out != 8 {
		t.Errorf("a later placement: %+v", m)
	}
}

// A stream must have the same result however it is split: into arrays of events, or as text at any byte.
func TestSplittingAStreamAnywhereGivesTheSame(t *testing.T) {
	seed := time.Now().UnixNano()
	random := rand.New(rand.NewSource(seed))
	for _, c := range corpus[streamCase](t, "streams.json") {
		want := c.want()
		check := func(how string, m core.Metered) {
			t.Helper()
			if got := withoutNotes(m); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, %s, %s:\n got %+v\nwant %+v", seed, c.Name, how, got, want)
			}
		}
		// Every way to split the list of events into two arrays.
		for cut := 0; cut <= len(c.Events); cut++ {
			var acc Accumulator
			first, _ := stdjson.Marshal(c.Events[:cut])
			second, _ := stdjson.Marshal(c.Events[cut:])
			m, _, _ := Usage(c.Provider, parse(t, string(first)), &acc)
			if cut < len(c.Events) {
				m, _, _ = Usage(c.Provider, parse(t, string(second)), &acc)
			}
			check("as two arrays", m)
		}
		// As the text of server-sent events, of JSON lines, and of an array, split at every byte.
		var sse, lines strings.Builder
		for _, event := range c.Events {
			sse.WriteString("event: x\ndata: " + compactJSON(event) + "\n\n")
			lines.WriteString(compactJSON(event) + "\r\n")
		}
		sse.WriteString("data: [DONE]\n\n")
		array, _ := stdjson.MarshalIndent(c.Events, "", "  ")
		for _, text := range []string{sse.String(), ": comment\r\n" + strings.ReplaceAll(sse.String(), "\n", "\r\n"), lines.String(), string(array)} {
			for cut := 0; cut <= len(text); cut++ {
				check("as text in two", feed(t, c.Provider, text[:cut], text[cut:]))
			}
			for range 20 {
				var pieces []string
				for rest := text; rest != ""; {
					n := 1 + random.Intn(min(len(rest), 1+random.Intn(60)))
					pieces = append(pieces, rest[:n])
					rest = rest[n:]
				}
				check("as text in many", feed(t, c.Provider, pieces...))
			}
		}
	}
}

func compactJSON(raw stdjson.RawMessage) string {
	var v any
	stdjson.Unmarshal(raw, &v)
	text, _ := stdjson.Marshal(v)
	return string(text)
}

func feed(t *testing.T, provider string, pieces ...string) core.Metered {
	var acc Accumulator
	var m core.Metered
	for _, piece := range pieces {
		quoted, _ := stdjson.Marshal(piece)
		v, err := json.Parse(quoted)
		if err != nil {
			t.Fatal(err)
		}
		m, _, _ = Usage(provider, v, &acc)
	}
	return m
}

func TestAStreamIsPartialUntilItsEnd(t *testing.T) {
	var acc Accumulator
	for i, step := range []struct {
		event   string
		in, out int64
		partial bool
	}{
		{`{"type":"message_start","message":{"id":"msg_1","usage":{"input_tokens":10,"cache_read_input_tokens":90,"cache_creation_input_tokens":0,"output_tokens":1}}}`, 100, 1, true},
		{`{"type":"content_block_delta","delta":{"text":"x"}}`, 100, 1, true},
		{`{"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":5}}`, 100, 5, true},
		{`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":null,"output_tokens":9}}`, 100, 9, false},
		{`{"type":"message_stop"}`, 100, 9, false},
	} {
		m, _, err := Usage("anthropic", parse(t, step.event), &acc)
		if err != nil || m.In != step.in || m.Out != step.out || m.Partial != step.partial || m.Request != "msg_1" {
			t.Errorf("event %d: %+v, %v", i, m, err)
		}
	}
}

func TestAStreamThatHasSaidNothingYetIsNoError(t *testing.T) {
	var acc Accumulator
	m, _, err := Usage("openai", parse(t, `{"object":"chat.completion.chunk","choices":[{"delta":{"content":"a"}}],"usage":null}`), &acc)
	if err != nil || !m.Partial || m.In != core.Unknown {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestAnEndlessEventIsGivenUp(t *testing.T) {
	var acc Accumulator
	piece, _ := stdjson.Marshal(`data: {"a":"` + strings.Repeat("x", 1<<18))
	warned := false
	for range 6 {
		v, _ := json.Parse(piece)
		_, warnings, _ := Usage("", v, &acc)
		warned = warned || len(warnings) > 0
		if len(acc.pending) > maxPending {
			t.Fatalf("%d bytes are pending", len(acc.pending))
		}
	}
	if !warned {
		t.Error("no warning")
	}
	// The next event is read.
	quoted, _ := stdjson.Marshal("data: {\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1}}\n")
	v, _ := json.Parse(quoted)
	acc.Reset()
	if m, _, err := Usage("", v, &acc); err != nil || m.In != 3 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestTheShapeTellsTheRoute(t *testing.T) {
	for text, want := range map[string]string{
		`{"prompt_tokens":1,"completion_tokens":1}`:                                "chat",
		`{"input_tokens":1,"output_tokens":1,"total_tokens":2}`:                    "responses",
		`{"input_tokens":1,"output_tokens":1,"cache_read_input_tokens":0}`:         "",
		`{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}`:      "",
		`{"choices":[{"delta":{}}],"object":"chat.completion.chunk","usage":null}`: "",
	} {
		var acc Accumulator
		Usage("", parse(t, text), &acc)
		if got := acc.Route(); got != want {
			t.Errorf("%s: route %q, want %q", text, got, want)
		}
	}
}

// TestAStreamEndsWithAnUnreadableLastPiece checks that the piece with the stop reason ends the stream of a request even
// if its usage cannot be read.
func TestAStreamEndsWithAnUnreadableLastPiece(t *testing.T) {
	for _, last := range []string{`7`, `"many"`, `[1]`, `{"input_tokens":-4,"output_tokens":"x"}`} {
		acc := &Accumulator{}
		piece := func(text string) (partial bool, warned int) {
			v, err := json.Parse([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			m, warnings, err := Usage("anthropic", v, acc)
			if err != nil {
				t.Fatal(err)
			}
			return m.Partial, len(warnings)
		}
		if partial, _ := piece(`{"type":"message_start","message":{"id":"m","usage":{"input_tokens":100,"output_tokens":1}}}`); !partial {
			t.Error("the first piece ends the stream")
		}
		if partial, warned := piece(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":` + last + `}`); partial || warned == 0 {
			t.Errorf("usage %s: more is to come: %v, %d warnings", last, partial, warned)
		}
	}
}
