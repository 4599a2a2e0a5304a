// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// TestALevelIsShownOnceAndWithdrawn checks that alarms are not repeated: each threshold is announced once, an
// announcement is withdrawn when the level falls or the session becomes inactive, and an idle session announces
// nothing.
func TestALevelIsShownOnceAndWithdrawn(t *testing.T) {
	type step struct {
		level       string
		fullness    float64
		idle        bool
		compactions int64
		want        string
	}
	for name, steps := range map[string][]step{
		"up, and once": {
			{"ok", 50, false, 0, ""},
			{"soon", 91, false, 0, "soon up first"},
			{"ok", 89, false, 0, ""},
			{"soon", 91, false, 0, ""},
			{"now", 99, false, 0, "now up first"},
			{"soon", 97, false, 0, ""},
			{"now", 99, false, 0, ""},
		},
		"fallen far it is taken back, and told again": {
			{"now", 99, false, 0, "now up first"}, {"ok", 80, false, 0, "ok down"}, {"soon", 92, false, 0, "soon up"}, {"now", 99, false, 0, "now up"},
		},
		"compacted": {
			{"now", 99, false, 0, "now up first"}, {"ok", 20, false, 1, "ok down compacted"}, {"soon", 92, false, 1, "soon up"},
		},
		"an idle session never alarms": {
			{"now", 99, true, 0, ""}, {"over", 110, true, 0, ""}, {"over", 110, false, 0, "over up first"},
		},
		"one that becomes idle is taken back once": {
			{"soon", 92, false, 0, "soon up first"}, {"soon", 92, true, 0, "soon down"}, {"soon", 92, true, 0, ""}, {"soon", 92, false, 0, ""}, {"now", 99, false, 0, "now up first"},
		},
	} {
		var l core.Crossings
		for i, s := range steps {
			got := ""
			if e := cross(&l, summary{level: s.level, fullness: s.fullness, live: !s.idle, compactions: s.compactions}); e != nil {
				got = fmt.Sprint(e.Level, " ", map[bool]string{true: "up", false: "down"}[e.Up])
				if e.First {
					got += " first"
				}
				if e.Compacted {
					got += " compacted"
				}
			}
			if strings.TrimSpace(got) != s.want {
				t.Errorf("%s, step %d: %q, want %q", name, i, got, s.want)
			}
		}
	}
}

// TestALevelIsComparedInHundredths checks the fullness that decides whether a level is crossed.
func TestALevelIsComparedInHundredths(t *testing.T) {
	for fullness, want := range map[float64]int64{-1: core.Unknown, 0: 0, 91.5: 9150, 91.004: 9100, 91.005: 9101, 100.25: 10025} {
		sum := summary{level: "now", fullness: fullness, live: true, compactions: 3}
		if got := sum.levelState(); got != (core.LevelState{Level: core.Now, Fullness: want, Live: true, Compactions: 3}) {
			t.Errorf("%g: %+v", fullness, got)
		}
	}
}

