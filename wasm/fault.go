// Copyright The ctx-lsp authors. MIT licence.

//go:build !ctxfault

package main

// fault does nothing: only modules built for the hosts' fault tests (-tags ctxfault) fail on request.
func fault(method string) {}
