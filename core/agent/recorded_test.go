// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	stdjson "encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// variants calls f with a record in which one member at a time is missing or something else.
func variants(root any, f func(record []byte)) {
	send := func() {
		text, err := stdjson.Marshal(root)
		if err == nil {
			f(text)
		}
	}
	var walk func(v any, set func(any))
	walk = func(v any, set func(any)) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				old := v[k]
				delete(v, k)
				send()
				v[k] = old
				walk(old, func(x any) { v[k] = x })
			}
		case []any:
			for i, old := range v {
				walk(old, func(x any) { v[i] = x })
			}
		case stdjson.Number:
			for _, other := range []string{"0", "1", "7"} {
				set(stdjson.Number(other))
				send()
			}
			set(v)
		case string:
			others := []string{"", "x", v + "x", strings.Repeat(v+" ", 1+9_000/(len(v)+1))}
			if at, err := time.Parse(time.RFC3339Nano, v); err == nil { // before every other record, and after a pause
				others = append(others, at.Add(-24*time.Hour).Format(time.RFC3339Nano), at.Add(2*time.Hour).Format(time.RFC3339Nano))
			}
			for _, other := range others {
				set(other)
				send()
			}
			set(v)
		case bool:
			set(!v)
			send()
			set(v)
		}
	}
	walk(root, nil)
}

// write writes everything that a value holds, except functions and the names of fields. Texts that front ends show are
// written in English.
func write(w io.Writer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			fmt.Fprint(w, "nil")
			return
		}
		fmt.Fprint(w, v.Elem().Type().Name())
		write(w, v.Elem())
	case reflect.Struct:
		if s, ok := v.Interface().(core.Text); ok {
			fmt.Fprintf(w, "%q", s.String())
			return
		}
		fmt.Fprint(w, "{")
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() {
				write(w, f)
				fmt.Fprint(w, " ")
			}
		}
		fmt.Fprint(w, "}")
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			fmt.Fprint(w, v.Len(), " bytes ")
			_, _ = w.Write(v.Bytes()) // a hash
			return
		}
		fmt.Fprint(w, "[")
		for i := range v.Len() {
			write(w, v.Index(i))
			fmt.Fprint(w, " ")
		}
		fmt.Fprint(w, "]")
	case reflect.Func:
	default:
		fmt.Fprintf(w, "%v", v)
	}
}

// recordSession writes the events of a session.
func recordSession(w io.Writer, name string, records [][]byte) {
	reader := agent.New(name)
	for _, record := range records {
		if v, err := json.Parse(record); err == nil {
			fmt.Fprintln(w, agent.Recognise(v))
			reader.Record(v, func(e core.Event) { writeEvent(w, e) })
		}
	}
}

func writeEvent(w io.Writer, e core.Event) {
	write(w, reflect.ValueOf(&e).Elem())
	fmt.Fprintln(w)
}

// agentSessions lists the sessions that agents wrote: those of the lab, and those of the accuracy corpus.
func agentSessions(t *testing.T) []string {
	t.Helper()
	lab, err := filepath.Glob("../../testdata/agents/*/*/session.*.zst")
	if err != nil || len(lab) < 13 {
		t.Fatalf("only %d sessions of the lab found: %v", len(lab), err)
	}
	corpus, err := filepath.Glob("../../testdata/accuracy/*/*.zst")
	if err != nil || len(corpus) < 40 {
		t.Fatalf("only %d sessions of the corpus found: %v", len(corpus), err)
	}
	return append(lab, corpus...)
}

// shapeOf returns the paths and types of the members of a record.
func shapeOf(v any) string {
	var out strings.Builder
	var walk func(v any, path string)
	walk = func(v any, path string) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				if s, ok := v[k].(string); ok && (k == "type" || k == "name" || k == "role" || k == "subtype" || k == "kind") {
					fmt.Fprintln(&out, path, k, s)
				} else {
					walk(v[k], path+"."+k)
				}
			}
		case []any:
			for _, e := range v {
				walk(e, path+"[]")
			}
		default:
			fmt.Fprintf(&out, "%s %T\n", path, v)
		}
	}
	walk(v, "")
	return out.String()
}

