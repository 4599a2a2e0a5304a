// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core"
)

// State is what a reader remembers of the records it has read, so that a
// transcript can be read on after a restart: counts, ids, hashes and labels,
// never text.
type State struct {
	Agent string
	Names []string
	Bytes []byte
	// Version is that of the ledger in which the state is kept.
	Version int
}

// maxState bounds the bytes of a state. A ledger is saved after every change,
// so a reader that remembers more is not saved with it.
const maxState = 128 << 10

// These are the versions of the ledger since which readers distinguish records
// with the same id, follow what an agent adds without a record, know for what
// they have asked the table of prompts, and know what a compaction left.
const (
	stateIdentity = 4
	stateUnseen   = 7
	statePrefix   = 9
	stateLeft     = 11
)

// A keeper is a reader whose memory can be saved. One walk both writes and
// reads it, so that neither can forget a field that the other knows.
type keeper interface {
	Reader
	state(t *tape)
}

// Save copies a reader's memory into a state, whose memory is used again. It
// returns false for a reader that remembers too much or cannot be saved.
func Save(agent string, reader Reader, into *State) bool {
	k, ok := reader.(keeper)
	if !ok {
		return false
	}
	t := tape{writing: true, names: into.Names[:0], bytes: into.Bytes[:0]}
	if t.bytes == nil {
		t.bytes = make([]byte, 0, 4<<10)
	}
	k.state(&t)
	into.Agent, into.Names, into.Bytes, into.Version = agent, t.names, t.bytes, core.LedgerVersion
	return !t.damaged
}

// Restore makes a reader from a state; nil when the state is damaged, or of
// another version.
func Restore(from State) Reader {
	k, ok := New(from.Agent).(keeper)
	if !ok || len(from.Bytes) > maxState {
		return nil
	}
	t := tape{version: from.Version, names: from.Names, bytes: from.Bytes}
	k.state(&t)
	if t.damaged || len(t.names) != 0 || len(t.bytes) != 0 {
		return nil
	}
	return k
}

// Children lists the ids of the sub-agents that a reader follows.
func Children(reader Reader) []string {
	var within *children
	switch r := reader.(type) {
	case *claudeCode:
		within = &r.children
	case *copilotCLI:
		within = &r.children
	case *neutral:
		within = &r.children
	default:
		return nil
	}
	var ids []string
	for _, key := range keys(within.ids) {
		ids = append(ids, within.ids[uint64(key)])
	}
	return ids
}

// A tape walks a reader in one order, and either writes or reads it. Numbers
// are written with seven bits in a byte, and the sign in the lowest bit.
type tape struct {
	writing bool
	version int // of the ledger that is being read
	names   []string
	bytes   []byte
	spent   int  // by the names
	inside  bool // a sub-agent's reader
	damaged bool // or, while writing, too large
}

func (t *tape) int(p *int64) {
	if t.writing {
		if *p > 1<<56 || *p < -1<<56 {
			t.damaged = true
		}
		n := uint64(*p)<<1 ^ uint64(*p>>63)
		for n >= 0x80 {
			t.bytes = append(t.bytes, byte(n)|0x80)
			n >>= 7
		}
		t.bytes = append(t.bytes, byte(n))
		t.full()
		return
	}
	n, shift := uint64(0), 0
	for i, b := range t.bytes {
		if i > 8 {
			break
		}
		n |= uint64(b&0x7f) << shift
		shift += 7
		if b < 0x80 {
			t.bytes = t.bytes[i+1:]
			if *p = int64(n>>1) ^ -int64(n&1); *p > 1<<56 || *p < -1<<56 {
				t.damaged, *p = true, 0
			}
			return
		}
	}
	t.damaged, *p = true, 0
}

// has is true where the state contains what a version of the ledger has added.
func (t *tape) has(version int) bool { return t.writing || t.version >= version }

func (t *tape) full() { t.damaged = t.damaged || len(t.bytes)+t.spent > maxState }

// within walks a number that has to lie between two bounds.
func (t *tape) within(p *int64, least, most int64) {
	t.int(p)
	if *p < least || *p > most {
		t.damaged = true
		if !t.writing {
			*p = least
		}
	}
}

// place walks the index of an item; -1 where there may be none.
func (t *tape) place(p *int, least int) {
	n := int64(*p)
	t.within(&n, int64(least), core.MaxItems)
	*p = int(n)
}

func (t *tape) place32(p *int32, least int32) {
	n := int64(*p)
	t.within(&n, int64(least), core.MaxItems)
	*p = int32(n)
}

