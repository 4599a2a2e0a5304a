// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// publishEvery is the minimum time between two notifications of one session: at most ten a second.
const publishEvery = 100 * time.Millisecond

// changed handles the Reading after a change of a session: it stores the Reading, notifies the watchers, and checks
// whether a level was crossed. Calls for one session must not overlap.
func (s *Server) changed(changed *session, reading []byte) {
	now := time.Now()
	changed.mu.Lock()
	sum, ok := summarize(reading, changed.summary)
	if !ok {
		changed.mu.Unlock()
		s.log.Error("the engine returned an invalid Reading", "session", changed.id)
		return
	}
	otherModel := changed.summary.model != sum.model || changed.summary.limit != sum.limit || changed.summary.live != sum.live
	changed.reading, changed.summary = reading, sum
	changed.lastChange = now
	var event *core.Crossed
	whole := !changed.part // a level that was crossed before the records not read yet may be outdated
	if whole {
		event = cross(&changed.level, sum)
	}
	if s.verifies() {
		s.logVerified(changed.id, &changed.verified, reading)
	}
	send := false
	wait := publishEvery - now.Sub(changed.published)
	switch {
	case changed.armed:
	case wait <= 0:
		changed.published = now
		send = true
	default:
		changed.armed = true
		time.AfterFunc(wait, func() { s.publishLater(changed) })
	}
	fresh := changed.found && changed.origin.Started.After(s.started)
	changed.mu.Unlock()
	s.metrics.changes.Add(1)
	s.measure(changed.key, reading, sum, fresh)
	if send {
		s.publish(changed)
	}
	if event != nil {
		s.announce(changed, "", event, reading)
	}
	for _, mode := range changed.modesWanted(reading) {
		if !whole {
			break
		}
		other := s.inMode(changed, mode, false, reading)
		if event := changed.crossedIn(mode, other); event != nil {
			s.announce(changed, mode, event, other)
		}
	}
	if otherModel {
		s.otherModel.Store(true)
	}
	s.followUpSoon()
}

// publishLater sends the changes since the last notification.
func (s *Server) publishLater(changed *session) {
	defer s.survive("reporting a change")
	changed.mu.Lock()
	changed.armed = false
	changed.published = time.Now()
	changed.mu.Unlock()
	s.publish(changed)
}

// publish sends the last Reading to all watchers. It is encoded once for all clients that want it unmodified, and it
// replaces an earlier one that a client has not read yet.
func (s *Server) publish(changed *session) {
	changed.sending.Lock() // a newer Reading has to be sent after this one
	defer changed.sending.Unlock()
	watchers, reading := changed.audience()
	if len(watchers) == 0 {
		return
	}
	frame := wire.NotificationFrame("ctx/reading", reading)
	if _, sum := changed.snapshot(); sum.model != "" && s.carriedOn(&sum) {
		s.offer(sum.model, watchers)
	}
	for _, c := range watchers {
		if changed.found && c.unasked() {
			continue // followUpSoon updates its progress
		}
		if look := c.readingView(); look.plain() {
			c.out.Replace(changed.key, frame)
		} else {
			c.out.Replace(changed.key, wire.NotificationFrame("ctx/reading", s.viewed(look, changed, reading)))
		}
		s.metrics.notified.Add(1)
	}
}

// audience returns the watchers of a session, and the Reading to send them.
func (s *session) audience() ([]*connection, []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	watchers := make([]*connection, 0, len(s.watchers))
	for c := range s.watchers {
		watchers = append(watchers, c)
	}
	return watchers, s.reading
}
