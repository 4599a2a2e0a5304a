// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// hostileName has characters that a terminal obeys: CSI as one character, and one that reverses the direction.
const hostileName = "a\u009b2J\u202etxt.jsonl"

// TestJSONOnATerminalHasNoControlCharacters prints a session whose id and path contain them. A pipe gets them
// unchanged.
func TestJSONOnATerminalHasNoControlCharacters(t *testing.T) {
	folder := t.TempDir()
	recorded, err := os.ReadFile("../../testdata/sessions/claude-code/turns.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`"cwd":\s*"[^"]*"`).ReplaceAllString(string(recorded), "\"cwd\":\"/w/\u009b\u202e\"")
	path := filepath.Join(folder, hostileName)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Skipf("this system refuses such names: %v", err)
	}
	for _, args := range [][]string{{"status", "--json", path}, {"history", "--json", path}, {"handover", "--json", path}, {"call", "ctx/session/open", "--params", `{"id":"` + "\u009b" + `"}`}} {
		var values []any
		for _, onTerminal := range []bool{true, false} {
			var out, errs bytes.Buffer
			env := testEnvironment(t, &out, &errs)
			env.StdoutTerminal = onTerminal
			if code := run(t.Context(), env, args); code != exitOK {
				t.Fatalf("%v: exit code %d: %s", args, code, errs.String())
			}
			if raw := strings.ContainsAny(out.String(), "\u009b\u202e"); raw && onTerminal || !raw && !onTerminal && (args[0] == "status" || args[0] == "call") {
				t.Errorf("%v on a terminal %v: control characters %v: %q", args[:2], onTerminal, raw, out.String())
			}
			var value any
			if err := json.Unmarshal(out.Bytes(), &value); err != nil {
				t.Errorf("%v: %v", args, err)
			}
			values = append(values, value)
		}
		a, _ := json.Marshal(values[0])
		if b, _ := json.Marshal(values[1]); !bytes.Equal(a, b) {
			t.Errorf("%v: %s\nand in a pipe %s", args, a, b)
		}
	}
}

// TestAWrittenPathIsNamedSafely writes to a file whose name a terminal would obey.
func TestAWrittenPathIsNamedSafely(t *testing.T) {
	folder := t.TempDir()
	sample, err := filepath.Abs("../../testdata/sessions/claude-code/turns.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"history", "--html", "\x1b[31m\u009b2Ja.html"}, {"history", "--svg", "\x1b[31mb\u202e.svg"}, {"handover", "--out", "\x1b[31mc\u009b.md"},
	} {
		var out, errs bytes.Buffer
		env := testEnvironment(t, &out, &errs)
		env.Dir, env.StderrTerminal = folder, true
		if code := run(t.Context(), env, append(args, sample)); code != exitOK {
			t.Fatalf("%v: exit code %d: %s", args, code, errs.String())
		}
		if said := errs.String(); strings.ContainsAny(said, "\x1b\u009b\u202e") || !strings.Contains(said, "wrote") {
			t.Errorf("%v: the message is %q", args, said)
		}
	}
}

// TestAFlagIsNotTheValueOfAnother checks the error for a flag whose value is missing.
func TestAFlagIsNotTheValueOfAnother(t *testing.T) {
	for _, args := range [][]string{{"status", "--calls", "--json", "calls.jsonl"}, {"status", "--calls", "--json"}, {"history", "--svg", "--json", "s.jsonl"}} {
		var out, errs bytes.Buffer
		code := run(t.Context(), testEnvironment(t, &out, &errs), args)
		want := "ctx-lsp: " + args[0] + ": " + args[1] + " expects its FILE before --json, as in " + args[1] + "=FILE\n"
		if code != exitUsage || !strings.HasPrefix(errs.String(), want) {
			t.Errorf("%v: exit code %d, %q", args, code, errs.String())
		}
	}
}
