// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// growing returns a session with the given number of requests: 20,000 tokens of fixed rows, 1,000 of them an MCP
// server's, and a result of 2,000 with each request. It is compacted to 30,000 before the given call.
func growing(calls, compactedBefore int64) *Course {
	c := &Course{Last: &api.Reading{Session: "s", Model: "m"}}
	results := int64(0)
	for call := int64(1); call <= calls; call++ {
		results += 2000
		compacted := call == compactedBefore
		if compacted {
			results = 10_000
		}
		in := 20_000 + results
		cached := max(in-2000, 0)
		server := int64(1000)
		c.Requests = append(c.Requests, Request{
			Call: call, In: in, Used: in, CacheRead: &cached, Compacted: compacted,
			Rows:    []api.Row{{Kind: "system", Label: api.Text{Text: "System prompt"}, Tokens: 19_000}, {Kind: "mcpTools", Label: api.Text{Text: "github"}, Tokens: 1000}, {Kind: "toolResults", Label: api.Text{Text: "Tool results"}, Tokens: results}},
			Items:   []api.LargeItem{{Kind: "toolResults", What: "file", Label: api.Text{Text: "Read a.go"}, Tokens: results - 500}, {Kind: "toolResults", What: "mcp", Label: api.Text{Text: "mcp:github get_issue"}, Tokens: 500}},
			Servers: []api.Server{{Name: "github", Tokens: &server}},
		})
	}
	return c
}

// TestNothingChangedIsTheSessionAsItWas checks that without other settings a replay repeats the session.
func TestNothingChangedIsTheSessionAsItWas(t *testing.T) {
	got := growing(40, 0).WhatIf(Settings{})
	if got.Was.Input != got.Would.Input || got.Was.Calls != got.Would.Calls || len(got.Would.Compactions) != 0 {
		t.Errorf("was %+v, would be %+v", got.Was, got.Would)
	}
}

// TestALowerThresholdCompactsMoreOften checks --threshold: no request exceeds it, and compactions are not included in
// the calls. From 22,000, 2,000 a request pass 50,000 at call 16, and from 30,000 every eleventh call: 27, 38, 49 and
// 60.
func TestALowerThresholdCompactsMoreOften(t *testing.T) {
	got := growing(60, 50).WhatIf(Settings{Threshold: 50_000})
	if got.Would.Highest > 50_000 || len(got.Would.Compactions) != 5 || got.Would.Calls != 60 || got.Was.Calls != 60 {
		t.Errorf("would be %d at most, with %d compactions and %d calls", got.Would.Highest, len(got.Would.Compactions), got.Would.Calls)
	}
	for _, c := range got.Would.Compactions {
		if c.After != 30_000 {
			t.Errorf("a compaction leaves %d, and those of the session left 30,000", c.After)
		}
	}
	if len(got.Was.Compactions) != 1 || got.Would.Input >= got.Was.Input || got.Would.CacheRead >= got.Was.CacheRead {
		t.Errorf("was %+v, would be %+v", got.Was, got.Would)
	}
}

// TestASmallerResultIsSparedInEachRequest checks --cap-results: the part cut off is never sent again.
func TestASmallerResultIsSparedInEachRequest(t *testing.T) {
	got := growing(11, 0).WhatIf(Settings{CapResults: 500})
	if want := int64(10 * 1500); got.Spared != want || got.Would.Highest != got.Was.Highest-want {
		t.Errorf("spared %d of %d, and the fullest request is %d", got.Spared, want, got.Would.Highest)
	}
}

// TestWithoutAServerItsToolsAndResultsAreRemoved checks --without-mcp.
func TestWithoutAServerItsToolsAndResultsAreRemoved(t *testing.T) {
	got := growing(5, 0).WhatIf(Settings{WithoutMCP: []string{"github"}})
	if got.Would.Curve[0].In != got.Was.Curve[0].In-1000 {
		t.Errorf("the first request is %d, and was %d", got.Would.Curve[0].In, got.Was.Curve[0].In)
	}
}

// TestSettingsThatDoNotFitTheSession checks that an unknown server and a threshold below what a compaction leaves are
// refused with a reason.
func TestSettingsThatDoNotFitTheSession(t *testing.T) {
	c := growing(5, 0)
	first := c.Requests[0].In
	for _, test := range []struct {
		settings Settings
		want     string
	}{
		{Settings{WithoutMCP: []string{"github"}, Threshold: first + 1}, ""},
		{Settings{}, ""},
		{Settings{WithoutMCP: []string{"github", "nobody"}}, `no MCP server called "nobody"; it has github`},
		{Settings{Threshold: first}, "cannot be kept"},
		{Settings{Threshold: first + 1, AfterwardOf: first + 1}, "cannot be kept"},
	} {
		err := c.Check(test.settings)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%+v: %v, want %q", test.settings, err, test.want)
		}
	}
}
