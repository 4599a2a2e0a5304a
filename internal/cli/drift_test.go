// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// An added vocabulary is compared with the session's requests, and one that does not fit the model is a problem. A
// model without such a comparison is estimated, and the reason is printed.
func TestDoctorHoldsAddedVocabulariesAgainstRequests(t *testing.T) {
	folder, data := t.TempDir(), t.TempDir()
	made := filepath.Join("..", "..", "testdata", "vocabularies")
	files := []string{"vocab", "add", "claude"}
	for _, name := range []string{"pieces_v3.json", "pieces_v4_7.json"} {
		path, err := filepath.Abs(filepath.Join(made, name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	if code, _, stderr := counting(t, folder, data, "", files...); code != exitOK {
		t.Fatal(stderr)
	}
	text := strings.Repeat("the world, (it) is three words of a count. ", 20)
	_, stdout, _ := counting(t, folder, data, text, "count", "--model", "claude-opus-5")
	counted, err := strconv.ParseInt(strings.Fields(stdout + " none")[0], 10, 64)
	if err != nil || counted < 100 {
		t.Fatalf("%q: %v", stdout, err)
	}
	for _, c := range []struct {
		model   string
		percent int64 // by how much the requests exceed the count
		calls   int
		odd     string
		not     string
	}{
		{"claude-opus-5", 0, 12, "", "off by"},
		{"claude-opus-5", 8, 12, "The vocabulary claude-v5 is off by +", "Nobody has compared"},
		{"claude-opus-5", 8, 4, "", "off by"},
		{"claude-opus-5-5", 0, 12, "The vocabulary claude-v5 has not been compared with the counts of claude-opus-5-5 itself, so its counts are estimates.", "off by"},
	} {
		write(t, folder, map[string]string{"s.jsonl": toolLoop(c.model, text, counted+counted*c.percent/100, c.calls)})
		code, stdout, stderr := counting(t, folder, data, "", "doctor", "--json", "s.jsonl")
		var found checkup
		if err := json.Unmarshal([]byte(stdout), &found); err != nil || code != exitOK {
			t.Fatalf("%v\n%s", err, stderr)
		}
		odd := strings.Join(found.Odd, "\n")
		if !strings.Contains(odd, c.odd) || strings.Contains(odd, c.not) {
			t.Errorf("%s, %d %% more: odd is\n%s", c.model, c.percent, odd)
		}
		if len(found.Counted) != 1 {
			t.Fatalf("%s: %+v", c.model, found.Counted)
		}
		v := found.Counted[0]
		if v.Name != "claude-v5" || v.Requests != int64(c.calls-1) || v.Off < float64(c.percent)-1 || v.Off > float64(c.percent)+1 || v.Models[0] != c.model {
			t.Errorf("%s, %d %% more: %+v", c.model, c.percent, v)
		}
		_, stdout, _ = counting(t, folder, data, "", "doctor", "--plain", "s.jsonl")
		if want := fmt.Sprintf("claude-v5: %s", digits(v.Counted)); !strings.Contains(stdout, want) {
			t.Errorf("%q is not in\n%s", want, stdout)
		}
	}
}

func digits(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// toolLoop is a transcript of Claude Code in which each request holds one more result of a tool, of so many tokens.
func toolLoop(model, text string, tokens int64, calls int) string {
	var b strings.Builder
	parent := "null"
	line := func(id, kind, message, more string) {
		fmt.Fprintf(&b, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s","version":"2.1.120","type":%q,"message":%s,"uuid":%q,"timestamp":"2026-03-02T09:00:00.000Z"%s}`+"\n",
			parent, kind, message, id, more)
		parent = strconv.Quote(id)
	}
	line("u0", "user", `{"role":"user","content":"Please look into it."}`, "")
	const out, frame = 60, 5
	for i := range calls {
		read := 20_000 + int64(i)*(out+frame+tokens)
		line(fmt.Sprintf("a%d", i), "assistant", fmt.Sprintf(`{"model":%q,"id":"msg_%d","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"ls"}}],"stop_reason":"tool_use","usage":{"input_tokens":3,"cache_creation_input_tokens":0,"cache_read_input_tokens":%d,"output_tokens":%d}}`, model, i, i, read, out), fmt.Sprintf(`,"requestId":"req_%d"`, i))
		line(fmt.Sprintf("r%d", i), "user", fmt.Sprintf(`{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":%q,"is_error":false}]}`, i, text), "")
	}
	return b.String()
}
