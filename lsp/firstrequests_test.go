// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/history"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
)

// TestFirstRequestsOfAWorkspaceAreListed checks the result of ctx/first, for a path and for a URI, and that a
// session that is followed at the same time does not change.
func TestFirstRequestsOfAWorkspaceAreListed(t *testing.T) {
	m := newMachine(t)
	id := func(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	m.session(id(1), 1, m.work, 72*time.Hour, 20_000)
	m.session(id(2), 1, m.work, time.Minute, 33_000)
	m.session(id(3), 1, m.home+"/elsewhere", time.Minute, 50_000)
	environment := dirs.Environment{OS: testSystem, Home: m.home, Getenv: func(string) string { return "" }}
	engine := realEngine(t, "native")
	failure := error(nil)
	s := newTestServer(t, Options{
		Engine: engine, Home: m.home, Source: sessions.NewFinder(environment), Processes: m.running,
		Firsts: func(ctx context.Context, workspace, agent string) (*api.FirstAnswer, error) {
			if failure != nil {
				return nil, failure
			}
			apart, err := engine(ctx)
			if err != nil {
				return nil, err
			}
			reader := history.FixedReader{Host: environment, Finder: sessions.NewFinder(environment), Call: apart.Call, Now: time.Now}
			return reader.Of(ctx, workspace, agent, 50)
		},
	})
	c := start(t, s)
	followed := func() (used []int64) {
		var watched struct {
			Sessions []struct {
				Session string
				Used    int64
			}
		}
		json.Unmarshal(c.call("ctx/watch", `{}`), &watched)
		for _, s := range watched.Sessions {
			if s.Session == id(2) {
				used = append(used, s.Used)
			}
		}
		return used
	}
	before := followed()
	for _, workspace := range []string{m.work, document.URI(m.work)} {
		var first api.FirstAnswer
		if err := json.Unmarshal(c.call("ctx/first", fmt.Sprintf(`{"workspace":%q,"agent":"claude-code"}`, workspace)), &first); err != nil {
			t.Fatal(err)
		}
		if len(first.Agents) != 1 || len(first.Agents[0].Sessions) != 2 || first.Workspace != m.work {
			t.Fatalf("%s began with %+v", workspace, first)
		}
		of := first.Agents[0]
		if of.Sessions[0].Session != id(1) || of.Sessions[1].In != 33_000 || of.Change == nil {
			t.Fatalf("%s: %+v", workspace, of)
		}
		if more := of.Change.To - of.Change.From; more != 13_000 || !strings.HasPrefix(of.Sentence, "This workspace's fixed context grew from ") {
			t.Errorf("%s: %d more, %s", workspace, more, of.Sentence)
		}
		var sum int64
		for _, row := range of.Sessions[1].Rows {
			sum += row.Tokens
		}
		if sum != of.Sessions[1].Setup {
			t.Errorf("rows of %d for a setup of %d", sum, of.Sessions[1].Setup)
		}
	}
	if after := followed(); len(before) != 1 || !slices.Equal(after, before) {
		t.Errorf("the session that is followed has %d, and had %d", after, before)
	}
	var none api.FirstAnswer
	json.Unmarshal(c.call("ctx/first", fmt.Sprintf(`{"workspace":%q,"agent":"codex"}`, m.work)), &none)
	if none.Agents == nil || len(none.Agents) != 0 {
		t.Errorf("of an agent without sessions there is %+v", none)
	}
	refused := func(params, sentence string) {
		t.Helper()
		if m := c.ask("ctx/first", params); m.Error == nil || !strings.Contains(m.Error.Message, sentence) {
			t.Errorf("ctx/first %s was answered %+v", params, m)
		}
	}
	refused(`{}`, `"workspace" must be an absolute path`)
	refused(`{"workspace":"here"}`, `"workspace" must be an absolute path`)
	refused(`{"workspace":7}`, `"workspace" must be a string, not a number.`)
	failure = errors.New("the disk is gone")
	refused(fmt.Sprintf(`{"workspace":%q}`, m.work), "the disk is gone.")
}
