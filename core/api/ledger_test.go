// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// randomCalls returns calls that take a session through everything that can happen to it.
func randomCalls(r *rand.Rand, n int) [][2]string {
	kinds := []string{"user", "assistant", "toolCalls", "toolResults", "reasoning", "media", "summary", "documents"}
	fixed := []string{"system", "tools", "mcpTools", "skills", "agents", "memory", "documents"}
	item := func() string {
		extra := ""
		if r.IntN(8) == 0 {
			extra = `,"reply":false`
		}
		if r.IntN(4) == 0 {
			return fmt.Sprintf(`{"kind":%q,"text":%q,"name":"t%d"%s}`, kinds[r.IntN(len(kinds))], randomText(r), r.IntN(3), extra)
		}
		return fmt.Sprintf(`{"kind":%q,"tokens":%d%s}`, kinds[r.IntN(len(kinds))], r.IntN(3000), extra)
	}
	calls := [][2]string{}
	items := 0
	for range n {
		switch r.IntN(16) {
		case 0, 1, 2, 3:
			list := ""
			for i := range 1 + r.IntN(4) {
				if i > 0 {
					list += ","
				}
				list += item()
				items++
			}
			turn := [...]string{"", `,"turn":"start"`, `,"turn":"end"`}[r.IntN(3)]
			calls = append(calls, [2]string{"ctx/session/update", fmt.Sprintf(`{"id":"a","append":[%s]%s}`, list, turn)})
		case 4, 5, 6, 7:
			extra := ""
			if r.IntN(5) == 0 {
				extra = fmt.Sprintf(`,"through":%d`, r.IntN(items+3))
			}
			if r.IntN(5) == 0 {
				extra += `,"final":false`
			}
			if r.IntN(3) == 0 {
				extra += fmt.Sprintf(`,"request":"r%d"`, r.IntN(6))
			}
			calls = append(calls, [2]string{"ctx/session/usage", fmt.Sprintf(`{"id":"a","provider":"ctx","usage":{"in":%d,"out":%d,"reasoning":%d}%s}`,
				r.IntN(60000), r.IntN(3000), r.IntN(2000), extra)})
		case 8:
			calls = append(calls, [2]string{"ctx/session/update", fmt.Sprintf(`{"id":"a",%q:{"tokens":%d}}`, fixed[r.IntN(len(fixed))], r.IntN(9000))})
		case 9:
			calls = append(calls, [2]string{"ctx/session/update", fmt.Sprintf(`{"id":"a","removeFrom":%d}`, r.IntN(items+1))})
		case 10:
			calls = append(calls, [2]string{"ctx/session/update", fmt.Sprintf(`{"id":"a","replace":[{"index":%d,"item":%s}]}`, r.IntN(items+1), item())})
		case 11:
			calls = append(calls, [2]string{"ctx/session/compacted", fmt.Sprintf(`{"id":"a","kept":%d,"summary":%d,"trigger":"auto"}`, r.IntN(4), r.IntN(4000))})
		case 12:
			calls = append(calls, [2]string{"ctx/session/error", fmt.Sprintf(`{"id":"a","error":"prompt is too long: %d tokens > %d maximum"}`, r.IntN(300000), 100000+r.IntN(100000))})
		case 13:
			calls = append(calls, [2]string{"ctx/session/update", fmt.Sprintf(`{"id":"a","draft":%d}`, r.IntN(100))})
		case 14:
			calls = append(calls, [2]string{"ctx/session/update", fmt.Sprintf(`{"id":"a","turn":%q,"at":%d}`, [...]string{"start", "end"}[r.IntN(2)], r.IntN(1<<30))})
		default:
			models := [...]string{"gpt-5.5", "claude-opus-5", "claude-sonnet-4-5", "gemini-3-pro-preview", "nobody-knows-this", ""}
			calls = append(calls, [2]string{"ctx/session/update", fmt.Sprintf(`{"id":"a","model":%q}`, models[r.IntN(len(models))])})
		}
	}
	return calls
}

func randomText(r *rand.Rand) string {
	words := []string{"the ", "func ", "漢字", "{}\n", "ü", "1234", "    ", "🎉", "return"}
	out := ""
	for range r.IntN(30) {
		out += words[r.IntN(len(words))]
	}
	return out
}

var session = regexp.MustCompile(`"session":"[^"]*"`)

