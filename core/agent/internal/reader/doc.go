// Copyright The ctx-lsp authors. MIT licence.

// Package reader has what the readers of records share: the transcript with its time, model and turns, messages in the
// words of several agents, calls of tools, sub-agents, branches, ids, times and versions.
package reader
