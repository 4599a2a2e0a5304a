// Copyright The ctx-lsp authors. MIT licence.

// Package conformance holds the vectors that every engine must answer alike, one file a subject, and the digests of the
// answers. They are data: internal/engine/vectors runs them in Go, wasm/js/conformance.mjs in JavaScript.
package conformance

import "embed"

// Files are the vectors, *.json, and the digests, answers.sum.
//
//go:embed *.json *.sum
var Files embed.FS
