// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func makerOf(t *testing.T, model, session string) *maker {
	t.Helper()
	f, err := newFiller(model)
	if err != nil {
		t.Fatal(err)
	}
	k, err := keptBy(strings.Split(readers, ",")...)
	if err != nil {
		t.Fatal(err)
	}
	return newMaker(f, k, []byte(session))
}

const secret = "The quick brown fox\n\tjumps over \"13\" lazy dogs, doesn't it?"

// TestTextsAreReplacedByOnesOfTheSameSize checks that a session keeps its structure and names, and for each text the
// number of tokens, the number of characters and the length in JSON, and that no text and no user name stays.
func TestTextsAreReplacedByOnesOfTheSameSize(t *testing.T) {
	t.Chdir("../..")
	for _, model := range []string{"gpt-5.5", "claude-opus-4-6", "claude-opus-5", "gemini-3-pro-preview"} {
		const session = `{"html":"\u003cb\u003ea b c d e f\u003c/b\u003e","type":"user", "cwd": "/Users/mallory/shop","gitBranch":"mallory/fix","usage":{"in":12},"id":"msg_01AbC",` +
			`"name":"mcp__shop__find","file_path":"/Users/mallory/shop/main.go","workdir":"/Users/mallory/private/x.go",` +
			`"text":"<local-command-stdout>The quick brown fox\n\tjumps over \"13\" lazy dogs, doesn't it?</local-command-stdout>",` +
			`"arguments":"{\"cmd\": \"echo The quick brown fox\"}","What is a quick fox?":"yes","author":{"name":"mallory2"},"mallory_policy":1}`
		m := makerOf(t, model, session)
		got := string(m.replaced([]byte(session)))
		var record struct{ Type, Cwd, ID, Name, Text, Arguments string }
		if err := json.Unmarshal([]byte(got), &record); err != nil {
			t.Fatalf("%v in %s", err, got)
		}
		if record.Type != "user" || record.Cwd != "/Users/someone/shop" || record.ID != "msg_01AbC" || record.Name != "mcp__shop__find" ||
			!strings.Contains(got, `,"type":"user", "cwd": `) || !strings.Contains(got, `"/Users/someone/shop/main.go"`) {
			t.Errorf("%s: names or structure changed: %s", model, got)
		}
		for _, gone := range []string{"quick", "lazy", "/mallory", "mallory/", "mallory2", "private"} {
			if strings.Contains(got, gone) {
				t.Errorf("%s: %s has stayed: %s", model, gone, got)
			}
		}
		if len(got) != len(session) {
			t.Errorf("%s: %d bytes became %d: %s", model, len(session), len(got), got)
		}
		if !strings.HasPrefix(record.Text, "<local-command-stdout>") || !strings.HasSuffix(record.Text, "</local-command-stdout>") {
			t.Errorf("%s: words of readers are gone: %s", model, got)
		}
		for _, text := range []string{
			secret, strings.Repeat(secret, 40), strings.Repeat("a.b[0]={};\n", 300), strings.Repeat("        return\n", 200),
			"| a | b |\n" + strings.Repeat("-", 300), "naïve café, 東京都の天気", "x", "ok then",
		} {
			made := m.fill(text)
			want, have := m.sizeOf(text), m.sizeOf(made)
			// Estimates are rounded sums of fractions, so not every number can be reached.
			if want.chars != have.chars || max(want.tokens-have.tokens, have.tokens-want.tokens) > 1+want.tokens/100 {
				t.Errorf("%s: %+v became %+v: %q", model, want, have, made[:min(len(made), 60)])
			}
		}
	}
}

// TestEqualTextsStayEqual checks that equal texts stay equal and different texts stay different, because readers
// recognize messages by their text.
func TestEqualTextsStayEqual(t *testing.T) {
	t.Chdir("../..")
	m := makerOf(t, "claude-opus-4-6", "")
	made := map[string]string{}
	for _, text := range strings.Fields("fix fit fan fox fir fog far fad fin fig fee fen fun fur fly few for fro fry fat") {
		for _, text := range []string{text, text + " it", secret + text, "RGVzIE1lbnNjaGVuIFNlZWxlIGdsZWljaHQgZGVtIFdhc3Nlcg" + strings.Repeat(text, 30)} {
			out := m.value("", "text", text)
			if other, ok := made[out]; ok && len(text) > 3 && other != text {
				t.Errorf("%q and %q became %q", other, text, out)
			}
			made[out] = text
			if again := m.value("", "content", text); again != out {
				t.Errorf("%q became %q and %q", text, out, again)
			}
		}
	}
}

// TestOurWordsAreOneTokenEach checks the words of which texts are made.
func TestOurWordsAreOneTokenEach(t *testing.T) {
	t.Chdir("../..")
	for _, model := range []string{"gpt-5.5", "gpt-4"} {
		f, err := newFiller(model)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range strings.Fields(ours) {
			if n := f.count(word + strings.Repeat(" "+word, 9) + "\n " + word); n != 12 {
				t.Errorf("%s: %q ten times is %d tokens", model, word, n)
			}
		}
	}
}

// TestCallsInTextsStay checks that a call that is written in a text keeps its name, its id and the names of its
// arguments, and nothing else.
func TestCallsInTextsStay(t *testing.T) {
	t.Chdir("../..")
	m := makerOf(t, "gpt-5.5", "{}")
	const text = "I look at the quick brown fox.\n@shell(call-1): {\"command\": \"echo the quick {brown} fox\", \"wait\": 3}\nMore of the quick fox, @not(a): {call}\n@broken(x): {\"quick"
	made := m.fill(text)
	before, call, arguments, after := cutCall(made)
	var given struct {
		Command string
		Wait    int
	}
	if err := json.Unmarshal([]byte(arguments), &given); err != nil || call != "@shell(call-1): " || given.Wait != 3 || given.Command == "" {
		t.Fatalf("%v: %q", err, made)
	}
	if strings.Contains(made, "quick") || strings.TrimSpace(before) == "" || strings.TrimSpace(after) == "" {
		t.Errorf("%q", made)
	}
	if m.count(made) != m.count(text) {
		t.Errorf("%d tokens became %d", m.count(text), m.count(made))
	}
}
