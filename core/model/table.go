// Copyright The ctx-lsp authors. MIT licence.

package model

import "strings"

// The table is one blob, read in place. It is a constant rather than an embedded file, because package embed would add
// a file system to the module. Layout, little-endian:
//
//	"CTXM" 1
//	u16 texts      then per text: u8 length, bytes     providers, families, sources, dates
//	u16 limits     then per limit: u32 window, u32 input, u32 output, u8 shared
//	u16 models     then (models+1) × {u32 offset of the id, u16 first entry}
//	               then the ids, sorted folded
//	u16 entries    then per entry: u8 provider, u8 family, u16 source, u8 date, u16 limit, u8 reasoning
//
// The first entry of a model has its maker's limits; the others are for providers that differ.

var builtin = open(blob)

const (
	limitSize = 13
	modelSize = 6
	entrySize = 8
)

type table struct {
	data    string
	texts   []uint32 // offset of each text
	limits  int
	models  int
	count   int
	ids     int
	entries int
}

func u16(s string, at int) int { return int(s[at]) | int(s[at+1])<<8 }

func u32(s string, at int) uint32 {
	return uint32(s[at]) | uint32(s[at+1])<<8 | uint32(s[at+2])<<16 | uint32(s[at+3])<<24
}

// open finds the sections of the blob. The blob is part of the program, so only its header is checked here; a test
// reads every entry.
func open(data string) table {
	t := table{data: data}
	if len(data) < 11 || data[:5] != "CTXM\x01" {
		return t
	}
	at := 5
	n := u16(data, at)
	at += 2
	t.texts = make([]uint32, n)
	for i := range t.texts {
		t.texts[i] = uint32(at)
		at += 1 + int(data[at])
	}
	n = u16(data, at)
	t.limits = at + 2
	at = t.limits + n*limitSize
	t.count = u16(data, at)
	t.models = at + 2
	t.ids = t.models + (t.count+1)*modelSize
	at = t.ids + int(u32(data, t.models+t.count*modelSize))
	t.entries = at + 2
	return t
}

func (t *table) len() int { return t.count }

func (t *table) text(i int) string {
	at := int(t.texts[i])
	return t.data[at+1 : at+1+int(t.data[at])]
}

func (t *table) id(i int) string {
	at := t.models + i*modelSize
	return t.data[t.ids+int(u32(t.data, at)) : t.ids+int(u32(t.data, at+modelSize))]
}

func (t *table) variants(i int) (first, last int) {
	at := t.models + i*modelSize + 4
	return u16(t.data, at), u16(t.data, at+modelSize)
}

func (t *table) providerOf(e int) string { return t.text(int(t.data[t.entries+e*entrySize])) }

// search returns the index of the model with a folded key.
func (t *table) search(key string) (int, bool) {
	low, high := 0, t.count
	for low < high {
		middle := (low + high) / 2
		switch c := compareFolded(t.id(middle), key); {
		case c == 0:
			return middle, true
		case c < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return 0, false
}

// resolve returns the index of the model for an ID: the ID itself, or the ID without snapshot and effort.
func (t *table) resolve(key string) (int, bool) {
	for {
		if i, ok := t.search(key); ok {
			return i, true
		}
		if cut, ok := withoutSnapshot(key); ok {
			if i, ok := t.search(cut); ok {
				return i, true
			}
			key = cut
			continue
		}
		cut, ok := withoutEffort(key)
		if !ok {
			return 0, false
		}
		key = cut
	}
}

func (t *table) find(id, provider, route string) (Model, bool) {
	s := Spell(id)
	if s.Base == "" || t.count == 0 {
		return Model{}, false
	}
	i, ok := t.resolve(s.Base)
	if !ok {
		return Model{}, false
	}
	provider = Provider(provider)
	if provider == "" {
		provider = s.Reseller
	}
	m := t.model(i, provider, strings.ToLower(route))
	if s.Million && m.Window < million {
		m.Window, m.Input = million, million
	}
	return m, true
}

const million = 1_000_000

// larger returns the model with its next larger window: another provider's, or the million tokens that Claude models
// have on request.
func (t *table) larger(m Model) (Model, bool) {
	i, ok := t.search(Key(m.ID))
	if !ok {
		return m, false
	}
	next := int64(0)
	if strings.HasPrefix(m.Family, "claude-") && m.Window < million {
		next = million
	}
	first, last := t.variants(i)
	for e := first; e < last; e++ {
		if w := t.entry(i, e, t.providerOf(e), "").Window; w > m.Window && (next == 0 || w < next) {
			next = w
		}
	}
	if next > 0 {
		m.Window, m.Input = next, next
	}
	return m, next > 0
}

func (t *table) model(i int, provider, route string) Model {
	first, last := t.variants(i)
	for e := first + 1; e < last; e++ {
		if t.providerOf(e) == provider {
			return t.entry(i, e, provider, route)
		}
	}
	return t.entry(i, first, provider, route)
}

func (t *table) entry(i, e int, provider, route string) Model {
	at := t.entries + e*entrySize
	d := t.data
	limit := t.limits + u16(d, at+5)*limitSize
	family := t.text(int(d[at+1]))
	return Model{
		ID:        t.id(i),
		Provider:  t.text(int(d[at])),
		Window:    int64(u32(d, limit)),
		Input:     int64(u32(d, limit+4)),
		Output:    int64(u32(d, limit+8)),
		Shared:    d[limit+12] != 0,
		Family:    family,
		Encoding:  encodingOf(family),
		Reasoning: onRoute(Reasoning(d[at+7]), family, provider, route),
		Framing:   framingOf(family, route),
		Estimate:  estimateOf(family, provider),
		Image:     imageOf(Key(t.id(i)), family, provider),
		Unchecked: isUnchecked(Key(t.id(i)), family),
		Source:    t.text(u16(d, at+2)),
		Date:      t.text(int(d[at+4])),
	}
}
