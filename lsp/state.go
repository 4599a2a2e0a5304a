// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Limits of what is kept.
const (
	maxStateAge   = 30 * 24 * time.Hour
	maxStateFiles = 2000
	maxLedger     = 64 << 20
	keptLedgers   = 64 << 10 // bytes of earlier ledgers that a file may hold, or four ledgers if that is more
	savedSchema   = "ctx.saved/1"
)

// State is the directory in which ledgers outlive the daemon: counts and labels, one file a session, readable by its
// owner alone. A ledger is written behind the one before it, on a line of its own, and the last whole line counts: what a
// crash or a full disk leaves half written costs nothing that was there. A file that has grown is written anew beside
// itself and put in its own place, so that a reader finds the one or the other. Writing a new file for every ledger would
// cost ten times as much.
type State struct {
	dir  string
	file func(name string) string // where the next ledger of a name is written before it takes the old one's place
}

// OpenState creates the directory if need be and removes what is too old. A directory that cannot be written is an
// error at the first save, not here: the daemon is of use without it.
func OpenState(dir string) *State {
	s := &State{dir: filepath.Join(dir, "ledgers")}
	s.file = func(name string) string { return filepath.Join(s.dir, fmt.Sprintf(".%s.%d.next", name, os.Getpid())) }
	s.age(time.Now())
	return s
}

type savedLedger struct {
	Schema  string          `json:"schema"`
	Session string          `json:"session"`
	SavedAt int64           `json:"savedAt"`
	Ledger  json.RawMessage `json:"ledger"`
}

// encode writes the file; the ledger is JSON already and is not looked at again.
func (l savedLedger) encode() []byte {
	session, _ := json.Marshal(l.Session) // a string always encodes
	out := append(make([]byte, 0, len(l.Ledger)+len(session)+96), `{"schema":"`+l.Schema+`","session":`...)
	out = append(append(out, session...), `,"savedAt":`...)
	out = append(strconv.AppendInt(out, l.SavedAt, 10), `,"ledger":`...)
	return append(append(out, l.Ledger...), '}')
}

func (s *State) path(name string) string { return filepath.Join(s.dir, name+".json") }

// save writes one ledger.
func (s *State) save(name string, saved savedLedger) error {
	body := saved.encode()
	if len(body) > maxLedger {
		return fmt.Errorf("the ledger has %d bytes, and %d is the most that is kept", len(body), maxLedger)
	}
	if done, err := s.add(name, body); done || err != nil {
		return err
	}
	next := s.file(name)
	err := os.WriteFile(next, body, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(s.dir, 0o700); err == nil {
			err = os.WriteFile(next, body, 0o600)
		}
	}
	if err == nil {
		err = os.Rename(next, s.path(name))
	}
	if err != nil {
		os.Remove(next) // what is left of it helps nobody
	}
	return err
}

// add writes a ledger behind the ones before it, unless the file is to be written anew.
func (s *State) add(name string, body []byte) (done bool, err error) {
	f, err := os.OpenFile(s.path(name), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return false, nil // there is none yet; if it is something else, writing it anew will tell
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size()+int64(len(body)) > int64(min(max(keptLedgers, 4*len(body)), maxLedger)) {
		return false, nil
	}
	// The line break comes first, for the line before may have been left without its end.
	_, err = f.Write(append(append(make([]byte, 0, len(body)+1), '\n'), body...))
	return err == nil, err
}

// load returns a saved ledger, nil when there is none that can be used.
func (s *State) load(name string) (json.RawMessage, error) {
	info, err := os.Stat(s.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > maxLedger {
		return nil, fmt.Errorf("%s is longer than %d bytes", s.path(name), maxLedger)
	}
	body, err := os.ReadFile(s.path(name))
	if err != nil {
		return nil, err
	}
	var damage error
	for {
		start := bytes.LastIndexByte(body, '\n') + 1
		var saved savedLedger
		switch err := json.Unmarshal(body[start:], &saved); {
		case err != nil && damage == nil:
			damage = fmt.Errorf("%s is damaged: %w", s.path(name), err)
		case err == nil && saved.Schema == savedSchema:
			return saved.Ledger, nil
		case err == nil:
			return nil, fmt.Errorf("%s has the schema %q, this version reads %q", s.path(name), saved.Schema, savedSchema)
		}
		if start == 0 {
			return nil, damage
		}
		body = body[:start-1]
	}
}

func (s *State) remove(name string) { os.Remove(s.path(name)) }

// age removes ledgers that were not touched for a month, the oldest of too many, and what a crash left half written.
func (s *State) age(now time.Time) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	type file struct {
		name string
		time time.Time
	}
	var files []file
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		age := now.Sub(info.ModTime())
		switch {
		case strings.HasSuffix(entry.Name(), ".next") && age > time.Hour, !strings.HasSuffix(entry.Name(), ".next") && age > maxStateAge:
			os.Remove(filepath.Join(s.dir, entry.Name()))
		case strings.HasSuffix(entry.Name(), ".json"):
			files = append(files, file{entry.Name(), info.ModTime()})
		}
	}
	if len(files) <= maxStateFiles {
		return
	}
	sort.Slice(files, func(i, j int) bool { return files[i].time.Before(files[j].time) })
	for _, old := range files[:len(files)-maxStateFiles] {
		os.Remove(filepath.Join(s.dir, old.name))
	}
}

