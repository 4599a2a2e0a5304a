// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"math/rand"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
)

// strange are values that no field expects.
var strange = []string{`null`, `true`, `-1`, `1e300`, `0.5`, `99999999999999999999`, `""`, `"x"`, `"` + "\u2028\U0001F600" + `"`, `[]`, `[[[]]]`, `[null,7,"y",{"type":"text"}]`, `{}`, `{"type":"tool_result","content":{"a":[]}}`}

// TestWrongTypesInEveryFieldLoseNothingElse puts every unexpected value into every field of every record: the reader
// must neither fail nor return anything impossible, and must still read the records after it.
func TestWrongTypesInEveryFieldLoseNothingElse(t *testing.T) {
	for _, path := range sessions(t) {
		name := filepath.Base(filepath.Dir(path))
		records := recordsOf(t, path)
		t.Run(name+"/"+filepath.Base(path), func(t *testing.T) {
			for i, record := range records {
				for n, broken := range mutations(record) {
					if testing.Short() && (i+n)%8 > 0 {
						continue
					}
					reader := agent.New(name)
					session := core.New(core.Identity{ID: "s"}, count.NewVocabularies())
					check := func(e core.Event) { plausible(t, e); session.Apply(e) }
					for j := range records {
						r := records[j]
						if j == i {
							r = broken
						}
						reader.Record(parse(t, r), check)
					}
					if u := session.Reading().Used; u < 0 || u > 1<<41 {
						t.Fatalf("%d tokens used after %s", u, broken)
					}
				}
			}
		})
	}
}

func plausible(t *testing.T, e core.Event) {
	t.Helper()
	if child, ok := e.(core.ForChild); ok {
		e = child.Event
	}
	switch e := e.(type) {
	case core.Metered:
		for _, n := range []int64{e.In, e.Out, e.Reasoning, e.CacheRead, e.CacheWrite} {
			if n < core.Unknown || n > 4*core.MaxTokens {
				t.Fatalf("impossible: %s", describe(e))
			}
		}
		if e.Through < 0 {
			t.Fatalf("impossible: %s", describe(e))
		}
	case core.Appended:
		if len(e.Item.Label.String()) > 200 || len(e.Item.Name) > 400 {
			t.Fatalf("a name of %d bytes", len(e.Item.Name))
		}
	case core.Truncated:
		if e.From < 0 {
			t.Fatal("truncated before the beginning")
		}
	case core.At:
		if e.Milliseconds <= 0 || e.Milliseconds > time.Date(2201, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() {
			t.Fatalf("at %d", e.Milliseconds)
		}
	}
}

// mutations returns a record with each value in it replaced by an unexpected one, in turn. The unexpected value differs
// by position, so that all of them are tried.
func mutations(record []byte) [][]byte {
	var root any
	d := stdjson.NewDecoder(bytes.NewReader(record))
	d.UseNumber()
	if d.Decode(&root) != nil {
		return nil
	}
	var out [][]byte
	n := len(record)
	emit := func() {
		text, err := stdjson.Marshal(root)
		if err == nil {
			out = append(out, text)
		}
	}
	var walk func(v any)
	each := func(set func(any), old any) {
		for k := 0; k < 2; k++ {
			n++
			set(stdjson.RawMessage(strange[n%len(strange)]))
			emit()
		}
		set(old)
		walk(old)
	}
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, old := range v {
				each(func(x any) { v[key] = x }, old)
				delete(v, key)
				emit()
				v[key] = old
			}
		case []any:
			for i, old := range v {
				each(func(x any) { v[i] = x }, old)
			}
		}
	}
	walk(root)
	return out
}

// TestShuffledAndRepeatedRecords reads every transcript in many wrong orders.
func TestShuffledAndRepeatedRecords(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewSource(seed))
	for _, path := range sessions(t) {
		records := recordsOf(t, path)
		for round := 0; round < 50; round++ {
			reader := agent.New(filepath.Base(filepath.Dir(path)))
			session := core.New(core.Identity{ID: "s"}, count.NewVocabularies())
			for i := 0; i < 2*len(records); i++ {
				r := records[random.Intn(len(records))]
				reader.Record(parse(t, r), func(e core.Event) { plausible(t, e); session.Apply(e) })
			}
			if u := session.Reading().Used; u < 0 {
				t.Fatalf("seed %d, %s: %d tokens used", seed, path, u)
			}
		}
	}
}

// TestMemoryIsBounded feeds a transcript in which every id, every tool and every sub-agent is a new one.
func TestMemoryIsBounded(t *testing.T) {
	reader := agent.New(agent.ClaudeCode)
	items := 0
	for i := 0; i < 300_000; i++ {
		record := fmt.Sprintf(`{"type":"assistant","uuid":"u%d","parentUuid":"u%d","isSidechain":%v,"agentId":"a%d","message":{"id":"m%d","content":[{"type":"tool_use","id":"t%d","name":"n%d","input":{}}]}}`, i, i-1, i%2 == 1, i, i, i, i)
		reader.Record(parse(t, []byte(record)), func(e core.Event) { items++ })
	}
	if items == 0 {
		t.Error("nothing was read")
	}
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	if memory.HeapAlloc > 64<<20 {
		t.Errorf("%d MB are held", memory.HeapAlloc>>20)
	}
	runtime.KeepAlive(reader)
}

// TestALineWrittenTwiceCountsOnce checks a line from a second writer, or from a host that sends the end of a file
// again.
func TestALineWrittenTwiceCountsOnce(t *testing.T) {
	for _, name := range []string{"claude-code/turns.jsonl", "claude-code/compacted.jsonl", "qwen-code/chat.jsonl", "opencode/rows.jsonl", "gemini-cli/document.json"} {
		once, twice := "", ""
		for _, into := range []*string{&once, &twice} {
			reader := agent.New(filepath.Dir(name))
			for _, r := range recordsOf(t, "../../testdata/sessions/"+name) {
				for n := 0; n < 1 || into == &twice && n < 2; n++ {
					reader.Record(parse(t, r), func(e core.Event) {
						switch e.(type) {
						case core.Appended, core.TurnStarted, core.Compacted:
							*into += describe(e) + "\n"
						}
					})
				}
			}
		}
		if once != twice {
			t.Errorf("%s:", name)
			compareLines(t, twice, once)
		}
	}
}
