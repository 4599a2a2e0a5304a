// Copyright The ctx-lsp authors. MIT licence.

package core

const (
	pointsKept      = 2048
	compactionsKept = 256
)

// Point is one measured prompt on the curve of a session.
type Point struct{ At, Call, Used int64 }

// Landing is one compaction on the curve.
type Landing struct {
	At, Call, Before, After int64
	Auto                    bool
}

// curve is the course of a session, thinned so that its size is bounded.
type curve struct {
	points   []Point
	landings []Landing
	stride   int64 // a power of two: every stride-th call is kept
}

func (c *curve) point(at, call, used int64) {
	if c.stride == 0 {
		c.stride = 1
	}
	if n := len(c.points); n > 0 && c.points[n-1].Call%c.stride != 0 && n > 1 {
		c.points = c.points[:n-1] // the last point is kept only while it is the last
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
	c.points = append(c.points, Point{at, call, used})
}

// amend corrects the last point when its request is reported again.
func (c *curve) amend(used int64) {
	if n := len(c.points); n > 0 {
		c.points[n-1].Used = used
	}
}

func (c *curve) compacted(at, call, before int64, auto bool) {
	if len(c.landings) >= compactionsKept {
		c.landings = append(c.landings[:0], c.landings[1:]...)
	}
	c.landings = append(c.landings, Landing{at, call, before, Unknown, auto})
}

func (c *curve) settled(after int64) {
	if n := len(c.landings); n > 0 {
		c.landings[n-1].After = after
	}
}

// Curve is the course of the session so far.
func (s *Session) Curve() ([]Point, []Landing) { return s.curve.points, s.curve.landings }
