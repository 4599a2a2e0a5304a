// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// lengthReducer replaces a document with its length, and refuses an empty one.
type lengthReducer struct{ reads int }

func (r *lengthReducer) Read(path string) ([]byte, bool) {
	r.reads++
	text, err := os.ReadFile(path)
	return []byte(`{"reads":` + string(rune('0'+r.reads)) + `}`), err == nil && len(text) > 0
}

// TestADocumentNextToLinesFollowsThem checks when the documents next to a transcript become records: after the lines,
// once for each content, when they are whole, and again after the transcript was replaced.
func TestADocumentNextToLinesFollowsThem(t *testing.T) {
	dir := t.TempDir()
	path, plain, reduced := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "plain.json"), filepath.Join(dir, "reduced.json")
	tick := time.Unix(1_700_000_000, 0)
	write := func(file, text string) {
		t.Helper()
		dirstest.Write(t, file, text)
		tick = tick.Add(time.Second)
		if err := os.Chtimes(file, tick, tick); err != nil {
			t.Fatal(err)
		}
	}
	sidecars := []Sidecar{{Name: "plain", Path: plain}, {Name: "reduced", Path: reduced, Reduce: func() Reducer { return &lengthReducer{} }}}
	tail := OpenWithSidecars(path, sidecars)
	step := func(name string, resets bool, want ...string) {
		t.Helper()
		got, reset := drainTail(t, tail)
		if dirstest.Expect(t, name, got, want...); reset != resets {
			t.Errorf("%s: reset %v", name, reset)
		}
	}
	write(path, "{\"a\":1}\n")
	write(plain, ` {"p":1} `)
	step("at first", false, `{"a":1}`, `{"beside":"plain","data":{"p":1}}`)
	step("unchanged", false)
	write(plain, "{\"p\":1}\n") // the same content
	write(reduced, "")
	step("the same content", false)
	write(plain, `{"p":`)
	write(reduced, "x")
	step("half written", false, `{"beside":"reduced","data":{"reads":2}}`)
	write(plain, `[1]`)
	step("an array", false)
	write(plain, `{"p":2}`)
	dirstest.Add(t, path, "{\"a\":2}\n")
	step("both", false, `{"a":2}`, `{"beside":"plain","data":{"p":2}}`)
	if tail.Position() != 16 {
		t.Errorf("position %d", tail.Position())
	}
	dirstest.Write(t, plain+".new", `{"p":4}`) // as long and as old as the one before
	before, _ := os.Stat(plain)
	os.Chtimes(plain+".new", before.ModTime(), before.ModTime())
	os.Rename(plain+".new", plain)
	step("another file", false, `{"beside":"plain","data":{"p":4}}`)
	write(plain, `{"p":2}`)
	step("the one before", false, `{"beside":"plain","data":{"p":2}}`)
	long := `{"p":"` + strings.Repeat("x", ordinaryBatch) + `"}`
	write(plain, long)
	write(reduced, "y")
	step("two batches", false, `{"beside":"plain","data":`+long+`}`, `{"beside":"reduced","data":{"reads":3}}`)
	write(plain, `{"p":2}`)
	step("the one before again", false, `{"beside":"plain","data":{"p":2}}`)
	write(path, "{\"b\":1}\n")
	step("replaced", true, `{"b":1}`, `{"beside":"plain","data":{"p":2}}`, `{"beside":"reduced","data":{"reads":1}}`)

	at, size := SidecarsTime(path, sidecars)
	if !at.Equal(tick) || size != 8+7+1 {
		t.Errorf("they have %d bytes, and changed at %v, want %v", size, at, tick)
	}
	write(plain, `{"p":3}`)
	os.Remove(reduced)
	if at, size = SidecarsTime(path, sidecars); !at.Equal(tick) || size != 8+7 {
		t.Errorf("they have %d bytes, and changed at %v, want %v", size, at, tick)
	}
	if at, size = SidecarsTime(path+"x", nil); !at.IsZero() || size != 0 {
		t.Errorf("a missing transcript has %d bytes, and changed at %v", size, at)
	}
}
