// Copyright The ctx-lsp authors. MIT licence.

package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
)

// Pool is an [Engine] over several instances of a core.
type Pool struct {
	options Options
	make    func() (instance, error)
	release func()

	shards []*shard
	turn   atomic.Uint32 // selects a shard for calls that belong to no session, each in turn

	mu       sync.Mutex // guards the fields below
	sessions map[name]*session
	opened   int64 // the number of sessions opened so far, which orders them
	made     int64 // the number of ids made so far
	learned  []byte
	offered  []string // vocabularies that are offered to instances
	closed   bool

	saving sync.WaitGroup
}

// A shard is one instance and its sessions.
type shard struct {
	gate             // guards the fields below
	running instance // nil before the first call and after a failed start
	members map[name]*session
	parents map[name]int // how many of the members have this parent
	fault   *Fault       // why the last instance failed, if no new one could be started
	started atomic.Bool  // whether there is an instance; read without holding the gate
}

func newPool(options Options, make func() (instance, error), release func()) *Pool {
	p := &Pool{options: options.withDefaults(), make: make, release: release, sessions: map[name]*session{}, offered: options.Offered}
	for range p.options.Instances {
		p.shards = append(p.shards, newShard())
	}
	return p
}

func newShard() *shard { return &shard{members: map[name]*session{}, parents: map[name]int{}} }

// Instances returns the maximum number of instances. They start when they are first needed.
func (p *Pool) Instances() int { return len(p.shards) }

// OnHeap reports whether the core's memory is on the heap of this process, as with the native engine.
func (p *Pool) OnHeap() bool { return p.release == nil }

// errClosed is the error of calls after Close.
var errClosed = errors.New("the engine is closed")

func (s *shard) run(i instance) {
	s.running = i
	s.started.Store(true)
}

func (s *shard) stop() {
	if s.running != nil {
		s.running.close()
		s.running = nil
		s.started.Store(false)
	}
}

// idle reports whether a shard has no instance yet. It does not wait for the gate: a shard that is working has an
// instance.
func (s *shard) idle() bool {
	if !s.tryEnter() {
		return false
	}
	defer s.leave()
	return s.running == nil
}

// Call implements [Engine].
func (p *Pool) Call(ctx context.Context, method string, params []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch m := methodOf(method); m.Reaches {
	case api.AllSessions:
		return p.callAll(ctx, method, params)
	case api.Lessons:
		if m.Effect == api.Reads {
			return p.gather(ctx, method, params)
		}
		return p.teach(ctx, method, params)
	case api.OneSession:
		return p.callSession(ctx, method, params)
	case api.OneSet:
		set, _ := stringField(params, "set") // documents that import one another must be in the same instance
		return p.callOn(ctx, p.home(scopeIn(params)+set), method, params, nil)
	}
	return p.callOn(ctx, p.idlest(), method, params, nil)
}

// callOn executes a call on one shard. after is called with the result while the shard is still held.
func (p *Pool) callOn(ctx context.Context, s *shard, method string, params []byte, after func(answer []byte)) ([]byte, error) {
	if err := s.enter(ctx, method == "ctx/session/save"); err != nil {
		return nil, err
	}
	defer s.leave()
	answer, err := p.attempt(s, method, params)
	if err == nil && after != nil {
		after(answer)
	}
	return answer, err
}

// attempt executes a call on a shard that the caller holds, and replaces the instance if it fails.
func (p *Pool) attempt(s *shard, method string, params []byte) ([]byte, error) {
	if s.running == nil {
		if err := p.resume(s); err != nil {
			return nil, err
		}
	}
	answer, fault := p.answer(s.running, method, params)
	if fault != nil {
		p.replace(s, fault)
		return nil, fault
	}
	return answer, nil
}

