// Copyright The ctx-lsp authors. MIT licence.

package api

import (
	"strconv"
	"strings"

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
	level, ok := levelStateOf(p.Reading)
	if !ok {
		return invalid("reading", "must be a Reading, as a method has answered it.")
	}
	crossings, ok := readCrossings(p.State)
	if !ok {
		return invalid("state", "must be what this method has answered for the Reading before.")
	}
	crossed, is := crossings.Next(level)
	w := &c.out
	w.BeginObject()
	w.Key("state")
	w.String(writeCrossings(&crossings))
	if is {
		w.Buf = AppendCrossed(append(w.Buf, ','), &crossed)
	}
	w.EndObject()
	return nil
}

// levelStateOf returns the values of a Reading that decide whether a level is crossed. It returns false if r is not a
// Reading.
func levelStateOf(r json.Value) (core.LevelState, bool) {
	compaction := r.Get("compaction")
	level, ok := core.LevelOf(compaction.Get("level").String())
	if !ok {
		return core.LevelState{}, false
	}
	activity, _ := core.ActivityOf(r.Get("activity").String())
	s := core.LevelState{Level: level, Fullness: core.Unknown, Live: activity.Live()}
	for _, share := range []json.Value{compaction.Get("percent"), r.Get("percent")} {
		if milli, fault := share.Milli(); fault == json.NumberOK {
			s.Fullness = milli / 10
			break
		}
	}
	if n, fault := r.Get("compactions").Int64(); fault == json.NumberOK {
		s.Compactions = n
	}
	return s, true
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

// writeCrossings returns the state that a host passes with the next Reading.
func writeCrossings(c *core.Crossings) string {
	var parts []string
	for _, n := range c.Numbers() {
		parts = append(parts, strconv.FormatInt(n, 10))
	}
	return strings.Join(parts, " ")
}

func readCrossings(state string) (core.Crossings, bool) {
	if state == "" {
		return core.Crossings{}, true
	}
	var n [7]int64
	parts := strings.Split(state, " ")
	if len(parts) != len(n) {
		return core.Crossings{}, false
	}
	for i, part := range parts {
		var err error
		if n[i], err = strconv.ParseInt(part, 10, 64); err != nil {
			return core.Crossings{}, false
		}
	}
	return core.CrossingsOf(n)
}
