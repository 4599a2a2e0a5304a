// Copyright The ctx-lsp authors. MIT licence.

// Package lsp is the daemon: a language server that any LSP client can start, a host for extensions that send their own
// conversations, and a watcher of the sessions on this machine.
//
// It moves bytes. The numbers come from an [Engine]; a client's message becomes one call, and the Reading that comes
// back goes to everyone who watches that session. What the daemon adds is who may see a session, the order of what
// happens to it, when watchers are told, and what outlives a restart.
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
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/telemetry"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// An Engine runs core. It is safe for use by several goroutines; calls on one session are made one after the other.
type Engine interface {
	// Call returns the result envelope: {"result":…} or {"error":…}.
	Call(ctx context.Context, method string, params []byte) ([]byte, error)
	Close() error
}

// Options is what a Server is made of. Only Engine is required.
type Options struct {
	// Started at the first call that needs it, so that initialize waits for nothing.
	Engine  func(context.Context) (Engine, error)
	Version string
	Log     *slog.Logger
	State   *state.Ledgers   // where ledgers are kept; nil keeps none
	Source  *sessions.Finder // the sessions on this machine; nil watches none
	// Settings returns those settings of a session's agent that move its window or its line; nil for none.
	Settings func(s transcript.Session) map[string]string
	// Windows returns the windows that agents have reported outside their records; nil for nothing.
	Windows follow.Windows
	// Loads finds what the agent of a session loads by itself; nil finds nothing.
	Loads func(s transcript.Session, hidePaths bool) *promptload.Loaded
	// Files finds what the agent of a session sends of files without a record; nil finds nothing.
	Files func(s transcript.Session) promptload.Files
	// Firsts lists what the sessions of a workspace began with, of one agent or of all; nil lists none.
	Firsts func(ctx context.Context, workspace, agent string) (*api.FirstAnswer, error)
	// Defaults are the user's settings as JSON, below those that a client sends; nil for none.
	Defaults json.RawMessage
	// HidePaths shows no more of the paths of files than their last element.
	HidePaths bool
	Told      state.Limits   // limits of accounts, as agents reported them
	Learned   *state.Learned // the lessons of sessions, kept between runs; nil keeps none
	CountAPI  CountAPI       // asks a provider, for clients that ask for it; nil refuses
	// Processes lists what runs on this machine; nil for the system's own list.
	Processes process.System
	Home      string // the user's home directory, for the agents' own prompt files; empty allows none
	// Telemetry measures what sessions have in common; nil measures nothing.
	Telemetry *telemetry.Meter
	// Vocabularies are those that can be fetched when a person wants them; nil offers none.
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
	engineReady chan struct{} // closed when the engine has started or failed to; nil before it was asked for

	mu          sync.Mutex // guards the fields below
	connections map[*connection]struct{}
	sessions    map[string]*session // by the engine's id
	closed      bool

	secret, secretAt string // what clients must know, and the file that holds it; empty where nothing is asked for

	nextConnection atomic.Uint64
	shared         atomic.Uint64 // ids made for shared sessions
	lanes          wire.Lanes
	watcher        *watcher
	metrics        metrics
	idle           *idleExit
	rest           rest
	offers         offers
	saves          saves
	heldPatience   time.Duration // how long opening a session waits for a ledger that another one holds
	followUpDue    atomic.Bool   // a call of followUp is due
	otherModel     atomic.Bool   // and one of the changes was that of a session's model
}

// New returns a Server. It does nothing until a client comes.
func New(options Options) *Server {
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	s := &Server{
		options: options, log: options.Log, started: options.Now(),
		connections: map[*connection]struct{}{}, sessions: map[string]*session{}, heldPatience: heldPatience,
	}
	s.lanes.Survive = s.survive
	s.rest.after, s.rest.give = restAfter, s.giveMemoryBack
	s.watcher = newWatcher(s)
	if options.State != nil {
		options.State.TellSyncs(func(err error) {
			s.metrics.saveErrors.Add(1)
			s.log.Warn("ledgers may be lost if the power fails: the disk cannot sync them", "error", err)
		})
	}
	return s
}