// start gives a shard an instance and passes it the corrections learned from earlier sessions.
func (p *Pool) start(s *shard) error {
	p.mu.Lock()
	closed, learned := p.closed, p.learned
	p.mu.Unlock()
	if closed {
		return errClosed
	}
	running, err := p.make()
	if err != nil {
		return err
	}
	if learned != nil {
		if _, fault := p.answer(running, "ctx/learned/set", learned); fault != nil {
			p.options.Log("learned corrections could not be passed to the engine: " + fault.Error())
			running.close()
			if running, err = p.make(); err != nil {
				return err
			}
		}
	}
	if fault := p.offer(running, p.offers()); fault != nil {
		running.close()
		return fault
	}
	s.run(running)
	return nil
}

// offers returns the names of the vocabularies that are offered to every instance.
func (p *Pool) offers() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.offered
}

// offer offers vocabularies to an instance.
func (p *Pool) offer(to instance, names []string) *Fault {
	for _, name := range names {
		refused, fault := to.offer(name)
		if fault != nil {
			return fault
		}
		if e, failed := errorIn(refused); failed {
			p.options.Log("the vocabulary " + strconv.Quote(name) + " was added but cannot be used: " + e.Message)
		}
	}
	return nil
}

// Offer announces additional vocabularies that Options.Vocabulary can return: models of the families with these names
// are counted with them from now on.
func (p *Pool) Offer(names ...string) {
	p.mu.Lock()
	p.offered = slices.Concat(p.offered, names)
	p.mu.Unlock()
	for _, s := range p.shards {
		if s.enter(context.Background(), true) != nil {
			continue
		}
		if s.running != nil {
			if fault := p.offer(s.running, names); fault != nil {
				p.replace(s, fault)
			}
		}
		s.leave()
	}
}

// answer calls an instance, and loads the vocabularies that the call needs.
func (p *Pool) answer(i instance, method string, params []byte) ([]byte, *Fault) {
	asked := ""
	for {
		answer, fault := i.call(method, params)
		if fault != nil {
			return nil, fault
		}
		e, failed := errorIn(answer)
		if !failed || e.Kind != "needs_vocabulary" || e.Name == asked {
			return answer, nil
		}
		asked = e.Name
		vocabulary, err := p.options.Vocabulary(e.Name)
		offered := slices.Contains(p.offers(), e.Name)
		if err != nil {
			p.options.Log(err.Error())
			if !offered {
				return answer, nil
			}
			if fault := i.withdraw(e.Name); fault != nil {
				return nil, fault
			}
			continue
		}
		refused, fault := i.load(e.Name, vocabulary)
		if fault != nil {
			return nil, fault
		}
		if refused != nil && !offered {
			return refused, nil
		}
		if refused != nil {
			e, _ := errorIn(refused)
			p.options.Log("the vocabulary " + strconv.Quote(asked) + " was added but cannot be used, so counts for its models are estimates: " + e.Message)
		}
	}
}

// errorData is the part of an error that the engine itself handles.
type errorData struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Message string `json:"-"`
}

var errorPrefix = []byte(`{"error":`)

func errorIn(answer []byte) (errorData, bool) {
	if !bytes.HasPrefix(answer, errorPrefix) {
		return errorData{}, false
	}
	var envelope struct {
		Error struct {
			Message string    `json:"message"`
			Data    errorData `json:"data"`
		} `json:"error"`
	}
	_ = json.Unmarshal(answer, &envelope) // an error without data has no kind, which is fine
	envelope.Error.Data.Message = envelope.Error.Message
	return envelope.Error.Data, true
}

// home returns the shard for an id that no session has yet.
func (p *Pool) home(id string) *shard {
	h := uint32(2166136261)
	for i := range len(id) {
		h = (h ^ uint32(id[i])) * 16777619
	}
	return p.shards[h%uint32(len(p.shards))]
}

// idlest returns the shard with the fewest waiting calls. If several have as few, it prefers one that is already
// running.
func (p *Pool) idlest() *shard {
	n := len(p.shards)
	first := int(p.turn.Add(1)) % n
	best, bestCost := p.shards[first], 1<<30
	for i := range n {
		s := p.shards[(first+i)%n]
		cost := 2 * s.load()
		if !s.started.Load() {
			cost++
		}
		if cost < bestCost {
			best, bestCost = s, cost
		}
	}
	return best
}

