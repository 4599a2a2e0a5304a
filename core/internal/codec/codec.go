// Copyright The ctx-lsp authors. MIT licence.

// Package codec saves and restores state in one pass over its fields. The same pass also names the format of what is
// saved, so no version number has to be kept in step with the fields.
package codec

// A State is saved state. Numbers are in Bytes, with seven bits in a byte and the sign in the lowest bit; hashes are
// there as they are in memory.
type State struct {
	Format string // the name of the walk that saved it; see Format
	Names  []string
	Bytes  []byte
}

// Limits bound a state. Zero means no limit.
type Limits struct {
	Total int // bytes, names included
	Name  int // bytes of each name
}

// A Codec is handed through a walk: a function that passes each field of some state to a method, always in the same
// order. Depending on how the walk was started it saves the fields, restores them or names them.
//
// Each field is passed with its name, which is part of the format; TestFieldsHaveTheirNames checks that it is the
// field's own. A method that takes several fields takes their names in one string, between spaces.
type Codec struct {
	// Depth counts the sub-agents around what is walked. Readers of sub-agents set it.
	Depth int

	mode    mode
	limits  Limits
	names   []string // written so far, or not read yet
	bytes   []byte   // likewise
	spent   int      // bytes of the names written so far
	damaged bool
	format  uint64
}

type mode uint8

const (
	saving mode = iota
	restoring
	describing
)

// Save writes what walk passes into a state, whose memory is used again. It returns false if the state is larger than
// its limits or has a value that could not be restored.
func Save(into *State, format string, limits Limits, walk func(*Codec)) bool {
	c := Codec{limits: limits, names: into.Names[:0], bytes: into.Bytes[:0]}
	walk(&c)
	into.Format, into.Names, into.Bytes = format, c.names, c.bytes
	return !c.damaged
}

// Restore sets what walk passes from a state. It returns false if the state has another format, is larger than its
// limits, is damaged or is not used up; the fields are of no use then. A walk only reads and checks: anything computed
// from the fields is computed after Restore.
func Restore(from State, format string, limits Limits, walk func(*Codec)) bool {
	if from.Format != format {
		return false
	}
	c := Codec{mode: restoring, limits: limits, names: from.Names, bytes: from.Bytes}
	if limits.Total > 0 {
		total := len(from.Bytes)
		for _, name := range from.Names {
			total += len(name)
		}
		c.damaged = total > limits.Total
	}
	walk(&c)
	return !c.damaged && len(c.names) == 0 && len(c.bytes) == 0
}

// build is set by the linker to give a build formats of its own, as if it walked other fields (make chaos).
var build string

// Format returns a fingerprint of a walk: of the kinds, names and bounds of the fields that it passes, in their order.
// The walk is called with the state of a new value, which is of no use afterwards.
func Format(walk func(*Codec)) string {
	c := Codec{mode: describing, format: 14695981039346656037}
	for i := range len(build) {
		c.mix(build[i])
	}
	walk(&c)
	const digits = "0123456789abcdef"
	text := make([]byte, 16)
	for i := range text {
		text[i] = digits[c.format>>(60-4*i)&15]
	}
	return string(text)
}

// Saving reports whether the walk saves.
func (c *Codec) Saving() bool { return c.mode == saving }

// Restoring reports whether the walk restores.
func (c *Codec) Restoring() bool { return c.mode == restoring }

// When reports whether fields that not every state has are walked: if the condition is met, and always if the walk is
// only described.
func (c *Codec) When(condition bool) bool { return condition || c.mode == describing }

// Damaged reports whether the state cannot be restored, or not saved. The walk can end then.
func (c *Codec) Damaged() bool { return c.damaged }

// Refuse marks the state as damaged if it has a value that cannot be.
func (c *Codec) Refuse(impossible bool) {
	c.damaged = c.damaged || impossible && c.mode != describing
}

// Part names the fields that follow.
func (c *Codec) Part(name string) *Codec {
	if c.mode == describing {
		c.describe('.', name, 1)
	}
	return c
}

// describe adds fields to the fingerprint, which is FNV-1a.
func (c *Codec) describe(kind byte, names string, fields int) {
	words := 1
	c.mix(kind)
	for i := 0; i < len(names); i++ {
		if names[i] == ' ' {
			words++
		}
		c.mix(names[i])
	}
	c.mix(0)
	if words != fields {
		panic("codec: the names of " + names)
	}
}

func (c *Codec) mix(b byte) { c.format = (c.format ^ uint64(b)) * 1099511628211 }

// bound adds a bound, a length or the like to the fingerprint.
func (c *Codec) bound(n int64) {
	for range 8 {
		c.mix(byte(n))
		n >>= 8
	}
}
