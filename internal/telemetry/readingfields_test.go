// Copyright The ctx-lsp authors. MIT licence.

package telemetry

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// TestFieldsMatchTheReading compares the quick reader with the standard library and the documented types, for
// every Reading in the conformance vectors.
func TestFieldsMatchTheReading(t *testing.T) {
	files, err := filepath.Glob("../../testdata/conformance/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no vectors", err)
	}
	var reader fieldReader
	seen := 0
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
		eachReading(vectors, func(reading map[string]any) {
			text, _ := json.Marshal(reading)
			var r api.Reading
			if json.Unmarshal(text, &r) != nil {
				return // some vectors have patterns as values
			}
			text, _ = json.Marshal(r) // with all members, because a vector contains only a few
			seen++
			want := &readingFields{
				agent: r.Agent, model: r.Model, workspace: r.Workspace, activity: string(r.Activity), basis: string(r.Basis),
				level: string(r.Compaction.Level), used: r.Used, calls: r.Spent.Calls, compactions: r.Compactions, steps: r.Accuracy.Steps,
				window: r.Limit, free: r.Free, threshold: r.Compaction.Threshold, left: r.Compaction.Left, percent: r.Percent,
				thresholdPercent: r.Compaction.Percent, kinds: map[api.Kind]int64{},
			}
			if b := r.CacheBreaks; b != nil {
				want.breaks, want.breakCause = b.Count, string(b.Last.Cause)
			}
			if r.LastRequest != nil {
				want.in = &r.LastRequest.In
			}
			if r.Accuracy.Last != nil {
				want.missed = &r.Accuracy.Last.Percent
			}
			if r.AsOf != nil {
				at := int64(*r.AsOf)
				want.asOf = &at
			}
			for _, row := range r.Breakdown {
				if !row.Deferred {
					want.kinds[row.Kind] += row.Tokens
				}
			}
			if got, err := reader.read(text); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v\n%s\n got %+v\nwant %+v", file, err, text, got, want)
			}
		})
	}
	if seen < 100 {
		t.Errorf("only %d Readings were found", seen)
	}
}

// eachReading calls see for every object in a vector that looks like a Reading.
func eachReading(in any, see func(map[string]any)) {
	switch in := in.(type) {
	case []any:
		for _, each := range in {
			eachReading(each, see)
		}
	case map[string]any:
		if _, is := in["used"]; is {
			see(in)
		}
		for _, each := range in {
			eachReading(each, see)
		}
	}
}