// TestMessagesAboutLevelsAreThoseThatTheUserWants checks which crossings cause a message with each setting: those
// upward, from the chosen level on, and the lowest level once.
func TestMessagesAboutLevelsAreThoseThatTheUserWants(t *testing.T) {
	s := newTestServer(t, Options{})
	c := start(t, s)
	reading := []byte(`{"display":{"percent":"92%","used":"92k","limit":"100k","left":"8k","threshold":"80k","mark":"~"}}`)
	for _, test := range []struct {
		from  string
		event core.Crossed
		line  bool
		want  string
	}{
		{"none", core.Crossed{Level: core.Over, Up: true, First: true}, true, ""},
		{"ok", core.Crossed{Level: core.Over, Up: true, First: true}, true, ""},
		{"often", core.Crossed{Level: core.Over, Up: true, First: true}, true, ""},
		{"soon", core.Crossed{Level: core.Soon, Up: true, First: true}, true, "3: this conversation is ~92% full (92k of 100k); it will be compacted at 80k, 8k from here."},
		{"soon", core.Crossed{Level: core.Soon, Up: true, First: true}, false, "3: this conversation is ~92% full (92k of 100k)."},
		{"soon", core.Crossed{Level: core.Soon, Up: true}, true, ""},
		{"soon", core.Crossed{Level: core.Soon, First: true}, true, ""},
		{"now", core.Crossed{Level: core.Soon, Up: true, First: true}, true, ""},
		{"now", core.Crossed{Level: core.Now, Up: true}, false, "2: this conversation is ~92% full (92k of 100k)."},
		{"over", core.Crossed{Level: core.Now, Up: true, First: true}, true, ""},
		{"over", core.Crossed{Level: core.Over, Up: true}, true, "2: this conversation is ~92% full (92k of 100k): past 80k, its compaction threshold."},
		{"over", core.Crossed{Level: core.Over, Up: true}, false, "1: this conversation is ~92% full (92k of 100k); the next request may be refused."},
	} {
		s.eachConnection(func(of *connection) {
			of.mu.Lock()
			of.settings.Notify.Level = test.from
			of.mu.Unlock()
			of.messageAboutLevel(&test.event, summary{agent: "generic", hasThreshold: test.line}, []byte(`{"display":7}`))
			of.messageAboutLevel(&test.event, summary{agent: "generic", hasThreshold: test.line}, reading)
		})
		c.call("ctx/sessions", `{}`)
		got := ""
		for len(c.notes) > 0 {
			var p struct {
				Type    int
				Message string
			}
			json.Unmarshal((<-c.notes).Params, &p)
			got += fmt.Sprintf("%d: %s", p.Type, strings.TrimPrefix(p.Message, "The context of "))
		}
		if got != test.want {
			t.Errorf("%s, %+v: %q, want %q", test.from, test.event, got, test.want)
		}
	}
}

// A gated connection writes nothing while its gate is locked.
type gated struct {
	net.Conn
	gate    sync.RWMutex
	started atomic.Int64 // writes that have begun, including those that are waiting
}

func (g *gated) Write(p []byte) (int, error) {
	g.started.Add(1)
	g.gate.RLock()
	defer g.gate.RUnlock()
	return g.Conn.Write(p)
}

// TestAnEarlierReadingNeverFollowsACrossing checks that a client that reads slowly receives a crossing after all
// Readings from before it, because a front end withdraws an announcement when a Reading has a lower level.
func TestAnEarlierReadingNeverFollowsACrossing(t *testing.T) {
	s := newTestServer(t, Options{})
	here, there := net.Pipe()
	slow := &gated{Conn: there}
	c := connectBy(t, s, here, slow)
	c.call("initialize", `{"processId":null,"clientInfo":{"name":"test"},"capabilities":{}}`)
	c.call("ctx/session/open", `{"id":"a"}`)
	c.call("ctx/watch", `{}`)
	soon := func(what string, holds func() bool) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); !holds(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("in vain for ", what)
			}
		}
	}
	// A response is blocked in the connection, so that everything after it is queued.
	slow.gate.Lock()
	started := slow.started.Load()
	c.begin("ctx/sessions", `{}`)
	soon("the answer", func() bool { return slow.started.Load() > started })
	notified := s.metrics.notified.Load()
	c.begin("ctx/session/update", `{"id":"a","system":95}`)
	soon("the Reading", func() bool { return s.metrics.notified.Load() > notified })
	changes := s.metrics.changes.Load()
	c.begin("ctx/session/update", `{"id":"a","system":10}`)
	soon("the change", func() bool { return s.metrics.changes.Load() > changes })
	s.lanes.Wait() // the crossing is queued
	slow.gate.Unlock()

	for crossed := ""; ; {
		var p struct {
			Level string
			Used  int64
		}
		m, open := <-c.notes
		if !open {
			t.Fatal("the connection ended")
		}
		json.Unmarshal(m.Params, &p)
		switch m.Method {
		case "ctx/level":
			crossed = p.Level
		case "ctx/reading":
			if crossed == "over" && p.Used != 105 {
				t.Fatalf("after the crossing to “over” comes the Reading with %d used", p.Used)
			}
			if crossed == "over" {
				return
			}
		}
	}
}
