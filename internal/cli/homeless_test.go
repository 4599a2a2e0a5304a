// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

// TestWithoutAHomeNothingIsWritten runs the commands that save something in a directory that belongs to a third-party
// project. A directory given as a relative path would be in it too.
func TestWithoutAHomeNothingIsWritten(t *testing.T) {
	outside := t.TempDir()
	transcript := filepath.Join(outside, "22222222-2222-4222-8222-222222222222.jsonl")
	f, err := os.Create(transcript)
	if err != nil {
		t.Fatal(err)
	}
	writeClaudeTranscript(f, "s", "/w", 150, 0)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	// The smallest module is compiled, and cached like ours, in no time.
	module := filepath.Join(outside, "empty.wasm")
	if err := os.WriteFile(module, []byte("\x00asm\x01\x00\x00\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	event := fmt.Sprintf(`{"session_id":"s","transcript_path":%q,"cwd":"/w","hook_event_name":"UserPromptSubmit"}`, transcript)
	status := fmt.Sprintf(`{"session_id":"s","transcript_path":%q,"cwd":"/w","model":{"id":"claude-opus-4-6"}}`, transcript)
	initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`
	open := `{"jsonrpc":"2.0","id":2,"method":"ctx/session/open","params":{"id":"a"}}`
	frames := ""
	for _, body := range []string{initialize, `{"jsonrpc":"2.0","method":"initialized","params":{}}`, open, `{"jsonrpc":"2.0","id":3,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`} {
		frames += fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	for name, variables := range map[string]map[string]string{
		"no home":       {},
		"no directory":  {"HOME": os.DevNull, "USERPROFILE": os.DevNull},
		"relative home": {"HOME": "home", "USERPROFILE": "home"},
		"relative XDG":  {"XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache", "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "LOCALAPPDATA": "local", "APPDATA": "roaming"},
		"relative own":  {"CTX_STATE_DIR": "state", "CTX_CACHE_DIR": "./cache"},
	} {
		t.Run(name, func(t *testing.T) {
			project := t.TempDir()
			t.Chdir(project)
			for _, variable := range []string{"HOME", "USERPROFILE", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
				t.Setenv(variable, variables[variable])
			}
			for _, c := range []struct{ stdin, args string }{
				{status, "statusline --timeout=1m"},
				{event, "hook --timeout=1m"},
				{"", "status " + transcript},
				{"", "sessions"},
				{"", "doctor"},
				{"", "doctor --forget --yes"},
				{"", "vocab list"},
				{"", "export --format=csv --names " + transcript},
				{frames, "serve --engine=native"},
				{"hello", "count"},
				{`{}`, "call ctx/models --engine=wasm"},
			} {
				var out, errs bytes.Buffer
				env := &environment{
					Stdin: strings.NewReader(c.stdin), Stdout: &out, Stderr: &errs,
					Getenv: func(name string) string {
						if name == "CTX_WASM" {
							return module
						}
						return variables[name]
					},
					Dir: project, Now: time.Now, Columns: 80,
				}
				if code := run(context.Background(), env, strings.Fields(c.args)); code != exitOK && c.args != "call ctx/models --engine=wasm" {
					t.Errorf("ctx-lsp %s: exit code %d\n%s", c.args, code, errs.String())
				}
				if strings.HasPrefix(c.args, "hook") && !strings.Contains(out.String(), "full") {
					t.Errorf("the hook says %q", out.String())
				}
			}
			err := filepath.WalkDir(project, func(path string, d fs.DirEntry, err error) error {
				if path != project {
					t.Errorf("%s was written", path)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestMarksOfHooksDoNotPileUp(t *testing.T) {
	const mostMarks = 256
	home := t.TempDir()
	t.Setenv("LOCALAPPDATA", "")
	marks := filepath.Join(stateIn(home), "hooks")
	if err := os.MkdirAll(marks, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_STATE_HOME", "")
	for i := range 2 * mostMarks {
		path := filepath.Join(marks, fmt.Sprintf("%016x.json", i))
		if err := os.WriteFile(path, []byte(`{"level":"soon"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-time.Duration(i) * time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	old := filepath.Join(marks, "old.json")
	if err := os.WriteFile(old, []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-60 * 24 * time.Hour)
	if err := os.Chtimes(old, past, past); err != nil {
		t.Fatal(err)
	}
	if _, out, errs := hookWith(t, home, "UserPromptSubmit", 160_000); out == "" {
		t.Fatalf("the hook says nothing: %s", errs)
	}
	left, err := os.ReadDir(marks)
	if err != nil || len(left) != mostMarks {
		t.Errorf("%d marks are kept, %d is the most: %v", len(left), mostMarks, err)
	}
	if _, err := os.Stat(filepath.Join(marks, fmt.Sprintf("%016x.json", 0))); err != nil {
		t.Errorf("the newest is gone: %v", err)
	}
}

// stateIn returns the directory of ctx-lsp's state below a home, if no variable sets another one.
func stateIn(home string) string {
	return dirs.New(runtime.GOOS, home, func(string) string { return "" }).StateDir()
}

// TestTheCompiledEngineIsKeptInTheCache checks that CTX_CACHE_DIR moves it.
func TestTheCompiledEngineIsKeptInTheCache(t *testing.T) {
	home, elsewhere := t.TempDir(), t.TempDir()
	env := &environment{Getenv: func(name string) string {
		return map[string]string{"CTX_CACHE_DIR": elsewhere, "HOME": home, "USERPROFILE": home}[name]
	}}
	if dir := withAdded(env, engine.Options{}).CacheDir; dir != env.host().CacheDir() || dir != elsewhere {
		t.Errorf("it is kept in %q, the cache is %q", dir, env.host().CacheDir())
	}
	env.Getenv = func(string) string { return "" }
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	if dir := withAdded(env, engine.Options{}).CacheDir; dir != "none" {
		t.Errorf("without a home it is kept in %q", dir)
	}
}
