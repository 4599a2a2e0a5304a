// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// promptCache is the prompt_cache of a status line's message, as Claude Code sends it since 2.1.251.
type promptCache struct {
	Expires   limitTime       `json:"expires_at"`
	Warm      json.RawMessage `json:"warm"`
	TTL       json.RawMessage `json:"ttl"`
	Requests  limitNumber     `json:"requests"`
	Misses    limitNumber     `json:"misses"`
	Expected  limitNumber     `json:"expected_rebuilds"`
	Hits      limitNumber     `json:"hit_ratio"`
	Written   limitNumber     `json:"cache_write_tokens"`
	Rewritten limitNumber     `json:"miss_recache_tokens"`
	LastMiss  limitTime       `json:"last_miss_at"`
	LastCause json.RawMessage `json:"last_miss_cause"`
	Causes    json.RawMessage `json:"miss_causes"`
	IfCold    limitNumber     `json:"recache_tokens_if_cold"`
}

// mostCauses and mostCause bound the causes that an agent reports, and the bytes of each.
const (
	mostCauses = 16
	mostCause  = 64
)

// account returns the agent's own account of the cache; nil if it sent none. A value of a wrong type is unknown.
func (p *promptCache) account() *api.AgentCache {
	if p.Requests.n == nil && p.Misses.n == nil && p.Hits.n == nil && len(p.Warm) == 0 {
		return nil
	}
	c := &api.AgentCache{
		Life: lifetime(p.TTL), Requests: p.Requests.whole(), Misses: p.Misses.whole(), Expected: p.Expected.whole(),
		Written: p.Written.whole(), Rewritten: p.Rewritten.whole(), LastMiss: p.LastMiss.at, IfCold: p.IfCold.whole(),
		LastCauses: causesIn(p.LastCause), Causes: []api.AgentCacheCause{},
	}
	var warm bool
	if json.Unmarshal(p.Warm, &warm) == nil && !bytes.Equal(p.Warm, []byte("null")) {
		c.Warm = &warm
	}
	if n := p.Hits.n; n != nil && *n >= 0 && *n <= 1 {
		hits := api.Hundredths(math.Round(*n * 10000))
		c.Hits = &hits
	}
	var counts map[string]limitNumber
	if json.Unmarshal(p.Causes, &counts) == nil {
		for cause, n := range counts {
			if count := n.whole(); count != nil && cause != "" && len(cause) <= mostCause {
				c.Causes = append(c.Causes, api.AgentCacheCause{Cause: cause, Count: *count})
			}
		}
	}
	slices.SortFunc(c.Causes, func(x, y api.AgentCacheCause) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Cause, y.Cause))
	})
	c.Causes = c.Causes[:min(len(c.Causes), mostCauses)]
	return c
}

// whole returns a number of tokens or requests; nil for any other.
func (a limitNumber) whole() *int64 {
	if a.n == nil || *a.n < 0 || *a.n > 1e15 || *a.n != math.Trunc(*a.n) {
		return nil
	}
	n := int64(*a.n)
	return &n
}

// lifetime reads "5m" or "1h", or a number of seconds, in milliseconds; nil for anything else.
func lifetime(text json.RawMessage) *int64 {
	var seconds float64
	var written string
	switch {
	case json.Unmarshal(text, &written) == nil && len(written) > 1:
		n, err := strconv.ParseInt(written[:len(written)-1], 10, 32)
		unit := map[byte]int64{'s': 1000, 'm': 60_000, 'h': 3_600_000, 'd': 86_400_000}[written[len(written)-1]]
		if err == nil && n > 0 && unit > 0 {
			life := n * unit
			return &life
		}
	case json.Unmarshal(text, &seconds) == nil && seconds >= 1 && seconds <= 1e7:
		life := int64(seconds) * 1000
		return &life
	}
	return nil
}

// causesIn reads {"causes": [...]}, a list of names or one name.
func causesIn(text json.RawMessage) []string {
	var object struct{ Causes json.RawMessage }
	if json.Unmarshal(text, &object) == nil && len(object.Causes) > 0 {
		text = object.Causes
	}
	var list []string
	var one string
	if json.Unmarshal(text, &list) != nil && json.Unmarshal(text, &one) == nil && one != "" {
		list = []string{one}
	}
	list = slices.DeleteFunc(list, func(name string) bool { return name == "" || len(name) > mostCause })
	return append([]string{}, list[:min(len(list), mostCauses)]...)
}