// count walks the length of a list. It is bounded by how many elements there
// may be, and by the bytes that each needs at least, so that a list that is too
// large is refused before it is walked.
func (t *tape) count(n, most, each int) int {
	room := len(t.bytes)
	if t.writing {
		room = maxState - len(t.bytes)
	}
	if each > 0 {
		most = max(min(most, room/each), 0)
	}
	v := int64(n)
	t.within(&v, 0, int64(most))
	if t.damaged {
		return 0
	}
	return int(v)
}

// bits walks a few booleans.
func (t *tape) bits(flags ...*bool) {
	n := int64(0)
	for i, p := range flags {
		if *p {
			n |= 1 << i
		}
	}
	t.within(&n, 0, 1<<len(flags)-1)
	for i, p := range flags {
		*p = n>>i&1 == 1
	}
}

func (t *tape) hash(p *uint64) {
	if t.writing {
		n := *p
		t.bytes = append(t.bytes, byte(n), byte(n>>8), byte(n>>16), byte(n>>24), byte(n>>32), byte(n>>40), byte(n>>48), byte(n>>56))
		t.full()
		return
	}
	if len(t.bytes) < 8 {
		t.damaged, *p = true, 0
		return
	}
	n := uint64(0)
	for i := 7; i >= 0; i-- {
		n = n<<8 | uint64(t.bytes[i])
	}
	*p, t.bytes = n, t.bytes[8:]
}

func (t *tape) name(p *string) {
	if t.writing {
		t.names = append(t.names, *p)
		t.spent += len(*p)
		t.full()
		return
	}
	if len(t.names) == 0 || len(t.names[0]) > maxPath {
		t.damaged = true
		return
	}
	*p, t.names = t.names[0], t.names[1:]
}

// keys lists the keys of a map in an order that is always the same.
func keys[V any](of map[uint64]V) []int64 {
	list := make([]int64, 0, len(of))
	for key := range of {
		list = append(list, int64(key))
	}
	slices.Sort(list)
	return list
}

// walkList walks a list: its length, and then each element with its index. What
// is read is appended, so the elements before an index are there when the
// element is walked.
func walkList[V any](t *tape, of *[]V, most, each int, element func(index int, v *V)) {
	n := t.count(len(*of), most, each)
	for i := 0; i < n && !t.damaged; i++ {
		if !t.writing {
			var v V
			*of = append(*of, v)
		}
		element(i, &(*of)[i])
	}
}

// walk walks a map: its length, and then each key with its value.
func walk[V any](t *tape, of *map[uint64]V, most, each int, value func(*V)) {
	n := t.count(len(*of), most, 8+each)
	if !t.writing {
		*of = nil
		if n > 0 {
			*of = make(map[uint64]V, n)
		}
		for i := 0; i < n && !t.damaged; i++ {
			var key uint64
			var v V
			t.hash(&key)
			value(&v)
			(*of)[key] = v
		}
		return
	}
	if t.damaged {
		return
	}
	for _, signed := range keys(*of) {
		key := uint64(signed)
		v := (*of)[key]
		t.hash(&key)
		value(&v)
		if t.damaged {
			return
		}
	}
}

// base walks the part of a state that all readers have. It is not called state,
// so that embedding transcript does not make a reader a keeper.
func (t *transcript) base(on *tape) {
	for _, p := range []*string{&t.agent, &t.version, &t.workspace, &t.model, &t.provider, &t.route} {
		on.name(p)
	}
	if on.writing || on.version > 1 { // the first version knew no branches
		on.name(&t.branch)
	}
	if on.has(statePrefix) {
		on.name(&t.looked)
	}
	on.within(&t.time, 0, latest)
	on.place(&t.items, 0)
	on.bits(&t.inTurn)
}

func (n *names) state(t *tape) {
	walkList(t, &n.known, maxNames, 0, func(_ int, name *string) { t.name(name) })
	walk(t, &n.calls, maxCalls, 3, func(c *call) {
		name, has := int64(c.name), c.about != 0
		t.within(&name, 1, int64(len(n.known)))
		c.name = uint16(name)
		t.place32(&c.call, -1)
		t.place32(&c.index, -1)
		if t.has(stateUnseen) {
			t.bits(&has, &c.dense)
		} else {
			t.bits(&has)
		}
		if has {
			t.hash(&c.about)
		}
	})
}

