// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWrongArgumentsAreRefused checks that ambiguous arguments are refused, and that errors do not use Go's own
// wording.
func TestWrongArgumentsAreRefused(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list.json")
	if err := os.WriteFile(list, []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args    []string
		code    int
		message string
	}{
		{[]string{"count", "--budget", "-5", "x"}, exitUsage, "--budget must not be negative"},
		{[]string{"count", "--budget=-1", "x"}, exitUsage, "--budget must not be negative"},
		{[]string{"models", ""}, exitUsage, "an argument is empty"},
		{[]string{"models", " "}, exitUsage, "the query is blank"},
		{[]string{"call", ""}, exitUsage, "an argument is empty"},
		{[]string{"count", ""}, exitUsage, "an argument is empty"},
		{[]string{"status", ""}, exitUsage, "an argument is empty"},
		{[]string{"history", "--first", "", ""}, exitUsage, "an argument is empty"},
		{[]string{"replay", ""}, exitUsage, "an argument is empty"},
		{[]string{"vocab", "list", "x"}, exitUsage, "list expects no arguments"},
		{[]string{"serve", "--socket=99999"}, exitUsage, "--socket cannot be port 99999"},
		{[]string{"serve", "--idle-exit=-5m"}, exitUsage, "--idle-exit must not be negative"},
		{[]string{"conformance", "/nowhere"}, exitError, "there is no directory /nowhere"},
		{[]string{"conformance", t.TempDir()}, exitError, "contains no vectors"},
		{[]string{"conformance", filepath.Dir(list)}, exitError, "the JSON is an array"},
		{[]string{"mcp", "--color=never", "x"}, exitUsage, "expected no arguments"},
	} {
		code, _, errors := runWith(t, "", c.args...)
		if code != c.code || !strings.Contains(errors, c.message) {
			t.Errorf("%q ends with %d and says %q", c.args, code, errors)
		}
	}
}

// TestMessagesAreWrappedOnATerminal checks that a narrow terminal cuts no word of a message, and that a program gets
// each message on one line.
func TestMessagesAreWrappedOnATerminal(t *testing.T) {
	for _, onTerminal := range []bool{true, false} {
		var out, errs bytes.Buffer
		env := testEnvironment(t, &out, &errs)
		env.Columns, env.narrow, env.StderrTerminal = 40, true, onTerminal
		if code := run(context.Background(), env, []string{"status"}); code != exitError {
			t.Fatalf("status without a session ends with %d", code)
		}
		long := 0
		for line := range strings.Lines(errs.String()) {
			if len([]rune(strings.TrimRight(line, "\n"))) > 40 && strings.Contains(strings.TrimSpace(line), " ") {
				long++
			}
		}
		if (long == 0) != onTerminal || !strings.Contains(strings.Join(strings.Fields(errs.String()), " "), "hint: no agent has left a session on this machine") {
			t.Errorf("on a terminal: %v, %d long lines\n%s", onTerminal, long, errs.String())
		}
	}
}
