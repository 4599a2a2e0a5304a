// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// firsts is what the sessions of a folder began with, by agent.
type firsts struct {
	Schema    string      `json:"schema"` // ctx.first/1
	Workspace string      `json:"workspace"`
	Agents    []*firstsOf `json:"agents"`
}

// firstsOf is what the sessions of one agent began with, the oldest first.
type firstsOf struct {
	Agent    string         `json:"agent"`
	Name     string         `json:"name"`     // as people know it
	Sentence string         `json:"sentence"` // how it changed, and by what
	Sessions []firstRequest `json:"sessions"`
}

// firstRequest is what surrounded the conversation in the first request of a
// session: its setup.
type firstRequest struct {
	Session string      `json:"session"`
	Version string      `json:"agentVersion"`
	Model   string      `json:"model"`
	At      int64       `json:"at"`    // when it began, in milliseconds since 1970
	In      int64       `json:"in"`    // the whole first request
	Setup   int64       `json:"setup"` // without what was said in it
	Rows    []firstRow  `json:"rows"`  // sum to setup
	Servers []firstTool `json:"mcpServers"`
	// Continues is set where the session goes on with another conversation, so
	// that its first request says nothing of the setup.
	Continues bool `json:"continues,omitempty"`

	cached bool // nearly all of it was in the cache already
}

type firstRow struct {
	Kind   api.Kind `json:"kind"`
	Tokens int64    `json:"tokens"`
}

type firstTool struct {
	Name   string `json:"name"`
	Tokens int64  `json:"tokens"`
}

// setupKinds are the rows that surround a conversation.
var setupKinds = []api.Kind{"system", "tools", "mcpTools", "skills", "agents", "memory", "prefix"}

// kindWords name what grew or shrank.
var kindWords = map[api.Kind]string{
	"system": "the system prompt", "tools": "built-in tools", "mcpTools": "tools of MCP servers", "skills": "skills", "agents": "agents",
	"memory": "memory files", "prefix": "what nobody records",
}

// firstsIn reads the first requests of the sessions that were started in a
// folder, the newest of them, of one agent or of all.
func (env *environment) firstsIn(ctx context.Context, workspace, of string, most int) (*firsts, error) {
	found, _, err := source.NewFinder(env.host()).Find(ctx, source.Query{Workspace: workspace, Limit: most})
	if err != nil {
		return nil, err
	}
	e, err := nativeEngine(env, 1)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	out := &firsts{Schema: "ctx.first/1", Workspace: workspace, Agents: []*firstsOf{}}
	for _, s := range found {
		if of != "" && s.Agent != of {
			continue
		}
		request, ok := env.firstOf(ctx, e, s)
		if !ok {
			continue
		}
		at := slices.IndexFunc(out.Agents, func(f *firstsOf) bool { return f.Agent == s.Agent })
		if at < 0 {
			at = len(out.Agents)
			out.Agents = append(out.Agents, &firstsOf{Agent: s.Agent, Name: s.Agent})
			if known, ok := agent.Find(s.Agent); ok {
				out.Agents[at].Name = known.Name
			}
		}
		out.Agents[at].Sessions = append(out.Agents[at].Sessions, request)
	}
	for _, f := range out.Agents {
		slices.SortStableFunc(f.Sessions, func(a, b firstRequest) int { return cmp.Compare(a.At, b.At) })
		f.markContinued()
		f.Sentence = f.sentence(env.Now())
	}
	return out, nil
}

// markContinued finds the sessions that go on with another conversation: of
// their first request nearly all was in the cache already, and it was larger
// than a first request here is.
func (f *firstsOf) markContinued() {
	fresh := slices.DeleteFunc(slices.Clone(f.Sessions), func(r firstRequest) bool { return r.cached })
	if len(fresh) == 0 {
		return
	}
	usual := middle(fresh).Setup
	for i := range f.Sessions {
		r := &f.Sessions[i]
		r.Continues = r.cached && r.Setup*4 > usual*5
	}
}

// firstOf reads the first request of one session; ok is false where none was
// measured.
func (env *environment) firstOf(ctx context.Context, e engine.Engine, s source.Session) (request firstRequest, ok bool) {
	feed := source.NewFeed(s, e.Call)
	feed.HidePaths, feed.Settings = env.hidePaths, source.SettingsOf(env.host(), s)
	defer feed.Close(ctx)
	reading, err := source.FirstRequest(ctx, feed)
	if err != nil {
		return request, false
	}
	r, err := terminal.Parse(reading)
	if err != nil || r.LastRequest == nil {
		return request, false
	}
	began := s.Started
	if began.IsZero() {
		began = s.Modified
	}
	request = firstRequest{Session: s.ID, Version: r.AgentVersion, Model: r.Model, At: began.UnixMilli(), In: r.LastRequest.In, Rows: []firstRow{}, Servers: []firstTool{}}
	for _, kind := range setupKinds {
		row := firstRow{Kind: kind}
		for _, each := range r.Breakdown {
			if each.Kind == kind && !each.Deferred {
				row.Tokens += each.Tokens
			}
		}
		if row.Tokens > 0 {
			request.Rows = append(request.Rows, row)
			request.Setup += row.Tokens
		}
	}
	for _, server := range r.MCPServers {
		if server.Tokens != nil && *server.Tokens > 0 {
			request.Servers = append(request.Servers, firstTool{server.Name, *server.Tokens})
		}
	}
	read := r.LastRequest.CacheRead
	request.cached = read != nil && *read*10 > request.In*9
	return request, true
}

