// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/readings.sum, after a change of answers that is meant")

const readingsSum = "testdata/readings.sum"

// An answered contains the fields of one result.
type answered map[string]json.RawMessage

// An answeredStep is one step of a session: the result of a call, and the Reading in provider mode after it.
type answeredStep struct {
	name             string
	answer, provider answered
}

func (l answeredStep) digest() string {
	sum := sha256.New()
	for _, fields := range []answered{l.answer, l.provider} {
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			fmt.Fprintf(sum, "%s=%s\n", name, fields[name])
		}
	}
	return fmt.Sprintf("%.4x", sum.Sum(nil))
}

// write writes the step, its digest, and a character for each of the named fields, of the answer and of provider mode:
// '-' if the field is missing, '.' if it is as before (in provider mode also if it is as in the answer), else 6 bits of
// its digest.
func (l answeredStep) write(w *bytes.Buffer, names []string, before answeredStep) {
	signs := func(fields answered, known ...answered) string {
		text := make([]byte, len(names))
		for i, name := range names {
			value, ok := fields[name]
			same := func(k answered) bool { return k[name] != nil && bytes.Equal(k[name], value) }
			switch {
			case !ok:
				text[i] = '-'
			case slices.ContainsFunc(known, same):
				text[i] = '.'
			default:
				sum := sha256.Sum256(value)
				text[i] = base64.RawURLEncoding.EncodeToString(sum[:1])[0]
			}
		}
		return strings.TrimRight(string(text), ".-")
	}
	fmt.Fprintf(w, "%s %s %s|%s\n", l.name, l.digest(), signs(l.answer, before.answer), signs(l.provider, l.answer, before.provider))
}

// readings collects the results of sessions.
type readings struct {
	t     *testing.T
	lines []answeredStep
}

func (r *readings) fields(step string, answer []byte) answered {
	r.t.Helper()
	var got struct {
		Result answered
		Error  struct{ Data json.RawMessage }
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		r.t.Fatalf("%s: %v in %s", step, err, answer)
	}
	if got.Error.Data != nil {
		return answered{"error": got.Error.Data}
	}
	return got.Result
}

// call makes one call and stores the result, and the session's Reading in provider mode after it.
func (r *readings) call(c *Core, id, step, method string, params []byte) {
	r.t.Helper()
	l := answeredStep{name: step, answer: r.fields(step, c.Call(method, params))}
	l.provider = r.fields(step, c.Call("ctx/session/reading", fmt.Appendf(nil, `{"id":%q,"mode":"provider"}`, id)))
	c.Call("ctx/session/reading", fmt.Appendf(nil, `{"id":%q,"mode":"hybrid"}`, id))
	r.lines = append(r.lines, l)
}

// end stores the results of methods that query a session.
func (r *readings) end(c *Core, id, name string) {
	r.t.Helper()
	for _, call := range [][2]string{
		{"ctx/session/history", `{"id":%q}`},
		{"ctx/session/items", `{"id":%q}`},
		{"ctx/session/fits", `{"id":%q,"parts":[{"tokens":20000,"label":"one"},{"tokens":9000,"label":"two"}]}`},
		{"ctx/session/fits", `{"id":%q,"parts":[{"text":"some words of a text","label":"one"},{"tokens":900}]}`},
		{"ctx/sessions", `{}`},
		{"ctx/learned/get", `{}`},
	} {
		step := name + " " + call[0]
		params := strings.ReplaceAll(call[1], "%q", strconv.Quote(id))
		r.lines = append(r.lines, answeredStep{name: step, answer: r.fields(step, c.Call(call[0], []byte(params)))})
	}
}

// transcripts reads each transcript of testdata, one record at a time.
func (r *readings) transcripts(loaded *Core) {
	r.t.Helper()
	for _, pattern := range []string{"sessions/*.json*", "sessions/*/*.json*", "lines/*/*.json*"} {
		files, err := filepath.Glob("../../testdata/" + pattern)
		if err != nil || len(files) == 0 {
			r.t.Fatalf("nothing matches %s: %v", pattern, err)
		}
		for _, file := range files {
			c := beside(loaded)
			name := filepath.ToSlash(strings.TrimPrefix(file, filepath.FromSlash("../../testdata/")))
			for i, record := range recordsIn(r.t, file) {
				params, err := json.Marshal(map[string]any{"id": "a", "records": []json.RawMessage{record}, "open": map[string]any{}})
				if err != nil {
					r.t.Fatal(err)
				}
				r.call(c, "a", fmt.Sprintf("%s %d", name, i+1), "ctx/session/records", params)
			}
			r.end(c, "a", name)
		}
	}
}

