// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"testing"
)

// TestASummaryMatchesTheReading compares summaries with fully decoded Readings.
func TestASummaryMatchesTheReading(t *testing.T) {
	s := newTestServer(t, Options{Engine: realEngine(t, "native")})
	var before summary
	for _, call := range []struct{ method, params string }{
		{"ctx/session/open", `{"id":"sum","agent":"claude-code","model":"claude-opus-5","workspace":"/w/\"ü\\x\n","at":5}`},
		{"ctx/session/usage", `{"id":"sum","provider":"ctx","usage":{"in":150000,"out":60},"at":1700000000000}`},
		{"ctx/session/usage", `{"id":"sum","provider":"ctx","usage":{"in":990000,"out":60}}`},
		{"ctx/session/update", `{"id":"sum","model":"nobody-knows-this","rule":"none"}`},
		{"ctx/session/compacted", `{"id":"sum","summary":500}`},
		{"ctx/session/update", `{"id":"sum","activity":"idle"}`},
	} {
		reading, failed := s.call(context.Background(), call.method, []byte(call.params))
		if failed != nil {
			t.Fatal(failed)
		}
		var r struct {
			Agent, Model, Workspace string
			Percent                 *float64
			AsOf                    *int64
			Limit                   *int64
			Activity                string
			Parent                  *string
			Spent                   struct{ Calls int64 }
			Compaction              struct {
				Count     int64
				Threshold *int64
				Percent   *float64
				Level     string
			}
		}
		if err := json.Unmarshal(reading, &r); err != nil {
			t.Fatal(err)
		}
		want := summary{
			agent: r.Agent, model: r.Model, workspace: r.Workspace, level: r.Compaction.Level, fullness: -1,
			hasThreshold: r.Compaction.Threshold != nil, compactions: r.Compaction.Count, calls: r.Spent.Calls,
			live: r.Activity == "working" || r.Activity == "waiting", child: r.Parent != nil,
		}
		if r.Limit != nil {
			want.limit = *r.Limit
		}
		if r.AsOf != nil {
			want.asOf = *r.AsOf
		}
		if r.Percent != nil {
			want.fullness = *r.Percent
		}
		if r.Compaction.Percent != nil {
			want.fullness = *r.Compaction.Percent
		}
		got, ok := summarize(reading, before)
		if !ok || got != want {
			t.Errorf("after %s:\n got %+v\nwant %+v\n%s", call.method, got, want, reading)
		}
		before = got
	}
	s.call(context.Background(), "ctx/session/close", []byte(`{"id":"sum"}`))
	for _, none := range []string{"", "null", "[]", "7", `"x"`} {
		if _, ok := summarize([]byte(none), before); ok {
			t.Errorf("%q was taken for a Reading", none)
		}
	}
}

// TestASummaryOfUnusualReadings checks values that are unknown, zero or below it, and those that are missing.
func TestASummaryOfUnusualReadings(t *testing.T) {
	for reading, want := range map[string]summary{
		`{}`: {level: "ok", fullness: -1, live: true},
		`{"agent":null,"model":"","workspace":7,"limit":null,"asOf":null,"percent":null,"compaction":{"threshold":null,"percent":null,"level":""}}`: {level: "ok", fullness: -1, live: true},
		`{"limit":-5,"asOf":-5,"spent":{"calls":-5},"percent":0,"compaction":{"threshold":0,"count":-5}}`:                                           {level: "ok", live: true, hasThreshold: true},
		`{"limit":0.5,"asOf":1,"spent":{"calls":3},"percent":7,"compaction":{"threshold":9,"percent":0,"level":"now","count":2}}`:                   {level: "now", live: true, hasThreshold: true, compactions: 2, asOf: 1, calls: 3},
		`{"activity":"working","parent":"p"}`:                    {level: "ok", fullness: -1, live: true, working: true, child: true},
		`{"activity":"waiting","parent":null}`:                   {level: "ok", fullness: -1, live: true},
		`{"activity":"ended","percent":81.25,"compaction":null}`: {level: "ok", fullness: 81.25},
		`{"agent":"claude\u002dcode","model":"m"}`:               {level: "ok", fullness: -1, live: true, agent: "claude-code", model: "m"},
	} {
		for _, before := range []summary{{}, {agent: "claude-code", model: "m", level: "now"}, {agent: "x", model: "x", level: "over"}} {
			if got, ok := summarize([]byte(reading), before); !ok || got != want {
				t.Errorf("%s\n got %+v\nwant %+v", reading, got, want)
			}
		}
	}
}
