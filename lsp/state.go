package lsp

import (
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
	"sync/atomic"
	"time"
)

// Limits of what is kept.
const (
	maxStateAge   = 30 * 24 * time.Hour
	maxStateFiles = 2000
	maxLedger     = 64 << 20
	savedSchema   = "ctx.saved/1"
)

// State is the directory in which ledgers outlive the daemon: counts and labels, one file a session, readable by its
// owner alone. A file is written beside its old self and put in its place, so that a reader or a crash finds one or the
// other whole.
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
	var saved savedLedger
	if err := json.Unmarshal(body, &saved); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", s.path(name), err)
	}
	if saved.Schema != savedSchema {
		return nil, fmt.Errorf("%s has the schema %q, this version reads %q", s.path(name), saved.Schema, savedSchema)
	}
	return saved.Ledger, nil
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
	running bool // guarded by the session's mutex, as is waiting
	waiting []func(error)
	told    atomic.Bool // its client knows that saving fails
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
// is followed by a pause, so that saving never takes more than a fifth of the time.
func (s *Server) persist(of *session, done func(error)) {
	of.mu.Lock()
	defer of.mu.Unlock()
	of.saver.waiting = append(of.saver.waiting, done)
	if !of.saver.running {
		of.saver.running = true
		s.lanes.run("", func() { s.saveWaiting(of) })
	}
}

func (s *Server) saveWaiting(of *session) {
	for {
		of.mu.Lock()
		waiting := of.saver.waiting
		of.saver.waiting = nil
		if len(waiting) == 0 {
			of.saver.running = false
			of.mu.Unlock()
			return
		}
		of.mu.Unlock()
		// One save at a time: under load the others wait, more changes share each of them, and the engine stays free for
		// the changes themselves.
		s.saving.Lock()
		of.mu.Lock()
		waiting = append(waiting, of.saver.waiting...)
		of.saver.waiting = nil
		of.mu.Unlock()
		begin := time.Now()
		err := s.saveNow(of)
		for try := 0; err != nil && try < 2; try++ { // an engine that was just replaced answers the next time
			err = s.saveNow(of)
		}
		s.saving.Unlock()
		for _, done := range waiting {
			done(err)
		}
		if took := time.Since(begin); took > 2*time.Millisecond {
			time.Sleep(min(4*took, time.Second))
		}
	}
}

func (s *Server) saveNow(of *session) error {
	id, _ := json.Marshal(of.key) // a string always encodes
	result, fault := s.call(noRequest, "ctx/session/save", []byte(`{"id":`+string(id)+`}`))
	if fault != nil {
		if fault.code == codeUnknownSession {
			return nil // it was closed meanwhile
		}
		return fault
	}
	ledger := memberOf(of.forClients(result), "ledger")
	err := s.options.State.save(of.save, savedLedger{Schema: savedSchema, Session: of.id, SavedAt: s.options.Now().UnixMilli(), Ledger: ledger})
	if err != nil {
		s.metrics.saveErrors.Add(1)
		s.log.Warn("a ledger could not be saved", "session", of.id, "error", err)
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
		_ = s.saveNow(each) // logged there
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
	os.Rename(path, strings.TrimSuffix(path, ".json")+".damaged") // if that fails, it is overwritten
}

// forget removes what was kept of a session.
func (s *Server) forget(of *session) {
	if of.save != "" {
		s.options.State.remove(of.save)
	}
}
