// Copyright The ctx-lsp authors. MIT licence.

package transcript

// A Sidecar is a document next to a transcript, and the name by which core/agent knows it.
type Sidecar struct {
	Name, Path string
	// Reduce makes a reader of a log of which only numbers are wanted; nil for a small document.
	Reduce func() Reducer
}

// A Reducer reads what a log has gained, and returns what is known of it as a document.
type Reducer interface {
	Read(path string) (document []byte, ok bool)
}
