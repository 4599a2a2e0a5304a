// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
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

func TestFlagsAndArgumentsComeInAnyOrder(t *testing.T) {
	for _, c := range []struct {
		args, rest []string
		name       string
		json       bool
	}{
		{[]string{"a", "--json", "b", "--name", "x"}, []string{"a", "b"}, "x", true},
		{[]string{"--name=x", "a", "-json"}, []string{"a"}, "x", true},
		{[]string{"a", "--", "--json"}, []string{"a", "--json"}, "", false},
		{[]string{"--json", "--", "--name"}, []string{"--name"}, "", true},
		{[]string{"-"}, []string{"-"}, "", false},
		{nil, nil, "", false},
	} {
		fs := newFlags("test")
		name, asJSON := fs.String("name", "", ""), fs.Bool("json", false, "")
		rest, err := parseFlags(fs, c.args)
		if err != nil || !reflect.DeepEqual(rest, c.rest) || *name != c.name || *asJSON != c.json {
			t.Errorf("%q: %q, name %q, json %v, %v", c.args, rest, *name, *asJSON, err)
		}
	}
}

func TestWrongCommandLinesSayWhatIsMeant(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"versoin"}, `there is no command "versoin"; did you mean "version"?`},
		{[]string{"xyzzy"}, `there is no command "xyzzy"`},
		{[]string{"version", "--jsno"}, `there is no flag --jsno; did you mean "--json"?`},
		{[]string{"version", "--color", "sometimes"}, "it is one of auto, always, never"},
		{[]string{"call"}, "it takes one method"},
		{[]string{"help", "stauts"}, `there is no command "stauts"`},
		{[]string{"completion", "bahs"}, `did you mean "bash"?`},
		{nil, "Commands:"},
	} {
		code, out, errs := runWith(t, "", c.args...)
		if code != exitUsage || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q, want %q", c.args, code, out, errs, c.says)
		}
	}
}

func TestEveryCommandHasHelpThatShowsHowToCallIt(t *testing.T) {
	for _, c := range commands {
		code, out, errs := runWith(t, "", "help", c.name)
		if code != exitOK || errs != "" || !strings.Contains(out, "ctx-lsp "+c.name) {
			t.Errorf("help %s: exit code %d, %q", c.name, code, errs)
		}
		if first := strings.TrimSpace(strings.Split(strings.TrimLeft(c.usage, "\n"), "\n")[0]); !strings.Contains(first, "ctx-lsp") {
			t.Errorf("the help of %s does not begin with an example but with %q", c.name, first)
		}
		if strings.HasSuffix(c.summary, ".") || c.summary == "" {
			t.Errorf("the summary of %s is %q: one line, no period", c.name, c.summary)
		}
		if code, out, _ := runWith(t, "", c.name, "--help"); c.name != "help" && (code != exitOK || !strings.Contains(out, c.summary)) {
			t.Errorf("%s --help: exit code %d, %q", c.name, code, out)
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
	if _, out, _ = runWith(t, "", "conformance", dir); !strings.Contains(out, "not with the bytes recorded") {
		t.Errorf("a wrong digest passed: %s", out)
	}
}

func TestCompletionsAreScriptsThatTheirShellsRead(t *testing.T) {
	for shell, check := range map[string][]string{"bash": {"bash", "-n"}, "zsh": {"zsh", "-n"}, "fish": {"fish", "-n"}} {
		t.Run(shell, func(t *testing.T) {
			code, out, _ := runWith(t, "", "completion", shell)
			if code != exitOK || !strings.Contains(out, "conformance") {
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
	// Bash is nearly everywhere that the tests run, so there it is tried.
	if _, err := exec.LookPath("bash"); err != nil {
		return // it was said above
	}
	_, script, _ := runWith(t, "", "completion", "bash")
	try := script + "\nCOMP_WORDS=(ctx-lsp conf); COMP_CWORD=1; _ctx_lsp; echo ${COMPREPLY[@]}\n" +
		"COMP_WORDS=(ctx-lsp call --eng); COMP_CWORD=2; _ctx_lsp; echo ${COMPREPLY[@]}\n"
	out, err := exec.Command("bash", "-c", try).CombinedOutput()
	if err != nil || string(out) != "conformance\n--engine\n" {
		t.Errorf("bash completes with %q, %v", out, err)
	}
}

// TestPowerShellCompletesIDs tries the script in PowerShell itself, with a stand-in for ctx-lsp that knows one session.
func TestPowerShellCompletesIDs(t *testing.T) {
	_, script, _ := runWith(t, "", "completion", "powershell")
	for _, want := range []string{"ctx-lsp complete session $word", "'status'", "'watch'"} {
		if !strings.Contains(script, want) {
			t.Errorf("the script has no %s", want)
		}
	}
	pwsh, err := exec.LookPath("pwsh")
	if err != nil {
		t.Skip("pwsh is not here")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a script of a Unix shell")
	}
	folder := t.TempDir()
	standIn := "#!/bin/sh\n[ \"$1 $2\" = 'complete session' ] && printf '0197abcd\\tClaude Code, /w/shop\\n'\n"
	if err := os.WriteFile(filepath.Join(folder, "ctx-lsp"), []byte(standIn), 0o700); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{"ctx-lsp status 01": "0197abcd", "ctx-lsp status --pl": "--plain", "ctx-lsp conf": "conformance"} {
		cmd := exec.Command(pwsh, "-NoProfile", "-NonInteractive", "-Command",
			fmt.Sprintf("%s\n(TabExpansion2 '%s' %d).CompletionMatches.CompletionText", script, typed, len(typed)))
		cmd.Env = append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil || !slices.Contains(strings.Fields(string(out)), want) {
			t.Errorf("after %q PowerShell offers %q, not %s: %v", typed, out, want, err)
		}
	}
}