// callSession executes a method of one session on that session's shard.
func (p *Pool) callSession(ctx context.Context, method string, params []byte) ([]byte, error) {
	if empty(params) {
		params = []byte("{}")
	}
	of, named := sessionOf(method, params)
	if !named && makesSession(method) && len(p.shards) > 1 && json.Valid(params) {
		// The core would make an id itself, but it does not know the sessions of other instances.
		of.id, named = p.makeID(of.scope), true
		params = withID(params, of.id)
	}
	if len(p.shards) > 1 && makesSession(method) && p.full(of) {
		return api.Refusal(api.TooManySessions()), nil
	}
	s := p.shardOf(of, method, params)
	return p.callOn(ctx, s, method, params, func(answer []byte) {
		if !named && makesSession(method) {
			// The id is added to the parameters, so that repeating the call makes the same session.
			result, _ := ownjson.Member(answer, "result")
			of.id, _ = stringField(result, "session")
			params = withID(params, of.id)
		}
		p.note(s, of, method, params, answer)
	})
}

// full reports whether the pool has as many sessions as a core may have, and no session of this name. The instances do
// not know of each other's sessions.
func (p *Pool) full(of name) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.sessions) >= api.MaxSessions && p.sessions[of] == nil
}

// shardOf returns the shard of an existing or new session: a child belongs to its parent's shard. A call about an
// unknown session goes to one of the shards, which refuses it.
func (p *Pool) shardOf(of name, method string, params []byte) *shard {
	if len(p.shards) == 1 {
		return p.shards[0]
	}
	if s := p.holder(of); s != nil {
		return s
	}
	if makesSession(method) {
		if parent, ok := p.parentOf(of.scope, method, params); ok {
			if s := p.holder(parent); s != nil {
				return s
			}
			return p.home(parent.scope + parent.id)
		}
	}
	return p.home(of.scope + of.id)
}

// holder returns the shard of a session, or of the session whose records created it: sub-agents are called
// parent/child, and the pool has not seen a call that made them. It returns nil if neither is known.
func (p *Pool) holder(of name) *shard {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if known := p.sessions[of]; known != nil {
			return known.shard
		}
		at := strings.LastIndexByte(of.id, '/')
		if at < 0 {
			return nil
		}
		of.id = of.id[:at]
	}
}

// visible returns the session that an id means in a scope: one in the scope, or one without a scope.
func (p *Pool) visible(scope, id string) name {
	if scope != "" && p.holder(name{scope, id}) == nil && p.holder(name{"", id}) != nil {
		scope = ""
	}
	return name{scope, id}
}

// makeID returns an id for a session that was opened without one, as a single core would make it.
func (p *Pool) makeID(scope string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		p.made++
		id := "s" + strconv.FormatInt(p.made, 10)
		if p.sessions[name{scope, id}] == nil {
			return id
		}
	}
}

// callAll returns the sessions of all instances, in the order in which they were opened.
func (p *Pool) callAll(ctx context.Context, method string, params []byte) ([]byte, error) {
	if len(p.shards) == 1 {
		return p.callOn(ctx, p.shards[0], method, params, nil)
	}
	type listed struct {
		raw  []byte
		seen int64
	}
	var all []listed
	scope := scopeIn(params)
	for _, s := range p.shards {
		answer, err := p.callOn(ctx, s, method, params, nil)
		if err != nil {
			return nil, err
		}
		result, refused := api.Outcome(answer)
		if refused != nil {
			return answer, nil
		}
		var doc ownjson.Document
		list, err := doc.Parse(bytes.Clone(result))
		if err != nil {
			return nil, err
		}
		p.mu.Lock()
		for each := list.Get("sessions").Elements(); each.Next(); {
			one := listed{raw: each.Value.Raw()}
			id := each.Value.Get("session").String()
			known := p.sessions[name{scope, id}]
			switch {
			case known == nil:
				known = p.sessions[name{"", id}]
			case known.shard != s:
				continue // it has no scope, and in this scope its id belongs to a session of another instance
			}
			if known != nil {
				one.seen = known.number
			}
			all = append(all, one)
		}
		p.mu.Unlock()
	}
	slices.SortStableFunc(all, func(a, b listed) int { return cmp.Compare(a.seen, b.seen) })
	var w ownjson.Writer
	w.BeginObject()
	w.Field(`,"result":`)
	w.BeginObject()
	w.Field(`,"sessions":`)
	w.BeginArray()
	for _, each := range all {
		w.Raw(each.raw)
	}
	w.EndArray()
	w.EndObject()
	w.EndObject()
	return w.Buf, nil
}

