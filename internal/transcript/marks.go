// Copyright The ctx-lsp authors. MIT licence.

package transcript

// Marks are parts of an agent's records by which the end of a transcript is read without its beginning.
type Marks struct {
	Compacted string // part of a record that begins a compaction; "" if unknown
	Measured  string // part of a record with a provider's usage
	// Head is in the first record, if only that names the agent, its version and the directory; Model is in the records
	// that name the model, if others do not.
	Head, Model string
	// Fixed are parts of records with the system prompt, the tools or the memory files, which are at the beginning.
	Fixed []string
	// LongTurns is set if a whole turn has to be seen, because the reasoning of earlier turns is not sent again.
	LongTurns bool
}
