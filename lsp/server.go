// Copyright The ctx-lsp authors. MIT licence.

// Package lsp is the daemon: a language server that any LSP client can start, a host for extensions that send their own
// conversations, and a watcher of the sessions on this machine.
//
// It moves bytes. The numbers come from an [Engine]; a client's message becomes one call, and the Reading in its result
// is sent to all watchers of that session. The daemon adds who may see a session, the order of its changes, the timing
// of notifications, and what survives a restart.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/sight"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/telemetry"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// An Engine runs core. It is safe for use by several goroutines; calls on one session are made one after the other.
type Engine interface {
	// Call returns the result envelope: {"result":…} or {"error":…}.
	Call(ctx context.Context, method string, params []byte) ([]byte, error)
	Close() error
}

// Options configure a Server. Only Engine is required.
type Options struct {
	// Engine is called for the first request that needs it, so that initialize does not wait.
	Engine  func(context.Context) (Engine, error)
	Version string
	Log     *slog.Logger
	State   *state.Ledgers   // stores ledgers; nil stores none
	Source  *sessions.Finder // finds the sessions on this machine; nil watches none
	// Machine has the data about sessions that their records do not contain; nil for none.
	Machine *follow.Machine
	// Firsts lists the first requests of a workspace's sessions, for one agent or for all; nil for none.
	Firsts func(ctx context.Context, workspace, agent string) (*api.FirstAnswer, error)
	// Defaults are the user's settings as JSON; settings that a client sends override them. Nil for none.
	Defaults      json.RawMessage
	AccountLimits state.Limits   // limits of accounts, as agents reported them
	Learned       *state.Learned // learned corrections, kept between runs; nil keeps none
	CountAPI      CountAPI       // counts with a provider when a client requests it; nil refuses
	// Processes lists the processes on this machine; nil uses the system's own list.
	Processes process.System
	Home      string // the user's home directory, for the agents' own prompt files; if empty, none are allowed
	// Telemetry aggregates measurements of sessions; nil for none.
	Telemetry *telemetry.Meter
	// Vocabularies can be downloaded with the user's consent; nil offers none.
	Vocabularies Vocabularies
	Now          func() time.Time
}

// A Server serves any number of clients over one engine.
type Server struct {
	options  Options
	log      *slog.Logger
	openings conversation.Openings
	started  time.Time

	engineMu    sync.Mutex // guards the three fields below
	engine      Engine
	engineErr   error
	engineReady chan struct{} // closed when the engine has started or failed to start; nil until it is first needed

	mu          sync.Mutex // guards the fields below
	connections map[*connection]struct{}
	sessions    map[string]*session // keyed by the engine's id
	closed      bool

	secret, secretAt string // the secret that clients must send, and the file that contains it; empty if none is required

	nextConnection atomic.Uint64
	shared         atomic.Int64 // ids generated for shared sessions
	lanes          wire.Lanes
	watcher        *watcher
	metrics        metrics
	idle           *idleExit
	rest           rest
	offers         offers
	saves          saves
	sights         sight.Sessions
	learnedAt      atomic.Int64  // the number of changes when the learned corrections were last saved
	finishPatience time.Duration // how long a shutdown waits for earlier requests
	plainAfter     time.Duration // how long ctx/watch is awaited before a client is treated as plain
	heldPatience   time.Duration // how long opening a session waits for a ledger that another process holds
	followUpDue    atomic.Bool   // a call of followUp is due
	otherModel     atomic.Bool   // one of the changes was to a session's model
}

// New returns a Server. It starts nothing until a client connects.
func New(options Options) *Server {
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	s := &Server{
		options: options, log: options.Log, started: options.Now(),
		connections: map[*connection]struct{}{}, sessions: map[string]*session{}, heldPatience: heldPatience, plainAfter: plainAfter,
		finishPatience: finishPatience,
	}
	s.lanes.Survive = s.survive
	s.rest.after, s.rest.give = restAfter, s.giveMemoryBack
	s.sights.For = sight.KeptFor
	s.watcher = newWatcher(s)
	if options.State != nil {
		options.State.OnSyncFailure(func(err error) {
			s.metrics.saveErrors.Add(1)
			s.log.Warn("ledgers may be lost if the power fails: the disk cannot sync them", "error", err)
		})
	}
	return s
}

