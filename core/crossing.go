// Copyright The ctx-lsp authors. MIT licence.

package core

// Crossings remember which levels of a session were told, so that each is
// told once: a session that swings around a line is not told again until it
// was compacted, or fell well below. This is the one place where that is
// decided; faces show what they are told, and take it back when they are told
// to. The zero value has seen nothing.
type Crossings struct {
	seen        bool
	quiet       bool  // what was told was taken back because nobody works any more
	last        Level // of the Reading before
	told        Level // the highest since the last compaction
	ever        Level // the highest of all
	at          int64 // fullness when told became what it is
	compactions int64
}

// Standing is what of a Reading decides whether a level is crossed.
type Standing struct {
	Level       Level
	Fullness    int64 // hundredths of a percent of the line, of the limit where no line is known, else Unknown
	Live        bool  // the agent works, or waits for its person
	Compactions int64
}

// Crossed is a threshold crossed, or a compaction. What was said of the
// session before is over with each.
type Crossed struct {
	Level, Before Level
	Up            bool // into a level; else whatever was said is over
	First         bool // up, and never so far up before in this session
	Compacted     bool
}

// fallen is by how much of the line a session has to fall before a threshold
// counts again: 10 percent, in hundredths.
const fallen = 10_00

// Follow takes the next Reading of the session and returns what is to be
// told, if anything. Of a session that is not live nothing is told; what was
// is taken back.
func (c *Crossings) Follow(now Standing) (crossed Crossed, is bool) {
	compacted := c.seen && now.Compactions > c.compactions
	out := Crossed{Level: now.Level, Before: c.last, Compacted: compacted}
	c.seen, c.last, c.compactions = true, now.Level, now.Compactions
	if !now.Live {
		withdrawn := c.told > OK && !c.quiet
		c.quiet = true
		if compacted {
			c.told, c.at = OK, now.Fullness
		}
		return out, withdrawn
	}
	c.quiet = false
	switch {
	case compacted:
	case now.Level > c.told:
		out.Up, out.First = true, now.Level > c.ever
		c.ever = max(c.ever, now.Level)
	case now.Level < c.told && now.Fullness < c.at-fallen:
	default:
		return out, false
	}
	c.told, c.at = now.Level, now.Fullness
	return out, true
}

// Numbers are what Crossings remember, for a host that keeps them.
func (c *Crossings) Numbers() [7]int64 {
	number := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	return [7]int64{number(c.seen), number(c.quiet), int64(c.last), int64(c.told), int64(c.ever), c.at, c.compactions}
}

// CrossingsOf is the inverse of Numbers. It says false of numbers that no
// Crossings have.
func CrossingsOf(n [7]int64) (Crossings, bool) {
	for i, most := range [...]int64{1, 1, int64(Over), int64(Over), int64(Over)} {
		if n[i] < 0 || n[i] > most {
			return Crossings{}, false
		}
	}
	return Crossings{
		seen: n[0] == 1, quiet: n[1] == 1, last: Level(n[2]), told: Level(n[3]), ever: Level(n[4]), at: n[5], compactions: n[6],
	}, true
}
