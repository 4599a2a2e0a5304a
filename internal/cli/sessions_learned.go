// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// Corrections are what earlier sessions have taught, with fingerprints of what concerns an agent's model. A kept
// finding that depends on them is outdated if its fingerprint changed: a lesson of one model does not outdate
// another's.
type corrections struct {
	numbers []byte // nil for none
	of      map[[3]string]string
}

// correctionsOf reads what was learned on this machine. A file that cannot be read is treated as empty.
func correctionsOf(env *environment) *corrections {
	c := &corrections{of: map[[3]string]string{}}
	numbers, err := state.OpenLearned(env.host().StateDir()).LoadAt(env.Now())
	if err != nil {
		return c
	}
	c.numbers = numbers
	var learned map[string][]map[string]any
	if json.Unmarshal(numbers, &learned) != nil {
		return c
	}
	for list, lessons := range learned {
		for _, l := range lessons {
			agent, _ := l["agent"].(string)
			model, _ := l["model"].(string)
			for _, name := range []string{"at", "last", "sessions"} { // they change with each request, and no number with them
				delete(l, name)
			}
			text, _ := json.Marshal(l) // with its keys in order
			h := fnv.New64a()
			h.Write(text)
			key := [3]string{list, agent, model}
			c.of[key] += strconv.FormatUint(h.Sum64(), 36) + " "
		}
	}
	return c
}

// mark returns what a kept finding depends on: the limits that were learned for its model and, if its numbers are not
// all measured, the corrections of estimates.
func (c *corrections) mark(agent, model string, measured bool) string {
	if c == nil || c.numbers == nil {
		return ""
	}
	mark := c.of[[3]string{"limits", agent, model}]
	if !measured {
		mark += "/" + c.of[[3]string{"lessons", agent, model}]
	}
	return mark
}

// teach passes the corrections to an engine.
func (c *corrections) teach(ctx context.Context, e *engine.Pool) error {
	if c == nil || c.numbers == nil {
		return nil
	}
	_, err := client.Call(e.Call).LearnedSet(ctx, &api.LearnedParams{Learned: json.RawMessage(c.numbers)}).JSON()
	return err
}
