// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Settings are the settings of a replay. The zero value changes nothing.
type Settings struct {
	Threshold    int64    // compaction threshold by the agent's rule for the window; 0 for none
	WithoutMCP   []string // servers to leave out
	CapResults   int64    // maximum tokens that one request adds from one tool's results under one name; 0 for no limit
	OldThreshold int64    // the session's actual threshold
	AfterwardOf  int64    // expected size after a compaction if the session had none
}

// A Run is a session under given settings.
type Run struct {
	Curve       []Point      `json:"curve"`
	Compactions []Compaction `json:"compactions"`
	Calls       int64        `json:"calls"`     // number of requests; compactions are not included
	Input       int64        `json:"input"`     // tokens of all prompts together
	CacheRead   int64        `json:"cacheRead"` // the part of Input read from the cache
	Highest     int64        `json:"highest"`   // the largest request
}

// A Point is one request.
type Point struct {
	Call int64 `json:"call"`
	In   int64 `json:"in"`
}

// A Compaction is a compaction before a call.
type Compaction struct {
	Call   int64 `json:"call"`
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// A Comparison is a session as it was and as it would have been.
type Comparison struct {
	Was   Run `json:"was"`
	Would Run `json:"would"`
	// CacheMeasured is set if the provider reported cache reads. Otherwise both are modeled.
	CacheMeasured bool `json:"cacheMeasured"`
	// Spared is the number of tokens that the settings keep out of the content added by requests, each item once. It
	// does not include the definitions of servers.
	Spared int64 `json:"spared"`
}

// Check returns why settings do not fit the session: it has no such MCP server, or each compaction would leave more
// than the threshold.
func (c *Course) Check(s Settings) error {
	servers := c.servers()
	for _, name := range s.WithoutMCP {
		switch {
		case slices.Contains(servers, name):
		case len(servers) == 0:
			return fmt.Errorf("this session has no MCP servers, so %q cannot be left out", name)
		default:
			return fmt.Errorf("this session has no MCP server called %q; it has %s", name, strings.Join(servers, ", "))
		}
	}
	if left := c.left(s.AfterwardOf); s.Threshold > 0 && s.Threshold <= left {
		return fmt.Errorf("a threshold of %d cannot be kept: a compaction of this session leaves about %d", s.Threshold, left)
	}
	return nil
}

// servers returns the names of the session's MCP servers, sorted.
func (c *Course) servers() []string {
	var names []string
	for i := range c.Requests {
		for _, server := range c.Requests[i].Servers {
			if !slices.Contains(names, server.Name) {
				names = append(names, server.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// WhatIf replays the session. Each request adds what it actually added, minus what the settings keep out. Compactions
// happen at the new threshold, and leave what the session's own compactions left on average.
func (c *Course) WhatIf(s Settings) Comparison {
	out := Comparison{Was: c.was(), CacheMeasured: true}
	left := c.left(s.AfterwardOf)
	usual := c.usualGrowth()
	base, kept := c.Requests[0].In, keeper{settings: s}
	spared := kept.fixed(&c.Requests[0])
	at := base - spared
	before := at
	for i := range c.Requests {
		r := &c.Requests[i]
		if i > 0 {
			growth := r.In - c.Requests[i-1].In
			if r.Compacted {
				growth = usual // the growth is hidden by what the compaction removed
			}
			growth -= kept.savedIn(&c.Requests[i-1], r)
			at = max(at+growth, 1)
		}
		if s.Threshold > 0 && at > s.Threshold && i > 0 {
			after := min(left-kept.fixed(r), at)
			out.Would.Compactions = append(out.Would.Compactions, Compaction{Call: r.Call, Before: at, After: after})
			out.Would.Input += at // the request for the summary
			out.Would.CacheRead += before
			at, before = after, min(base-spared, after)
		}
		out.Would.add(r.Call, at)
		if i > 0 {
			out.Would.CacheRead += min(before, at)
		}
		before = at
	}
	out.Spared = kept.spared
	out.scaleCache(c)
	return out
}

// was returns the session as measured.
func (c *Course) was() Run {
	var run Run
	for i := range c.Requests {
		r := &c.Requests[i]
		if r.Compacted && i > 0 {
			run.Compactions = append(run.Compactions, Compaction{Call: r.Call, Before: c.Requests[i-1].Used, After: r.In})
		}
		run.add(r.Call, r.In)
		if r.CacheRead != nil {
			run.CacheRead += *r.CacheRead
		}
	}
	return run
}

func (r *Run) add(call, in int64) {
	r.Calls++
	r.Input += in
	r.Highest = max(r.Highest, in)
	r.Curve = append(r.Curve, Point{Call: call, In: in})
}

// scaleCache corrects the modeled cache reads by the measured ones. The model assumes that every request comes in time
// and reads the whole previous prompt from the cache; not every one does.
func (out *Comparison) scaleCache(c *Course) {
	modelled, recorded := int64(0), false
	for i := 1; i < len(c.Requests); i++ {
		recorded = recorded || c.Requests[i].CacheRead != nil
		modelled += min(c.Requests[i-1].In, c.Requests[i].In)
	}
	switch {
	case !recorded:
		out.CacheMeasured = false
		out.Was.CacheRead = modelled
	case modelled > 0:
		// The products stay below 2^63: sums of prompts are below 2^40, and a ratio has 16 bits.
		ratio := min(out.Was.CacheRead<<16/modelled, 1<<16)
		out.Would.CacheRead = out.Would.CacheRead * ratio >> 16
	}
}

// left returns the size after a compaction: the mean of the session's own, or otherwise without any.
func (c *Course) left(otherwise int64) int64 {
	sum, n := int64(0), int64(0)
	for i := range c.Requests {
		if c.Requests[i].Compacted && i > 0 {
			sum += c.Requests[i].In
			n++
		}
	}
	if n == 0 {
		return max(otherwise, c.Requests[0].In)
	}
	return sum / n
}

// usualGrowth returns the median growth from one request to the next, without compactions.
func (c *Course) usualGrowth() int64 {
	var list []int64
	for i := 1; i < len(c.Requests); i++ {
		if !c.Requests[i].Compacted {
			list = append(list, c.Requests[i].In-c.Requests[i-1].In)
		}
	}
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// A keeper computes what the settings keep out of the prompts.
type keeper struct {
	settings Settings
	spared   int64
}

// fixed returns the size of the tool definitions of the servers left out.
func (k *keeper) fixed(r *Request) (sum int64) {
	for _, server := range r.Servers {
		if server.Tokens != nil && slices.Contains(k.settings.WithoutMCP, server.Name) {
			sum += *server.Tokens
		}
	}
	return sum
}

// savedIn returns what the settings keep out of the content added between two requests.
func (k *keeper) savedIn(before, after *Request) (sum int64) {
	old := map[string]int64{}
	for _, item := range before.Items {
		old[key(&item)] = item.Tokens
	}
	for i := range after.Items {
		item := &after.Items[i]
		grown := item.Tokens - old[key(item)]
		if grown <= 0 {
			continue
		}
		switch {
		case item.What == "mcp" && slices.ContainsFunc(k.settings.WithoutMCP, func(name string) bool { return belongsTo(item.Label.Text, name) }):
			sum += grown
		case k.settings.CapResults > 0 && item.Kind == "toolResults" && grown > k.settings.CapResults:
			sum += grown - k.settings.CapResults
		}
	}
	k.spared += sum
	return sum
}

// key returns the identity of an item. Items without a name have one each.
func key(item *api.LargeItem) string {
	if item.What == "" {
		return string(item.Kind) + "#" + item.Label.Text + "#" + strconv.FormatInt(item.Index, 10)
	}
	return item.Label.Text
}

// belongsTo reports whether the name of an MCP tool, such as mcp:github get_issue, belongs to a server.
func belongsTo(label, server string) bool {
	return strings.HasPrefix(label, "mcp:"+server+" ") || label == "mcp:"+server
}
