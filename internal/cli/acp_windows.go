// Copyright The ctx-lsp authors. MIT licence.

package cli

import "os"

// passedSignals are the signals that are not handled here, because a console sends them to all of its programs.
var passedSignals = []os.Signal{os.Interrupt}

func passSignal(*os.Process, os.Signal, bool) {}

// endAs ends with the agent's exit code.
func endAs(state *os.ProcessState) int { return state.ExitCode() }
