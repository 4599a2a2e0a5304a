// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A saver is the state of saving a session. Changes during a save share the next one.
type saver struct {
	due       bool // guarded by the session's mutex, like the next three
	waiting   []func(error)
	unsaved   bool // something has changed since the last save began
	restUntil time.Time
	reported  atomic.Bool // the client was warned that saving fails

	file     sync.Mutex // held while the file is written or released; guards released
	released bool       // the file no longer belongs to this session
}

// saves is the queue of sessions whose ledgers have to be saved, longest waiting first. They are saved one at a time.
// Under load the others wait, so that more changes share each save, and the engine stays free for the changes
// themselves.
type saves struct {
	mu      sync.Mutex // guards the fields below
	queue   []*session
	running bool
}

// ledgerName returns the name of a conversation's ledgers, so that the same client, workspace and id find them again.
// The name begins with the client. Two editors may look like the same client, so a name does not identify the owner of
// a ledger; see package ledgers.
func (s *Server) ledgerName(c *connection, of *session) string {
	about := c.about()
	whose, id := "shared", "shared\x00"+of.id
	if of.owner != nil {
		whose, id = "own\x00"+about.name+"\x00"+about.root, "own\x00"+of.id
	}
	group, each := sha256.Sum256([]byte(whose)), sha256.Sum256([]byte(id))
	return hex.EncodeToString(group[:state.GroupBytes]) + hex.EncodeToString(each[:12])
}

// persist saves a session's ledger, now or later, and calls done when it is on disk. A slow save is followed by a
// pause, so that saving one session never takes more than a fifth of the time.
func (s *Server) persist(of *session, done func(error)) {
	of.mu.Lock()
	of.saver.waiting = append(of.saver.waiting, done)
	already, rest := of.saver.due, time.Until(of.saver.restUntil)
	of.saver.due = true
	of.mu.Unlock()
	if already {
		return
	}
	s.lanes.Begin()
	if rest > 0 {
		time.AfterFunc(rest, func() { s.saves.add(s, of) })
		return
	}
	s.saves.add(s, of)
}

func (q *saves) add(s *Server, of *session) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, of)
	if !q.running {
		q.running = true
		go q.run(s)
	}
}

func (q *saves) run(s *Server) {
	for {
		q.mu.Lock()
		if len(q.queue) == 0 {
			q.running = false
			q.mu.Unlock()
			return
		}
		of := q.queue[0]
		q.queue[0] = nil
		q.queue = q.queue[1:]
		q.mu.Unlock()
		func() {
			defer s.survive("saving a ledger")
			s.saveWaiting(of)
		}()
	}
}

// patience is how long saving one session waits for a busy engine before the next session is tried.
const patience = 50 * time.Millisecond

func (s *Server) saveWaiting(of *session) {
	of.mu.Lock()
	waiting := of.saver.waiting
	of.saver.waiting, of.saver.due = nil, false
	of.mu.Unlock()
	err := s.saveNow(of, patience)
	// An engine that was replaced a moment ago succeeds the next time.
	for try := 0; err != nil && !errors.Is(err, context.DeadlineExceeded) && try < 2; try++ {
		err = s.saveNow(of, patience)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		of.mu.Lock()
		of.saver.waiting = append(waiting, of.saver.waiting...)
		again := !of.saver.due
		of.saver.due = true
		of.mu.Unlock()
		if again {
			s.saves.add(s, of) // after the other sessions
		} else {
			s.lanes.Ended() // the session is in the queue again
		}
		return
	}
	defer s.lanes.Ended()
	if err != nil {
		s.behind(of)
	}
	for _, done := range waiting {
		done(err)
	}
}

// saveNow saves a session's ledger, unless the engine is busy for longer than wait. A panic becomes an error, because
// the waiting requests have to be answered.
func (s *Server) saveNow(of *session, wait time.Duration) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			s.failed("saving a ledger", fault)
			err = fmt.Errorf("internal error of the daemon: %v", fault)
		}
	}()
	of.setUnsaved(false)
	defer func() {
		if err != nil {
			of.setUnsaved(true)
		}
	}()
	engine, err := s.running(noRequest)
	if err != nil {
		return err
	}
	begin := time.Now()
	ctx, cancel := context.WithTimeout(noRequest, wait)
	defer cancel()
	result, err := client.Call(engine.Call).Save(ctx, &api.SessionParams{ID: of.id, Scope: of.scope}).JSON()
	if client.Refused(err, api.UnknownSession) {
		return nil // the session was closed in the meantime
	}
	if err != nil {
		return err
	}
	saved := state.Saved{Schema: state.SavedSchema, Session: of.id, SavedAt: s.options.Now().UnixMilli(), Ledger: wire.MemberOf(result, "ledger")}
	err = s.write(of, saved)
	if took := time.Since(begin); took > 2*time.Millisecond {
		of.mu.Lock()
		of.saver.restUntil = time.Now().Add(min(4*took, time.Second))
		of.mu.Unlock()
	}
	if err != nil {
		s.metrics.saveErrors.Add(1)
		s.log.Debug("a ledger could not be saved", "session", of.id, "error", err) // the client is warned once
		return err
	}
	s.metrics.saves.Add(1)
	return nil
}

