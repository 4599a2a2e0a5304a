// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/fairqueue"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// maxInflight is how many unanswered requests a client may have; further ones are refused at once.
const maxInflight = 16 << 10

// A connection is one client.
type connection struct {
	server *Server
	number uint64
	scope  string // the scope of this client's own sessions and documents in the engine
	log    *slog.Logger
	stream *wire.Stream
	out    *wire.Outbox
	waits  wire.Backlog // messages from the client that are not processed yet
	folds  coalescer    // the waiting messages about documents

	unreadable  int          // messages that could not be read; only the reader of the stream changes it
	unanswered  atomic.Int64 // requests of ours without an answer
	sightsAsked atomic.Bool  // a refresh of lenses about sight lines is on its way
	made        atomic.Int64 // ids generated for sessions that were opened without one

	focusing sync.Mutex // held while the focus is replaced or ctx/focused is sent, so that none of an older focus follows

	mu        sync.Mutex // guards the fields below
	rpc       *jsonrpc2.Conn
	phase     phase
	inflight  map[string]*request // keyed by the id, as the client wrote it
	client    peer
	settings  Settings
	initial   Settings // the settings from initialize; used for settings that the client does not send otherwise
	trace     string
	pulling   pulling
	watching  *watch // what the client wants to see, from ctx/watch
	focus     *focusWatch
	unwatched bool     // the client has sent ctx/unwatch
	edits     bool     // the client has opened a document, as editors do
	opened    []string // folders of documents, most recent first, if the client has no workspace folders
	quiet     progressLine
	pages     string   // the directory of the pages shown; empty before the first
	ended     bool     // the connection has ended, so no more pages are written
	focused   *session // the session that the focus points to; nil if the daemon does not have it

	ctx       context.Context // ends with the connection
	saved     chan struct{}   // closed when shutdown is answered
	exit      chan struct{}   // closed when the client has sent exit
	gone      chan struct{}   // closed when the connection has ended and its sessions are closing
	exitOnce  sync.Once
	answered  signal // fires when a request was answered
	documents *documents
	last      bool // the daemon ends with this client
	released  bool // its sessions are being closed; guarded by the server's mutex
}

func newConnection(s *Server, rwc io.ReadWriteCloser) *connection {
	number := s.nextConnection.Add(1)
	out := wire.NewOutbox(rwc, s.survive)
	c := &connection{
		server: s, number: number, scope: newScope(),
		log:      s.log.With("connection", number),
		out:      out,
		inflight: map[string]*request{}, settings: defaultSettings(), initial: defaultSettings(), trace: "off",
		saved: make(chan struct{}), exit: make(chan struct{}), gone: make(chan struct{}),
	}
	c.stream = wire.NewStream(rwc, out, c.receive, c.survive, c.exit)
	c.stream.Refused = c.logUnreadable
	c.documents = newDocuments(c)
	return c
}

// serve reads until the client exits or disconnects, and returns the exit code of the protocol.
func (c *connection) serve(ctx context.Context) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ctx = fairqueue.As(ctx, c.number)
	c.ctx = ctx
	// Messages read before rpc is set wait for this lock, so that requests to the client can use it.
	c.mu.Lock()
	rpc := jsonrpc2.NewConn(ctx, c.stream, noCalls{}, jsonrpc2.SetLogger(libraryLog{c.log}), jsonrpc2.OnRecv(c.received))
	c.rpc = rpc
	c.mu.Unlock()
	select {
	case <-c.exit:
	case <-rpc.DisconnectNotify():
	case <-c.out.Failed:
	case <-ctx.Done():
	}
	c.abandon()
	c.removePages()
	// The connection is ending, so errors do not matter. At the end of the input, the library is closing the stream
	// too, and only the stream can wait for that.
	rpc.Close()
	c.stream.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase < phaseShutDown {
		return 1
	}
	return 0
}

