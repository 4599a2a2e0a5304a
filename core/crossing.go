// Copyright The ctx-lsp authors. MIT licence.

package core

import "github.com/ctx-lsp/ctx-lsp/core/internal/codec"

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

// Save returns the state, for a host that keeps it.
func (c *Crossings) Save() []byte {
	var state codec.State
	codec.Save(&state, "", codec.Limits{}, c.walk)
	return state.Bytes
}

// RestoreCrossings is the inverse of Save. It returns false for a state that no Crossings can have.
func RestoreCrossings(state []byte) (c Crossings, ok bool) {
	ok = codec.Restore(codec.State{Bytes: state}, "", codec.Limits{}, c.walk)
	return c, ok
}

func (c *Crossings) walk(w *codec.Codec) {
	w.Bools("seen quiet", &c.seen, &c.quiet)
	codec.Below(w, "last", &c.last, Over+1)
	codec.Below(w, "announced", &c.announced, Over+1)
	codec.Below(w, "everAnnounced", &c.everAnnounced, Over+1)
	w.Ints("fullnessThen compactions", &c.fullnessThen, &c.compactions)
}
