// Copyright The ctx-lsp authors. MIT licence.

// Package api implements the protocol of ctx-lsp: Call(method, params) takes and returns JSON, the same for every host.
// docs/protocol.md describes each method.
package api

import (
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/internal/count"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

const (
	// MaxParams is the maximum size of the parameters of one call, in bytes.
	MaxParams = 16 << 20
	// MaxSessions is the maximum number of sessions of one Core.
	MaxSessions = 10_000
)

// Core handles calls. It is not safe for concurrent use: hosts give each goroutine or worker its own, or take turns.
type Core struct {
	vocabularies *count.Vocabularies
	sessions     []*entry // in opening order
	byHash       map[uint64]*entry
	made         int64
	lessons      []core.Lesson       // oldest first
	limits       []core.LimitsLesson // oldest first
	taught       bool                // the host has passed lessons of earlier sessions
	sets         []*documentSet

	doc           json.Document
	out           json.Writer
	shown         shown    // the session whose Reading is written
	briefs        []*shown // sessions written in short, by nesting depth
	arena         []byte
	key           core.PrintKey // for the IDs of the items being read
	counter       core.Meter    // counts the texts of this call
	added         []core.Appended
	messageUsages []messageUsage // usages found in these messages
	odd           []core.Text    // unknown content of the messages that were read
	failed        json.Value     // the last message that was read, if it reports an error
	updating      updateParams   // kept here because it is too large for TinyGo's stack
	ledger        core.Ledger    // the ledger that is being saved
	remembered    agent.State    // what the reader of that session remembers
}

// New makes a Core without sessions and without vocabularies.
func New() *Core {
	return &Core{vocabularies: count.NewVocabularies(), byHash: make(map[uint64]*entry)}
}

// Load adds a vocabulary pack under its name.
func (c *Core) Load(name string, pack []byte) error { return c.vocabularies.Load(name, pack) }

// Offer declares that the host has a vocabulary. The core requests it when a model of that family is counted.
func (c *Core) Offer(name string) error { return c.vocabularies.Offer(name) }

// Withdraw ends an offer: models of that family are estimated again.
func (c *Core) Withdraw(name string) { c.vocabularies.Withdraw(name) }

// Call runs one method. The result is {"result":...} or {"error":...}, and is valid until the next call.
func (c *Core) Call(method string, params []byte) []byte {
	c.arena = c.arena[:0]
	if cap(c.arena) > 4<<20 {
		c.arena = nil
	}
	if cap(c.out.Buf) > 4<<20 {
		c.out.Buf = nil
	}
	c.out = json.Writer{Buf: c.out.Buf[:0]}
	c.counter = nil
	c.out.BeginObject()
	c.out.Field(`,"result":`)
	if err := c.call(method, params); err != nil {
		c.out = json.Writer{Buf: c.out.Buf[:0]}
		c.out.BeginObject()
		c.out.Field(`,"error":`)
		writeRefused(&c.out, err)
	}
	c.out.EndObject()
	return c.out.Buf
}

func (c *Core) call(method string, params []byte) *Error {
	if len(params) > MaxParams {
		return TooLong(int64(len(params)))
	}
	m := MethodOf(method)
	if m == nil {
		return NoMethod(method, MethodNames())
	}
	if len(params) == 0 {
		params = []byte("{}")
	}
	v, err := c.doc.Parse(params)
	if err != nil {
		return syntaxError(err)
	}
	empty := v.Kind() == json.Array && v.Len() == 0 // Lua and PHP encode an empty table like this
	if empty || v.Kind() == json.Null {             // null means "not given", as for a parameter
		v, _ = c.doc.Parse([]byte("{}"))
	}
	if v.Kind() != json.Object {
		return NotAnObject(v.Kind())
	}
	return m.answer(c, v)
}

func syntaxError(err error) *Error {
	if s, ok := err.(*json.SyntaxError); ok && s.TooLarge {
		return &Error{Kind: LimitExceeded, Message: "The parameters are too large at byte " + strconv.Itoa(s.Offset) + ": " + s.Message + "."}
	}
	return &Error{Kind: ParseError, Message: err.Error() + "."}
}

// entry is a session with the state of its adapters.
type entry struct {
	scope        string
	session      *core.Session
	parent       *entry
	children     []*entry
	next         *entry // the next entry with the same hash
	chosenRule   chosenRule
	settings     []setting
	feed         feed
	usage        stream
	messageUsage appliedUsage
	refused      uint64 // the hash of the message whose refusal was applied
	kept         keptNames
	inWords      bool // every Reading has the panel
	hostRows     []core.HostRow
	restored     bool // restored from a ledger, which may lack the state of a reader
}

func (c *Core) find(scope, id string) *entry {
	for e := c.byHash[hashOf(scope, id)]; e != nil; e = e.next {
		if e.session.ID == id && e.scope == scope {
			return e
		}
	}
	return nil
}

// visible returns the session that an id refers to in a scope: one of the scope itself, otherwise one without a scope.
// It returns nil if there is none.
func (c *Core) visible(scope, id string) *entry {
	if e := c.find(scope, id); e != nil || scope == "" {
		return e
	}
	return c.find("", id)
}

func (c *Core) add(s *core.Session, scope string, parent *entry) *entry {
	e := &entry{scope: scope, session: s, parent: parent}
	h := hashOf(scope, s.ID)
	e.next = c.byHash[h]
	c.byHash[h] = e
	c.sessions = append(c.sessions, e)
	if parent != nil {
		parent.children = append(parent.children, e)
		s.Parent = parent.session.ID
	}
	return e
}

// remove removes a session and its children.
func (c *Core) remove(e *entry) {
	for len(e.children) > 0 {
		c.remove(e.children[len(e.children)-1])
	}
	if e.parent != nil {
		e.parent.children = without(e.parent.children, e)
	}
	c.sessions = without(c.sessions, e)
	h := hashOf(e.scope, e.session.ID)
	if c.byHash[h] == e {
		if e.next == nil {
			delete(c.byHash, h)
		} else {
			c.byHash[h] = e.next
		}
		return
	}
	for p := c.byHash[h]; p != nil; p = p.next {
		if p.next == e {
			p.next = e.next
		}
	}
}

func without(list []*entry, e *entry) []*entry {
	for i := range list {
		if list[i] == e {
			return append(list[:i], list[i+1:]...)
		}
	}
	return list
}

func hashOf[T string | []byte](scope, id T) uint64 {
	if len(scope) == 0 {
		return fnv.Hash(id)
	}
	return fnv.Hash(id) ^ fnv.Hash(scope)<<1
}

// newID returns an unused session id in a scope.
func (c *Core) newID(scope string) string {
	for {
		c.made++
		id := "s" + strconv.FormatInt(c.made, 10)
		if c.find(scope, id) == nil {
			return id
		}
	}
}

// sessionOf returns the session that a call names. It allocates nothing, because every update begins with it.
func (c *Core) sessionOf(v json.Value) (*entry, *Error) {
	in := v.Get("scope")
	if kind := in.Kind(); kind != json.String && kind > json.Null {
		return nil, invalid("scope", "must be a string, not "+kind.String()+".")
	}
	if at := v.Get("id"); at.Kind() == json.String && at.TextLen() <= maxString && in.TextLen() <= maxString {
		id, _ := at.Text(nil)
		scope, _ := in.Text(nil)
		for e := c.byHash[hashOf(scope, id)]; e != nil; e = e.next {
			if at.Is(e.session.ID) && (in.Is(e.scope) || len(scope) == 0 && e.scope == "") {
				return e, nil
			}
		}
	}
	return nil, noSession(v)
}

// noSession returns the error for a call that does not name an existing session.
func noSession(v json.Value) *Error {
	var at json.Fields
	for f := v.Fields(); f.Next(); {
		if f.KeyIs("id") {
			at = f
		}
	}
	if !at.Value.Exists() {
		return NoID()
	}
	id := ""
	if err := readString(&at, &id); err != nil {
		return err
	}
	return NoSession(id)
}
