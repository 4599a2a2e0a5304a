// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

const root = "../../.."

// TestTheTableMatchesTheData checks that the committed file is generated from the data files, and that each of its
// lines can be parsed: twelve columns, with numbers as sizes.
func TestTheTableMatchesTheData(t *testing.T) {
	want, err := table(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(root + "/core/agent/prefix_table.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), want) {
		t.Error("core/agent/prefix_table.go is not what tools/gen/prefix/*.json say: run make generated")
	}
	_, lines, _ := strings.Cut(string(want), "const builtInTable = `\n")
	for line := range strings.Lines(strings.TrimSuffix(lines, "`\n")) {
		columns := strings.Fields(line)
		if len(columns) != 12 {
			t.Errorf("%d columns in %q", len(columns), line)
			continue
		}
		for i, column := range columns[4:11] {
			n := int64(0)
			if _, err := fmt.Sscan(column, &n); err != nil && (column != "-" || i == 0 || i == 2) || n < 0 || n > 100_000 {
				t.Errorf("%q is no size in %q", column, line)
			}
		}
	}
}

// TestEveryPinIsMeasured checks that each version is measured for each family, from a package pinned by a digest, and
// that the parts add up to the whole.
func TestEveryPinIsMeasured(t *testing.T) {
	var pins []pin
	if err := read(root, "pins.json", &pins); err != nil {
		t.Fatal(err)
	}
	sizes, err := readSizes(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pins {
		for _, f := range families(p.Agent) {
			if !slices.ContainsFunc(sizes, func(m measured) bool { return m.Agent == p.Agent && m.Version == p.Version && m.Model == f.pattern }) {
				t.Errorf("%v was not measured for %s", &p, f.pattern)
			}
		}
	}
	for _, m := range sizes {
		p := pinOf(pins, m)
		switch {
		case p == nil:
			t.Errorf("%s@%s is not pinned", m.Agent, m.Version)
		case p.Repository != "": // its commit is the digest
			if len(p.Commit) != 40 || m.Source != "github "+p.Repository+"@"+p.Commit {
				t.Errorf("%s@%s was read in %q", m.Agent, m.Version, m.Source)
			}
		case !strings.HasPrefix(m.Integrity, "sha512-"):
			t.Errorf("%s@%s: digest %q", m.Agent, m.Version, m.Integrity)
		}
		sum := int64(0)
		for _, n := range m.Tools {
			sum += n
		}
		least := 5
		if m.Agent == "pi" { // read, bash, edit and write
			least = 4
		}
		// A line end costs one token or none.
		if m.System < 500 || len(m.Tools) < least || m.Types >= m.JSON || sum > m.JSON || sum+int64(len(m.Tools)) < m.JSON {
			t.Errorf("%s@%s %s: system %d, %d tools %d, as types %d, as JSON %d", m.Agent, m.Version, m.Model, m.System, len(m.Tools), sum, m.Types, m.JSON)
		}
	}
}

// TestRequestsOfEveryFormAreRead checks chat completions, generateContent, and responses with separate instructions or
// with instructions as the first message.
func TestRequestsOfEveryFormAreRead(t *testing.T) {
	for _, body := range []string{
		`{"messages":[{"role":"system","content":"You are."},{"role":"user","content":[{"type":"text","text":"Today.\n\"Say hello.\""}]}],` +
			`"tools":[{"type":"function","function":{"name":"read","description":"Reads.","parameters":{"type":"object"}}}]}`,
		`{"systemInstruction":{"role":"user","parts":[{"text":"You are."}]},"contents":[{"role":"user","parts":[{"text":"Today.\n"}]},{"role":"user","parts":[{"text":"Say hello."}]}],` +
			`"tools":[{"functionDeclarations":[{"name":"read","description":"Reads.","parametersJsonSchema":{"type":"object"}}]}]}`,
		`{"instructions":"You are.","input":[{"type":"message","role":"developer","content":[{"type":"input_text","text":"Today."}]},` +
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"Say hello."}]}],` +
			`"tools":[{"type":"function","name":"read","description":"Reads.","strict":false,"parameters":{"type":"object"}}]}`,
		`{"input":[{"role":"developer","content":[{"type":"input_text","text":"You are."}]},{"role":"developer","content":"Today."},` +
			`{"role":"user","content":[{"type":"input_text","text":"Say hello."}]}],` +
			`"tools":[{"type":"function","name":"read","description":"Reads.","parameters":{"type":"object"}}]}`,
	} {
		q, err := readRequest([]byte(body))
		if err != nil || q.system != "You are." || strings.TrimSpace(q.context) != "Today." || len(q.tools) != 1 ||
			q.tools[0].Name != "read" || q.tools[0].Description != "Reads." || string(q.tools[0].Parameters) != `{"type":"object"}` {
			t.Errorf("%s is read as %+v, %v", body, q, err)
		}
	}
	own := `{"instructions":"You are.","tools":[{"type":"web_search"},{"type":"custom","name":"apply_patch","format":{"type":"grammar"}}]}`
	if q, err := readRequest([]byte(own)); err != nil || len(q.tools) != 2 || q.tools[0].Name != "web_search" || len(q.tools[1].Format) == 0 {
		t.Errorf("%s is read as %+v, %v", own, q, err)
	}
	if _, err := readRequest([]byte(`{"tools":[{"name":"read"}]}`)); err == nil {
		t.Error("a request without a system prompt is measured as one of 0 tokens")
	}
}

// TestRemindersAreDivided checks that a list of skills, a list of tools to search for, and the rest of the text before
// the user's message are measured separately, and that a tool's characters are not escaped for HTML.
func TestRemindersAreDivided(t *testing.T) {
	reminder := func(text string) string { return "<system-reminder>" + text + "</system-reminder>" }
	q := request{
		system: "You are.", context: reminder("<available_skills> one two three") + reminder("use `tool_search`") + reminder("Today."),
		tools: []tool{{Name: "read", Description: "a<b"}},
	}
	words := func(text []byte) int64 { return int64(len(strings.Fields(string(text)))) }
	m, err := measure(pin{Agent: "qwen-code"}, digest{}, family{"*", "m"}, q, words)
	if err != nil || m.Skills != 4 || m.Listed != 2 || m.Context != 1 || m.reminder() != 7 || m.context(&pin{}) != 0 {
		t.Errorf("%+v, %v", m, err)
	}
	if text, err := asJSON(q.tools); err != nil || string(text) != `[{"name":"read","description":"a<b"}]` {
		t.Errorf("%s, %v", text, err)
	}
}
