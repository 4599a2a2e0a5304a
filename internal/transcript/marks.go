// Copyright The ctx-lsp authors. MIT licence.

package transcript

// Marks are the parts of an agent's records that make it possible to read the end of a transcript without its
// beginning.
type Marks struct {
	Compacted string // part of a record that begins a compaction; "" if unknown
	Measured  string // part of a record with a provider's usage
	// Head occurs in the first record if only that one names the agent, its version and the directory; Model occurs in
	// the records that name the model if others do not.
	Head, Model string
	// Fixed are parts of the records with the system prompt, the tools or the memory files, which are at the beginning.
	Fixed []string
	// LongTurns is set if a whole turn must be read, because the reasoning of earlier turns is not sent again.
	LongTurns bool
}
