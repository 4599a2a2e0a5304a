// Copyright The ctx-lsp authors. MIT licence.

// Package core is the calculator: it says how full a model's context window
// is, what fills it, how much is free, and when it will be compacted.
//
// A [Session] is the ledger of one conversation. It applies [Event]s, the
// facts that adapters translate from what providers and agents write, and is
// the only place that computes. A [Reading] is its answer: everything that
// any face shows, already decided, each number with its basis.
//
//	used = in - leaving + carry + new
//
// where in is the prompt of the last metered request, leaving the part of it
// that will not be sent again, carry the part of the answer that will, and
// new what was appended since.
//
// The package has no I/O, no goroutines, no clock and no reflection, and
// computes in integers, so that it gives the same bytes natively and as
// WebAssembly, from either compiler.
package core
