// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// words are the names of the kinds in a sentence about growth.
var words = map[string]string{
	"system": "the system prompt", "tools": "built-in tools", "mcpTools": "tools of MCP servers", "skills": "skills", "agents": "agents",
	"memory": "memory files", "prefix": "unrecorded content",
}

// compared is how many sessions at each end are compared; their median represents them.
const compared = 3

// change returns how the setup changed, and its main cause; nil if there are fewer than two sessions.
func change(own []api.FirstRequest) *api.FirstChange {
	if len(own) < 2 {
		return nil
	}
	n := min(compared, len(own)/2)
	a, b := middle(own[:n]), middle(own[len(own)-n:])
	c := &api.FirstChange{From: a.Setup, To: b.Setup, Since: own[0].At, Servers: []string{}, OtherModel: a.Model != b.Model}
	more := b.Setup - a.Setup
	if size := max(more, -more); size*20 < max(a.Setup, 1) || size < 500 {
		c.Steady = true
		return c
	}
	for _, kind := range kinds {
		if by := tokensOf(b, kind) - tokensOf(a, kind); by > 0 == (more > 0) && max(by, -by) > max(c.Tokens, -c.Tokens) {
			c.Kind, c.Tokens = kind, by
		}
	}
	if c.Kind == "mcpTools" {
		if more < 0 {
			a, b = b, a
		}
		for _, server := range b.Servers {
			if !slices.ContainsFunc(a.Servers, func(other api.FirstServer) bool {
				return other.Name == server.Name && other.Tokens >= server.Tokens
			}) {
				c.Servers = append(c.Servers, server.Name)
			}
		}
	}
	return c
}

// middle returns the session with the median setup.
func middle(of []api.FirstRequest) api.FirstRequest {
	sorted := slices.Clone(of)
	slices.SortStableFunc(sorted, func(a, b api.FirstRequest) int { return cmp.Compare(a.Setup, b.Setup) })
	return sorted[len(sorted)/2]
}

// tokensOf returns the tokens of a kind in a setup.
func tokensOf(r api.FirstRequest, kind string) int64 {
	for _, row := range r.Rows {
		if row.Kind == kind {
			return row.Tokens
		}
	}
	return 0
}

// sentence describes how the setup changed, since when, and why. It returns "" if no session was measured.
func sentence(own []api.FirstRequest, c *api.FirstChange, now time.Time) string {
	if len(own) == 0 {
		return ""
	}
	if c == nil {
		return "The only session here started with a fixed context of " + core.Short(own[0].Setup) + " tokens."
	}
	since := "since " + time.UnixMilli(c.Since).In(now.Location()).Format(time.DateOnly)
	if c.Steady {
		return "This workspace's fixed context has stayed at about " + core.Short(c.To) + " tokens " + since + "."
	}
	verb, sign, size := "grew", "+", c.Tokens
	if c.To < c.From {
		verb, sign, size = "shrank", "-", -c.Tokens
	}
	text := "This workspace's fixed context " + verb + " from " + core.Short(c.From) + " to " + core.Short(c.To) + " tokens " + since
	if c.Kind != "" {
		text += "; the largest change is " + sign + core.Short(size) + ", " + cause(c)
	}
	if c.OtherModel {
		text += "; another model was used, which may count tokens differently"
	}
	return text + "."
}

// cause returns the name of what changed most.
func cause(c *api.FirstChange) string {
	switch len(c.Servers) {
	case 0:
		return words[c.Kind]
	case 1:
		return "the tools of the MCP server " + c.Servers[0]
	}
	return fmt.Sprintf("the tools of %d MCP servers (%s)", len(c.Servers), strings.Join(c.Servers[:min(len(c.Servers), 4)], ", "))
}
