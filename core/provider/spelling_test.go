// Copyright The ctx-lsp authors. MIT licence.

package provider

import (
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// TestNamesInAnyCaseAreOne checks that case and separators do not matter in the names of a usage, and that other
// characters do.
func TestNamesInAnyCaseAreOne(t *testing.T) {
	scratch := []byte("used before")
	for _, name := range []string{"cacheReadTokens", "cache_read_tokens", "CacheReadTokens", "cache-read-tokens", "cache.read.tokens", "Cache Read Tokens", "CACHE_READ_TOKENS"} {
		if scratch = fold([]byte(name), scratch); string(scratch) != "cachereadtokens" {
			t.Errorf("%q is folded to %q", name, scratch)
		}
	}
	for name, want := range map[string]string{"": "", "AZaz09": "azaz09", "@[`{/:": "@[`{/:", "é_Ü": "éÜ"} {
		if got := string(fold([]byte(name), scratch)); got != want {
			t.Errorf("%q is folded to %q, want %q", name, got, want)
		}
	}
}

// TestNumbersInSentences checks which characters belong to a number.
func TestNumbersInSentences(t *testing.T) {
	for text, want := range map[string]struct {
		value int64
		rest  string
	}{
		"0":                    {0, ""},
		"1,234,567 tokens":     {1_234_567, " tokens"},
		"90, then":             {90, ", then"},
		"12,":                  {12, ","},
		"1,a":                  {1, ",a"},
		"1,:":                  {1, ",:"},
		"1,/":                  {1, ",/"},
		"1,0":                  {10, ""},
		"1,9":                  {19, ""},
		",5":                   {0, ",5"},
		"9:":                   {9, ":"},
		"9/":                   {9, "/"},
		"1099511627776":        {1 << 40, ""},
		"1099511627777.":       {core.Unknown, "."},
		"99999999999999999999": {core.Unknown, ""},
		"x":                    {0, "x"},
	} {
		value, end := numeral([]byte("~"+text), 1)
		if rest := text[end-1:]; value != want.value || rest != want.rest {
			t.Errorf("%q: %d before %q, want %d before %q", text, value, rest, want.value, want.rest)
		}
	}
}

// TestEscapesWithinErrors checks the escapes of JSON within a string that wordings of refusals contain.
func TestEscapesWithinErrors(t *testing.T) {
	for text, want := range map[string]string{
		`203123 tokens \u003e 200000`: "203123 tokens > 200000", `1 \u003E 2`: "1 > 2", `\u003f`: `\u003f`, `\u003`: `\u003`,
		`\"a\/b\'`: `"a/b'`, `a\nb`: "a\nb", `\tb`: `\tb`, `\\n`: `\` + "\n", `end\`: `end\`, "": "", `\`: `\`, `\#\0\(`: `\#\0\(`, "]n": "]n",
	} {
		s := statement{text: []byte(text)}
		if s.unescape(); string(s.text) != want {
			t.Errorf("%q is read as %q, want %q", text, s.text, want)
		}
	}
}

// TestLinesOfServerSentEvents checks which lines have data, and the spaces around it.
func TestLinesOfServerSentEvents(t *testing.T) {
	for line, want := range map[string]string{"data: {}": "{}", "data:{}": "{}", "data: \t{} \r": "{}", "data:": "", "data: ": "", "data: [DONE]\r": "[DONE]", "data:a": "a"} {
		if got, ok := dataOf([]byte(line)); !ok || string(got) != want {
			t.Errorf("%q: %q, %t; want %q", line, got, ok, want)
		}
	}
	for _, line := range []string{"", "data", "dat:", "event: data:", ": comment", "Data: 1", " data: 1"} {
		if got, ok := dataOf([]byte(line)); ok {
			t.Errorf("%q has the data %q", line, got)
		}
	}
}

// TestWhereAValueEnds checks the end of an object or array in a stream that goes on.
func TestWhereAValueEnds(t *testing.T) {
	for text, want := range map[string]string{
		"{}": "{}", "[] ]": "[]", `{"a":{"b":[1]}} {"next"`: `{"a":{"b":[1]}}`, `{"a":"}"}x`: `{"a":"}"}`, `{"a":"\"}"}x`: `{"a":"\"}"}`, `{"a":"\\"}x`: `{"a":"\\"}`,
		"{": "", `{"a":"}`: "", `{"a":"\`: "", "[[]": "", "": "",
	} {
		if got := extent([]byte(text)); got != len(want) {
			t.Errorf("%q ends after %d bytes, want %d", text, got, len(want))
		}
	}
}

// TestStreamsAreReadWhereverTheyAreCut checks events of which only a part has arrived.
func TestStreamsAreReadWhereverTheyAreCut(t *testing.T) {
	const stream = "event: ping\ndata: {\"type\":\"ping\"}\n\n: a comment\n\nevent: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"usage\":{\"input_tokens\":25,\"output_tokens\":1}}}\n\n" +
		"data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":15}}\n\ndata: [DONE]\n\n"
	quoted := func(text string) string {
		return `"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(text) + `"`
	}
	for cut := range len(stream) + 1 {
		var acc Accumulator
		if _, warnings, err := Usage("anthropic", parse(t, quoted(stream[:cut])), &acc); err != nil && cut > 0 || len(warnings) > 0 {
			t.Fatalf("cut at %d: %v, %v", cut, warnings, err)
		}
		m, warnings, err := Usage("anthropic", parse(t, quoted(stream[cut:])), &acc)
		if err != nil || len(warnings) > 0 || m.In != 25 || m.Out != 15 || m.Partial || m.Request != "m" {
			t.Fatalf("cut at %d: %+v, %v, %v", cut, m, warnings, err)
		}
	}
}
