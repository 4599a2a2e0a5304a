// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// TestHowASetupChangedIsASentence checks that the sentence states the sizes, the date and the cause, and ignores
// sessions that continue another conversation.
func TestHowASetupChangedIsASentence(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	days := func(n int) int64 { return now.AddDate(0, 0, -n).UnixMilli() }
	session := func(ago int, rows map[string]int64, servers ...api.FirstServer) request {
		r := request{FirstRequest: api.FirstRequest{At: days(ago), Model: "m", Servers: servers}}
		for _, kind := range kinds {
			if rows[kind] > 0 {
				r.Rows = append(r.Rows, api.FirstRow{Kind: kind, Tokens: rows[kind]})
				r.Setup += rows[kind]
			}
		}
		return r
	}
	plain := map[string]int64{"system": 3000, "tools": 15_000}
	grown := map[string]int64{"system": 3000, "tools": 19_000, "mcpTools": 9000}
	other := session(1, grown, api.FirstServer{Name: "github", Tokens: 5000}, api.FirstServer{Name: "files", Tokens: 4000})
	other.Model = "n"
	goesOn := session(2, map[string]int64{"prefix": 90_000})
	goesOn.cached = true
	warm := session(1, plain)
	warm.cached = true // started right after another session
	for _, c := range []struct {
		name     string
		sessions []request
		want     string
	}{
		{"two servers", []request{session(48, plain), session(1, grown, api.FirstServer{Name: "github", Tokens: 5000}, api.FirstServer{Name: "files", Tokens: 4000})}, "This workspace's fixed context grew from 18k to 31k tokens since 2026-10-05; the largest change is +9k, the tools of 2 MCP servers (github, files)."},
		{"one server more", []request{session(48, grown, api.FirstServer{Name: "github", Tokens: 9000}), session(1, map[string]int64{"system": 3000, "tools": 19_000, "mcpTools": 14_000}, api.FirstServer{Name: "github", Tokens: 9000}, api.FirstServer{Name: "files", Tokens: 5000})}, "This workspace's fixed context grew from 31k to 36k tokens since 2026-10-05; the largest change is +5k, the tools of the MCP server files."},
		{"servers went", []request{session(400, grown, api.FirstServer{Name: "github", Tokens: 9000}), session(1, plain)}, "This workspace's fixed context shrank from 31k to 18k tokens since 2025-10-18; the largest change is -9k, the tools of the MCP server github."},
		{"memory", []request{session(10, plain), session(1, map[string]int64{"system": 3000, "tools": 15_000, "memory": 4000})}, "This workspace's fixed context grew from 18k to 22k tokens since 2026-11-12; the largest change is +4k, memory files."},
		{"another model", []request{session(48, plain), other}, "This workspace's fixed context grew from 18k to 31k tokens since 2026-10-05; the largest change is +9k, the tools of 2 MCP servers (github, files); another model was used, which may count tokens differently."},
		{"as it was", []request{session(48, plain), session(1, map[string]int64{"system": 3400, "tools": 15_000})}, "This workspace's fixed context has stayed at about 18.4k tokens since 2026-10-05."},
		{"one that goes on", []request{session(48, plain), goesOn, session(0, plain)}, "This workspace's fixed context has stayed at about 18k tokens since 2026-10-05."},
		{"an odd one at the end", []request{session(9, plain), session(8, plain), session(7, plain), session(3, plain), session(2, grown), session(1, plain)}, "This workspace's fixed context has stayed at about 18k tokens since 2026-11-13."},
		{"one alone", []request{session(0, plain)}, "The only session here started with a fixed context of 18k tokens."},
		{"one that finds the setup of another in the cache", []request{session(48, plain), warm}, "This workspace's fixed context has stayed at about 18k tokens since 2026-10-05."},
		{"nothing to compare with", []request{warm}, "The only session here started with a fixed context of 18k tokens."},
	} {
		f := api.FirstOf{}
		fillIn(&f, c.sessions, now)
		if f.Sentence != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, f.Sentence, c.want)
		}
	}
}