// TestRestoredLedgersReadAlike saves and restores after every call of random sessions: the Reading is the same, and
// stays the same through later calls.
func TestRestoredLedgersReadAlike(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	c := withVocabularies(t)
	for round := range 60 {
		c.Call("ctx/session/open", []byte(`{"id":"a","limits":{"window":200000,"output":8000},"rule":{"reserve":32000,"target":50000}}`))
		for i, call := range randomCalls(r, 40) {
			answer := string(c.Call(call[0], []byte(call[1])))
			var got struct{ Result any }
			if err := json.Unmarshal([]byte(answer), &got); err != nil {
				t.Fatalf("round %d call %d %v: %v", round, i, call, err)
			}
			checkInvariants(t, i, got.Result)
			if t.Failed() {
				t.Fatalf("round %d call %d %v\n%s", round, i, call, answer)
			}
			before := string(c.Call("ctx/session/reading", []byte(`{"id":"a"}`)))
			saved := c.Call("ctx/session/save", []byte(`{"id":"a"}`))
			ledger := bytes.TrimSuffix(bytes.TrimPrefix(bytes.Clone(saved), []byte(`{"result":`)), []byte(`}`))
			params := append(append([]byte(nil), ledger[:len(ledger)-1]...), []byte(`,"id":"b"}`)...)
			after := string(c.Call("ctx/session/restore", params))
			if session.ReplaceAllString(before, "") != session.ReplaceAllString(after, "") {
				t.Fatalf("round %d call %d %v: before\n%s\nrestored\n%s", round, i, call, before, after)
			}
			if i%3 == 0 { // go on with the restored one
				c.Call("ctx/session/close", []byte(`{"id":"a"}`))
				c.Call("ctx/session/restore", append(append([]byte(nil), ledger[:len(ledger)-1]...), '}'))
			}
			c.Call("ctx/session/close", []byte(`{"id":"b"}`))
		}
		c.Call("ctx/session/close", []byte(`{"id":"a"}`))
	}
}

