// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A FixedReader reads the first requests of sessions.
type FixedReader struct {
	Host   dirs.Environment
	Finder *sessions.Finder
	// Call calls an engine that has none of the sessions open.
	Call      client.Call
	HidePaths bool
	Windows   follow.Windows // the windows reported by agents; nil for none
	Now       func() time.Time
	// Remember, if set, returns what was kept of a session's first request, nil if nothing, and a function that keeps
	// it for the next time. It is called before the feed reads.
	Remember func(s *transcript.Session, feed *follow.Feed) (kept []byte, keep func([]byte))
}

// request is the first request of a session.
type request struct {
	api.FirstRequest
	cached bool // nearly all of it was already in the cache
}

// keptRequest is a request as it is kept; Request is nil for a session without a measured one.
type keptRequest struct {
	Request *api.FirstRequest `json:"request"`
	Cached  bool              `json:"cached"`
}

// kinds are the kinds of the fixed context.
var kinds = []string{"system", "tools", "mcpTools", "skills", "agents", "memory", "prefix"}

// Of reads the first requests of the newest sessions that were started in a directory; most limits their number. A
// non-empty of selects the sessions of that agent.
func (r *FixedReader) Of(ctx context.Context, workspace, of string, most int) (*api.FirstAnswer, error) {
	found, _, err := r.Finder.Find(ctx, sessions.Query{Workspace: workspace, Limit: most})
	if err != nil {
		return nil, err
	}
	out := &api.FirstAnswer{Workspace: workspace, Agents: []api.FirstOf{}}
	var requests [][]request
	for _, s := range found {
		if of != "" && s.Agent != of {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		first, ok := r.first(ctx, s)
		if !ok {
			continue
		}
		at := slices.IndexFunc(out.Agents, func(f api.FirstOf) bool { return f.Agent == s.Agent })
		if at < 0 {
			at = len(out.Agents)
			name := s.Agent
			if known, ok := agent.Find(s.Agent); ok {
				name = known.Name
			}
			out.Agents, requests = append(out.Agents, api.FirstOf{Agent: s.Agent, Name: name}), append(requests, nil)
		}
		requests[at] = append(requests[at], first)
	}
	for i := range out.Agents {
		fillIn(&out.Agents[i], requests[i], r.Now())
	}
	return out, nil
}

// fillIn fills in the first requests of an agent's sessions, and how their setup changed.
func fillIn(of *api.FirstOf, requests []request, now time.Time) {
	slices.SortStableFunc(requests, func(a, b request) int { return cmp.Compare(a.At, b.At) })
	markContinued(requests)
	of.Sessions = make([]api.FirstRequest, len(requests))
	for i := range requests {
		of.Sessions[i] = requests[i].FirstRequest
	}
	own := slices.DeleteFunc(slices.Clone(of.Sessions), func(r api.FirstRequest) bool { return r.Continues })
	of.Change = change(own)
	of.Sentence = sentence(own, of.Change, now)
}

// markContinued marks the sessions that continue another conversation: nearly all of their first request was already in
// the cache, and it was larger than a first request usually is here.
func markContinued(requests []request) {
	var fresh []api.FirstRequest
	for i := range requests {
		if !requests[i].cached {
			fresh = append(fresh, requests[i].FirstRequest)
		}
	}
	if len(fresh) == 0 {
		return
	}
	usual := middle(fresh).Setup
	for i := range requests {
		r := &requests[i]
		r.Continues = r.cached && r.Setup*4 > usual*5
	}
}

// fixed returns the rows of a Reading's fixed context, and their sum.
func fixed(reading *api.Reading) (rows []api.FirstRow, sum int64) {
	rows = []api.FirstRow{}
	for _, kind := range kinds {
		row := api.FirstRow{Kind: kind}
		for _, each := range reading.Breakdown {
			if string(each.Kind) == kind && !each.Deferred {
				row.Tokens += each.Tokens
			}
		}
		if row.Tokens > 0 {
			rows = append(rows, row)
			sum += row.Tokens
		}
	}
	return rows, sum
}

// Fixed returns the tokens of a session's fixed context, which every request contains.
func Fixed(reading *api.Reading) int64 {
	_, sum := fixed(reading)
	return sum
}

// first finds the first request of a session; ok is false if none was measured.
func (r *FixedReader) first(ctx context.Context, s transcript.Session) (first request, ok bool) {
	feed := follow.NewFeed(s, r.Call)
	feed.HidePaths, feed.Settings, feed.Windows = r.HidePaths, agents.SettingsOf(r.Host, s), r.Windows
	defer feed.Close(ctx)
	if r.Remember == nil {
		first, _, ok = readFirst(ctx, s, feed)
		return first, ok
	}
	text, keep := r.Remember(&s, feed)
	var kept keptRequest
	if text != nil && json.Unmarshal(text, &kept) == nil {
		if kept.Request == nil {
			return first, false
		}
		return request{*kept.Request, kept.Cached}, true
	}
	first, certain, ok := readFirst(ctx, s, feed)
	if certain {
		kept = keptRequest{}
		if ok {
			kept = keptRequest{&first.FirstRequest, first.cached}
		}
		if text, err := json.Marshal(&kept); err == nil {
			keep(text)
		}
	}
	return first, ok
}

// readFirst reads the first request of a session; ok is false if none was measured. certain is false if it could not be
// read.
func readFirst(ctx context.Context, s transcript.Session, feed *follow.Feed) (first request, certain, ok bool) {
	bytes, err := follow.FirstRequest(ctx, feed)
	if err != nil {
		return first, errors.Is(err, follow.ErrNothingMeasured), false
	}
	reading, err := terminal.Parse(bytes)
	if err != nil || reading.LastRequest == nil {
		return first, false, false
	}
	began := s.Started
	if began.IsZero() {
		began = s.Modified
	}
	first.FirstRequest = api.FirstRequest{
		Session: s.ID, Version: reading.AgentVersion, Model: reading.Model, At: began.UnixMilli(),
		In: reading.LastRequest.In, Servers: []api.FirstServer{},
	}
	first.Rows, first.Setup = fixed(reading)
	for _, server := range reading.MCPServers {
		if server.Tokens != nil && *server.Tokens > 0 {
			first.Servers = append(first.Servers, api.FirstServer{Name: server.Name, Tokens: *server.Tokens})
		}
	}
	read := reading.LastRequest.CacheRead
	first.cached = read != nil && *read*10 > first.In*9
	return first, true, true
}
