// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// A difference contains the differences between two sessions.
type difference struct {
	Schema string           `json:"schema"` // ctx.diff/1
	Of     string           `json:"of"`     // first, or now
	A      diffSide         `json:"a"`
	B      diffSide         `json:"b"`
	Tokens int64            `json:"tokens"` // b - a
	Rows   []differenceLine `json:"rows"`   // they add up to tokens
	Named  []differenceLine `json:"named"`
}

type diffSide struct {
	Session string    `json:"session"`
	Agent   string    `json:"agent"`
	Version string    `json:"agentVersion"`
	Model   string    `json:"model"`
	Tokens  int64     `json:"tokens"`
	Basis   api.Basis `json:"basis"`
}

type differenceLine struct {
	Kind   api.Kind `json:"kind"`
	Label  string   `json:"label"`
	A      int64    `json:"a"`
	B      int64    `json:"b"`
	Tokens int64    `json:"tokens"` // b - a
}

// runDiff runs history --first for two sessions.
func runDiff(ctx context.Context, env *environment, words []string, now, asJSON bool) int {
	var err error
	var sides [2]*api.Reading
	for i, word := range words {
		if sides[i], err = env.sideOf(ctx, word, now); err != nil {
			return env.fail(fmt.Errorf("%s: %w", word, err))
		}
	}
	d := differ(sides[0], sides[1], now)
	if asJSON {
		return env.printJSON(d)
	}
	env.printDifference(d)
	return exitOK
}

// sideOf reads one of the two sessions. Each is read in an engine of its own,
// because both may have the same id.
func (env *environment) sideOf(ctx context.Context, word string, now bool) (*api.Reading, error) {
	s, _, err := chooseSession(ctx, env, word)
	if err != nil {
		return nil, err
	}
	e, err := taughtEngine(ctx, env)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	var reading []byte
	if now {
		reading, err = readSession(ctx, env, e, s, nil)
	} else {
		machine := env.machine()
		feed := machine.Feed(s, e.Call)
		feed.Loads = machine.Loads
		reading, err = follow.FirstRequest(ctx, feed)
	}
	if err != nil {
		return nil, err
	}
	return terminal.Parse(reading)
}

// differ compares the rows of two sessions, by kind and then by name.
func differ(a, b *api.Reading, now bool) *difference {
	side := func(r *api.Reading) diffSide {
		return diffSide{r.Session, r.Agent, r.AgentVersion, r.Model, r.Used, r.Basis}
	}
	d := &difference{Schema: "ctx.diff/1", Of: "first", A: side(a), B: side(b), Tokens: b.Used - a.Used}
	if now {
		d.Of = "now"
	}
	var rows, named pairing
	for i, r := range [2]*api.Reading{a, b} {
		for _, row := range r.Breakdown {
			if row.Deferred {
				continue
			}
			rows.add(i, differenceLine{Kind: row.Kind, Label: kindOfRow(row)}, row.Tokens)
			named.add(i, differenceLine{Kind: row.Kind, Label: row.Label.Text}, row.Tokens)
		}
		for _, item := range r.Largest {
			if now {
				named.add(i, differenceLine{Kind: item.Kind, Label: item.Label.Text}, item.Tokens)
			}
		}
	}
	named.lines = slices.DeleteFunc(named.lines, func(l differenceLine) bool { return rows.has(l) })
	d.Rows, d.Named = rows.list(), named.list()
	return d
}

// kindOfRow returns the name of a row's kind, so that rows are compared whatever their labels are. A prefix keeps its
// own label: it cannot be broken down, and is not the same in every session.
func kindOfRow(row api.Row) string {
	if k, ok := core.KindOf(string(row.Kind)); ok && k != core.Prefix {
		return k.Label().English()
	}
	return row.Label.Text
}

// has reports whether a line of the same kind has the same values, so that a name would only repeat it.
func (p *pairing) has(of differenceLine) bool {
	return slices.ContainsFunc(p.lines, func(l differenceLine) bool { return l.Kind == of.Kind && l.A == of.A && l.B == of.B })
}

// A pairing brings together the lines of the two sessions that have the same
// name.
type pairing struct{ lines []differenceLine }

func (p *pairing) add(side int, of differenceLine, tokens int64) {
	at := slices.IndexFunc(p.lines, func(l differenceLine) bool { return l.Kind == of.Kind && l.Label == of.Label })
	if at < 0 {
		at = len(p.lines)
		p.lines = append(p.lines, of)
	}
	if side == 0 {
		p.lines[at].A += tokens
	} else {
		p.lines[at].B += tokens
	}
}

// list returns the lines that differ, the largest differences first.
func (p *pairing) list() []differenceLine {
	list := []differenceLine{}
	for _, l := range p.lines {
		if l.Tokens = l.B - l.A; l.Tokens != 0 {
			list = append(list, l)
		}
	}
	size := func(l differenceLine) int64 { return max(l.Tokens, -l.Tokens) }
	slices.SortStableFunc(list, func(a, b differenceLine) int { return cmp.Compare(size(b), size(a)) })
	return list
}

// differencesShown is the maximum number of named differences printed.
const differencesShown = 20

func (env *environment) printDifference(d *difference) {
	what := "first request"
	if d.Of == "now" {
		what = "next request"
	}
	for i, s := range []diffSide{d.A, d.B} {
		fmt.Fprintf(env.Stdout, "%s  %s  %s  %s %s, %s tokens\n", []string{"A", "B"}[i], terminal.Name(s.Session), terminal.Name(s.Model), s.Agent, terminal.Name(s.Version), terminal.Digits(s.Tokens))
	}
	if d.Tokens == 0 && len(d.Rows) == 0 {
		fmt.Fprintf(env.Stdout, "The %ss have the same content.\n", what)
		return
	}
	side, tokens := "larger", d.Tokens
	if tokens < 0 {
		side, tokens = "smaller", -tokens
	}
	fmt.Fprintf(env.Stdout, "The %s of B is %s by %s tokens\n", what, side, terminal.Digits(tokens))
	for _, l := range d.Rows {
		fmt.Fprintf(env.Stdout, "  %9s  %s (%s → %s)\n", plus(l.Tokens), terminal.Name(l.Label), terminal.Digits(l.A), terminal.Digits(l.B))
	}
	if len(d.Named) > 0 {
		fmt.Fprintln(env.Stdout, "By name")
	}
	for i, l := range d.Named {
		if i == differencesShown {
			fmt.Fprintf(env.Stdout, "  and %d more; --json lists all\n", len(d.Named)-i)
			break
		}
		fmt.Fprintf(env.Stdout, "  %9s  %s (%s → %s)\n", plus(l.Tokens), terminal.Name(l.Label), terminal.Digits(l.A), terminal.Digits(l.B))
	}
}

// plus writes a number with its sign.
func plus(n int64) string {
	if n > 0 {
		return "+" + terminal.Digits(n)
	}
	return terminal.Digits(n)
}
