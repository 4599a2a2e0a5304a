// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A running describes the agents' processes, and the sessions among some that they run or may run.
type running struct {
	processes []process.Process
	holdings  []process.Holding
	held      map[string]bool
}

// runningOf matches the processes of this machine with sessions.
func runningOf(env *environment, list []transcript.Session) *running {
	r := &running{processes: process.Agents(env.processes())}
	known := make([]process.Session, 0, len(list))
	for i := range list {
		s := &list[i]
		if s.Parent == "" {
			known = append(known, process.Session{
				ID: s.ID, Agent: s.Agent, Path: s.Path, Dir: s.Workspace, Begun: s.Started, Last: s.Modified,
				Cleared: len(r.processes) > 0 && agents.Cleared(s.Agent, s.Path),
			})
		}
	}
	r.holdings = process.Resolve(r.processes, process.Claims(env.host()), known)
	r.held = process.Held(r.holdings)
	return r
}

// activity returns what an agent does in a session: what the records show, unless nobody works in it.
func (r *running) activity(s *transcript.Session, recorded api.Activity, last, now time.Time) api.Activity {
	absent := process.Absent(r.processes, r.holdings, s.Agent, s.Workspace)
	if s.Parent == "" && process.Idle(r.held[s.ID], absent, recorded == "working", now.Sub(last)) {
		return "idle"
	}
	return recorded
}

// idleReading returns the Reading of a session without an engine, with the activity idle if nobody works in it.
func idleReading(env *environment, s transcript.Session, reading []byte) []byte {
	r, err := terminal.Parse(reading)
	if err != nil || r.AsOf == nil || s.Path == "" {
		return reading
	}
	activity := runningOf(env, []transcript.Session{s}).activity(&s, r.Activity, time.UnixMilli(int64(*r.AsOf)), env.Now())
	if activity == r.Activity {
		return reading
	}
	for name, values := range map[string][2]any{"activity": {r.Activity, activity}, "since": {r.Since, r.AsOf}} {
		was, _ := json.Marshal(values[0]) // strings and numbers always encode
		is, _ := json.Marshal(values[1])
		reading = bytes.Replace(reading, fmt.Appendf(nil, "%q:%s", name, was), fmt.Appendf(nil, "%q:%s", name, is), 1)
	}
	return reading
}

// withActivity returns the Reading of a session with the agent's activity as every front end shows it.
func withActivity(ctx context.Context, env *environment, e engine.Engine, s transcript.Session, reading []byte) ([]byte, error) {
	r, err := terminal.Parse(reading)
	if err != nil || r.AsOf == nil {
		return reading, err
	}
	recorded := api.Activity(r.Activity)
	activity := runningOf(env, []transcript.Session{s}).activity(&s, recorded, time.UnixMilli(int64(*r.AsOf)), env.Now())
	if activity == recorded {
		return reading, nil
	}
	return client.Call(e.Call).Update(ctx, &api.UpdateParams{ID: r.Session, Activity: &activity, Since: r.AsOf}).JSON()
}
