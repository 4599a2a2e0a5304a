// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// levels remembers which thresholds of a session were announced, so that each is announced once. A session that moves
// back and forth over its line is not announced again until it was compacted or fell well below. Nothing else decides
// this: faces show what they are sent, and withdraw it when they are told so.
type levels struct {
	seen        bool
	last        string
	announced   int     // rank of the highest level announced since the last compaction
	at          float64 // the fullness at that moment
	ever        int     // the rank of the highest level that was ever announced
	quiet       bool    // the announcement was withdrawn because nobody works any more
	compactions int64
}

// rearm is by how many percent of the line a session has to fall before a threshold is announced again.
const rearm = 10

var levelRank = map[string]int{"ok": 0, "soon": 1, "now": 2, "over": 3}

// A levelEvent says that a threshold was crossed, or that the session was compacted. Either ends what was announced
// before.
type levelEvent struct {
	level, before string
	crossed       string // up, or down
	first         bool   // it crosses upwards, to a level that the session never had before
	compacted     bool
}

// cross compares the next Reading's summary with what was announced, and returns the event to announce, or nil. Nothing
// is announced of a session that is not live; what was announced is withdrawn.
func (l *levels) cross(sum summary) *levelEvent {
	level := sum.level
	rank, fullness := levelRank[level], sum.fullness
	before := l.last
	if !l.seen {
		before = "ok"
	}
	compacted := l.seen && sum.compactions > l.compactions
	l.seen, l.last, l.compactions = true, level, sum.compactions
	if !sum.live {
		withdrawn := l.announced > 0 && !l.quiet
		l.quiet = true
		if compacted {
			l.announced, l.at = 0, fullness
		}
		if withdrawn {
			return &levelEvent{level: level, before: before, crossed: "down", compacted: compacted}
		}
		return nil
	}
	l.quiet = false
	switch {
	case compacted:
		l.announced, l.at = rank, fullness
		return &levelEvent{level: level, before: before, crossed: "down", compacted: true}
	case rank > l.announced:
		event := &levelEvent{level: level, before: before, crossed: "up", first: rank > l.ever}
		l.announced, l.at, l.ever = rank, fullness, max(l.ever, rank)
		return event
	case rank < l.announced && fullness < l.at-rearm:
		l.announced, l.at = rank, fullness
		return &levelEvent{level: level, before: before, crossed: "down"}
	}
	return nil
}

// announce sends ctx/level to everyone who watches the session in a mode; an empty mode is the session's own. It also
// shows a message where the user's settings ask for one.
func (s *Server) announce(crossed *session, mode string, event *levelEvent, reading []byte) {
	id, _ := json.Marshal(crossed.id) // strings always encode
	params := append([]byte(`{"session":`), id...)
	params = append(params, `,"level":"`+event.level+`","before":"`+event.before+`"`...)
	params = append(params, `,"crossed":"`+event.crossed+`"`...)
	if event.first {
		params = append(params, `,"first":true`...)
	}
	if event.compacted {
		params = append(params, `,"compacted":true`...)
	}
	params = append(params, `,"reading":`...)
	_, sum := crossed.snapshot()
	watchers, _ := crossed.audience()
	own := wire.MemberText(reading, "mode")
	for _, c := range watchers {
		look := c.look()
		if look.mode != mode && (mode != "" || look.mode != own) {
			continue // this client is told of the levels in the mode that it has chosen
		}
		seen := look.withLines(reading)
		c.out.Send(wire.NotificationFrame("ctx/level", slices.Concat(params, seen, []byte{'}'})))
		c.messageAboutLevel(event, sum, seen)
	}
}

// messageAboutLevel shows a message if the settings ask for one at this level.
func (c *connection) messageAboutLevel(event *levelEvent, sum summary, reading []byte) {
	c.mu.Lock()
	from := c.settings.Notify.Level
	c.mu.Unlock()
	rank, wanted := levelRank[from]
	if !wanted || rank == 0 || event.crossed != "up" || levelRank[event.level] < rank || event.level == "soon" && !event.first {
		return
	}
	var shown struct {
		Display struct{ Percent, Used, Limit, Left, Line, Mark string } `json:"display"`
	}
	if json.Unmarshal(reading, &shown) != nil {
		return
	}
	d := shown.Display
	text := fmt.Sprintf("The context of %s is %s%s full (%s of %s)", nameOf(sum), d.Mark, d.Percent, d.Used, d.Limit)
	kind := messageInfo
	switch {
	case event.level == "over" && sum.hasLine:
		kind, text = messageWarning, text+": past "+d.Line+", where it is compacted."
	case event.level == "over":
		kind, text = messageError, text+"; the next request may be refused."
	case sum.hasLine:
		text += "; it is compacted at " + d.Line + ", " + d.Left + " from here."
	default:
		text += "."
	}
	if event.level == "now" {
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