// A saver is what a session's saving has come to. Changes that come while a save is under way share the next one.
type saver struct {
	due       bool // guarded by the session's mutex, as are the next two
	waiting   []func(error)
	restUntil time.Time
	told      atomic.Bool // its client knows that saving fails
}

// saves are the sessions whose ledgers are to be saved, the one that has waited longest first. They are saved one at a
// time: under load the others wait, more changes share each save, and the engine stays free for the changes themselves.
type saves struct {
	mu      sync.Mutex // guards the fields below
	queue   []*session
	running bool
}

// saveName is the file name of a session's ledger: the same client, workspace and id find it again.
func (s *Server) saveName(c *connection, of *session) string {
	if s.options.State == nil {
		return ""
	}
	about := c.about()
	key := "shared\x00" + of.id
	if of.owner != nil {
		key = "own\x00" + about.name + "\x00" + about.root + "\x00" + of.id
	}
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}

// persist saves a session's ledger as it is now or later, and calls done when that is on disk. A save that takes long
// is followed by a pause, so that saving one session never takes more than a fifth of the time.
func (s *Server) persist(of *session, done func(error)) {
	of.mu.Lock()
	of.saver.waiting = append(of.saver.waiting, done)
	already, rest := of.saver.due, time.Until(of.saver.restUntil)
	of.saver.due = true
	of.mu.Unlock()
	if already {
		return
	}
	s.lanes.begin()
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

// patience is how long saving one session waits for an engine that is at work on others before the next one's turn
// comes.
const patience = 50 * time.Millisecond

func (s *Server) saveWaiting(of *session) {
	of.mu.Lock()
	waiting := of.saver.waiting
	of.saver.waiting, of.saver.due = nil, false
	of.mu.Unlock()
	err := s.saveNow(of, patience)
	for try := 0; err != nil && !errors.Is(err, context.DeadlineExceeded) && try < 2; try++ { // an engine that was just replaced answers the next time
		err = s.saveNow(of, patience)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		of.mu.Lock()
		of.saver.waiting = append(waiting, of.saver.waiting...)
		again := !of.saver.due
		of.saver.due = true
		of.mu.Unlock()
		if again {
			s.saves.add(s, of) // behind the others
		} else {
			s.lanes.ended() // it is in the queue already
		}
		return
	}
	defer s.lanes.ended()
	for _, done := range waiting {
		done(err)
	}
}

// saveNow saves a session's ledger, unless the engine is not free for it within the time. A defect on the way is an
// error, for whoever waits has to be answered.
func (s *Server) saveNow(of *session, wait time.Duration) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			s.failed("saving a ledger", fault)
			err = fmt.Errorf("the daemon failed inside: %v", fault)
		}
	}()
	engine, err := s.running(noRequest)
	if err != nil {
		return err
	}
	begin := time.Now()
	ctx, cancel := context.WithTimeout(noRequest, wait)
	defer cancel()
	envelope, err := engine.Call(ctx, "ctx/session/save", idParams(of.key))
	if err != nil {
		return err
	}
	result, fault := openEnvelope(envelope)
	if fault != nil {
		if fault.code == codeUnknownSession {
			return nil // it was closed meanwhile
		}
		return fault
	}
	// Its ids are those of the engine; whoever resumes it knows its own. The answer has no other member.
	ledger, ok := bytes.CutPrefix(result, []byte(`{"ledger":`))
	if ledger = bytes.TrimSuffix(ledger, []byte("}")); !ok {
		ledger = memberOf(result, "ledger")
	}
	err = s.options.State.save(of.save, savedLedger{Schema: savedSchema, Session: of.id, SavedAt: s.options.Now().UnixMilli(), Ledger: ledger})
	if took := time.Since(begin); took > 2*time.Millisecond {
		of.mu.Lock()
		of.saver.restUntil = time.Now().Add(min(4*took, time.Second))
		of.mu.Unlock()
	}
	if err != nil {
		s.metrics.saveErrors.Add(1)
		s.log.Debug("a ledger could not be saved", "session", of.id, "error", err) // its client is told, once
		return err
	}
	s.metrics.saves.Add(1)
	return nil
}

// saveOf saves every session of one client and waits for it.
func (s *Server) saveOf(c *connection) {
	for _, each := range s.all(func(each *session) bool { return each.owner == c && each.save != "" }) {
		done := make(chan struct{})
		s.persist(each, func(error) { close(done) })
		<-done
	}
}

// saveAll saves what belongs to no client that is still there.
func (s *Server) saveAll() {
	for _, each := range s.all(func(each *session) bool { return each.save != "" }) {
		if err := s.saveNow(each, time.Second); errors.Is(err, context.DeadlineExceeded) {
			s.log.Warn("a ledger could not be saved: the engine is at work", "session", each.id)
		}
	}
}

// savedLedger returns what was kept of a session, nil when there is nothing, and why it cannot be used.
func (s *Server) savedLedger(of *session) (json.RawMessage, error) {
	if of.save == "" {
		return nil, nil
	}
	return s.options.State.load(of.save)
}

// setAside keeps a ledger that cannot be used from being overwritten, for whoever wants to look at it.
func (s *Server) setAside(of *session) {
	path := s.options.State.path(of.save)
	_ = os.Rename(path, strings.TrimSuffix(path, ".json")+".damaged") // if that fails, it is overwritten
}

// forget removes what was kept of a session.
func (s *Server) forget(of *session) {
	if of.save != "" {
		s.options.State.remove(of.save)
	}
}
