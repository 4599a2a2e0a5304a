// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"cmp"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// crossing answers ctx/crossing.
func (c *Core) crossing(v json.Value) *Error {
	var p crossingParams
	p.unset()
	if err := c.fillCrossingParams(v, &p); err != nil {
		return err
	}
	var r Reading
	r.Glance(p.Reading)
	level, ok := r.LevelState()
	if !ok {
		return invalid("reading", "must be a Reading, as a method has answered it.")
	}
	var crossings core.Crossings
	if p.State.Exists() {
		saved, _ := p.State.Base64()
		if crossings, ok = core.RestoreCrossings(saved); !ok {
			return invalid("state", "must be what this method has answered for the Reading before.")
		}
	}
	crossed, is := crossings.Next(level)
	w := &c.out
	w.BeginObject()
	w.Key("state")
	w.Base64(crossings.Save())
	if is {
		w.Buf = AppendCrossed(append(w.Buf, ','), &crossed)
	}
	w.EndObject()
	return nil
}

// LevelState returns the values of a Reading that decide whether a level is crossed. It returns false if the level is
// unknown.
func (to *Reading) LevelState() (state core.LevelState, known bool) {
	c := &to.Compaction
	state.Level, known = core.LevelOf(string(c.Level))
	activity, _ := core.ActivityOf(string(to.Activity))
	state.Live, state.Compactions, state.Fullness = activity.Live(), to.Compaction.Count, core.Unknown
	if share := cmp.Or(c.Percent, to.Percent); share != nil {
		state.Fullness = int64(*share)
	}
	return state, known
}

// AppendCrossed appends the members that describe a crossed level, as in LevelParams and CrossingAnswer.
func AppendCrossed(to []byte, crossed *core.Crossed) []byte {
	way := "down"
	if crossed.Up {
		way = "up"
	}
	to = append(to, `"level":"`+crossed.Level.String()+`","before":"`+crossed.Before.String()+`","crossed":"`+way+`"`...)
	if crossed.First {
		to = append(to, `,"first":true`...)
	}
	if crossed.Compacted {
		to = append(to, `,"compacted":true`...)
	}
	return to
}
