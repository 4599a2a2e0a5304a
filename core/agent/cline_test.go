// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
)

const clineHead = `{"version":1,"agent":"lead","sessionId":"s","messages":[],"system_prompt":"You work in a shop of teas."}`

// clineReads returns a call that reads files, and its result. Each file has 7,900 bytes; a query that begins with a
// quotation mark is the members that name it.
func clineReads(call string, queries ...string) []string {
	var entries []string
	for _, query := range queries {
		if !strings.HasPrefix(query, `"`) {
			query = `"query":"` + query + `"`
		}
		entries = append(entries, `{`+query+`,"result":"`+strings.Repeat("assam, keemun;", 565)[:7900]+`","success":true}`)
	}
	return []string{
		`{"id":"a` + call + `","role":"assistant","content":[{"type":"tool_use","id":"` + call + `","name":"read_files","input":{}}],"modelInfo":{"id":"gpt-5.5","provider":"openai"}}`,
		`{"id":"u` + call + `","role":"user","content":[{"type":"tool_result","tool_use_id":"` + call + `","name":"read_files","content":[` + strings.Join(entries, ",") + `]}]}`,
	}
}

// TestFilesThatClineReadAgainAreReplaced checks when results of Cline are replaced: once later calls have read files of
// 65,536 bytes again, as a whole or the same lines.
func TestFilesThatClineReadAgainAreReplaced(t *testing.T) {
	replaced := func(queries ...string) (items []int) {
		records := []string{clineHead}
		for i, query := range queries {
			records = append(records, clineReads(fmt.Sprint("c", i), strings.Split(query, "+")...)...)
		}
		for _, r := range of[core.Replaced](eventsOf(t, agent.Cline, records...)) {
			if r.Item.Kind != core.ToolResults || r.Item.Tokens > 2100 {
				t.Errorf("%+v", r)
			}
			items = append(items, r.Index)
		}
		return items
	}
	again := func(n int, query string) []string { return slices.Repeat([]string{query}, n) }
	for name, test := range map[string]struct {
		queries []string
		want    []int
	}{
		"eight that are outdated":             {again(9, "/w/a.go"), nil},
		"nine":                                {again(10, "/w/a.go"), []int{1, 3, 5, 7, 9, 11, 13, 15, 17}},
		"later ones wait for as much":         {again(13, "/w/a.go"), []int{1, 3, 5, 7, 9, 11, 13, 15, 17}},
		"the same lines":                      {again(10, "/w/a.go:5-EOF"), []int{1, 3, 5, 7, 9, 11, 13, 15, 17}},
		"other lines":                         {[]string{"/w/a.go:1-2", "/w/a.go:2-3", "/w/a.go:3-4", "/w/a.go:4-5", "/w/a.go:5-6", "/w/a.go:6-7", "/w/a.go:7-8", "/w/a.go:8-9", "/w/a.go:9-10", "/w/a.go:10-11"}, nil},
		"lines, after the whole file":         {[]string{"/w/a.go", "/w/a.go:1-2", "/w/a.go:2-3", "/w/a.go:3-4", "/w/a.go:4-5", "/w/a.go:5-6", "/w/a.go:6-7", "/w/a.go:7-8", "/w/a.go:8-9", "/w/a.go:9-10"}, []int{3, 5, 7, 9, 11, 13, 15, 17, 19}},
		"files named by their path":           {again(10, `"path":"/w/a.go"`), []int{1, 3, 5, 7, 9, 11, 13, 15, 17}},
		"the same lines of a file":            {again(10, `"file_path":"/w/a.go","start_line":1,"end_line":2`), []int{1, 3, 5, 7, 9, 11, 13, 15, 17}},
		"the same lines to the end":           {again(10, `"filePath":"/w/a.go","start_line":2`), []int{1, 3, 5, 7, 9, 11, 13, 15, 17}},
		"other lines of a file":               {strings.Split(strings.Repeat(`"path":"/w/a.go","start_line":1,"end_line":2|"path":"/w/a.go","start_line":1,"end_line":3|"path":"/w/a.go","end_line":3|`, 5), "|")[:9], nil},
		"a file that has no name":             {again(10, `"success":true`), nil},
		"a drive is not a range of lines":     {append(again(9, `C:1`), `C:2`), nil},
		"a result with one file of two":       {[]string{"/w/a.go+/w/b.go", "/w/a.go+/w/c.go", "/w/a.go+/w/d.go", "/w/a.go+/w/e.go", "/w/a.go+/w/f.go", "/w/a.go+/w/g.go", "/w/a.go+/w/h.go", "/w/a.go+/w/i.go", "/w/a.go+/w/j.go", "/w/a.go"}, []int{1, 3, 5, 7, 9, 11, 13, 15, 17}},
		"a result with both files of two":     {again(6, "/w/a.go+/w/b.go"), []int{1, 3, 5, 7, 9}},
		"a result of which one file is newer": {append(again(9, "/w/a.go"), "/w/a.go+/w/b.go", "/w/a.go"), []int{1, 3, 5, 7, 9, 11, 13, 15, 17}},
	} {
		if got := replaced(test.queries...); !slices.Equal(got, test.want) {
			t.Errorf("%s: items %v are replaced, want %v", name, got, test.want)
		}
	}
}

