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
// The state of a Session is in components, one a file: limits, fixed rows,
// conversation, requests, changes, turn, residual, inflation, calibration,
// history and a few smaller ones. Some words are used throughout:
//
//   - The anchor is the last metered request; used is computed from it.
//   - Items that the anchor's prompt held are folded into rows; the items
//     appended since are pending.
//   - The reply is the answer to the anchor's request. Its items explain rows,
//     its length is what the provider says.
//   - The residual is the part of a prompt that no text shows.
//   - The line is where the agent compacts, a landing what compaction leaves.
//
// The package has no I/O, no goroutines, no clock and no reflection, and
// computes in integers, so that it gives the same bytes natively and as
// WebAssembly, from either compiler.
package core
