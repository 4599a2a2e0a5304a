// Copyright The ctx-lsp authors. MIT licence.

// Package durable makes the names in a folder survive a power cut: to sync a file makes only what is in it survive.
package durable