// recordVariants writes the events of variants of each record, read by a new reader, and read after the records before
// it and before the next one. It reads one variant of several. Of records of the same shape, seen has the first one.
func recordVariants(t *testing.T, w io.Writer, name string, records [][]byte, seen map[string]bool, several int) {
	reader := agent.New(name)
	variant := 0
	var state agent.State
	for i, record := range records {
		var root any
		d := stdjson.NewDecoder(bytes.NewReader(record))
		d.UseNumber()
		if d.Decode(&root) != nil {
			continue // a line that is not JSON has no variants
		}
		if shape := shapeOf(root); len(record) < mostVaried && !seen[shape] {
			seen[shape] = true
			if !agent.Save(name, reader, &state) {
				t.Fatalf("%s: not saved before record %d", name, i+1)
			}
			var next json.Value
			if i+1 < len(records) && len(records[i+1]) < mostVaried {
				next, _ = json.Parse(records[i+1]) // missing if it is not JSON
			}
			variants(root, func(changed []byte) {
				if variant++; variant%several > 0 {
					return
				}
				v, err := json.Parse(changed)
				if err != nil {
					return
				}
				fmt.Fprintln(w, agent.Recognise(v))
				emit := func(e core.Event) { writeEvent(w, e) }
				agent.New(name).Record(v, emit)
				restored := agent.Restore(state)
				restored.Record(v, emit)
				if next.Exists() {
					restored.Record(next, emit)
				}
			})
		}
		if v, err := json.Parse(record); err == nil {
			reader.Record(v, func(core.Event) {})
		}
	}
}

// mostVaried is the size from which a record has no variants, because there would be many, each of this size.
const mostVaried = 3_000

// versions are the first and the last versions of several agents' rules and tables, and some between them.
var versions = []string{
	"", "0.9", "0.24.4", "1.0.0", "1.1", "1.3", "2.0.76", "2.1.17", "2.1.18", "2.1.20", "2.1.36", "2.1.37", "2.1.95", "2.1.96", "2.1.99", "2.1.100",
	"2.1.111", "2.1.112", "2.1.169", "2.1.170", "2.1.177", "2.1.182", "2.1.183", "2.1.209", "2.1.276", "2.1.277", "2.1.285", "2.1.286",
	"2.1.328", "2.1.329", "3.9", "4", "4.1.2", "7.7.9", "99",
}

var (
	versionMember = regexp.MustCompile(`"((?:cli_?|copilot)?[vV]ersion)":"[^"]*"`)
	modelMember   = regexp.MustCompile(`"(model|modelID|modelId)":"[^"]*"`)
)

// recordOthers writes the events of a session as if another version of the agent, or another model, had written it.
func recordOthers(w io.Writer, name string, records [][]byte) {
	again := func(member *regexp.Regexp, value string) {
		other := make([][]byte, len(records))
		for i, record := range records {
			other[i] = member.ReplaceAll(record, []byte(`"$1":"`+value+`"`))
		}
		recordSession(w, name, other)
	}
	for _, version := range versions {
		again(versionMember, version)
	}
	for _, model := range []string{"", "claude-opus-4-8", "claude-sonnet-5", "claude-haiku-4-5", "gpt-4.1", "gpt-5.5-codex", "gemini-2.5-pro", "kimi-k2", "x"} {
		again(modelMember, model)
	}
}

