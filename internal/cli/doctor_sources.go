// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// foundSources are the sources of the compaction threshold in one session.
type foundSources struct {
	Agent         string                `json:"agent"`
	Version       string                `json:"version"`
	Model         string                `json:"model"`
	Session       string                `json:"session"`
	Threshold     *int64                `json:"threshold"`     // null if nothing compacts
	ThresholdFrom string                `json:"thresholdFrom"` // empty if the rule decides
	Rule          string                `json:"rule"`
	Sources       []api.ThresholdSource `json:"sources"`
}

// sources reads the newest session of each agent, or the named session, and lists the sources of its compaction
// threshold.
func (c *checkup) sources(ctx context.Context, env *environment, word string) error {
	list := c.newest
	if word != "" {
		s, _, err := chooseSession(ctx, env, word)
		if err != nil {
			return err
		}
		list = []transcript.Session{s}
	}
	var e *engine.Pool // none is needed if the session that was read is the only one
	defer func() {
		if e != nil {
			e.Close()
		}
	}()
	for i := range list {
		if e == nil && !c.hasRead(&list[i]) {
			var err error
			if e, err = nativeEngine(env, 1); err != nil {
				return err
			}
			if err := teach(ctx, env, e); err != nil {
				env.errorf("%s", err) // the rules are listed without it
			}
		}
		found, err := c.sourcesOf(ctx, env, e, &list[i])
		if err != nil {
			env.errorf("%s cannot be read: %s", env.name(list[i].Path), err)
			continue
		}
		if found != nil {
			c.Sources = append(c.Sources, *found)
		}
	}
	return ctx.Err()
}

// hasRead reports whether a session is the one whose Reading doctor shows.
func (c *checkup) hasRead(s *transcript.Session) bool {
	return c.Session != nil && c.Session.Session == s.ID && c.Session.Path == s.Path
}

// sourcesOf reads one session; it returns nil for one without a record.
func (c *checkup) sourcesOf(ctx context.Context, env *environment, e *engine.Pool, s *transcript.Session) (*foundSources, error) {
	var r *api.Reading
	if c.hasRead(s) {
		r = c.Session.reading
	} else {
		reading, err := env.machine().Feed(*s, e.Call).Read(ctx)
		if err != nil || reading == nil {
			return nil, err
		}
		if r, err = terminal.Parse(reading); err != nil {
			return nil, err
		}
	}
	return &foundSources{
		Agent: r.Agent, Version: r.AgentVersion, Model: r.Model, Session: s.ID,
		Threshold: r.Compaction.Threshold, ThresholdFrom: r.Compaction.ThresholdFrom.Text, Rule: r.Compaction.Rule, Sources: r.Compaction.Sources,
	}, nil
}

// remember keeps the newest session of each agent.
func (c *checkup) remember(found []transcript.Session) {
	for i := range found {
		s := &found[i]
		if s.Parent != "" {
			continue
		}
		at := slices.IndexFunc(c.newest, func(other transcript.Session) bool { return other.Agent == s.Agent })
		switch {
		case at < 0:
			c.newest = append(c.newest, *s)
		case s.Modified.After(c.newest[at].Modified):
			c.newest[at] = *s
		}
	}
	slices.SortFunc(c.newest, func(a, b transcript.Session) int { return strings.Compare(a.Agent, b.Agent) })
}

func (c *checkup) printSources(w io.Writer, s terminal.Style) {
	for i := range c.Sources {
		found := &c.Sources[i]
		line := "no compaction threshold"
		if found.Threshold != nil {
			line = "compacts at " + terminal.Digits(*found.Threshold) + " tokens"
		}
		if found.ThresholdFrom != "" {
			line += ", " + found.ThresholdFrom
		}
		of := strings.TrimSpace(found.Agent + " " + found.Version)
		if found.Model != "" {
			of += ", " + found.Model
		}
		fmt.Fprintf(w, "  %s: %s\n", s.Clean(of), s.Clean(line))
		for j := range found.Sources {
			source := &found.Sources[j]
			fmt.Fprintf(w, "    %-14s %11s  %s\n", terminal.SourceState(source.State), terminal.SourceThreshold(source), s.Clean(terminal.SourceTitle(source)))
		}
	}
}
