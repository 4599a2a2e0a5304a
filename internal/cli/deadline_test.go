// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// runProgram runs a command line in its own process, and returns the exit code. A command that does not end is killed.
func runProgram(t *testing.T, home string, args ...string) (code int, out, errs string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, exe)
	command.Args = append([]string{"ctx-lsp"}, args...)
	command.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_RUNTIME_DIR=" + home, "XDG_CACHE_HOME=" + filepath.Join(home, "cache")}
	command.Dir, command.Stdout, command.Stderr = home, &stdout, &stderr
	err = command.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, stdout.String(), stderr.String())
	}
	return command.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// endlessStore writes a database of OpenCode with hundreds of sessions that cannot be read to the end, and a normal
// session of Claude Code.
func endlessStore(t *testing.T, home string) (database string) {
	t.Helper()
	database = filepath.Join(home, ".local", "share", "opencode", "opencode.db")
	if err := os.MkdirAll(filepath.Dir(database), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{
		`CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, version TEXT, time_created INT, time_updated INT)`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 480)
			INSERT INTO session SELECT 'ses_' || i, NULL, '/w', 'endless', '1.2.0', 1795000000000, 1795000000000 FROM n`,
		`CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created INT, time_updated INT, data TEXT)`,
		`CREATE VIEW message AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n)
			SELECT 'm' || i AS id, 'ses_' || (i % 480) AS session_id, 1 AS time_created, 1 AS time_updated, '{}' AS data FROM n`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	hostileSession(t, home)
	return database
}

// TestAnEndlessStoreIsLeftOut runs the commands that list and show next to a store that never ends: each shows the
// other session, names the store, and reports the missing part by its exit code.
func TestAnEndlessStoreIsLeftOut(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	database := endlessStore(t, home)
	code, out, errs := runProgram(t, home, "sessions", "--limit=0")
	if code != exitPart || !strings.Contains(out, "s1") || !strings.Contains(out+errs, database) || !strings.Contains(out+errs, "did not respond within 5 seconds") {
		t.Errorf("code %d\n%.2000s\n%.2000s", code, out, errs)
	}
	code, out, errs = runProgram(t, home, "status", "ses_7")
	if code != exitPart || !strings.Contains(errs, database) {
		t.Errorf("status: code %d\n%s\n%s", code, out, errs)
	}
	if code, out, errs = runProgram(t, home, "doctor"); code != exitOK && code != exitPart || !strings.Contains(out, "OpenCode") {
		t.Errorf("doctor: code %d\n%s\n%s", code, out, errs)
	}
}

// TestAFileWhoseReadBlocksIsLeftOut links a transcript to a file whose reads block forever.
func TestAFileWhoseReadBlocksIsLeftOut(t *testing.T) {
	t.Parallel()
	f, err := os.Open("/proc/kmsg")
	if err != nil {
		t.Skip("no file is here whose reads block: ", err)
	}
	f.Close()
	home := t.TempDir()
	path, _ := hostileSession(t, home)
	blocking := filepath.Join(filepath.Dir(path), "s2.jsonl")
	if err := os.Symlink("/proc/kmsg", blocking); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"sessions"}, {"doctor"}} {
		code, out, errs := runProgram(t, home, args...)
		if code != exitPart || !strings.Contains(out, "s1") && args[0] == "sessions" || !strings.Contains(out+errs, "s2.jsonl") {
			t.Errorf("%v: code %d\n%s\n%s", args, code, out, errs)
		}
	}
	if code, out, errs := runProgram(t, home, "status", blocking); code != exitPart || errs == "" {
		t.Errorf("status: code %d\n%s\n%s", code, out, errs)
	}
}

// TestTheFirstInterruptEndsACommand interrupts a command that waits for input that never arrives.
func TestTheFirstInterruptEndsACommand(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"count", pipe}, {"fits", pipe}, {"status", "--calls", pipe}} {
		command := exec.Command(exe)
		command.Args = append([]string{"ctx-lsp"}, args...)
		command.Env = append(os.Environ(), "HOME="+t.TempDir())
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		ended := inBackground(command.Wait)
		var writer *os.File // can be opened as soon as the command reads
		for err = syscall.ENXIO; errors.Is(err, syscall.ENXIO); time.Sleep(5 * time.Millisecond) {
			writer, err = os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ended:
			if code := command.ProcessState.ExitCode(); code != exitInterrupted && code != exitError {
				t.Errorf("%v ended with %s", args, command.ProcessState)
			}
		case <-time.After(time.Minute):
			t.Errorf("%v goes on", args)
			_ = command.Process.Kill()
			<-ended
		}
		writer.Close()
	}
}

// TestACommandThatDoesNotEndIsEnded lets a command wait for a session that never responds, with shortened time limits.
func TestACommandThatDoesNotEndIsEnded(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	d := newDeadline()
	d.show, d.end = 10*time.Millisecond, 100*time.Millisecond
	env.deadline = d
	ctx, done := env.hurry(t.Context())
	defer done()
	<-ctx.Done()
	if code := runBounded(t.Context(), env, []string{"count", pipe}, d); code != exitPart || !strings.Contains(errs.String(), "was ended after") {
		t.Errorf("code %d: %q, %q", code, out.String(), errs.String())
	}
	writer, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0) // lets the command end
	if err == nil {
		writer.Close()
	}
}
