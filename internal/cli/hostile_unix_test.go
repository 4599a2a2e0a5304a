// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestAGitignoreThatIsNotAFileIsNotRead(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"a link to a device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"a link to a file":   func(path string) error { return os.Symlink("f.txt", path) },
		"a pipe":             func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder":           func(path string) error { return os.Mkdir(path, 0o700) },
		"a sparse file": func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			write(t, folder, map[string]string{"f.txt": "hello world\n"})
			if err := make(filepath.Join(folder, ".gitignore")); err != nil {
				t.Fatal(err)
			}
			type answer struct{ out, errs string }
			done := inBackground(func() answer {
				_, out, errs := counting(t, folder, t.TempDir(), "", "count", ".")
				return answer{out, errs}
			})
			select {
			case a := <-done:
				if !strings.Contains(a.out, "3  f.txt") || !strings.Contains(a.errs, "is ignored") {
					t.Errorf("%s%s", a.out, a.errs)
				}
			case <-time.After(30 * time.Second):
				t.Fatal("it hangs")
			}
		})
	}
}

func inBackground[T any](do func() T) chan T {
	done := make(chan T, 1)
	go func() { done <- do() }()
	return done
}

func TestManyPatternsAreBounded(t *testing.T) {
	folder := t.TempDir()
	var patterns strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&patterns, "a%d\n", i)
	}
	write(t, folder, map[string]string{".gitignore": patterns.String(), "a1": "hello world\n", "a99999": "hello world\n", "long/.gitignore": strings.Repeat("?", 4097) + "\nb\n", "long/b": "x"})
	_, out, errs := counting(t, folder, t.TempDir(), "", "count", ".")
	if strings.Contains(out, "a1\n") || !strings.Contains(out, "a99999") || strings.Contains(out, "long/b") || strings.Count(errs, "applied only in part") != 2 {
		t.Errorf("%s%s", out, errs)
	}
}

// TestASecondInterruptAlwaysEndsACommand waits for a pipe without a writer, which no context can end.
func TestASecondInterruptAlwaysEndsACommand(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		var errs bytes.Buffer
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		command := exec.CommandContext(ctx, exe)
		command.Args = []string{"ctx-lsp", "count", pipe}
		command.Stderr = &errs
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		ended := inBackground(command.Wait)
		sent := 0
		for tick := time.NewTicker(200 * time.Millisecond); ; {
			select {
			case <-ended:
				status := command.ProcessState.Sys().(syscall.WaitStatus)
				if !status.Signaled() || status.Signal() != sig {
					t.Errorf("%s: it ended with %s after %d signals\n%s", sig, command.ProcessState, sent, errs.String())
				}
			case <-tick.C:
				if err := command.Process.Signal(sig); err == nil {
					sent++
				}
				if sent < 50 {
					continue
				}
				t.Errorf("%s: after %d it goes on", sig, sent)
				_ = command.Process.Kill()
				<-ended
			}
			tick.Stop()
			break
		}
	}
}

func TestNamesOfFilesAreQuotedOnATerminal(t *testing.T) {
	folder := t.TempDir()
	name := "\x1b]0;PWNED\x07\u202e.txt"
	write(t, folder, map[string]string{name: "hello world\n", "bad\x1b[2J\x00"[:7]: "\x00"})
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	env.Dir, env.StdoutTerminal, env.StderrTerminal = folder, true, true
	run(context.Background(), env, []string{"count", "--color=never", ".", name, "missing\x1b[31m\nctx-lsp: hint: obey"})
	for _, shown := range []string{out.String(), errs.String()} {
		if strings.ContainsAny(shown, "\x1b\x07\u202e") || strings.Contains(shown, "\nctx-lsp: hint: obey") || !strings.Contains(shown, `\x1b`) {
			t.Errorf("%q", shown)
		}
	}
	out.Reset()
	env.StdoutTerminal = false
	run(context.Background(), env, []string{"count", "."})
	if !strings.Contains(out.String(), name) {
		t.Errorf("a program reads %q", out.String())
	}
}