// end closes the connection as if its client had sent exit.
func (c *connection) end() { c.exitOnce.Do(func() { close(c.exit) }) }

// finish waits until all requests of the client are answered, until late fires, or until responses can no longer be
// delivered.
func (c *connection) finish(late <-chan time.Time) {
	for {
		news := c.answered.next()
		c.mu.Lock()
		waiting := len(c.inflight)
		c.mu.Unlock()
		if waiting == 0 {
			return
		}
		select {
		case <-news:
		case <-late:
			return
		case <-c.exit:
			return
		case <-c.out.Failed:
			return
		case <-c.ctx.Done():
			return
		}
	}
}

// finishInput waits, at the end of the client's input, until all its requests are answered, shutdown too.
func (c *connection) finishInput() {
	c.finish(nil)
	c.mu.Lock()
	shutDown := c.phase == phaseShutDown
	c.mu.Unlock()
	if !shutDown {
		return
	}
	select {
	case <-c.saved:
	case <-c.exit:
	case <-c.out.Failed:
	case <-c.ctx.Done():
	}
}

// closeUninitialized ends the connection if the client has not sent initialize.
func (c *connection) closeUninitialized() {
	defer c.survive("waiting for initialize")
	c.mu.Lock()
	silent := c.phase == phaseStarting
	c.mu.Unlock()
	if silent {
		c.log.Info("a client did not send initialize; its connection is closed")
		c.end()
	}
}

// clientProcessEnded closes the connection of a client that ended without sending exit.
func (c *connection) clientProcessEnded() {
	defer c.survive("watching the client's process")
	c.log.Info("the client's process has ended")
	c.end()
}

// abandon cancels the requests of a client that has disconnected.
func (c *connection) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.inflight {
		r.cancel()
	}
}

// A request is one message that the daemon is processing. A notification has no id and is never answered.
type request struct {
	conn   *connection
	id     []byte
	method string
	params []byte // raw, as received
	kind   ownjson.Kind
	fields wire.Fields // the members of params
	twice  string      // the name of a member that occurs twice in params
	ctx    context.Context
	cancel context.CancelFunc
	saves  *session // the session whose ledger has to be saved before the response is sent; set by run
	edit   edit     // the change of a document, if the request is one
	after  func()   // called after the response is sent; may be nil
	cost   int      // its share of the backlog

	mu       sync.Mutex // guards the fields below
	begun    bool       // the work can no longer be cancelled
	answered bool
}

func (r *request) notification() bool { return len(r.id) == 0 }

// commit makes later cancellations ineffective. It returns false if the request was already canceled.
func (r *request) commit() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.answered {
		return false
	}
	r.begun = true
	return true
}

// answer sends the response; a second call does nothing.
func (r *request) answer(result []byte, err *api.Error) {
	r.mu.Lock()
	if r.answered {
		r.mu.Unlock()
		return
	}
	r.answered = true
	r.mu.Unlock()
	r.cancel()
	c := r.conn
	if r.notification() {
		if err != nil {
			c.log.Warn("a notification failed", "method", r.method, "error", err.Message)
		}
		return
	}
	c.mu.Lock()
	if c.inflight[string(r.id)] == r {
		delete(c.inflight, string(r.id))
	}
	c.mu.Unlock()
	defer c.answered.fire()
	if err != nil {
		c.server.metrics.failed.Add(1)
		c.out.Send(wire.ErrorFrame(r.id, err))
		return
	}
	c.out.Send(wire.ResultFrame(r.id, result))
}

// cancelled returns the error of a request that the client has canceled.
func cancelled() *api.Error {
	return &api.Error{Kind: api.Cancelled, Message: "The request was canceled."}
}

// cancelRequest answers a request with RequestCancelled if it is still waiting or its work changes nothing.
func (c *connection) cancelRequest(params wire.Fields) {
	id := params.Get("id")
	c.mu.Lock()
	r := c.inflight[string(id)]
	c.mu.Unlock()
	if r == nil {
		return // it was answered already, or never sent
	}
	r.mu.Lock()
	begun := r.begun
	r.mu.Unlock()
	if !begun {
		r.answer(nil, cancelled())
	}
}

