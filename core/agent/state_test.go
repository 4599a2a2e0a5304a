// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	counting "github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// transcripts lists the transcripts written by hand.
func transcripts(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/sessions/*/*.jsonl")
	lines, _ := filepath.Glob("../../testdata/lines/*/*.jsonl")
	if err != nil || len(files) < 9 || len(lines) < 12 {
		t.Fatalf("only %d transcripts and %d of lines found: %v", len(files), len(lines), err)
	}
	rare, _ := filepath.Glob("testdata/sessions/*/*.jsonl")
	return append(append(files, lines...), rare...)
}

// lasting is a reader less what it uses only while it reads one record: what
// it points to, deeply, with empty maps and slices as if they were not there.
func lasting(v reflect.Value, out map[string]any, path string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			lasting(v.Elem(), out, path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if name != "Emit" && name != "Scratch" {
				lasting(v.Field(i), out, path+"."+name)
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			lasting(v.MapIndex(key), out, path+"["+key.String()+uintText(key)+"]")
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			lasting(v.Index(i), out, path+"["+string(rune('0'+i%10))+uintText(reflect.ValueOf(uint64(i)))+"]")
		}
	case reflect.Func:
	case reflect.String:
		if v.String() != "" {
			out[path] = v.String()
		}
	case reflect.Bool:
		if v.Bool() {
			out[path] = true
		}
	case reflect.Int, reflect.Int32, reflect.Int64:
		if v.Int() != 0 {
			out[path] = v.Int()
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint64:
		if v.Uint() != 0 {
			out[path] = v.Uint()
		}
	default:
		panic("a reader remembers a " + v.Kind().String() + " at " + path)
	}
}

func uintText(v reflect.Value) string {
	if v.Kind() != reflect.Uint64 {
		return ""
	}
	text, n := "", v.Uint()
	for ; n > 0; n /= 16 {
		text = string("0123456789abcdef"[n%16]) + text
	}
	return text
}

// gone is what a reader remembers and needs no more: a message that was
// passed on, the places of messages that are no longer there.
func gone(path string, reader Reader) bool {
	switch r := reader.(type) {
	case *clineTask:
		return strings.HasPrefix(path, ".held") && !r.holding
	case *openCode:
		return strings.HasPrefix(path, ".twice.held") && r.twice.heldFor == 0
	case *geminiCLI:
		if !strings.HasPrefix(path, ".places[") {
			return false
		}
		for id := range r.places {
			if strings.Contains(path, uintText(reflect.ValueOf(id))) {
				return r.placeOf(id) < 0
			}
		}
	}
	return false
}

// TestAStateHoldsAllThatAReaderRemembers compares readers field by field,
// after every record, with what comes back from their state.
func TestAStateHoldsAllThatAReaderRemembers(t *testing.T) {
	for _, file := range transcripts(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var reader Reader
		agent := ""
		for i, line := range bytes.Split(text, []byte("\n")) {
			record, err := json.Parse(line)
			if err != nil {
				continue
			}
			if reader == nil {
				agent = Recognise(record)
				reader = New(agent)
			}
			reader.Record(record, func(core.Event) {})
			var state State
			if !Save(agent, reader, &state) {
				t.Fatalf("%s, line %d: not saved", file, i+1)
			}
			again := Restore(state)
			if again == nil {
				t.Fatalf("%s, line %d: not restored", file, i+1)
			}
			want, got := map[string]any{}, map[string]any{}
			lasting(reflect.ValueOf(reader), want, "")
			lasting(reflect.ValueOf(again), got, "")
			for path, value := range want {
				if got[path] != value && !gone(path, reader) {
					t.Errorf("%s, line %d: %s was %v, came back as %v", file, i+1, path, value, got[path])
				}
			}
			for path, value := range got {
				if want[path] == nil {
					t.Errorf("%s, line %d: %s came back as %v", file, i+1, path, value)
				}
			}
			if t.Failed() {
				return
			}
			var twice State
			if !Save(agent, again, &twice) || !reflect.DeepEqual(state, twice) {
				t.Fatalf("%s, line %d: saved differently after it was restored", file, i+1)
			}
		}
	}
}

// TestEveryReaderCanBeSaved holds for readers that were given nothing yet.
func TestEveryReaderCanBeSaved(t *testing.T) {
	for _, agent := range Readable() {
		var state State
		if !Save(agent, New(agent), &state) || Restore(state) == nil {
			t.Errorf("the reader of %s", agent)
		}
	}
}

// TestAReaderThatRemembersTooMuchIsNotSaved goes over the bound.
func TestAReaderThatRemembersTooMuchIsNotSaved(t *testing.T) {
	c := &claudeCode{}
	c.chain.Links = map[uint64]reader.Link{}
	for i := range reader.MaxChain {
		c.chain.Links[uint64(i)*0x9e3779b97f4a7c15] = reader.Link{Sequence: int32(i + 1)}
		c.chain.Sequence++
	}
	var state State
	if Save(ClaudeCode, c, &state) {
		t.Errorf("%d bytes", len(state.Bytes))
	}
	if len(state.Bytes) > limits.Total+100 {
		t.Errorf("%d bytes were written for nothing", len(state.Bytes))
	}
}

// FuzzState restores anything as any reader and reads on: nothing panics.
func FuzzState(f *testing.F) {
	var records []json.Value
	for _, file := range transcripts(f) {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var reader Reader
		agent := ""
		for _, line := range bytes.Split(text, []byte("\n")) {
			if record, err := json.Parse(line); err == nil {
				if reader == nil {
					agent = Recognise(record)
					reader = New(agent)
				}
				reader.Record(record, func(core.Event) {})
				records = append(records, record)
			}
		}
		var state State
		if Save(agent, reader, &state) {
			for i, readable := range Readable() {
				if readable == agent {
					f.Add(uint8(i), strings.Join(state.Names, "\x00"), state.Bytes)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, names string, state []byte) {
		agents := Readable()
		reader := Restore(State{Agent: agents[int(which)%len(agents)], Format: StateFormat(agents[int(which)%len(agents)]), Names: strings.Split(names, "\x00"), Bytes: state})
		if reader == nil {
			return
		}
		s := core.New(core.Identity{ID: "a"}, counting.NewVocabularies())
		for _, record := range records {
			reader.Record(record, s.Apply)
		}
		var again State
		if Save(agents[int(which)%len(agents)], reader, &again) && Restore(again) == nil {
			t.Error("what was restored, read on and saved is not restored")
		}
	})
}
