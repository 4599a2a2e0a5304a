// Copyright The ctx-lsp authors. MIT licence.

// Package durable makes the names in a folder survive a power cut. Syncing a file only makes its content survive.
package durable
