// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

const (
	pointsKept      = 2048
	compactionsKept = 256
)

// Point is one measured prompt in a session's usage chart.
type Point struct{ At, Call, Used int64 }

// Landing is one compaction in the usage chart.
type Landing struct {
	At, Call, Before, After int64
	Auto                    bool
}

// curve records the usage of the window over time, thinned to bound its size.
type curve struct {
	points   []Point
	landings []Landing
	stride   int64 // a power of two: every stride-th request's point is kept
}

// point adds a measured prompt. The newest point is always kept; an older one only if its call is a multiple of the
// stride.
func (c *curve) point(time, call, used int64) {
	if c.stride == 0 {
		c.stride = 1
	}
	if n := len(c.points); n > 1 && c.points[n-1].Call%c.stride != 0 {
		c.points = c.points[:n-1]
	}
	if len(c.points) >= pointsKept {
		c.stride *= 2
		kept := c.points[:0]
		for _, p := range c.points {
			if p.Call%c.stride == 0 {
				kept = append(kept, p)
			}
		}
		c.points = kept
	}
	c.points = append(c.points, Point{time, call, used})
}

// amend corrects the last point if its request is reported again.
func (c *curve) amend(used int64) {
	if n := len(c.points); n > 0 {
		c.points[n-1].Used = used
	}
}

func (c *curve) compacted(time, call, before int64, auto bool) {
	if len(c.landings) >= compactionsKept {
		c.landings = append(c.landings[:0], c.landings[1:]...)
	}
	c.landings = append(c.landings, Landing{time, call, before, Unknown, auto})
}

// setLanding sets the size after the last compaction.
func (c *curve) setLanding(after int64) {
	if n := len(c.landings); n > 0 {
		c.landings[n-1].After = after
	}
}

func (c *curve) walk(to *codec.Codec) {
	codec.List(to, "points", &c.points, pointsKept+1, (*Point).walk)
	codec.List(to, "landings", &c.landings, compactionsKept, (*Landing).walk)
	to.Ints("stride", &c.stride)
	to.Refuse(c.stride < 0)
}

func (p *Point) walk(c *codec.Codec) { c.Ints("At Call Used", &p.At, &p.Call, &p.Used) }

func (l *Landing) walk(c *codec.Codec) {
	c.Ints("At Call Before After", &l.At, &l.Call, &l.Before, &l.After)
	c.Bools("Auto", &l.Auto)
}
