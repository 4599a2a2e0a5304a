// Copyright The ctx-lsp authors. MIT licence.

package transcript

// A Sidecar is a document next to a transcript, with its name in core/agent.
type Sidecar struct {
	Name, Path string
	// Reduce returns a reader for a log if only its numbers are needed; nil for a small document.
	Reduce func() Reducer
}

// A Reducer reads the part of a log written since the last time, and returns a document with the totals so far.
type Reducer interface {
	Read(path string) (document []byte, ok bool)
}
