// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// passedSignals are the signals that are passed on to the agent.
var passedSignals = []os.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGPIPE,
}

// passSignal passes a signal on. An interrupt from a terminal has reached the agent already.
func passSignal(agent *os.Process, s os.Signal, terminal bool) {
	if s == syscall.SIGPIPE || terminal && (s == syscall.SIGINT || s == syscall.SIGQUIT) {
		return
	}
	_ = agent.Signal(s) // it has ended
}

// endAs ends this process like the agent: with the same signal, or with its exit code. After a crash, it uses the exit
// code of shells, because the signal would make this program print its own state.
func endAs(state *os.ProcessState) int {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return state.ExitCode()
	}
	killer := status.Signal()
	switch killer {
	case syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE, syscall.SIGUSR1, syscall.SIGUSR2:
		signal.Reset(killer)
		if syscall.Kill(os.Getpid(), killer) == nil {
			time.Sleep(time.Second)
		}
	}
	return 128 + int(killer)
}
