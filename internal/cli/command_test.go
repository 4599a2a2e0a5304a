// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/testdata/conformance"
)

// runWith runs a command line without a process.
func runWith(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := &environment{
		Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs,
		Getenv: func(string) string { return "" }, Dir: t.TempDir(), Now: func() time.Time { return time.Unix(1_700_000_000, 0) },
		Columns: 80,
	}
	code = run(context.Background(), env, args)
	return code, out.String(), errs.String()
}

func TestWrongCommandLinesSuggestTheRightOne(t *testing.T) {
	for _, c := range []struct {
		args    []string
		message string
	}{
		{[]string{"versoin"}, `there is no command "versoin"; did you mean "version"?`},
		{[]string{"xyzzy"}, `there is no command "xyzzy"`},
		{[]string{"version", "-json"}, `there is no flag -json; did you mean "--json"?`},
		{[]string{"--json", "version"}, `there is no command "--json"`},
		{[]string{"version", "--jsno"}, `there is no flag --jsno; did you mean "--json"?`},
		{[]string{"version", "--color", "sometimes"}, "expected one of auto, always, never"},
		{[]string{"call"}, "expected one method"},
		{[]string{"help", "stauts"}, `there is no command "stauts"`},
		{[]string{"completion", "bahs"}, `did you mean "bash"?`},
	} {
		code, out, errs := runWith(t, "", c.args...)
		if code != exitUsage || out != "" || !strings.Contains(errs, c.message) {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q, want %q", c.args, code, out, errs, c.message)
		}
	}
}

// TestWithoutACommandTheHelpIsPrinted checks what the first call of a new user prints.
func TestWithoutACommandTheHelpIsPrinted(t *testing.T) {
	code, out, errs := runWith(t, "")
	if _, help, _ := runWith(t, "", "help"); code != exitOK || errs != "" || out != help || !strings.Contains(out, "Every day:") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, out, errs)
	}
}

func TestEveryCommandHasHelpThatShowsHowToCallIt(t *testing.T) {
	for _, e := range entries() {
		c := e.build(documented())
		code, out, errs := runWith(t, "", "help", e.name)
		if code != exitOK || errs != "" || !strings.Contains(out, "ctx-lsp "+e.name) || strings.Contains(out, "{{") {
			t.Errorf("help %s: exit code %d, %q\n%s", e.name, code, errs, out)
		}
		if first := strings.TrimSpace(strings.Split(c.Example, "\n")[0]); !strings.Contains(first, "ctx-lsp") {
			t.Errorf("the help of %s does not begin with an example but with %q", e.name, first)
		}
		if strings.HasSuffix(c.Short, ".") || c.Short == "" || c.Name() != e.name {
			t.Errorf("the summary of %s is %q: one line, no period", e.name, c.Short)
		}
		if code, out, _ := runWith(t, "", e.name, "--help"); code != exitOK || !strings.Contains(out, c.Short) {
			t.Errorf("%s --help: exit code %d, %q", e.name, code, out)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" && !f.Hidden {
				t.Errorf("--%s of %s has no help", f.Name, e.name)
			}
		})
		for _, flag := range []string{"json", "color"} {
			if c.Flags().Lookup(flag) == nil {
				t.Errorf("%s has no --%s", e.name, flag)
			}
		}
	}
}

// TestTheHelpIsShort checks that a newcomer sees the common commands, and the names of the others.
func TestTheHelpIsShort(t *testing.T) {
	_, out, _ := runWith(t, "", "help")
	if lines := strings.Count(out, "\n"); lines > 24 {
		t.Errorf("the help has %d lines:\n%s", lines, out)
	}
	for _, e := range entries() {
		if !strings.Contains(out, e.name) {
			t.Errorf("the help does not name %s", e.name)
		}
	}
	_, all, _ := runWith(t, "", "help", "--all")
	for _, e := range entries() {
		if short := e.build(documented()).Short; !strings.Contains(all, short) {
			t.Errorf("help --all does not describe %s", e.name)
		}
	}
}

func TestTheHelpAsJSONHasEveryCommand(t *testing.T) {
	code, out, errs := runWith(t, "", "help", "--json")
	var help struct {
		Commands []struct{ Name, Summary, Usage string }
	}
	if err := json.Unmarshal([]byte(out), &help); err != nil || code != exitOK || len(help.Commands) != len(commandNames()) {
		t.Fatalf("exit code %d, %v, %q: %.200s", code, err, errs, out)
	}
	for i, name := range commandNames() {
		if c := help.Commands[i]; c.Name != name || c.Summary == "" || c.Usage == "" {
			t.Errorf("%d: %+v, want %s", i, c, name)
		}
	}
}

