// Copyright The ctx-lsp authors. MIT licence.

//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// A worker holds a conversation with a daemon, and knows from its own engine what the correct result is.
type worker struct {
	world  *world
	number int
	daemon *daemon
	random *rand.Rand
	victim bool // its ledgers are damaged, so a resumed session may be in any saved state, or new

	fresh    *engine.Pool
	steps    []step // the acknowledged changes, from the first
	safe     int    // the number of them acknowledged while the disk worked
	underway *step  // a change that may or may not have been made
	savedBy  string // the format of the ledgers saved last
	lessons  []byte // the learned corrections that the daemon had when the conversation began
	moment   int64  // the world's moment when the conversation was resumed
	opens    bool   // the conversation is being opened, which is saved too
}

// A step is a change and the Reading after it.
type step struct {
	method, params string
	reading        []byte
}

const at = `,"at":1700000000000`

func (k *worker) id() string {
	if k.victim {
		return "victim"
	}
	return "chat"
}

func (k *worker) run() {
	var err error
	if k.fresh, err = engine.Native(engine.Options{Instances: 1}); err != nil {
		k.world.broken("no engine: %v", err)
		return
	}
	defer k.fresh.Close()
	for !k.world.ended() {
		c, err := dial(k.daemon, fmt.Sprintf("worker %d", k.number))
		if err != nil {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		k.converse(c)
		c.conn.Close()
		time.Sleep(2 * time.Second) // a running daemon releases the session in this time
	}
}

// converse continues where the last connection ended, until this one ends.
func (k *worker) converse(c *client) {
	if !k.resume(c) {
		return
	}
	for !k.world.ended() {
		if k.random.Intn(40) == 0 {
			if !k.compare(c) {
				return
			}
			continue
		}
		if !k.change(c, k.next()) {
			return
		}
		time.Sleep(time.Duration(k.random.Intn(20)) * time.Millisecond)
	}
	k.compare(c)
}

// next returns a change that may happen in a conversation; its numbers differ from those of other workers.
func (k *worker) next() step {
	r := k.random
	switch r.Intn(10) {
	case 0, 1, 2, 3:
		return step{method: "ctx/session/update", params: fmt.Sprintf(`,"append":[{"kind":"user","text":%q}]`, strings.Repeat("a question about the code ", 1+r.Intn(40)))}
	case 4, 5, 6:
		return step{method: "ctx/session/update", params: fmt.Sprintf(`,"append":[{"kind":"toolResults","label":"read %d","text":%q}]`, k.number, strings.Repeat("line of a file\n", 1+r.Intn(200)))}
	case 7, 8:
		return step{method: "ctx/session/usage", params: fmt.Sprintf(`,"provider":"ctx","usage":{"in":%d,"out":%d}`, 20_000+r.Intn(150_000), r.Intn(3000))}
	default:
		return step{method: "ctx/session/compacted", params: `,"summary":{"tokens":900}`}
	}
}

// older restores the session from an earlier state than the one saved last, as a daemon does if that one is lost.
var older = step{method: "older"}

// isOlder is the warning in the Readings of such a session.
var isOlder = []byte(phrase.PastOlder.English())

// compute makes a change in the worker's own engine, and records the Reading after it.
func (k *worker) compute(s *step) error {
	if s.method == older.method {
		if err := k.restoreOlder(); err != nil {
			return err
		}
	} else if _, err := k.request(s.method, s.params+at); err != nil {
		return err
	}
	reading, err := k.request("ctx/session/reading", "")
	s.reading = bytes.Clone(reading)
	return err
}

func (k *worker) request(method, params string) (json.RawMessage, error) {
	envelope, err := k.fresh.Call(context.Background(), method, fmt.Appendf(nil, `{"id":%q%s}`, k.id(), params))
	if err != nil {
		return nil, err
	}
	var answer struct {
		Result json.RawMessage
		Error  *refusal
	}
	if err := json.Unmarshal(envelope, &answer); err != nil {
		return nil, err
	}
	if answer.Error != nil {
		return nil, answer.Error
	}
	return answer.Result, nil
}

func (k *worker) restoreOlder() error {
	saved, err := k.request("ctx/session/save", "")
	if err != nil {
		return err
	}
	var ledger struct{ Ledger json.RawMessage }
	if err := json.Unmarshal(saved, &ledger); err != nil {
		return err
	}
	if _, err := k.request("ctx/session/close", ""); err != nil {
		return err
	}
	_, err = k.request("ctx/session/restore", fmt.Sprintf(`,"older":true,"ledger":%s`, ledger.Ledger))
	return err
}

// learned reads the daemon's learned corrections, with which it begins a conversation. Each worker has a workspace of
// its own, so only its own closed conversations have taught those that apply to it.
func (k *worker) learned(c *client) ([]byte, error) {
	lessons, err := c.call("ctx/learned/get", `{}`)
	return bytes.Clone(lessons), err
}

// begin opens a new conversation in the worker's own engine with the learned corrections that the daemon had, and
// repeats the given steps.
func (k *worker) begin(steps []step) {
	_, _ = k.request("ctx/session/close", "") // it may not exist
	if _, err := k.fresh.Call(context.Background(), "ctx/learned/set", k.lessons); err != nil {
		k.world.broken("worker %d: its own engine refuses the learned corrections: %v", k.number, err)
	}
	k.steps = nil
	for _, s := range steps {
		if err := k.compute(&s); err != nil {
			k.world.broken("worker %d: its own engine refuses %s: %v", k.number, s.method, err)
		}
		k.steps = append(k.steps, s)
	}
}

// opening opens the worker's session.
func (k *worker) opening() step {
	return step{method: "ctx/session/open", params: fmt.Sprintf(`,"model":"gpt-5.5","workspace":"/worker %d","limits":{"window":200000,"output":8000}`, k.number)}
}

// asideOpening opens a session with a ledger that was set aside.
func (k *worker) asideOpening() step {
	s := k.opening()
	s.params += `,"setAside":true`
	return s
}

// startedOver reports whether a session has started from nothing, which is correct if its ledger is from another build
// or was damaged. An opening that was not finished may have saved it in another build's format.
func (k *worker) startedOver(reading, lessons []byte, format string, unfinished bool) bool {
	if k.steps == nil || format == k.savedBy && !k.victim && !unfinished {
		return false
	}
	before, taught := k.steps, k.lessons
	k.lessons = lessons
	for _, first := range []step{k.asideOpening(), k.opening()} {
		if k.begin([]step{first}); bytes.Equal(k.steps[0].reading, reading) {
			k.safe, k.underway = 0, nil
			k.world.did("conversations whose ledger was set aside")
			return true
		}
	}
	k.lessons = taught
	k.begin(before)
	return false
}

// resume opens the session and determines how many of its steps it contains.
func (k *worker) resume(c *client) bool {
	format := k.daemon.format()
	lossy, moment := k.mayLoseALine()
	unfinished := k.opens
	k.opens = true
	lessons, err := k.learned(c)
	if err != nil {
		k.refused("learned", err)
		return false
	}
	opening := k.opening()
	if _, err := c.call(opening.method, fmt.Sprintf(`{"id":%q,"resume":true%s%s}`, k.id(), opening.params, at)); err != nil {
		k.refused("resume", err)
		return false
	}
	reading, err := c.call("ctx/session/reading", fmt.Sprintf(`{"id":%q}`, k.id()))
	if err != nil {
		k.refused("reading", err)
		return false
	}
	k.moment, k.opens = moment, false
	if k.startedOver(reading, lessons, format, unfinished) {
		k.savedBy = format
		return true
	}
	k.savedBy = format
	if k.steps == nil {
		k.lessons = lessons
		k.begin([]step{opening})
	}
	if under := k.underway; under != nil {
		k.underway = nil
		tried := *under
		if k.compute(&tried) == nil && bytes.Equal(tried.reading, reading) {
			k.steps = append(k.steps, tried)
			k.safe = 0
			k.world.did("changes found that were not acknowledged")
			return true
		}
		k.begin(k.steps)
	}
	least := k.safe
	if k.victim {
		least = 1
	}
	for n := len(k.steps); n >= max(least, 1); n-- {
		if bytes.Equal(k.steps[n-1].reading, reading) {
			if n < len(k.steps) {
				k.world.did("resumed before what was acknowledged on a failing disk")
				k.begin(k.steps[:n])
			}
			k.safe = min(k.safe, n)
			k.world.did("conversations resumed")
			return true
		}
		if k.marked(n, reading) {
			if !lossy {
				k.world.broken("worker %d: its conversation of %d steps is marked as older, though no line of it can be lost", k.number, len(k.steps))
				return false
			}
			k.safe = min(k.safe, n)
			k.world.did("conversations resumed from an older state, which the Reading says")
			return true
		}
	}
	k.world.broken("worker %d: after %d steps, %d of them safe, it finds\n%s\nexpected\n%s", k.number, len(k.steps), k.safe, reading, k.steps[len(k.steps)-1].reading)
	return false
}

// mayLoseALine reports whether the newest ledger may be cut off or not recorded: a change or its opening was under way
// as the connection ended, the disk has failed since the conversation was resumed, or its ledgers are damaged.
func (k *worker) mayLoseALine() (lossy bool, moment int64) {
	k.world.mu.Lock()
	defer k.world.mu.Unlock()
	disturbed := k.world.failing || k.world.moment != k.moment
	return k.victim || k.underway != nil || k.opens || disturbed, k.world.moment
}

// marked reports whether a Reading is that of the first n steps, marked as older than what was saved last. The worker's
// conversation then continues from them in the same way.
func (k *worker) marked(n int, reading []byte) bool {
	if !bytes.Contains(reading, isOlder) || usedIn(reading) != usedIn(k.steps[n-1].reading) {
		return false
	}
	before := k.steps
	if k.begin(append(slices.Clone(before[:n]), older)); bytes.Equal(k.steps[n].reading, reading) {
		return true
	}
	k.begin(before)
	return false
}

// usedIn returns the size in a Reading, -1 if it is unknown.
func usedIn(reading []byte) int64 {
	r := struct{ Used int64 }{-1}
	_ = json.Unmarshal(reading, &r) // a null leaves -1
	return r.Used
}

// change makes a change in the daemon and in the worker's own engine.
func (k *worker) change(c *client, s step) bool {
	w := k.world
	w.mu.Lock()
	well, moment := !w.failing, w.moment
	w.mu.Unlock()
	k.underway = &s
	_, err := c.call(s.method, fmt.Sprintf(`{"id":%q%s%s}`, k.id(), s.params, at))
	if err != nil {
		k.refused(s.method, err)
		return false
	}
	k.underway = nil
	if err := k.compute(&s); err != nil {
		w.broken("worker %d: its own engine refuses what the daemon has done: %v", k.number, err)
		return false
	}
	k.steps = append(k.steps, s)
	w.mu.Lock()
	if well && w.moment == moment {
		k.safe = len(k.steps)
	}
	w.done["changes acknowledged"]++
	w.mu.Unlock()
	if len(k.steps) > 400 { // a longer conversation would take long to repeat
		return k.startOver(c)
	}
	return true
}

// startOver closes the conversation and opens another one with the same name.
func (k *worker) startOver(c *client) bool {
	if !k.compare(c) {
		return false
	}
	k.opens = true
	_, err := c.call("ctx/session/close", fmt.Sprintf(`{"id":%q}`, k.id()))
	if err != nil {
		k.refused("close", err)
		return false
	}
	k.safe = 0
	if k.lessons, err = k.learned(c); err != nil {
		k.refused("learned", err)
		return false
	}
	opening := k.opening()
	k.begin([]step{opening})
	if _, err = c.call(opening.method, fmt.Sprintf(`{"id":%q%s%s}`, k.id(), opening.params, at)); err != nil {
		k.refused("open", err)
		return false
	}
	k.opens = false
	k.world.did("conversations begun anew")
	return true
}

// compare checks the Reading, and that the client sees only its own session.
func (k *worker) compare(c *client) bool {
	reading, err := c.call("ctx/session/reading", fmt.Sprintf(`{"id":%q}`, k.id()))
	if err != nil {
		k.refused("reading", err)
		return false
	}
	if want := k.steps[len(k.steps)-1].reading; !bytes.Equal(reading, want) {
		k.world.broken("worker %d: after %d steps it reads\n%s\nand a fresh computation\n%s", k.number, len(k.steps), reading, want)
		return false
	}
	k.world.did("Readings compared")
	sessions, err := c.call("ctx/sessions", `{}`)
	if err != nil {
		k.refused("sessions", err)
		return false
	}
	if n := bytes.Count(sessions, []byte(`{"session":`)); n != 1 {
		k.world.broken("worker %d sees %d sessions and has one: %.2000s", k.number, n, sessions)
	}
	return true
}

// refused handles an error. A daemon that was killed returns nothing, and one that was harmed may return an error. A
// timeout is a violation.
func (k *worker) refused(what string, err error) {
	var fault *refusal
	var silent net.Error
	switch {
	case errors.As(err, &fault):
		k.world.did(fmt.Sprintf("refusals with the code %d", fault.Code))
		if fault.Code == -32601 || fault.Code == -32602 {
			k.world.broken("worker %d: %s: %v", k.number, what, err)
		}
	case errors.As(err, &silent) && silent.Timeout():
		k.daemon.dumpStacks()
		k.world.broken("worker %d: no answer to %s in %s; what the daemon was doing stands in its errors", k.number, what, patience)
	}
}