func TestProviderModeShowsNothingAfterARestore(t *testing.T) {
	c := New()
	must(t, c, "ctx/session/open", `{"id":"a","mode":"provider","limits":{"window":1000}}`)
	must(t, c, "ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":500,"out":5}}`)
	saved := c.Call("ctx/session/save", []byte(`{"id":"a"}`))
	params := append([]byte(nil), bytes.TrimSuffix(bytes.TrimPrefix(saved, []byte(`{"result":`)), []byte(`}`))...)
	must(t, c, "ctx/session/close", `{"id":"a"}`)
	r := must(t, c, "ctx/session/restore", string(params))
	if r["used"] != 0.0 || r["percent"] != 0.0 {
		t.Errorf("used %v, percent %v", r["used"], r["percent"])
	}
	r = must(t, c, "ctx/session/usage", `{"id":"a","provider":"ctx","usage":{"in":600,"out":5}}`)
	if r["used"] != 600.0 {
		t.Errorf("after the next measurement used is %v", r["used"])
	}
}

// TestSavedLedgersHoldNoText searches a ledger for text of its conversation.
func TestSavedLedgersHoldNoText(t *testing.T) {
	c := withVocabularies(t)
	must(t, c, "ctx/session/open", `{"id":"a","model":"gpt-5.5"}`)
	must(t, c, "ctx/session/update", `{"id":"a","system":"xylophone","memory":[{"label":"AGENTS.md","text":"xylophone"}],"draft":"xylophone","append":[{"kind":"user","text":"xylophone"},{"kind":"toolResults","name":"read","text":"xylophone"}]}`)
	if saved := c.Call("ctx/session/save", []byte(`{"id":"a"}`)); bytes.Contains(saved, []byte("xylophone")) {
		t.Errorf("%s", saved)
	}
	// Nor what a reader has seen of it.
	must(t, c, "ctx/session/records", `{"id":"b","open":true,"records":[
		{"type":"user","uuid":"xylophone-1","parentUuid":null,"isSidechain":false,"version":"2.1.33","message":{"role":"user","content":"xylophone"}},
		{"type":"assistant","uuid":"xylophone-2","parentUuid":"xylophone-1","isSidechain":false,"message":{"id":"xylophone-3","role":"assistant","model":"claude-opus-4-6","usage":{"input_tokens":9,"output_tokens":1},"content":[{"type":"tool_use","id":"xylophone-4","name":"Read","input":{"file_path":"/home/ada/a.go","content":"xylophone"}}]}},
		{"type":"assistant","uuid":"xylophone-6","parentUuid":"xylophone-2","isSidechain":false,"message":{"id":"xylophone-3","role":"assistant","content":[{"type":"tool_use","id":"xylophone-7","name":"Bash","input":{"command":"XYL=xylophone git commit -m \"xylophone\" <<E\nxylophone","description":"xylophone"}}]}},
		{"type":"user","uuid":"xylophone-5","parentUuid":"xylophone-2","isSidechain":false,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"xylophone-4","content":"xylophone"}]}}]}`)
	var saved struct{ Result struct{ Ledger Ledger } }
	answer := c.Call("ctx/session/save", []byte(`{"id":"b"}`))
	if err := json.Unmarshal(answer, &saved); err != nil || saved.Result.Ledger.Reader == nil {
		t.Fatalf("%v: %s", err, answer)
	}
	state, err := base64.StdEncoding.DecodeString(saved.Result.Ledger.Reader.State)
	if err != nil || bytes.Contains(answer, []byte("xylophone")) || bytes.Contains(state, []byte("xylophone")) {
		t.Errorf("%v: %s", err, answer)
	}
}

func FuzzRestore(f *testing.F) {
	c := New()
	c.Call("ctx/session/open", []byte(`{"id":"a","limits":{"window":1000}}`))
	c.Call("ctx/session/usage", []byte(`{"id":"a","provider":"ctx","usage":{"in":500,"out":5}}`))
	saved := c.Call("ctx/session/save", []byte(`{"id":"a"}`))
	f.Add(append([]byte(nil), bytes.TrimSuffix(bytes.TrimPrefix(saved, []byte(`{"result":`)), []byte(`}`))...))
	files, _ := filepath.Glob("../../testdata/sessions/*/*.jsonl")
	var on [][]byte // the second half of each transcript
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
		part := func(lines [][]byte) []byte {
			return append(append([]byte(`{"id":"a","records":[`), bytes.Join(lines, []byte(","))...), "]}"...)
		}
		c := withVocabularies(f)
		c.Call("ctx/session/open", []byte(`{"id":"a"}`))
		c.Call("ctx/session/records", part(lines[:len(lines)/2]))
		saved := c.Call("ctx/session/save", []byte(`{"id":"a"}`))
		f.Add(append([]byte(nil), bytes.TrimSuffix(bytes.TrimPrefix(saved, []byte(`{"result":`)), []byte(`}`))...))
		on = append(on, part(lines[len(lines)/2:]))
	}
	loaded := withVocabularies(f)
	f.Fuzz(func(t *testing.T, params []byte) {
		c := beside(loaded)
		if answer := c.Call("ctx/session/restore", params); bytes.HasPrefix(answer, []byte(`{"error"`)) && !bytes.Contains(answer, []byte(`."`)) {
			t.Errorf("%s is no sentence", answer)
		}
		for _, records := range on {
			c.Call("ctx/session/records", records)
		}
		c.Call("ctx/sessions", nil)
		c.Call("ctx/session/update", []byte(`{"id":"a","append":[{"kind":"user","tokens":5}],"removeFrom":0}`))
		c.Call("ctx/session/usage", []byte(`{"id":"a","provider":"ctx","usage":{"in":500,"out":5}}`))
	})
}

// FuzzCall sends arbitrary input to every method, twice: nothing panics, and every response is a result or an error.
func FuzzCall(f *testing.F) {
	for i, method := range MethodNames() {
		f.Add(uint8(i), []byte(`{"id":"a"}`))
		_ = method
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, call := range randomCalls(r, 60) {
		for i, method := range MethodNames() {
			if method == call[0] {
				f.Add(uint8(i), []byte(call[1]))
			}
		}
	}
	c := withVocabularies(f)
	f.Fuzz(func(t *testing.T, method uint8, params []byte) {
		c.Call("ctx/session/close", []byte(`{"id":"a"}`))
		c.Call("ctx/session/open", []byte(`{"id":"a","limits":{"window":1000}}`))
		for range 2 {
			answer := c.Call(Methods[int(method)%len(Methods)].Name, params)
			var got struct {
				Result any
				Error  any
			}
			if err := json.Unmarshal(answer, &got); err != nil {
				t.Fatalf("%v: %q", err, answer)
			}
			checkInvariants(t, 0, got.Result)
		}
		c.Call("ctx/session/reading", []byte(`{"id":"a"}`))
	})
}