// TestAReplacedFileLeavesItsNote checks the sizes of replaced results: 40 tokens for each replaced file, and a quarter
// of the bytes of the others.
func TestAReplacedFileLeavesItsNote(t *testing.T) {
	for _, c := range []struct {
		queries func(n int) []string
		want    int64
	}{
		{func(int) []string { return []string{"/w/a.go"} }, 40},
		{func(int) []string { return []string{"/w/a.go", "/w/b.go"} }, 80},
		{func(n int) []string { return []string{"/w/a.go", fmt.Sprintf("/w/%d.go", n)} }, 40 + int64(len(`{"query":"/w/0.go","result":"","success":true}`)+7900)/4},
	} {
		records := []string{clineHead}
		for n := range 10 {
			records = append(records, clineReads(fmt.Sprint("c", n), c.queries(n)...)...)
		}
		replaced := of[core.Replaced](eventsOf(t, agent.Cline, records...))
		for _, r := range replaced {
			if r.Item.Tokens != c.want {
				t.Errorf("%v: result %d has %d tokens, want %d", c.queries(0), r.Index, r.Item.Tokens, c.want)
			}
		}
		if len(replaced) == 0 {
			t.Errorf("%v: no result is replaced", c.queries(0))
		}
	}
}

// TestTheSystemPromptOfClineIsCountedForItsModel checks a prompt that is recorded before the model is.
func TestTheSystemPromptOfClineIsCountedForItsModel(t *testing.T) {
	answer := `{"id":"m1","role":"assistant","content":"Yes.","modelInfo":{"id":"gpt-5.5","provider":"openai"},"metrics":{"inputTokens":9000,"outputTokens":9}}`
	rows := func(records ...string) []core.Row {
		return sessionOf(eventsOf(t, agent.Cline, records...)).Reading().Breakdown
	}
	manifest := `{"table":"cline-session","model":"gpt-5.5","provider":"openai"}`
	early, late := rows(clineHead, answer), rows(manifest, clineHead, answer)
	if !reflect.DeepEqual(early, late) || early[0].Kind != core.System || early[0].Basis != core.Counted {
		t.Errorf("%+v\n%+v with a manifest", early, late)
	}
}

// TestACompactionOfClineReplacesItsMessages checks the messages that Cline 4 sends instead of those before.
func TestACompactionOfClineReplacesItsMessages(t *testing.T) {
	reads := clineReads("c1", "/w/a.go")
	records := append([]string{clineHead, `{"id":"m1","role":"user","content":"` + strings.Repeat("Which teas? ", 2000) + `"}`}, reads...)
	used := func(more ...string) int64 {
		return sessionOf(eventsOf(t, agent.Cline, append(slices.Clone(records), more...)...)).Reading().Used
	}
	sent := `{"table":"cline-compaction","sent":[{"role":"user","content":[{"type":"text","text":"Context summary: two teas."}],"metadata":{"kind":"compaction_summary"}},` + strings.Join(reads, ",") + `]}`
	before, after := used(), used(sent)
	if before-after < 5000 || after < 2000 {
		t.Errorf("%d tokens before, %d after", before, after)
	}
	s := sessionOf(eventsOf(t, agent.Cline, append(slices.Clone(records), sent, `{"id":"m9","role":"user","content":"Go on."}`)...))
	kinds := map[core.Kind]bool{}
	for _, row := range s.Reading().Breakdown {
		kinds[row.Kind] = true
	}
	if s.Reading().Compaction.Count != 1 || !kinds[core.Summary] || !kinds[core.ToolResults] || !kinds[core.ToolCalls] {
		t.Errorf("%d compactions, rows %v", s.Reading().Compaction.Count, kinds)
	}
}

// TestToolsOfClineHaveASizeIfItsVersionIsKnown checks the size of Cline's own tools, which the table has by version.
func TestToolsOfClineHaveASizeIfItsVersionIsKnown(t *testing.T) {
	for version, want := range map[string]string{
		`,"version":"3.0.65"`: "Built-in tools: 2344",
		`,"version":"3.0.66"`: "Built-in tools: 2344",
		`,"version":"2.9.0"`:  "",
		"":                    "",
	} {
		found := ""
		for _, known := range of[core.PrefixKnown](eventsOf(t, agent.Cline, `{"table":"cline-session","model":"gpt-5.5","provider":"openai"`+version+`}`, clineHead)) {
			if known.Kind == core.Tools && len(known.Parts) == 1 {
				found = fmt.Sprintf("%s: %d", known.Parts[0].Label, known.Parts[0].Tokens)
			}
		}
		if found != want {
			t.Errorf("the manifest with %s: %q, want %q", version, found, want)
		}
	}
}

// TestClineAssumesAWindowForAProviderOfTheUser checks the window of a provider that Cline's list of models lacks.
func TestClineAssumesAWindowForAProviderOfTheUser(t *testing.T) {
	for provider, want := range map[string]int64{"openai-compatible": 128_000, "openai": core.Unknown} {
		l, _ := agent.Window(agent.Installation{Agent: agent.Cline, Version: "4.x", Provider: provider, Model: "gpt-5.5"})
		if l.Window != want {
			t.Errorf("%s: %d", provider, l.Window)
		}
	}
}
