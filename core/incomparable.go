// Copyright The ctx-lsp authors. MIT licence.

package core

// incomparable, as a field, makes a struct one that cannot be compared with ==. Large structs that nobody compares have it: else each
// brings a function for it, a kilobyte or two of the module.
type incomparable [0]func()