// receive decides what to do with a call, and passes the work to a lane.
func (c *connection) receive(asked *wire.Call) {
	r := &request{conn: c, id: asked.ID, method: asked.Method, params: asked.Params, kind: asked.Kind, fields: asked.Fields, twice: asked.Twice}
	c.server.metrics.received.Add(1)
	c.traceMessage(r)
	if c.control(r) {
		return
	}
	m, known := methods[r.method]
	var err *api.Error
	switch {
	case !known && r.notification():
		return // LSP allows servers to ignore unknown notifications
	case !known:
		err = noMethod(r.method)
	default:
		err = unusable(r, api.MethodOf(r.method) != nil)
	}
	if err != nil {
		r.cancel = func() {}
		r.answer(nil, err)
		return
	}
	r.ctx, r.cancel = context.WithCancel(c.ctx)
	if !r.notification() && !c.admit(r) {
		return
	}
	lane := ""
	if m.lane != nil {
		lane = m.lane(c, r)
	}
	r.cost = len(r.params) + wire.MessageCost
	ofDocuments := lane == documentLane(c, r)
	if ofDocuments {
		c.folds.arrived(r) // before the request waits itself, because dropping changes frees space
	}
	if c.waits.Add(r.cost, c.ctx.Done()) { // otherwise the client has disconnected
		c.server.lanes.Run(lane, c.number, func() {
			defer func() { c.waits.Remove(r.cost) }() // drop may have reduced it while the request was waiting
			if ofDocuments {
				c.folds.begins(r)
			}
			c.run(m, r)
		})
	}
}

// admit registers a request, unless too many are running or its id is in use.
func (c *connection) admit(r *request) bool {
	c.mu.Lock()
	_, taken := c.inflight[string(r.id)]
	full := len(c.inflight) >= maxInflight
	if !taken && !full {
		c.inflight[string(r.id)] = r
	}
	c.mu.Unlock()
	switch {
	case taken:
		c.out.Send(wire.ErrorFrame(r.id, &api.Error{Kind: api.InvalidRequest, Message: "The id " + string(r.id) + " belongs to a request that is still running."}))
	case full:
		c.out.Send(wire.ErrorFrame(r.id, &api.Error{
			Kind: api.LimitExceeded, Message: "There are " + strconv.Itoa(maxInflight) + " requests running already; wait for responses before sending more.",
		}))
	default:
		return true
	}
	r.cancel()
	return false
}

// run does the work of one request. A panic in it is answered and logged, and does not affect other requests.
func (c *connection) run(m method, r *request) {
	defer func() {
		if fault := recover(); fault != nil {
			c.log.Error("a request failed with an internal error", "method", r.method, "fault", fault, "stack", string(debug.Stack()))
			r.answer(nil, &api.Error{Kind: api.Internal, Message: r.method + " failed with an internal error of the daemon; see the daemon's log."})
		}
	}()
	if m.changes && !r.commit() || r.ctx.Err() != nil && !m.changes {
		return // it is answered, or its client has disconnected
	}
	begin := time.Now()
	result, err := m.run(c, r)
	c.server.metrics.answered(time.Since(begin))
	if err != nil || r.saves == nil {
		r.answer(result, err)
		if r.after != nil {
			r.after()
		}
		return
	}
	c.server.persist(r.saves, func(failed error) {
		if failed != nil {
			c.saveFailed(r.saves, failed)
		}
		r.answer(result, nil)
	})
}

// notify sends a notification.
func (c *connection) notify(method string, params any) {
	body, err := json.Marshal(params)
	if err != nil {
		c.log.Error("a notification could not be written", "method", method, "error", err)
		return
	}
	c.out.Send(wire.NotificationFrame(method, body))
}