// recordRule writes the rule and the window of an agent: for each version at which one has changed, for several models
// and windows, and with each of its settings.
func recordRule(w io.Writer, id string) {
	asked := map[string]bool{}
	for _, version := range versions {
		for kind := core.System; kind < core.Summary; kind++ {
			fmt.Fprintln(w, kind, agent.Caches(id, version, kind))
		}
	}
	show := func(of agent.Installation) {
		of.Note = func(setting string, note core.Text) { fmt.Fprintln(w, setting, note) }
		limits, ok := agent.Window(of)
		fmt.Fprintln(w, limits, ok)
		rule, ok := agent.Rule(of)
		if !ok {
			return
		}
		if rule.Formula != nil {
			fmt.Fprintln(w, rule.Formula(of.Limits))
		}
		if rule.Prints != nil {
			fmt.Fprintln(w, rule.Prints(150_000, 3000, of.Limits), rule.Prints(7, 0, of.Limits), rule.Prints(of.Limits.Window, 1, of.Limits))
		}
		write(w, reflect.ValueOf(rule))
		fmt.Fprintln(w)
	}
	models := []string{"", "claude-opus-4-6", "claude-sonnet-4-5", "claude-haiku-4-5", "gpt-5.5", "gemini-3-pro-preview", "kimi-k2", "unknown"}
	windows := []core.Limits{core.NoLimits, {Window: 200_000, Input: core.Unknown, Output: 64_000}, {Window: 1_000_000, Input: 900_000, Output: core.Unknown}, {Window: 64_000, Input: core.Unknown, Output: 8000}, {Window: 12_100, Input: core.Unknown, Output: core.Unknown}, {Window: 1, Input: core.Unknown, Output: 1}, {Window: 1, Input: core.Unknown, Output: core.Unknown}, {Window: 50_000, Input: 10_000, Output: 64_000}}
	for _, version := range versions {
		for _, model := range models {
			for _, l := range windows {
				show(agent.Installation{Agent: id, Version: version, Model: model, Limits: l, Setting: func(name string) string {
					asked[name] = true
					return ""
				}})
			}
		}
	}
	values := []string{"1", "0", "true", "off", "50", "80%", "0.5", "0.01", "1%", "101", "90000", "1000000", "-1", "x", "100", "100000 or 1", "250k"}
	ask := func(of agent.Installation, settings map[string]string) {
		of.Agent = id
		of.Setting = func(name string) string {
			asked[name] = true
			return settings[name]
		}
		show(of)
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		for _, value := range values {
			for _, model := range models[:5] {
				for _, l := range windows {
					ask(agent.Installation{Version: "99", Model: model, Limits: l}, map[string]string{name: value})
				}
			}
		}
	}
	names := slices.Sorted(maps.Keys(asked))
	for i, name := range names {
		for _, other := range names[:i] {
			for n, value := range values {
				for k := range values[:5] {
					settings := map[string]string{name: value, other: values[(n+3*k)%len(values)]}
					ask(agent.Installation{Version: versions[(n+k)%len(versions)], Model: models[(n+i)%len(models)], Limits: windows[k%len(windows)]}, settings)
				}
			}
		}
	}
}

// TestRecordsMeanWhatIsRecorded compares the events of each record of testdata, with one member missing or changed, and
// the rules of every agent with recorded digests. make vectors records a change that is meant.
func TestRecordsMeanWhatIsRecorded(t *testing.T) {
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
			t.Fatalf("%s: a variant means something else; if the change is meant, make vectors records it", line)
		}
	}
	seen := map[string]map[string]bool{}
	written := append(sessions(t), rareSessions(t)...)
	for i, path := range append(written, agentSessions(t)...) {
		_, under, _ := strings.Cut(filepath.ToSlash(path), "testdata/")
		_, under, _ = strings.Cut(under, "/")
		by, file, _ := strings.Cut(under, "/")
		if seen[by] == nil {
			seen[by] = map[string]bool{}
		}
		records := recordsOf(t, path)
		record(by+" "+file, func(w io.Writer) { recordSession(w, by, records) })
		several := 4
		if i < len(written) {
			several = 1
		}
		record("variants of "+by+" "+file, func(w io.Writer) { recordVariants(t, w, by, records, seen[by], several) })
		if i < len(written) {
			record("versions and models of "+by+" "+file, func(w io.Writer) { recordOthers(w, by, records) })
		}
	}
	for _, e := range agent.Entries() {
		record("the rule of "+e.ID, func(w io.Writer) { recordRule(w, e.ID) })
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if len(want) != len(lines)+1 {
		t.Errorf("there are %d digests, and %d were recorded", len(lines), len(want)-1)
	}
}
