// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"crypto/sha256"
	stdjson "encoding/json"
	"fmt"
	"hash"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// variants calls f with a record in which one member at a time is missing or something else.
func variants(record []byte, f func(record []byte)) error {
	var root any
	d := stdjson.NewDecoder(strings.NewReader(string(record)))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		return err
	}
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
			set(stdjson.Number("0"))
			send()
			set(stdjson.Number("7"))
			send()
			set(v)
		case string:
			for _, other := range []string{"", v + "x"} {
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
	return nil
}

// recordEvents writes the events of every variant of each record, read after the two records before it and before the
// next one.
func recordEvents(t *testing.T, w hash.Hash, name string, records [][]byte) {
	for i, record := range records {
		err := variants(record, func(changed []byte) {
			reader := agent.New(name)
			around := append(slices.Clone(records[max(i-2, 0):i]), changed)
			if i+1 < len(records) {
				around = append(around, records[i+1])
			}
			for _, r := range around {
				v, err := json.Parse(r)
				if err != nil {
					continue
				}
				fmt.Fprintln(w, agent.Recognise(v))
				reader.Record(v, func(e core.Event) { fmt.Fprintln(w, describe(e)) })
			}
		})
		if err != nil {
			continue // a line that is not JSON has no variants
		}
	}
}

// recordRule writes the rule and the window of an agent: for each version at which one has changed, for several models
// and windows, and with each of its settings.
func recordRule(w hash.Hash, id string) {
	asked := map[string]bool{}
	write := func(of agent.Installation) {
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
		rule.Formula, rule.Prints = nil, nil
		fmt.Fprintf(w, "%+v\n", rule)
	}
	versions := []string{
		"", "0.9", "1.0.0", "2.1.17", "2.1.18", "2.1.20", "2.1.96", "2.1.100", "2.1.111", "2.1.112", "2.1.170", "2.1.177", "2.1.209",
		"2.1.329", "3.9", "4", "4.1.2", "99",
	}
	models := []string{"", "claude-opus-4-6", "claude-sonnet-4-5", "claude-haiku-4-5", "gpt-5.5", "gemini-3-pro-preview", "kimi-k2", "unknown"}
	windows := []core.Limits{core.NoLimits, {Window: 200_000, Input: core.Unknown, Output: 64_000}, {Window: 1_000_000, Input: 900_000, Output: core.Unknown}, {Window: 64_000, Input: core.Unknown, Output: 8000}}
	for _, version := range versions {
		for _, model := range models {
			for _, l := range windows {
				write(agent.Installation{Agent: id, Version: version, Model: model, Limits: l, Setting: func(name string) string {
					asked[name] = true
					return ""
				}})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		for _, value := range []string{"1", "0", "true", "off", "50", "80%", "0.5", "101", "90000", "1000000", "-1", "x"} {
			for _, model := range models[:5] {
				for _, l := range windows {
					write(agent.Installation{Agent: id, Version: "99", Model: model, Limits: l, Setting: func(n string) string {
						if n == name {
							return value
						}
						return ""
					}})
				}
			}
		}
	}
}

// TestRecordsMeanWhatIsRecorded compares the events of each record of testdata, with one member missing or changed, and
// the rules of every agent with recorded digests. make vectors records a change that is meant.
func TestRecordsMeanWhatIsRecorded(t *testing.T) {
	var out strings.Builder
	record := func(name string, write func(hash.Hash)) {
		sum := sha256.New()
		write(sum)
		fmt.Fprintf(&out, "%.4x %s\n", sum.Sum(nil), name)
	}
	for _, path := range sessions(t) {
		name := filepath.Base(filepath.Dir(path))
		record(name+" "+filepath.Base(path), func(w hash.Hash) { recordEvents(t, w, name, recordsOf(t, path)) })
	}
	for _, e := range agent.Entries() {
		record("the rule of "+e.ID, func(w hash.Hash) { recordRule(w, e.ID) })
	}
	const path = "testdata/recorded.sum"
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	recorded, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(recorded), "\n")
	for i, line := range strings.Split(out.String(), "\n") {
		if i >= len(want) || want[i] != line {
			t.Errorf("%s: a variant means something else; make vectors records a change that is meant", line)
		}
	}
}
