// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// TestServeWithoutStateWritesNothing runs a daemon in its own home, with a transcript to follow, a session of the
// client and something to learn. With --state=none the home is unchanged afterwards, including the modification times
// of all files and directories; without the flag it contains more.
func TestServeWithoutStateWritesNothing(t *testing.T) {
	home := t.TempDir()
	for _, variable := range []string{"HOME", "USERPROFILE"} {
		t.Setenv(variable, home)
	}
	for variable, below := range map[string]string{
		"XDG_STATE_HOME": ".local/state", "XDG_CACHE_HOME": ".cache", "XDG_DATA_HOME": ".local/share", "XDG_CONFIG_HOME": ".config",
		"XDG_RUNTIME_DIR": "run", "TMPDIR": "tmp", "TMP": "tmp", "TEMP": "tmp", "LOCALAPPDATA": "AppData/Local", "APPDATA": "AppData/Roaming",
	} {
		folder := filepath.Join(home, filepath.FromSlash(below))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv(variable, folder)
	}
	project := filepath.Join(home, ".claude", "projects", "-w")
	if err := os.MkdirAll(project, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(project, "22222222-2222-4222-8222-222222222222.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	writeClaudeTranscript(f, "s", "/w", 150, 0)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var calls []string
	for i, body := range []string{
		`"id":%d,"method":"initialize","params":{"capabilities":{}}`,
		`"method":"initialized","params":{}`,
		`"id":%d,"method":"ctx/watch","params":{}`,
		`"id":%d,"method":"ctx/session/open","params":{"id":"a","agent":"generic","model":"gpt-5.5","limits":{"window":200000}}`,
		`"id":%d,"method":"ctx/session/update","params":{"id":"a","system":4000,"append":[{"kind":"user","tokens":100}]}`,
		`"id":%d,"method":"ctx/session/usage","params":{"id":"a","provider":"ctx","usage":{"in":5000,"out":200}}`,
		`"id":%d,"method":"ctx/session/usage","params":{"id":"a","provider":"ctx","usage":{"in":5300,"out":200}}`,
		`"id":%d,"method":"shutdown"`,
		`"method":"exit"`,
	} {
		if strings.Contains(body, "%d") {
			body = fmt.Sprintf(body, i)
		}
		body = `{"jsonrpc":"2.0",` + body + `}`
		calls = append(calls, fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
	}
	last := len(calls) - 2 // shutdown and exit come after the session was answered
	serve := func(t *testing.T, args ...string) {
		t.Helper()
		in, say := io.Pipe()
		out := &waiting{until: []byte(`"used":5500`), seen: make(chan struct{})}
		go func() {
			_, _ = io.WriteString(say, strings.Join(calls[:last], ""))
			select {
			case <-out.seen:
			case <-time.After(5 * time.Minute): // the check below reports the missing part
			}
			_, _ = io.WriteString(say, strings.Join(calls[last:], ""))
		}()
		var errs bytes.Buffer
		env := &environment{
			Stdin: in, Stdout: out, Stderr: &errs,
			Getenv: os.Getenv, Dir: home, Now: time.Now, Columns: 80,
		}
		if code := run(context.Background(), env, append([]string{"serve", "--stdio"}, args...)); code != 0 {
			t.Fatalf("%v: code %d, %s", args, code, &errs)
		}
		select {
		case <-out.seen:
		default:
			t.Fatalf("%v: the session was not computed", args)
		}
	}
	engines := []string{"native"}
	if module, err := filepath.Abs("../../wasm/js/ctx.wasm"); err == nil {
		if _, err := os.Stat(module); err == nil {
			engines = append(engines, "wasm")
			t.Setenv("CTX_WASM", module)
		}
	}
	for _, engine := range engines {
		before := treeOf(t, home)
		serve(t, "--state=none", "--engine="+engine)
		if after := treeOf(t, home); after != before {
			t.Errorf("--engine=%s --state=none has changed\n%s\ninto\n%s", engine, before, after)
		}
	}
	elsewhere, before := t.TempDir(), treeOf(t, home)
	t.Run("elsewhere", func(t *testing.T) {
		cache := filepath.Join(elsewhere, "cache")
		t.Setenv("XDG_CACHE_HOME", cache)
		t.Setenv("LOCALAPPDATA", cache)
		serve(t, "--state="+filepath.Join(elsewhere, "kept"), "--engine=native")
	})
	if after := treeOf(t, home); after != before {
		t.Errorf("--state=DIR has changed other directories:\n%s\ninto\n%s", before, after)
	}
	if kept := treeOf(t, filepath.Join(elsewhere, "kept")); !strings.Contains(kept, "learned.json") {
		t.Errorf("the given directory has no learned corrections:\n%s", kept)
	}
	serve(t, "--engine=native")
	if treeOf(t, home) == before {
		t.Error("with state nothing is kept either, so that this test shows nothing")
	}
}

// TestAStateDirectoryContainsEveryFile checks that all files a daemon keeps are in the directory of --state.
func TestAStateDirectoryContainsEveryFile(t *testing.T) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "kept")
	env := &environment{Getenv: func(name string) string { return map[string]string{"HOME": home, "USERPROFILE": home}[name] }, Dir: home, Now: time.Now}
	env.state = dir
	if _, err := exportKey(env); err != nil {
		t.Error(err)
	}
	x := env.index()
	x.Put(state.IndexKey{1}, state.IndexKey{2}, "value")
	x.Save(time.Now())
	for name, path := range map[string]string{
		"learned corrections": learnedOf(env).Path(), "offers": vocabulariesOf(env).(*offered).path, "index": filepath.Join(dir, state.IndexName),
	} {
		if filepath.Dir(path) != dir {
			t.Errorf("%s: %s is not in %s", name, path, dir)
		}
	}
	if kept := treeOf(t, dir); !strings.Contains(kept, state.IndexName) || !strings.Contains(kept, "export.key") {
		t.Errorf("the directory has only\n%s", kept)
	}
	if tree := treeOf(t, home); strings.Contains(tree, "ctx-lsp") {
		t.Errorf("the usual directory was written:\n%s", tree)
	}
	env.state = "kept"
	if want := filepath.Join(home, "kept"); env.stateDir() != want {
		t.Errorf("a relative directory is %q, not %q", env.stateDir(), want)
	}
	env.state = "none"
	if learnedOf(env) != nil || vocabulariesOf(env) != nil || stateOf(env) != nil || env.index().Keeps() {
		t.Error("with none, something is kept")
	}
}

// waiting keeps the output of a daemon, and is notified when it contains a text.
type waiting struct {
	until, got []byte
	seen       chan struct{}
	done       bool
}

func (w *waiting) Write(p []byte) (int, error) {
	w.got = append(w.got, p...)
	if !w.done && bytes.Contains(w.got, w.until) {
		w.done = true
		close(w.seen)
	}
	return len(p), nil
}

// treeOf lists every file and directory with its size and modification time.
func treeOf(t *testing.T, root string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err == nil {
			fmt.Fprintf(&out, "%s %d %d %v\n", path, info.Size(), info.ModTime().UnixNano(), info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
