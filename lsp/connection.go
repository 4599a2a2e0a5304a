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

// maxInflight is how many requests of one client may wait for their answers; further ones are refused at once.
const maxInflight = 16 << 10

// A connection is one client.
type connection struct {
	server *Server
	number uint64
	scope  string // the scope of this client's own sessions and documents in the engine
	log    *slog.Logger
	stream *wire.Stream
	out    *wire.Outbox
	waits  wire.Backlog // what this client has sent and nobody has worked on yet
	folds  coalescer    // what of that is about documents

	unanswered atomic.Int64  // requests of ours without an answer
	made       atomic.Uint64 // ids made for sessions that were opened without one

	mu        sync.Mutex // guards the fields below
	rpc       *jsonrpc2.Conn
	phase     phase
	code      int
	inflight  map[string]*request // by the id, as the client wrote it
	client    peer
	settings  Settings
	initial   Settings // what initialize said; it counts where the client says nothing else
	trace     string
	pulling   pulling
	watching  *watch // what the client has asked for by ctx/watch
	focus     *focusWatch
	unwatched bool     // the client has ended a watch itself
	edits     bool     // the client has opened a document, as editors do
	opened    []string // folders of documents, the last one first, of a client without workspace folders
	quiet     progressLine
	pages     string   // the folder of the pages that were shown; empty before the first
	gone      bool     // the connection has ended, so no page is written any more
	focused   *session // the session to which the focus leads; nil if it is not here

	ctx       context.Context // ends with the connection
	saved     chan struct{}   // closed when shutdown is answered
	exit      chan struct{}   // closed when the client has said exit
	exitOnce  sync.Once
	documents *documents
	released  bool // its sessions are being ended; guarded by the server's mutex
}

func newConnection(s *Server, rwc io.ReadWriteCloser) *connection {
	number := s.nextConnection.Add(1)
	out := wire.NewOutbox(rwc, s.survive)
	c := &connection{
		server: s, number: number, scope: newScope(),
		log:  s.log.With("connection", number),
		out:  out,
		code: 1, inflight: map[string]*request{}, settings: defaultSettings(), initial: defaultSettings(), trace: "off",
		saved: make(chan struct{}), exit: make(chan struct{}),
	}
	c.stream = wire.NewStream(rwc, out, c.receive, c.survive, c.exit)
	c.documents = newDocuments(c)
	return c
}

// serve reads until the client is gone, and returns its exit code.
func (c *connection) serve(ctx context.Context) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ctx = fairqueue.As(ctx, c.number)
	c.ctx = ctx
	// Whatever is read first waits for this lock, so that rpc is set when something asks the client.
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
	// The client is going, so an error changes nothing. Where the input has ended, the library is closing the stream too,
	// and only the stream can wait for that.
	rpc.Close()
	c.stream.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase < phaseShutDown {
		return 1
	}
	return 0
}

// end closes the connection as if its client had said exit.
func (c *connection) end() { c.exitOnce.Do(func() { close(c.exit) }) }

// finish waits until what the client has asked is answered, or nobody reads answers any more.
func (c *connection) finish() {
	for {
		c.mu.Lock()
		waiting := len(c.inflight)
		c.mu.Unlock()
		if waiting == 0 {
			return
		}
		select {
		case <-c.exit:
			return
		case <-c.out.Failed:
			return
		case <-c.ctx.Done():
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// stranger ends the connection of whoever has not introduced itself.
func (c *connection) stranger() {
	defer c.survive("waiting for initialize")
	c.mu.Lock()
	silent := c.phase == phaseStarting
	c.mu.Unlock()
	if silent {
		c.log.Info("a client did not send initialize; its connection is closed")
		c.end()
	}
}

// processGone closes the connection of a client whose process has ended without saying exit.
func (c *connection) processGone() {
	defer c.survive("watching the client's process")
	c.log.Info("the client's process has ended")
	c.end()
}

// abandon cancels the requests of a client that is gone.
func (c *connection) abandon() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.inflight {
		r.cancel()
	}
}

// A request is one message on its way through the daemon. A notification has no id and is never answered.
type request struct {
	conn   *connection
	id     []byte
	method string
	params []byte // as they came
	kind   ownjson.Kind
	fields wire.Fields // the members of params
	twice  string      // a member that params have twice
	ctx    context.Context
	cancel context.CancelFunc
	saves  *session // set by work whose answer waits until this session's ledger is saved
	edit   edit     // what a change of a document holds
	after  func()   // called when the answer was sent; may be nil

	mu       sync.Mutex // guards the fields below
	cost     int        // what it counts in the backlog
	begun    bool       // it has begun what cannot be undone
	answered bool
}

func (r *request) notification() bool { return len(r.id) == 0 }

// commit says that from now on a cancellation comes too late. It returns false when the request was cancelled before.
func (r *request) commit() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.answered {
		return false
	}
	r.begun = true
	return true
}

// answer sends the result; a second call does nothing.
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

// cancelRequest answers with RequestCancelled a request that still waits, or whose work changes nothing.
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

// receive decides what to do with a call, and leaves the work to lanes.
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
		return // LSP has notifications that a server may ignore
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
		c.folds.arrived(r) // before it waits itself: what it makes needless leaves room
	}
	if !c.waits.Add(r.cost, c.ctx.Done()) {
		r.answer(nil, cancelled())
		return
	}
	c.server.lanes.Run(lane, c.number, func() {
		defer func() { c.waits.Remove(r.cost) }() // dropped by others in part, if at all before its turn
		if ofDocuments {
			c.folds.begins(r)
		}
		c.run(m, r)
	})
}

// admit registers a request, unless too many wait or its id is in use.
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

// run does the work of one request. A panic in it is answered and logged, and affects no other request.
func (c *connection) run(m method, r *request) {
	defer func() {
		if fault := recover(); fault != nil {
			c.log.Error("a request failed with an internal error", "method", r.method, "fault", fault, "stack", string(debug.Stack()))
			r.answer(nil, &api.Error{Kind: api.Internal, Message: r.method + " failed with an internal error of the daemon; see the daemon's log."})
		}
	}()
	if m.changes && !r.commit() || r.ctx.Err() != nil && !m.changes {
		r.answer(nil, cancelled())
		return
	}
	begin := time.Now()
	result, err := m.run(c, r)
	c.server.metrics.answered(r.method, time.Since(begin))
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
