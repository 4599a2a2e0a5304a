// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// levelState returns the part of a summary that decides whether a level is crossed.
func (sum *summary) levelState() core.LevelState {
	level, _ := core.LevelOf(sum.level)
	fullness := core.Unknown
	if sum.fullness >= 0 {
		fullness = int64(sum.fullness*100 + 0.5)
	}
	return core.LevelState{Level: level, Fullness: fullness, Live: sum.live, Compactions: sum.compactions}
}

// cross applies the summary of the next Reading, and returns the crossing to announce, or nil.
func cross(before *core.Crossings, sum summary) *core.Crossed {
	if event, crossed := before.Next(sum.levelState()); crossed {
		return &event
	}
	return nil
}

// announce sends ctx/level to the watchers of a session that use the given mode; an empty mode means the session's own.
// It also shows a message if the user's settings ask for one.
func (s *Server) announce(crossed *session, mode string, event *core.Crossed, reading []byte) {
	id, _ := json.Marshal(crossed.id) // strings always encode
	params := append([]byte(`{"session":`), id...)
	params = append(params, ',')
	params = api.AppendCrossed(params, event)
	params = append(params, `,"reading":`...)
	_, sum := crossed.snapshot()
	crossed.sending.Lock() // a Reading from before the crossing is sent first
	defer crossed.sending.Unlock()
	watchers, _ := crossed.audience()
	own := wire.MemberText(reading, "mode")
	for _, c := range watchers {
		look := c.readingView()
		if look.mode != mode && (mode != "" || look.mode != own) {
			continue // this client gets the levels of its own mode
		}
		seen := s.dressed(look, crossed, reading)
		if !crossed.found || !c.unasked() {
			_ = c.out.Follow(crossed.key, wire.NotificationFrame("ctx/level", slices.Concat(params, seen, []byte{'}'})))
		}
		c.messageAboutLevel(event, sum, seen)
	}
}

// messageAboutLevel shows a message if the settings ask for one at this level.
func (c *connection) messageAboutLevel(event *core.Crossed, sum summary, reading []byte) {
	c.mu.Lock()
	from := c.settings.Notify.Level
	c.mu.Unlock()
	least, wanted := core.LevelOf(from)
	if !wanted || least == core.OK || !event.Up || event.Level < least || event.Level == core.Soon && !event.First {
		return
	}
	var shown struct {
		Display struct{ Percent, Used, Limit, Left, Threshold, Mark string } `json:"display"`
	}
	if json.Unmarshal(reading, &shown) != nil {
		return
	}
	d := shown.Display
	text := fmt.Sprintf("The context of %s is %s%s full (%s of %s)", nameOf(sum), d.Mark, d.Percent, d.Used, d.Limit)
	kind := messageInfo
	switch {
	case event.Level == core.Over && sum.hasThreshold:
		kind, text = messageWarning, text+": past "+d.Threshold+", its compaction threshold."
	case event.Level == core.Over:
		kind, text = messageError, text+"; the next request may be refused."
	case sum.hasThreshold:
		text += "; it will be compacted at " + d.Threshold + ", " + d.Left + " from here."
	default:
		text += "."
	}
	if event.Level == core.Now {
		kind = messageWarning
	}
	c.notify("window/showMessage", map[string]any{"type": kind, "message": text})
}

func nameOf(sum summary) string {
	if sum.agent == "" || sum.agent == "generic" {
		return "this conversation"
	}
	return sum.agent
}
