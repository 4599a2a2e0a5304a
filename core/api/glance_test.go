// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestAGlanceIsTheReading compares what Glance reads with the standard library, for every Reading in the conformance
// vectors and for Readings of a real session with its panel.
func TestAGlanceIsTheReading(t *testing.T) {
	files, err := filepath.Glob("../../testdata/conformance/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no vectors", err)
	}
	seen := 0
	check := func(text []byte) {
		t.Helper()
		var got, want Reading
		if json.Unmarshal(text, &want) != nil {
			return // some vectors have patterns as values
		}
		seen++
		withoutScreens(reflect.ValueOf(&want).Elem())
		if is := got.GlanceAt(text); !is || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n got %+v\nwant %+v", text, got, want)
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var vectors any
		if err := decoder.Decode(&vectors); err != nil {
			t.Fatal(file, err)
		}
		eachObject(vectors, func(object map[string]any) {
			if _, is := object["used"]; is {
				text, _ := json.Marshal(object)
				check(text)
			}
		})
	}
	c := New()
	for _, call := range [][2]string{
		{"ctx/session/open", `{"id": "a", "agent": "claude-code", "model": "claude-opus-5", "workspace": "/w/\"ü\\x\n", "label": "l", "title": "t", "panel": true}`},
		{"ctx/session/update", `{"id": "a", "append": [{"kind": "user", "tokens": 70}], "activity": "working"}`},
		{"ctx/session/usage", `{"id": "a", "provider": "ctx", "usage": {"in": 150000, "out": 60}, "at": 1700000000000}`},
		{"ctx/session/usage", `{"id": "a", "provider": "ctx", "usage": {"in": 990000, "out": 60}}`},
		{"ctx/session/compacted", `{"id": "a", "summary": 500}`},
	} {
		var answer struct{ Result json.RawMessage }
		if err := json.Unmarshal(c.Call(call[0], []byte(call[1])), &answer); err != nil || answer.Result == nil {
			t.Fatalf("%s: %v", call[0], err)
		}
		check(answer.Result)
	}
	if seen < 100 {
		t.Errorf("only %d Readings were found", seen)
	}
}

// TestAGlanceAtOtherValues checks that a value of another type is like a missing one, and that a Reading that is read
// into keeps nothing of the one before.
func TestAGlanceAtOtherValues(t *testing.T) {
	r := Reading{Model: "before", Breakdown: []Row{{Tokens: 5}}}
	if !r.GlanceAt([]byte(`{"agent":7,"model":null,"used":"5","limit":0.5,"percent":"x","pending":1,"parent":{},"breakdown":{"a":1},"compaction":[],"back":3,"asOf":[]}`)) ||
		!reflect.DeepEqual(r, Reading{}) {
		t.Errorf("%+v", r)
	}
	for _, none := range []string{"", "null", "[]", "7", `"x"`, `{"a":`} {
		if r.GlanceAt([]byte(none)) {
			t.Errorf("%q was taken for a Reading", none)
		}
	}
}

// withoutScreens clears the fields that Glance leaves out.
func withoutScreens(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			withoutScreens(v.Elem())
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero() // null and an empty list are the same
		}
		for i := range v.Len() {
			withoutScreens(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("glance") == "-" {
				v.Field(i).SetZero()
			}
			withoutScreens(v.Field(i))
		}
	}
}

func eachObject(in any, see func(map[string]any)) {
	switch in := in.(type) {
	case []any:
		for _, each := range in {
			eachObject(each, see)
		}
	case map[string]any:
		see(in)
		for _, each := range in {
			eachObject(each, see)
		}
	}
}
