// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

// upstreams are the upstreams that a router may use for the same model. They count the same prompt differently: each
// has its own ratio to the others. It is unknown which one answers next; the last one is the most likely.
type upstreams struct {
	list []upstream
	now  int // the upstream that answered last, plus one; 0 before two are known
	from int // the upstream that answered before it, plus one, until that is learned from
}

type upstream struct {
	provider uint64
	// density is the length of this upstream's prompts relative to the first one's, for the same content, in parts of
	// upstreamUnit.
	density int64
}

const (
	maxUpstreams = 8
	upstreamUnit = 1 << 20
)

// find returns the index of a provider, and adds the provider if it is new.
func (u *upstreams) find(provider uint64) int {
	for i := range u.list {
		if u.list[i].provider == provider {
			return i
		}
	}
	fresh := upstream{provider: provider}
	if len(u.list) == maxUpstreams {
		place := u.now % maxUpstreams // never the last one to answer
		u.list[place] = fresh
		return place
	}
	u.list = append(u.list, fresh)
	return len(u.list) - 1
}

// change records that another upstream answers than before.
func (u *upstreams) change(from, to string) {
	if u.now == 0 {
		u.now = u.find(hash(from)) + 1
		u.list[u.now-1].density = upstreamUnit
	}
	u.from, u.now = u.now, u.find(hash(to))+1
}

// updateDensity corrects the density of the upstream that has just answered first after another one. predicted was made
// for the previous upstream.
func (u *upstreams) updateDensity(predicted, actual int64) {
	if u.from == 0 || predicted <= 0 {
		return
	}
	now, density := &u.list[u.now-1], mulDiv(u.list[u.from-1].density, actual, predicted)
	u.from = 0
	switch {
	case distance(density, upstreamUnit)*10 > upstreamUnit:
		// Something else has also changed.
	case now.density == 0:
		now.density = density
	default:
		now.density += (density - now.density) / 4
	}
}

// between returns the range of a prompt's size as counted by all known upstreams. used is its size for the one that
// measured the last prompt.
func (u *upstreams) between(used int64) (low, high int64) {
	low, high = used, used
	measured := u.now
	if u.from > 0 {
		measured = u.from
	}
	if measured == 0 || u.list[measured-1].density == 0 {
		return low, high
	}
	for i := range u.list {
		if d := u.list[i].density; d > 0 {
			n := mulDiv(used, d, u.list[measured-1].density)
			low, high = min(low, n), max(high, n)
		}
	}
	return low, high
}

func (u *upstreams) walk(c *codec.Codec) {
	codec.List(c, "list", &u.list, maxUpstreams, func(up *upstream, c *codec.Codec) {
		c.Hash("provider", &up.provider)
		codec.Within(c, "density", &up.density, 0, 2*upstreamUnit)
	})
	c.Sizes("now", &u.now)
	c.Refuse(u.now < 0 || u.now > len(u.list))
}