// scripted plays three sessions of a host for each agent. The second begins with the corrections learned from the
// first, the third with another model.
func (r *readings) scripted(loaded *Core) {
	r.t.Helper()
	agents := []string{"generic", "claude-code", "codex", "gemini-cli", "opencode", "cline"}
	for i, agent := range agents {
		var learned json.RawMessage
		for round, id := range []string{"first", "second", "third"} {
			c := beside(loaded)
			if learned != nil {
				c.Call("ctx/learned/set", fmt.Appendf(nil, `{"learned":%s}`, learned))
			}
			name, calls := agent+" "+id, 0
			scriptedSession(id, uint64(i+round/2*len(agents)), agent, func(method string, params []byte) {
				calls++
				r.call(c, id, fmt.Sprintf("%s %d", name, calls), method, params)
			})
			r.end(c, id, name)
			learned = r.lines[len(r.lines)-1].answer["learned"]
		}
	}
}

// text returns the digests of all lines under the names of their fields.
func (r *readings) text() (names []string, text string) {
	all := map[string]bool{}
	for _, l := range r.lines {
		for name := range l.answer {
			all[name] = true
		}
		for name := range l.provider {
			all[name] = true
		}
	}
	names = slices.Sorted(maps.Keys(all))
	var out bytes.Buffer
	fmt.Fprintln(&out, strings.Join(names, " "))
	var before answeredStep
	for _, l := range r.lines {
		l.write(&out, names, before)
		before = l
	}
	return names, out.String()
}

// TestReadingsOfSessions compares every field of the Reading with a recorded digest: after each record of the
// transcripts in testdata, and after each call of scripted hosts, in both modes. A field without an assertion of its
// own cannot change unnoticed.
func TestReadingsOfSessions(t *testing.T) {
	r := &readings{t: t}
	loaded := withVocabularies(t)
	r.transcripts(loaded)
	r.scripted(loaded)
	names, text := r.text()
	if *update {
		if err := os.WriteFile(readingsSum, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	recorded, err := os.ReadFile(readingsSum)
	if err != nil {
		t.Fatal(err)
	}
	want, got := strings.Split(string(recorded), "\n"), strings.Split(text, "\n")
	if want[0] != got[0] {
		t.Fatalf("the fields are\n%s\nrecorded are\n%s\nif the change is meant, make vectors records it", got[0], want[0])
	}
	for i, l := range r.lines {
		if i+1 >= len(want) || want[i+1] != got[i+1] {
			now := want[min(i+1, len(want)-1)]
			field, value := differing(l, names, now, got[i+1])
			t.Fatalf("%s: %s differs, it is now %s\nrecorded %s\nnow      %s\nif the change is meant, make vectors records it",
				l.name, field, value, now, got[i+1])
		}
	}
	if len(want) != len(got) {
		t.Errorf("%d steps are recorded, there are %d", len(want)-2, len(got)-2)
	}
}

// differing returns the first field in which two lines differ, and its value now.
func differing(l answeredStep, names []string, was, now string) (string, json.RawMessage) {
	for i := range min(len(was), len(now)) {
		if was[i] != now[i] {
			fields, before, _ := strings.Cut(now[strings.LastIndexByte(now, ' ')+1:], "|")
			at := i - strings.LastIndexByte(now, ' ') - 1
			switch {
			case at >= 0 && at < min(len(fields), len(names)):
				return names[at], l.answer[names[at]]
			case at > len(fields) && at-len(fields)-1 < min(len(before), len(names)):
				return names[at-len(fields)-1] + " in provider mode", l.provider[names[at-len(fields)-1]]
			}
		}
	}
	return "a field", nil
}