// AskSecret requires a secret in the initializationOptions of every client that connects from now on; where is the file
// that contains it.
func (s *Server) AskSecret(secret, where string) { s.secret, s.secretAt = secret, where }

// Serve serves one client until it sends exit, disconnects, or ctx is cancelled. It returns the exit code that the
// protocol requires: 0 after an orderly shutdown, 1 otherwise.
func (s *Server) Serve(ctx context.Context, rwc io.ReadWriteCloser) int {
	return s.serveConnection(ctx, newConnection(s, rwc))
}

// ServeToEnd is Serve for a client that may end its output while requests are running: they are answered before the
// connection ends. On standard input, unlike on a socket, the end of the input does not mean that the client has ended.
// The daemon must be closed afterwards: the client's sessions stay open until then.
func (s *Server) ServeToEnd(ctx context.Context, rwc io.ReadWriteCloser) int {
	c := newConnection(s, rwc)
	c.stream.AtEnd = c.finishInput
	c.last = true
	return s.serveConnection(ctx, c)
}

// introduceWithin is how long a client on a socket may take to send initialize. Without a limit, idle connections could
// exhaust the daemon.
const introduceWithin = 5 * time.Minute

// serveWithin is Serve for a client that has to send initialize within limit.
func (s *Server) serveWithin(ctx context.Context, rwc io.ReadWriteCloser, limit time.Duration) int {
	c := newConnection(s, rwc)
	defer time.AfterFunc(limit, c.closeUninitialized).Stop()
	return s.serveConnection(ctx, c)
}

func (s *Server) serveConnection(ctx context.Context, c *connection) int {
	s.mu.Lock()
	s.connections[c] = struct{}{}
	s.mu.Unlock()
	s.idle.busy()
	s.rest.busy()
	code := c.serve(ctx)
	c.release()
	s.mu.Lock()
	delete(s.connections, c)
	s.mu.Unlock()
	close(c.gone)
	s.idle.left()
	s.rest.left()
	return code
}

// Close ends every session, saves ledgers and learned corrections, and stops the engine.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	open := make([]*connection, 0, len(s.connections))
	for c := range s.connections {
		open = append(open, c)
	}
	s.mu.Unlock()
	for _, c := range open {
		c.end()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*wire.CloseGrace)
	defer cancel()
	for _, c := range open {
		select {
		case <-c.gone:
		case <-ctx.Done():
		}
	}
	s.watcher.close()
	s.lanes.Wait()
	s.saveAll()
	s.letAllGo()
	s.keepLearned()
	s.engineMu.Lock()
	defer s.engineMu.Unlock()
	if s.engine != nil {
		return s.engine.Close()
	}
	return nil
}

// EngineReplaced must be called when an engine has replaced an instance that failed. It passes the documents to the
// engine again, and has the transcripts in reread read again: those of sessions that were lost, or restored without the
// state of their readers.
func (s *Server) EngineReplaced(reread []string) {
	defer s.survive("restoring after an engine was replaced")
	s.metrics.engineErrors.Add(1)
	s.watcher.readAgain(reread)
	s.eachConnection(func(c *connection) {
		go func() {
			defer c.survive("sending documents to a new engine")
			c.documents.reopen()
		}()
	})
}

func (s *Server) eachConnection(do func(*connection)) {
	s.mu.Lock()
	all := make([]*connection, 0, len(s.connections))
	for c := range s.connections {
		all = append(all, c)
	}
	s.mu.Unlock()
	for _, c := range all {
		do(c)
	}
}

