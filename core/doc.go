// Copyright The ctx-lsp authors. MIT licence.

// Package core is the calculator: it computes how full a model's context window is, what fills it, how much is free,
// and when it will be compacted.
//
// A [Session] is the ledger of one conversation. It applies [Event]s, the facts that adapters translate from the data
// of providers and agents, and nothing else computes. A [Reading] is its result: everything that front ends show,
// already decided, each number with its basis.
//
//	used = in - leaving + carry + new
//
// where in is the prompt of the last measured request, leaving the part of it that will not be sent again, carry the
// part of the response that will, and new the items appended since.
//
// The state of a Session is in components, one a file: limits, fixed rows, conversation, requests, changes, turn,
// residual, inflation, calibration, history and a few smaller ones. These terms are used throughout:
//
//   - The anchor is the last measured request; used is computed from it.
//   - Items in the anchor's prompt are folded into rows; the items appended since are pending.
//   - The reply is the response to the anchor's request. Its items explain rows; its length is the provider's.
//   - The residual is the part of a prompt that no text shows.
//   - The line is the compaction threshold, a landing the size after a compaction.
//
// The package has no I/O, no goroutines, no clock and no reflection, and computes in integers, so that it gives the
// same bytes natively and as WebAssembly, from either compiler.
package core
