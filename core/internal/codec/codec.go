// Copyright The ctx-lsp authors. MIT licence.

// Package codec saves and restores state in one pass over its fields. The same pass also names the format of the saved
// state, so there is no version number to keep in step with the fields.
package codec

import "github.com/ctx-lsp/ctx-lsp/core/internal/fnv"

// A State is saved state. Numbers are stored in Bytes, seven bits per byte with the sign in the lowest bit; hashes are
// stored unchanged, in eight bytes.
type State struct {
	Format string // fingerprint of the walk that saved it; see Format
	Names  []string
	Bytes  []byte
}

// Limits are the limits of a state. Zero means no limit.
type Limits struct {
	Total int // bytes including names
	Name  int // bytes of each name
}

// A Codec is passed through a walk: a function that passes each field of some state to a method, always in the same
// order. Depending on the mode, it saves the fields, restores them or describes their format.
//
// Each field is passed with its name, which is part of the format; TestFieldsHaveTheirNames checks that the name is
// correct. A method for several fields expects their names in one string, separated by spaces.
type Codec struct {
	// Depth is the nesting of sub-agents around the state being walked. Readers of sub-agents set it.
	Depth int

	mode    mode
	limits  Limits
	names   []string // names written so far, or not read yet
	bytes   []byte   // bytes written so far, or not read yet
	spent   int      // total length of the names written so far
	damaged bool
	format  uint64
}

type mode uint8

const (
	saving mode = iota
	restoring
	describing
)

// Save writes the fields that walk passes into a state, reusing its memory. It returns false if the state exceeds its
// limits or contains a value that could not be restored.
func Save(into *State, format string, limits Limits, walk func(*Codec)) bool {
	c := Codec{limits: limits, names: into.Names[:0], bytes: into.Bytes[:0]}
	walk(&c)
	into.Format, into.Names, into.Bytes = format, c.names, c.bytes
	return !c.damaged
}

// Restore sets the fields that walk passes from a state. It returns false if the state has another format, exceeds its
// limits, is damaged, or is longer than the walk; the fields must not be used then. A walk only reads and checks:
// values derived from the fields are computed after Restore.
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

// build is set by the linker to give a build its own formats, as if it had other fields (make chaos).
var build string

// Format returns a fingerprint of a walk: the kinds, names and limits of the fields that it passes, in order. The walk
// is called on a new value, which must not be used afterwards.
func Format(walk func(*Codec)) string {
	c := Codec{mode: describing, format: fnv.Empty}
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

// Saving reports whether the walk saves fields.
func (c *Codec) Saving() bool { return c.mode == saving }

// Restoring reports whether the walk restores fields.
func (c *Codec) Restoring() bool { return c.mode == restoring }

// When reports whether to walk optional fields: if the condition is true, and always if the walk only describes the
// format.
func (c *Codec) When(condition bool) bool { return condition || c.mode == describing }

// Damaged reports whether the state cannot be restored or saved. The walk may stop then.
func (c *Codec) Damaged() bool { return c.damaged }

// Refuse marks the state as damaged if it contains an impossible value.
func (c *Codec) Refuse(impossible bool) {
	c.damaged = c.damaged || impossible && c.mode != describing
}

// Part starts a named group of fields.
func (c *Codec) Part(name string) *Codec {
	if c.mode == describing {
		c.describe('.', name, 1)
	}
	return c
}

// describe adds fields to the fingerprint, which is an FNV-1a hash.
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

func (c *Codec) mix(b byte) { c.format = fnv.Add(c.format, b) }

// bound adds a limit or a length to the fingerprint.
func (c *Codec) bound(n int64) {
	for range 8 {
		c.mix(byte(n))
		n >>= 8
	}
}
