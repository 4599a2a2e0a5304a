// Copyright The ctx-lsp authors. MIT licence.

// Package reader contains the shared parts of the readers of records: the transcript with its time, model and turns;
// messages with the field names of several agents; tool calls, sub-agents, branches, ids, times and versions.
package reader
