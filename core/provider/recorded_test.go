// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"bufio"
	"crypto/sha256"
	stdjson "encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// variants calls f after each change of one member of root, by removing or replacing it.
func variants(root any, f func()) {
	var walk func(v any, set func(any))
	walk = func(v any, set func(any)) {
		others := []any{nil, stdjson.Number("0"), stdjson.Number("1"), stdjson.Number("-1"), stdjson.Number("1.5"), "12", "", []any{}, map[string]any{}, true}
		if n, ok := v.(stdjson.Number); ok {
			if old, err := n.Int64(); err == nil {
				for _, by := range []int64{old + 1, old - 1, 2 * old, core.MaxTokens, core.MaxTokens + 1} {
					others = append(others, stdjson.Number(strconv.FormatInt(by, 10)))
				}
			}
		}
		if set != nil {
			for _, other := range others {
				set(other)
				f()
			}
			set(v)
		}
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				old := v[k]
				delete(v, k)
				f()
				v[k] = old
				walk(old, func(x any) { v[k] = x })
			}
		case []any:
			for i, old := range v {
				walk(old, func(x any) { v[i] = x })
			}
		}
	}
	f()
	walk(root, nil)
}

func decoded(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	d := stdjson.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

func encoded(t *testing.T, value any) json.Value {
	t.Helper()
	text, err := stdjson.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(text))
}

// spokenFor are names of providers that decide the meaning of an ambiguous shape.
var spokenFor = []string{
	"openai", "azure", "anthropic", "google", "vertex", "bedrock", "amazon-bedrock", "cohere", "mistral", "xai", "deepseek", "moonshotai",
	"perplexity", "openrouter", "groq", "alibaba", "ollama", "llama.cpp", "lmstudio", "langchain", "genkit", "ai-sdk", "ai", "vercel",
	"opentelemetry", "acp", "ctx", "claude-code",
}

// recordUsage records the meaning of a usage and its variants, and whether they hide a refusal.
func recordUsage(t *testing.T, w io.Writer, c usageCase) {
	value := decoded(t, c.Value)
	for _, provider := range spokenFor {
		for _, v := range []any{
			value,
			[]any{value},
			[]any{value, value},
			map[string]any{"usage": value},
			map[string]any{"response": value},
			map[string]any{"message": value},
			map[string]any{"type": "finish", "usage": value},
			map[string]any{"type": "stream-end", "response": map[string]any{"meta": value}},
			map[string]any{"sessionUpdate": "usage_update", "used": value},
			map[string]any{"update": value},
		} {
			m, warnings, err := Usage(provider, encoded(t, v), nil)
			fmt.Fprintf(w, "%v %v %v\n", m, warnings, err)
		}
	}
	for _, provider := range []string{c.Provider, "", "compat-oai"} {
		variants(value, func() {
			v := encoded(t, value)
			var acc Accumulator
			m, warnings, err := Usage(provider, v, nil)
			fmt.Fprintf(w, "%v %v %v\n", m, warnings, err)
			m, warnings, err = Usage(provider, v, &acc)
			fmt.Fprintf(w, "%v %v %v %s\n", m, warnings, err, acc.Route())
			for _, window := range []int64{core.Unknown, m.In - 1, m.In, m.In + 1, m.In + m.In/100, m.In + m.In/99} {
				o, ok := Silent(provider, v, m, window)
				fmt.Fprintf(w, "%v %v\n", o, ok)
			}
		})
	}
}

// recordStream records the meaning of a stream after each event: unchanged, and with one event missing, doubled or
// changed.
func recordStream(t *testing.T, w io.Writer, c streamCase) {
	var events []any
	for _, event := range c.Events {
		events = append(events, decoded(t, event))
	}
	read := func(events []any) {
		var acc Accumulator
		for _, event := range events {
			m, warnings, err := Usage(c.Provider, encoded(t, event), &acc)
			fmt.Fprintf(w, "%v %v %v %s\n", m, warnings, err, acc.Route())
		}
	}
	read(events)
	for i := range events {
		read(slices.Delete(slices.Clone(events), i, i+1))
		read(slices.Insert(slices.Clone(events), i, events[i]))
	}
	if len(events) < 8 {
		for _, event := range events {
			variants(event, func() { read(events) })
		}
	}
}

// recordRefusal records the result of an error and its variants: another status, one word or number less, other
// numbers.
func recordRefusal(t *testing.T, w io.Writer, c overflowCase) {
	teach := func(status int, text string) {
		v, err := json.Parse([]byte(text))
		if err != nil {
			return
		}
		for _, provider := range []string{c.Provider, ""} {
			o, ok := Error(provider, status, v)
			fmt.Fprintf(w, "%v %v\n", o, ok)
		}
	}
	text := string(c.Value)
	for _, status := range []int{0, 200, 400, 413, 422, 429, 500, c.Status} {
		teach(status, text)
	}
	words := strings.Split(text, " ")
	for i := range words {
		teach(c.Status, strings.Join(slices.Delete(slices.Clone(words), i, i+1), " "))
		teach(c.Status, strings.Join(words[:i], " ")+" "+strings.ToUpper(words[i])+" "+strings.Join(words[i+1:], " "))
	}
	for i := 0; i < len(text); i++ {
		if text[i] >= '0' && text[i] <= '9' {
			teach(c.Status, text[:i]+"0"+text[i+1:])
			teach(c.Status, text[:i]+"7"+text[i:])
			teach(c.Status, text[:i]+text[i+1:])
		}
	}
	for _, escaped := range []string{`\n`, `\/`, `\"`, `\u0027`} {
		teach(c.Status, strings.Replace(text, " ", escaped, 3))
	}
	value := decoded(t, c.Value)
	variants(value, func() {
		again, err := stdjson.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		teach(c.Status, string(again))
	})
	within, err := stdjson.Marshal(map[string]any{"error": map[string]any{"cause": text, "responseBody": text}})
	if err != nil {
		t.Fatal(err)
	}
	teach(c.Status, string(within))
}