func (c *children) state(t *tape, fresh func() Reader) {
	n := t.count(len(c.readers), maxChildren, 16)
	if n > 0 && t.inside {
		t.damaged = true // a sub-agent has no sub-agents of its own
	}
	if t.damaged {
		return
	}
	t.inside = true
	order := keys(c.readers)
	for i := 0; i < n && !t.damaged; i++ {
		key, id, reader := uint64(0), "", Reader(nil)
		if t.writing {
			key = uint64(order[i])
			id, reader = c.ids[key], c.readers[key]
		} else {
			reader = fresh()
		}
		t.hash(&key)
		t.name(&id)
		k, ok := reader.(keeper)
		if !ok {
			t.damaged = true
			break
		}
		k.state(t)
		if !t.writing {
			if c.readers == nil {
				c.readers, c.ids = make(map[uint64]Reader), make(map[uint64]string)
			}
			c.readers[key], c.ids[key] = reader, id
		}
	}
	t.inside = false
}

// sumOfRanges bounds how many items all links of a chain together may name,
// because each prompt after a pause walks them.
const sumOfRanges = 16 * core.MaxItems

func (c *chain) state(t *tape) {
	t.within(&c.last, 0, latest)
	t.hash(&c.assistant)
	n := t.count(len(c.links), maxChain, 12)
	var links []placed
	if t.writing && !t.damaged {
		links = c.inOrder()
	} else if n > 0 {
		c.links = make(map[uint64]link, n)
	}
	before, last, ranges := uint64(0), link{}, int64(0)
	for i := 0; i < n && !t.damaged; i++ {
		var id uint64
		var l link
		if t.writing {
			id, l = links[i].id, links[i].link
		}
		t.hash(&id)
		// Most records follow the one before them, and add the items behind its
		// items.
		follows := l.parent == before
		t.bits(&follows, &l.left)
		if follows {
			l.parent = before
		} else {
			t.hash(&l.parent)
		}
		step, first, items := int64(l.sequence-last.sequence), int64(l.first-last.next), int64(l.next-l.first)
		t.within(&step, 1, 1<<31-1-int64(last.sequence))
		t.within(&first, -int64(last.next), core.MaxItems-int64(last.next))
		l.sequence, l.first = last.sequence+int32(step), last.next+int32(first)
		t.within(&items, 0, core.MaxItems-int64(l.first))
		l.next = l.first + int32(items)
		if ranges += items; ranges > sumOfRanges {
			t.damaged = true
		}
		if !t.writing {
			c.links[id] = l
		}
		before, last = id, l
	}
	sequence := int64(c.sequence)
	t.within(&sequence, int64(last.sequence), 1<<31-1)
	c.sequence = int32(sequence)
}

// A placed is a record with its place.
type placed struct {
	id uint64
	link
}

// inOrder lists the records in the order in which they were read.
func (c *chain) inOrder() []placed {
	list := make([]placed, len(c.links))
	n, least, most := 0, int32(1<<31-1), int32(0)
	for id, l := range c.links {
		list[n] = placed{id, l}
		least, most = min(least, l.sequence), max(most, l.sequence)
		n++
	}
	if n == 0 || int(most-least) >= 2*n {
		places := make([]int64, n)
		for i := range list {
			places[i] = int64(list[i].sequence)<<32 | int64(i)
		}
		slices.Sort(places)
		ordered := make([]placed, n)
		for i, place := range places {
			ordered[i] = list[uint32(place)]
		}
		return ordered
	}
	// Hardly any number is missing, so each number has its own place in a slice.
	places := make([]int32, most-least+1)
	for i := range list {
		places[list[i].sequence-least] = int32(i) + 1
	}
	ordered := make([]placed, 0, n)
	for _, i := range places {
		if i > 0 {
			ordered = append(ordered, list[i-1])
		}
	}
	return ordered
}

func (r *recent) state(t *tape) {
	r.n = t.count(r.n, recentFiles, 1)
	for i := range r.path {
		t.hash(&r.path[i])
		t.place(&r.index[i], -1)
	}
}

func stateOfMetered(t *tape, m *core.Metered) {
	for _, p := range []*string{&m.Request, &m.Model.Model, &m.Model.Provider, &m.Model.Route, &m.Note} {
		t.name(p)
	}
	of := &m.ByModality
	for _, p := range []*int64{&m.In, &m.Out, &m.Reasoning, &m.CacheRead, &m.CacheWrite, &m.Window, &of.Text, &of.Image, &of.Audio, &of.Video, &of.Document} {
		t.within(p, core.Unknown, 16*core.MaxTokens)
	}
	t.place(&m.Through, 0)
	t.bits(&m.ThroughSet, &m.Partial, &m.Sum, &m.SideRequest, &m.ServerTools, &m.ServerStays, &m.Volatile, &m.OutPlaceholder, &m.Ambiguous, &m.Uncounted, &m.Counted, &m.Own)
}
