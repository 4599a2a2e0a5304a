// Copyright The ctx-lsp authors. MIT licence.

//go:build !windows

package sink

import "os/exec"

// apart does nothing: only Windows would open a console window.
func apart(*exec.Cmd) {}