// compared is how many sessions at each end are held against each other: the
// one in the middle of them stands for all.
const compared = 3

// sentence says how the setup changed, since when, and by what.
func (f *firstsOf) sentence(now time.Time) string {
	own := slices.DeleteFunc(slices.Clone(f.Sessions), func(r firstRequest) bool { return r.Continues })
	switch len(own) {
	case 0:
		return "" // none was measured
	case 1:
		return "The only session here began with a setup of " + core.Short(own[0].Setup) + "."
	}
	n := min(compared, len(own)/2)
	a, b := middle(own[:n]), middle(own[len(own)-n:])
	since := since(time.UnixMilli(own[0].At), now)
	more := b.Setup - a.Setup
	if size := max(more, -more); size*20 < max(a.Setup, 1) || size < 500 {
		return "This workspace's setup has stayed at about " + core.Short(b.Setup) + " " + since + "."
	}
	verb := "grew"
	if more < 0 {
		verb = "shrank"
	}
	text := "This workspace's setup " + verb + " from " + core.Short(a.Setup) + " to " + core.Short(b.Setup) + " " + since
	if cause := cause(&a, &b, more < 0); cause != "" {
		text += "; " + cause
	}
	if a.Model != b.Model {
		text += "; the model is another, which may count otherwise"
	}
	return text + "."
}

// middle is the session whose setup is the median.
func middle(of []firstRequest) firstRequest {
	sorted := slices.Clone(of)
	slices.SortStableFunc(sorted, func(a, b firstRequest) int { return cmp.Compare(a.Setup, b.Setup) })
	return sorted[len(sorted)/2]
}

// cause names what changed most in the direction of the whole.
func cause(a, b *firstRequest, less bool) string {
	most := firstRow{}
	for _, kind := range setupKinds {
		more := b.of(kind) - a.of(kind)
		if less {
			more = -more
		}
		if more > most.Tokens {
			most = firstRow{kind, more}
		}
	}
	if most.Tokens == 0 {
		return ""
	}
	sign, what := "+", kindWords[most.Kind]
	if less {
		sign, a, b = "-", b, a
	}
	if most.Kind == "mcpTools" {
		var names []string
		for _, server := range b.Servers {
			if !slices.ContainsFunc(a.Servers, func(other firstTool) bool { return other.Name == server.Name && other.Tokens >= server.Tokens }) {
				names = append(names, server.Name)
			}
		}
		switch len(names) {
		case 0:
		case 1:
			what = "the tools of the MCP server " + names[0]
		default:
			what = fmt.Sprintf("the tools of %d MCP servers (%s)", len(names), strings.Join(names[:min(len(names), 4)], ", "))
		}
	}
	return sign + core.Short(most.Tokens) + " are " + what
}

func (r *firstRequest) of(kind api.Kind) int64 {
	for _, row := range r.Rows {
		if row.Kind == kind {
			return row.Tokens
		}
	}
	return 0
}

// since names a day as people do: by its month when it is long ago.
func since(at, now time.Time) string {
	at = at.In(now.Location())
	switch age := now.Sub(at); {
	case at.Year() != now.Year() && age > 45*24*time.Hour:
		return "since " + at.Format("January 2006")
	case age > 45*24*time.Hour:
		return "since " + at.Format("January")
	case at.YearDay() == now.YearDay() && at.Year() == now.Year():
		return "since today"
	}
	return "since " + at.Format("2 January")
}

// runFirst is history --first.
func runFirst(ctx context.Context, env *environment, word string, asJSON bool) int {
	if word != "" {
		if _, known := agent.Find(word); !known {
			return env.usageError("history", errors.New("--first takes an agent, such as claude-code, or nothing"))
		}
	}
	f, err := env.firstsIn(ctx, env.workspace(), word, maxChoices)
	if err != nil {
		return env.fail(err)
	}
	if asJSON {
		return env.printJSON(f)
	}
	if len(f.Agents) == 0 {
		return env.chooseFailed(fmt.Errorf("%w with a measured request for %s", errNoSession, f.Workspace))
	}
	for i, of := range f.Agents {
		if i > 0 {
			fmt.Fprintln(env.Stdout)
		}
		fmt.Fprintf(env.Stdout, "%s: %s\n", of.Name, of.Sentence)
		for _, r := range of.Sessions {
			note := ""
			if r.Continues {
				note = "  goes on with another conversation"
			}
			fmt.Fprintf(env.Stdout, "  %s  %8s  %-36s  %s%s\n", time.UnixMilli(r.At).In(env.Now().Location()).Format("2006-01-02"), core.Short(r.Setup), terminal.Name(r.Session), terminal.Name(r.Model), note)
		}
	}
	return exitOK
}