// A breeder makes usages and events out of those of testdata.
type breeder struct {
	*rand.Rand
	values    []any
	providers []string
}

// next returns members of two values, with other numbers.
func (b breeder) next() any {
	return b.cross(b.values[b.IntN(len(b.values))], b.values[b.IntN(len(b.values))], 0)
}

// cross returns the members of x, some of them replaced with those of y, and some added.
func (b breeder) cross(x, y any, depth int) any {
	switch x := x.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, k := range slices.Sorted(maps.Keys(x)) {
			if b.IntN(12) > 0 {
				out[k] = b.cross(x[k], x[k], depth+1)
			}
		}
		if other, ok := y.(map[string]any); ok && b.IntN(3) > 0 {
			for _, k := range slices.Sorted(maps.Keys(other)) {
				if b.IntN(3) == 0 {
					out[k] = b.cross(other[k], x[k], depth+1)
				}
			}
		}
		if b.IntN(3) == 0 {
			b.addUp(out)
		}
		return out
	case []any:
		out := []any{}
		for _, e := range x {
			if b.IntN(8) > 0 && len(out) < 6 {
				out = append(out, b.cross(e, e, depth+1))
			}
		}
		return out
	case stdjson.Number:
		switch n, _ := x.Int64(); b.IntN(14) {
		case 0:
			return stdjson.Number("0")
		case 1:
			return stdjson.Number(strconv.FormatInt(b.Int64N(3000), 10))
		case 2:
			return stdjson.Number(strconv.FormatInt(n+1, 10))
		case 3:
			return stdjson.Number(strconv.FormatInt(n/2, 10))
		}
	}
	if b.IntN(60) == 0 {
		return nil
	}
	return x
}

// addUp replaces one number of an object with the sum of some of the others.
func (b breeder) addUp(object map[string]any) {
	sum, last := int64(0), ""
	for _, k := range slices.Sorted(maps.Keys(object)) {
		n, ok := object[k].(stdjson.Number)
		if !ok {
			continue
		}
		if strings.Contains(strings.ToLower(k), "total") || last == "" || b.IntN(6) == 0 {
			last = k
		}
		if v, err := n.Int64(); err == nil && b.IntN(4) > 0 && k != last {
			sum += v
		}
	}
	if last != "" {
		object[last] = stdjson.Number(strconv.FormatInt(sum, 10))
	}
}

// recordBred records the meaning of streams whose events are bred.
func recordBred(t *testing.T, w io.Writer, b breeder) {
	for range 400 {
		var acc Accumulator
		name := b.providers[b.IntN(len(b.providers))]
		for range 1 + b.IntN(3) {
			v := encoded(t, b.next())
			m, warnings, err := Usage(name, v, &acc)
			fmt.Fprintf(w, "%v %v %v %s\n", m, warnings, err, acc.Route())
			o, ok := Silent(name, v, m, m.In-b.Int64N(3)+1)
			fmt.Fprintf(w, "%v %v\n", o, ok)
			o, ok = Error(name, 400, v)
			fmt.Fprintf(w, "%v %v\n", o, ok)
		}
	}
}

// newBreeder returns a breeder of everything in testdata.
func newBreeder(t *testing.T, round uint64) breeder {
	t.Helper()
	b := breeder{Rand: rand.New(rand.NewPCG(7, round)), providers: []string{"", ""}}
	for _, c := range corpus[usageCase](t, "usage.json") {
		b.values, b.providers = append(b.values, decoded(t, c.Value)), append(b.providers, c.Provider)
	}
	for _, c := range corpus[streamCase](t, "streams.json") {
		for _, event := range c.Events {
			b.values = append(b.values, decoded(t, event))
		}
	}
	return b
}

// TestAnswersMeanWhatIsRecorded compares the meaning of each case of testdata/providers, of its variants, and of
// streams that are bred from all of them with recorded digests. make vectors records intended changes.
func TestAnswersMeanWhatIsRecorded(t *testing.T) {
	const path = "testdata/recorded.sum"
	recorded, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	want := strings.Split(string(recorded), "\n")
	var lines []string
	record := func(name string, write func(io.Writer)) {
		sum := sha256.New()
		buffered := bufio.NewWriter(sum)
		write(buffered)
		if err := buffered.Flush(); err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%.4x %s", sum.Sum(nil), name)
		if lines = append(lines, line); !*update && (len(lines) > len(want) || want[len(lines)-1] != line) {
			t.Fatalf("%s: it, or one of its variants, means something else; if the change is meant, make vectors records it", line)
		}
	}
	for _, c := range corpus[usageCase](t, "usage.json") {
		record("usage: "+c.Name, func(w io.Writer) { recordUsage(t, w, c) })
	}
	for _, c := range corpus[streamCase](t, "streams.json") {
		record("stream: "+c.Name, func(w io.Writer) { recordStream(t, w, c) })
	}
	for _, c := range corpus[overflowCase](t, "overflow.json") {
		record("refusal: "+c.Name, func(w io.Writer) { recordRefusal(t, w, c) })
	}
	for round := range uint64(60) {
		b := newBreeder(t, round)
		record(fmt.Sprintf("bred: %d", round), func(w io.Writer) { recordBred(t, w, b) })
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if len(want) != len(lines)+1 {
		t.Errorf("there are %d digests, and %d were recorded", len(lines), len(want)-1)
	}
}