// setUnsaved records whether a session has changes that are not saved.
func (s *session) setUnsaved(unsaved bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saver.unsaved = unsaved
}

// isUnsaved reports whether a session has changes that are not saved: transient ones, or others after a failed save.
func (s *session) isUnsaved() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.save != "" && s.saver.unsaved
}

// saveOf saves every changed session of one client, and waits until that is done.
func (s *Server) saveOf(c *connection) {
	for _, each := range s.all(func(each *session) bool { return each.owner == c && each.isUnsaved() }) {
		done := make(chan struct{})
		s.persist(each, func(error) { close(done) })
		<-done
	}
}

// saveAll saves all remaining changes when the daemon ends. Acknowledged changes have been saved already, so a busy
// engine delays the end of the daemon by at most a second.
func (s *Server) saveAll() {
	deadline := time.Now().Add(time.Second)
	for _, each := range s.all((*session).isUnsaved) {
		if err := s.saveNow(each, time.Until(deadline)); errors.Is(err, context.DeadlineExceeded) {
			s.log.Warn("a ledger could not be saved: the engine is busy", "session", each.id)
		}
	}
}

// letAllGo releases every ledger for the next daemon. The files keep their names: they belong to no one when this
// daemon gives up its own.
func (s *Server) letAllGo() {
	for _, each := range s.all(func(each *session) bool { return each.save != "" }) {
		s.release(each, func(string) {})
	}
	if s.options.State != nil {
		s.options.State.Sync()
		s.options.State.Owners.End()
	}
}

// behind records that a change of a session is not saved, unless the session has released its file.
func (s *Server) behind(of *session) {
	of.saver.file.Lock()
	defer of.saver.file.Unlock()
	if !of.saver.released {
		s.options.State.Behind(of.save)
	}
}

// write writes a ledger, unless the session has released its file.
func (s *Server) write(of *session, saved state.Saved) error {
	of.saver.file.Lock()
	defer of.saver.file.Unlock()
	if of.saver.released {
		return nil
	}
	return s.options.State.Save(of.save, saved)
}

// A savedPast is what is saved of a session.
type savedPast struct {
	ledgers []json.RawMessage // the newest first
	older   bool              // a newer one is damaged or lost
	others  int               // how many more saved conversations have the same name
	missing bool              // something was saved, and is not there
}

// savedLedgers takes over the saved file of a session, and returns the ledgers in it. It returns none if nothing is
// saved or others hold it.
func (s *Server) savedLedgers(of *session) (past savedPast, err error) {
	taken, others, err := s.options.State.Take(of.ledger, of.save)
	past.others = others
	if taken {
		past.ledgers, past.older, err = s.options.State.LoadLast(of.save, 4)
	}
	return past, err
}

// cannotBeRead returns the error for a saved session that is on a disk that cannot be read at the moment, and may be
// intact. It returns nil for any other err.
func cannotBeRead(of *session, err error) *api.Error {
	var fault *state.Unreadable
	if !errors.As(err, &fault) {
		return nil
	}
	name := string(wire.Quoted(of.id))
	return &api.Error{
		Kind: api.Unreadable, Name: of.id,
		Message: "The saved session " + name + " cannot be read now (" + fault.Error() + "); no data is lost. Try again when the disk works, " +
			`or open it without "resume" to start over, which deletes the saved session.`,
	}
}

// setAside renames a ledger that cannot be used, and returns its path.
func (s *Server) setAside(of *session) string { return s.options.State.SetAside(of.save) }

// forget removes the session's own file.
func (s *Server) forget(of *session) {
	s.release(of, s.options.State.Remove)
}

// releaseLedger releases a session's ledger, so that another session can resume it.
func (s *Server) releaseLedger(of *session) {
	s.release(of, s.options.State.Leave)
}

func (s *Server) release(of *session, with func(file string)) {
	if of.save == "" {
		return
	}
	of.saver.file.Lock()
	defer of.saver.file.Unlock()
	if !of.saver.released {
		of.saver.released = true
		with(of.save)
	}
}
