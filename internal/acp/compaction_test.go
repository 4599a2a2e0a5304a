// Copyright The ctx-lsp authors. MIT licence.

package acp

import (
	"bytes"
	"strings"
	"testing"
)

// TestCompactionsOfAnAgent checks that a completed compaction is reported once, with the summary left by its updates
// and chunks.
func TestCompactionsOfAnAgent(t *testing.T) {
	update := func(rest string) string {
		return `{"method":"session/update","params":{"sessionId":"s","update":{` + rest + `}}}` + "\n"
	}
	text := func(text string) string { return `{"type":"text","text":"` + text + `"}` }
	chunk := func(id, content string) string {
		return update(`"sessionUpdate":"compaction_summary_chunk","compactionId":"` + id + `","content":` + content)
	}
	status := func(id, status, more string) string {
		return update(`"sessionUpdate":"compaction_update","compactionId":"` + id + `","status":"` + status + `"` + more)
	}
	for name, test := range map[string]struct {
		lines []string
		want  string
	}{
		"one update":            {[]string{status("a", "completed", `,"summary":[`+text("kept")+`,`+text(" too")+`]`)}, `"kept too"`},
		"without a summary":     {[]string{status("a", "in_progress", ""), status("a", "completed", "")}, `""`},
		"chunks":                {[]string{status("a", "in_progress", ""), chunk("a", text("one ")), chunk("a", text("two")), status("a", "completed", "")}, `"one two"`},
		"chunks are replaced":   {[]string{status("a", "in_progress", ""), chunk("a", text("one ")), status("a", "completed", `,"summary":[`+text("all")+`]`)}, `"all"`},
		"chunks are cleared":    {[]string{status("a", "in_progress", ""), chunk("a", text("one ")), status("a", "completed", `,"summary":null`)}, `""`},
		"chunks of another one": {[]string{chunk("b", text("other")), status("a", "completed", "")}, `""`},
		"completed twice":       {[]string{status("a", "completed", `,"summary":[`+text("kept")+`]`), status("a", "completed", "")}, `"kept"`},
		"failed":                {[]string{status("a", "in_progress", ""), status("a", "failed", `,"error":"no"`)}, ""},
		"cancelled":             {[]string{status("a", "cancelled", ""), status("a", "completed", "")}, ""},
		"an unknown status":     {[]string{status("a", "_half", "")}, ""},
		"without an id":         {[]string{update(`"sessionUpdate":"compaction_update","status":"completed"`)}, ""},
	} {
		watch := &recorder{}
		var client bytes.Buffer
		lines := strings.Join(test.lines, "")
		if err := New(&client, watch).FromAgent(strings.NewReader(lines)); err != nil {
			t.Fatal(err)
		}
		if client.String() != lines {
			t.Errorf("%s: the client got %s", name, client.String())
		}
		var got []string
		for _, reported := range watch.reported {
			if rest, ok := strings.CutPrefix(reported, "compacted s "); ok {
				got = append(got, rest)
			} else if reported != "compacting s" {
				t.Errorf("%s: %s", name, reported)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, expected %q", name, got, test.want)
		}
	}
}

// TestACompactionIsOnlySentToClientsThatKnowIt checks the capability in version 1, and version 2.
func TestACompactionIsOnlySentToClientsThatKnowIt(t *testing.T) {
	const sent = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"compaction_update",` +
		`"compactionId":"ctx-1","status":"completed","_meta":{"ctx":{"from":"store"}}}}}` + "\n"
	for _, test := range []struct {
		params, result string
		known          bool
	}{
		{`{"protocolVersion":1,"clientCapabilities":{"session":{"compaction":{}}}}`, `{"protocolVersion":1}`, true},
		{`{"protocolVersion":1,"clientCapabilities":{"session":{"compaction":null}}}`, `{"protocolVersion":1}`, false},
		{`{"protocolVersion":1,"clientCapabilities":{"session":null}}`, `{"protocolVersion":1}`, false},
		{`{"protocolVersion":1,"clientCapabilities":{"session":"yes"}}`, `{"protocolVersion":1}`, false},
		{`{"protocolVersion":2}`, `{"protocolVersion":2}`, true},
		{`{"protocolVersion":2}`, `{"protocolVersion":1}`, false},
		{`{}`, `{}`, false},
	} {
		var client, agent bytes.Buffer
		c := New(&client, &recorder{})
		if err := c.FromClient(strings.NewReader(`{"id":0,"method":"initialize","params":`+test.params+"}\n"), &agent); err != nil {
			t.Fatal(err)
		}
		answer := `{"id":0,"result":` + test.result + "}\n"
		if err := c.FromAgent(strings.NewReader(answer)); err != nil {
			t.Fatal(err)
		}
		if err := c.SendCompaction("s", "ctx-1", []byte(`{"ctx":{"from":"store"}}`)); err != nil {
			t.Fatal(err)
		}
		want := answer
		if test.known {
			want += sent
		}
		if client.String() != want {
			t.Errorf("%s: the client got %s", test.params, client.String())
		}
	}
}
