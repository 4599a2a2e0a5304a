// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// The agent gets the signals that the client sends, and its end is also ours: by an exit code, by a signal, by a crash.
func TestAnAgentsSignalsAndItsEnd(t *testing.T) {
	program, err := exec.LookPath("ctx-lsp") // this test binary, under that name
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	start := func(script string) (*exec.Cmd, *bytes.Buffer) {
		cmd := exec.Command(program, "acp", "--", "sh", "-c", script)
		cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin", "XDG_CACHE_HOME=" + home}
		var errs bytes.Buffer
		cmd.Stderr = &errs
		return cmd, &errs
	}
	ended := func(cmd *exec.Cmd) syscall.WaitStatus {
		_ = cmd.Wait() // the exit state is checked below
		return cmd.ProcessState.Sys().(syscall.WaitStatus)
	}

	cmd, _ := start(`trap 'exit 42' TERM; echo ready; while :; do sleep 0.05; done`)
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make([]byte, 6)
	if _, err := out.Read(ready); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if state := ended(cmd); state.ExitStatus() != 42 {
		t.Errorf("after a signal that the agent has caught: %d", state.ExitStatus())
	}

	cmd, _ = start(`kill -TERM $$`)
	_ = cmd.Start()
	if state := ended(cmd); !state.Signaled() || state.Signal() != syscall.SIGTERM {
		t.Errorf("an agent that a signal has ended: %v", cmd.ProcessState)
	}
	cmd, errs := start(`kill -SEGV $$`)
	_ = cmd.Start()
	if state := ended(cmd); state.ExitStatus() != 128+int(syscall.SIGSEGV) || strings.Contains(errs.String(), "goroutine") {
		t.Errorf("an agent that has crashed: %v\n%s", cmd.ProcessState, errs)
	}
}
