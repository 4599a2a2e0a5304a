// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"
)

// TestATerminalShowsHowToEndInput checks that every command that reads standard input to its end prints how to end it,
// once, at a terminal, and prints nothing in a pipe.
func TestATerminalShowsHowToEndInput(t *testing.T) {
	const hint = "reading standard input; end it with Ctrl+D\n"
	for _, line := range []string{
		"count", "count - -", "fits -", "call ctx/count", "hook", "statusline", "status --calls -", "replay -", "export -",
	} {
		for _, terminal := range []bool{true, false} {
			var out, messages strings.Builder
			env := &environment{
				Stdin: strings.NewReader(""), Stdout: &out, Stderr: &messages, StdinTerminal: terminal, Columns: 80,
				Getenv: func(string) string { return "" }, Dir: t.TempDir(), Now: time.Now,
			}
			run(context.Background(), env, strings.Fields(line))
			want := 0
			if terminal {
				want = 1
			}
			if n := strings.Count(messages.String(), hint); n != want {
				t.Errorf("%s, terminal %v: told %d times:\n%s", line, terminal, n, messages.String())
			}
		}
	}
}

// TestAnInterruptEndsACommandThatWaitsForInput checks that one interrupt immediately ends a command that waits for the
// user to type.
func TestAnInterruptEndsACommandThatWaitsForInput(t *testing.T) {
	for _, line := range []string{"count", "fits -", "call ctx/count", "hook", "replay -"} {
		waits, typed := io.Pipe()
		defer typed.Close()
		messages := &untilLine{}
		ctx, interrupt := context.WithCancel(context.Background())
		d := newDeadline()
		d.grace = time.Hour
		messages.done = func() {
			go func() { // the hint comes before the command reads
				for !d.typing.Load() {
					time.Sleep(time.Millisecond)
				}
				interrupt()
			}()
		}
		env := &environment{
			Stdin: waits, Stdout: io.Discard, Stderr: messages, StdinTerminal: true, Columns: 80,
			Getenv: func(string) string { return "" }, Dir: t.TempDir(), Now: time.Now,
		}
		if code := runBounded(ctx, env, strings.Fields(line), d); code != exitInterrupted {
			t.Errorf("%s exits with %d", line, code)
		}
	}
}