// AskSecret requires a secret in the initializationOptions of every client that comes from now on; where names the file
// that holds it.
func (s *Server) AskSecret(secret, where string) { s.secret, s.secretAt = secret, where }

// Serve speaks with one client until it says exit, goes away, or ctx is cancelled, and returns the exit code that the
// protocol asks for: 0 after an orderly shutdown, 1 otherwise.
func (s *Server) Serve(ctx context.Context, rwc io.ReadWriteCloser) int {
	return s.serveWithin(ctx, rwc, 0)
}

// ServeToEnd is Serve for a client that may send requests and end its output: they are answered before the connection
// ends. On a socket the end of the input is the end of the client, on standard input it is not.
func (s *Server) ServeToEnd(ctx context.Context, rwc io.ReadWriteCloser) int {
	c := newConnection(s, rwc)
	c.stream.AtEnd = c.finish
	return s.serveConnection(ctx, c)
}

// introduceWithin is how long a client that came over a socket may take until it says initialize. Whoever only holds
// connections open would else use up what the daemon has for all.
const introduceWithin = 5 * time.Minute

// serveWithin is Serve for a client that has to introduce itself within a time; 0 sets none.
func (s *Server) serveWithin(ctx context.Context, rwc io.ReadWriteCloser, limit time.Duration) int {
	c := newConnection(s, rwc)
	if limit > 0 {
		defer time.AfterFunc(limit, c.stranger).Stop()
	}
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
	s.idle.left()
	s.rest.left()
	return code
}

// Close ends every session, saves what is to be saved, and stops the engine.
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
	for deadline := time.Now().Add(2 * wire.CloseGrace); time.Now().Before(deadline) && s.clients() > 0; {
		time.Sleep(time.Millisecond)
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

func (s *Server) clients() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.connections)
}

// EngineReplaced must be called when an engine has replaced an instance that failed. It gives the documents to the
// engine again, and has those transcripts read again whose sessions were lost, or restored without what their readers
// remembered.
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

// warm starts the engine without waiting for it.
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

// startEngine starts the engine and tells it the lessons of earlier sessions. A panic there becomes an error.
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

// running returns the engine. It starts the engine if need be, and waits for it.
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

// callRaw makes a call to the engine and returns the envelope. A call that changes something goes on when whoever has
// asked for it gives up. Calls about documents all count as such: an error there stands for a document that was lost.
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
	s.metrics.called(method, time.Since(begin))
	if err != nil && ctx.Err() == nil {
		s.metrics.engineErrors.Add(1)
	}
	return envelope, err
}

// callForDocuments is callRaw with errors as a client gets them.
func (s *Server) callForDocuments(ctx context.Context, method string, params []byte) ([]byte, error) {
	envelope, err := s.callRaw(ctx, method, params)
	if err != nil {
		_, refused := s.outcome(ctx, method, nil, err)
		return nil, refused
	}
	return envelope, nil
}

// call makes a call to the engine. Cancelling a request does not cancel a call that changes something: it is finished.
func (s *Server) call(ctx context.Context, method string, params []byte) ([]byte, *api.Error) {
	envelope, err := s.callRaw(ctx, method, params)
	if err != nil {
		return s.outcome(ctx, method, nil, err)
	}
	return api.Outcome(envelope)
}

// outcome turns the error of a call to the engine into the one that a client gets.
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

// readingOf returns the Reading of a session; an empty mode is the session's own.
func (s *Server) readingOf(ctx context.Context, of *session, mode string) ([]byte, *api.Error) {
	result, err := client.Call(s.callRaw).Reading(ctx, &api.ReadingParams{ID: of.id, Scope: of.scope, Mode: api.Mode(mode)}).JSON()
	return s.outcome(ctx, "ctx/session/reading", result, err)
}
