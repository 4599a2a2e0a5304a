// Copyright The ctx-lsp authors. MIT licence.

//go:build !no_otlp

package telemetry

// Lost is how many reports were given up, for tests that wait for it.
func (s *Sender) Lost() int64 { return s.queue.lost() }
