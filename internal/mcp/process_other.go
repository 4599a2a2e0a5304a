// Copyright The ctx-lsp authors. MIT licence.

//go:build !unix

package mcp

import "os/exec"

func together(*exec.Cmd) {}

func end(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
