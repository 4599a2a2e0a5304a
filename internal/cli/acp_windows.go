// Copyright The ctx-lsp authors. MIT licence.

package cli

import "os"

// passedSignals are the signals that the agent gets in our place; a console sends them to every program in it.
var passedSignals = []os.Signal{os.Interrupt}

func passSignal(*os.Process, os.Signal, bool) {}

// endAs ends with the agent's exit code.
func endAs(state *os.ProcessState) int { return state.ExitCode() }
