// Copyright The ctx-lsp authors. MIT licence.

package core

// Crossings remember which levels of a session were announced to the user, so that each is announced once. A session
// that moves around a threshold is not announced again until it was compacted, or has fallen well below the threshold.
// Nothing else decides this: a front end shows a crossing, and removes it as soon as the next one requires it. The zero
// value has seen no Reading.
type Crossings struct {
	seen          bool
	quiet         bool  // the announcement was withdrawn because the session is no longer live
	last          Level // level of the previous Reading
	announced     Level // the highest level announced since the last compaction
	everAnnounced Level // the highest level ever announced
	fullnessThen  int64 // the fullness when announced last changed
	compactions   int64
}

// LevelState is the part of a Reading that determines whether a level is crossed.
type LevelState struct {
	Level       Level
	Fullness    int64 // hundredths of a percent of the threshold, or of the limit if there is no threshold; else Unknown
	Live        bool  // the agent is working or waiting for the user
	Compactions int64
}

// Crossed is a level that was crossed, or a compaction. Either makes earlier announcements of the session outdated.
type Crossed struct {
	Level, Before Level
	Up            bool // the level rose; otherwise the announcement is only withdrawn
	First         bool // the level rose higher than ever before in this session
	Compacted     bool
}

// fallen is how far a session has to fall before a level is announced again: 10% of the threshold, in hundredths.
const fallen = 10_00

// Next takes the session's next Reading and returns what a front end has to show or withdraw; changed is false if there
// is nothing. A session that is not live is not announced, and its announcement is withdrawn.
func (c *Crossings) Next(now LevelState) (_ Crossed, changed bool) {
	compacted := c.seen && now.Compactions > c.compactions
	out := Crossed{Level: now.Level, Before: c.last, Compacted: compacted}
	c.seen, c.last, c.compactions = true, now.Level, now.Compactions
	if !now.Live {
		withdrawn := c.announced > OK && !c.quiet
		c.quiet = true
		if compacted {
			c.announced, c.fullnessThen = OK, now.Fullness
		}
		return out, withdrawn
	}
	c.quiet = false
	switch {
	case compacted:
	case now.Level > c.announced:
		out.Up, out.First = true, now.Level > c.everAnnounced
		c.everAnnounced = max(c.everAnnounced, now.Level)
	case now.Level < c.announced && now.Fullness < c.fullnessThen-fallen:
	default:
		return out, false
	}
	c.announced, c.fullnessThen = now.Level, now.Fullness
	return out, true
}

// Numbers returns the state of Crossings, for a host that saves it.
func (c *Crossings) Numbers() [7]int64 {
	number := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	return [7]int64{number(c.seen), number(c.quiet), int64(c.last), int64(c.announced), int64(c.everAnnounced), c.fullnessThen, c.compactions}
}

// CrossingsOf is the inverse of Numbers. It returns false for numbers that no Crossings can have.
func CrossingsOf(n [7]int64) (Crossings, bool) {
	for i, most := range []int64{1, 1, int64(Over), int64(Over), int64(Over)} {
		if n[i] < 0 || n[i] > most {
			return Crossings{}, false
		}
	}
	return Crossings{
		seen: n[0] == 1, quiet: n[1] == 1, last: Level(n[2]), announced: Level(n[3]), everAnnounced: Level(n[4]), fullnessThen: n[5], compactions: n[6],
	}, true
}