// teach passes learned corrections to every instance, now and whenever it is replaced.
func (p *Pool) teach(ctx context.Context, method string, params []byte) ([]byte, error) {
	var answer []byte
	for i, s := range p.shards {
		if i > 0 && s.idle() {
			continue // this instance receives them when it starts
		}
		var err error
		answer, err = p.callOn(ctx, s, method, params, nil)
		if err != nil {
			return nil, err
		}
		if _, failed := errorIn(answer); failed {
			return answer, nil
		}
		if i == 0 {
			p.mu.Lock()
			p.learned = slices.Clone(params)
			p.mu.Unlock()
		}
	}
	return answer, nil
}

// gather returns what the sessions of all instances have taught. Each instance is passed the result of the one before
// it, so that the last result contains everything. The others are then passed that one: a session that is opened next
// begins with the same corrections in every instance, and in one that starts later.
func (p *Pool) gather(ctx context.Context, method string, params []byte) ([]byte, error) {
	var answer []byte
	var asked []*shard
	for i, s := range p.shards {
		if i > 0 && s.idle() {
			continue
		}
		if answer != nil {
			if failed, err := p.pass(ctx, s, answer); failed != nil || err != nil {
				return failed, err
			}
		}
		var err error
		if answer, err = p.callOn(ctx, s, method, params, nil); err != nil {
			return nil, err
		}
		if _, failed := errorIn(answer); failed {
			return answer, nil
		}
		asked = append(asked, s)
	}
	answer = slices.Clone(answer)
	learned, ok := ownjson.Member(answer, "result")
	p.mu.Lock()
	known := !ok || bytes.Equal(learned, p.learned)
	if ok {
		p.learned = learned
	}
	p.mu.Unlock()
	if known {
		return answer, nil
	}
	for _, s := range asked[:len(asked)-1] {
		if failed, err := p.pass(ctx, s, answer); failed != nil || err != nil {
			return failed, err
		}
	}
	return answer, nil
}

// pass passes the learned corrections in an answer to an instance. It returns the instance's answer if that is an
// error.
func (p *Pool) pass(ctx context.Context, s *shard, answer []byte) (failed []byte, err error) {
	learned, ok := ownjson.Member(answer, "result")
	if !ok {
		return nil, nil
	}
	taught, err := p.callOn(ctx, s, "ctx/learned/set", learned, nil)
	if err != nil {
		return nil, err
	}
	if _, bad := errorIn(taught); bad {
		return taught, nil
	}
	return nil, nil
}

// Reset removes all sessions. Each shard gets a new instance with its next call.
func (p *Pool) Reset() {
	p.saving.Wait()
	for _, s := range p.shards {
		_ = s.enter(context.Background(), false)
	}
	p.mu.Lock()
	p.sessions, p.learned, p.made, p.opened = map[name]*session{}, nil, 0, 0
	p.mu.Unlock()
	for _, s := range p.shards {
		s.stop()
		clear(s.members)
		clear(s.parents)
		s.fault = nil
		s.leave()
	}
}

// Close implements [Engine].
func (p *Pool) Close() error {
	p.mu.Lock()
	already := p.closed
	p.closed = true
	p.mu.Unlock()
	if already {
		return nil
	}
	p.Reset()
	if p.release != nil {
		p.release()
	}
	return nil
}