// warm starts the engine without waiting for it. The channel is closed once it has started or failed to.
func (s *Server) warm() <-chan struct{} {
	s.engineMu.Lock()
	defer s.engineMu.Unlock()
	if s.engineReady == nil {
		ready := make(chan struct{})
		s.engineReady = ready
		go func() {
			defer s.survive("starting the engine")
			engine, err := s.startEngine()
			s.engineMu.Lock()
			s.engine, s.engineErr = engine, err
			if err != nil {
				s.engineReady = nil // the next call tries again
			}
			s.engineMu.Unlock()
			close(ready)
			if err != nil {
				s.log.Error("the engine does not start", "error", err)
				s.health("error", "The engine does not start: "+err.Error()+".")
			}
		}()
	}
	return s.engineReady
}

// startEngine starts the engine and passes it the learned corrections of earlier sessions. A panic becomes an error.
func (s *Server) startEngine() (engine Engine, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			s.failed("starting the engine", fault)
			err = fmt.Errorf("internal error: %v", fault)
		}
	}()
	if engine, err = s.options.Engine(context.Background()); err == nil {
		s.teach(engine)
	}
	return engine, err
}

// running returns the engine, starting it if necessary.
func (s *Server) running(ctx context.Context) (Engine, error) {
	select {
	case <-s.warm():
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.engineMu.Lock()
	defer s.engineMu.Unlock()
	return s.engine, s.engineErr
}

// callRaw makes a call to the engine and returns the envelope. A call that changes something continues even if ctx is
// cancelled. So do all calls about documents, where an error would mean that the document was lost.
func (s *Server) callRaw(ctx context.Context, method string, params []byte) ([]byte, error) {
	engine, err := s.running(ctx)
	if err != nil {
		return nil, err
	}
	if m := api.MethodOf(method); m == nil || m.Effect != api.Reads || m.Reaches == api.OneSet {
		ctx = context.WithoutCancel(ctx)
	}
	begin := time.Now()
	envelope, err := engine.Call(ctx, method, params)
	s.metrics.called(time.Since(begin))
	if err != nil && ctx.Err() == nil {
		s.metrics.engineErrors.Add(1)
	}
	return envelope, err
}

// callForDocuments is callRaw with errors in the form that clients get.
func (s *Server) callForDocuments(ctx context.Context, method string, params []byte) ([]byte, error) {
	envelope, err := s.callRaw(ctx, method, params)
	if err != nil {
		_, refused := s.outcome(ctx, method, nil, err)
		return nil, refused
	}
	return envelope, nil
}

// call makes a call to the engine and returns its result. Cancelling ctx does not cancel a call that changes something.
func (s *Server) call(ctx context.Context, method string, params []byte) ([]byte, *api.Error) {
	envelope, err := s.callRaw(ctx, method, params)
	if err != nil {
		return s.outcome(ctx, method, nil, err)
	}
	return api.Outcome(envelope)
}

// outcome converts the error of a call to the engine into one for clients.
func (s *Server) outcome(ctx context.Context, method string, result []byte, err error) ([]byte, *api.Error) {
	var refused *api.Error
	switch {
	case err == nil:
		return result, nil
	case errors.As(err, &refused):
		return nil, refused
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil, cancelled()
	}
	s.log.Error("the engine failed", "method", method, "error", err)
	return nil, &api.Error{Kind: api.Internal, Message: "The engine could not handle " + method + ": " + err.Error() + "."}
}

// readingOf returns the Reading of a session, with its panel if panel is set; an empty mode means the session's own.
func (s *Server) readingOf(ctx context.Context, of *session, mode string, panel bool) ([]byte, *api.Error) {
	params := api.ReadingParams{ID: of.id, Scope: of.scope, Mode: api.Mode(mode), Panel: panel}
	if panel {
		params.Rows = of.hostRows()
	}
	result, err := client.Call(s.callRaw).Reading(ctx, &params).JSON()
	return s.outcome(ctx, "ctx/session/reading", result, err)
}