func TestCallAnswersAndRefuses(t *testing.T) {
	for _, c := range []struct {
		stdin    string
		args     []string
		code     int
		out, err string
	}{
		{`{"texts":["a b"],"encoding":"o200k_base"}`, []string{"call", "ctx/count"}, exitOK, `{"tokens":2,`, ""},
		{``, []string{"call", "--params", `{"id":"a"}`, "ctx/session/open", "--json"}, exitOK, `"session":"a"`, ""},
		{`{"id":"a"}`, []string{"call", "ctx/session/reading"}, exitError, "", `"kind":"unknown_session"`},
		{`{`, []string{"call", "ctx/session/open"}, exitError, "", `"kind":"parse_error"`},
		{strings.Repeat(" ", 17<<20), []string{"call", "ctx/session/open"}, exitOK, `"session"`, ""},
		{`"` + strings.Repeat("x", 17<<20) + `"`, []string{"call", "ctx/session/open"}, exitError, "", `"kind":"limit_exceeded"`},
		{`{}`, []string{"call", "ctx/sessions", "--engine", "wasm", "--module", "nowhere.wasm"}, exitError, "", "cannot be read"},
	} {
		code, out, errs := runWith(t, c.stdin, c.args...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.err) {
			t.Errorf("%q < %.50q: exit code %d\n%.500s\n%.500s", c.args, c.stdin, code, out, errs)
		}
	}
}

func TestConformancePassesAndCountsFailures(t *testing.T) {
	code, out, errs := runWith(t, "", "conformance", "../../testdata/conformance", "--engine", "native")
	if code != exitOK || !strings.HasSuffix(out, " passed, 0 failed\n") || strings.HasPrefix(out, "0 ") {
		t.Errorf("exit code %d: %s %s", code, out, errs)
	}
	if conformance.Files() == nil {
		if code, _, errs := runWith(t, "", "conformance"); code != exitUsage || !strings.Contains(errs, "name their directory") {
			t.Errorf("without an archive: exit code %d, %s", code, errs)
		}
	}
	dir := t.TempDir()
	file := `{"subject":"x","about":"y","vectors":[
		{"name":"right","calls":[{"method":"ctx/session/open","params":{"limits":{"window":100}},"expect":{"limit":100}}]},
		{"name":"wrong","calls":[{"method":"ctx/session/open","params":{"limits":{"window":100}},"expect":{"limit":101}}]}]}`
	if err := os.WriteFile(filepath.Join(dir, "x.json"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, _ = runWith(t, "", "conformance", dir, "--update")
	if code != exitError || !strings.Contains(out, "result.limit is 100, want 101") || !strings.HasSuffix(out, "1 passed, 1 failed\n") {
		t.Errorf("exit code %d: %s", code, out)
	}
	sums := filepath.Join(dir, "answers.sum")
	text, err := os.ReadFile(sums)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(sums, bytes.ReplaceAll(text, []byte("  x: right"), []byte("00  x: right")), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, out, _ = runWith(t, "", "conformance", dir); !strings.Contains(out, "not the bytes recorded") {
		t.Errorf("a wrong digest passed: %s", out)
	}
}

func TestCompletionsAreScriptsThatTheirShellsRead(t *testing.T) {
	for shell, check := range map[string][]string{"bash": {"bash", "-n"}, "zsh": {"zsh", "-n"}, "fish": {"fish", "-n"}} {
		t.Run(shell, func(t *testing.T) {
			code, out, _ := runWith(t, "", "completion", shell)
			if code != exitOK || !strings.Contains(out, "__complete") {
				t.Fatalf("exit code %d: %s", code, out)
			}
			if _, err := exec.LookPath(check[0]); err != nil {
				t.Skip(shell + " is not here")
			}
			script := filepath.Join(t.TempDir(), "script")
			if err := os.WriteFile(script, []byte(out), 0o600); err != nil {
				t.Fatal(err)
			}
			if output, err := exec.Command(check[0], check[1], script).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, output)
			}
		})
	}
}

// TestCompletionsOfferCommandsFlagsAndSessions calls the program like the completion scripts of all shells.
func TestCompletionsOfferCommandsFlagsAndSessions(t *testing.T) {
	for line, want := range map[string]string{
		"conf":          "conformance\tcheck that an engine gives the expected answers",
		"call --eng":    "--engine\trun the core natively or as WebAssembly",
		"completion ba": "bash",
		"vocab f":       "fetch",
	} {
		code, out, _ := runWith(t, "", append([]string{"__complete"}, strings.Fields(line)...)...)
		if code != exitOK || !slices.Contains(strings.Split(out, "\n"), want) {
			t.Errorf("after %q: exit code %d, %q", line, code, out)
		}
	}
}
