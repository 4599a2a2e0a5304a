// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

var update = flag.Bool("update", false, "write what was answered into the files of expectations")

// engines are the engines that every script runs on.
var engines = []string{"native", "wasm"}

// realEngine returns a function that starts an engine, shared by all tests that use its name, one after the other.
func realEngine(t testing.TB, name string) func(context.Context) (Engine, error) {
	t.Helper()
	if shared[name] == nil {
		options := engine.Options{Instances: 2}
		pool, err := engine.Open(name, os.Getenv("CTX_WASM"), options)
		if err != nil {
			t.Skipf("no %s engine: %v", name, err)
		}
		shared[name] = pool
	}
	t.Cleanup(shared[name].Reset)
	return func(context.Context) (Engine, error) { return unclosed{shared[name]}, nil }
}

var shared = map[string]*engine.Pool{}

// unclosed is an engine that outlives the server that uses it.
type unclosed struct{ Engine }

func (unclosed) Close() error { return nil }

// A script is a recorded session of a client with the daemon. Its lines are:
//
// --> method params       a request; params may continue in indented lines
// <-- part                what its result must contain: an object by the members named, an array element by element
// <~~ part                what it must contain soon: it is requested again for at most five seconds
// <!! part                what its error must contain
// >>> method params       a notification of the client
// <<< method part         a notification that the server must send
// write path text         a change on disk; \n is a line break
// client name             continue as another client
//
// $WS is the workspace's path, $URI its URI; it contains the other files of the archive.
func TestScripts(t *testing.T) {
	for _, path := range archives(t, "../testdata/daemon/scripts") {
		for _, name := range engines {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+"/"+name, func(t *testing.T) {
				runScript(t, path, name)
			})
		}
	}
}

func archives(t testing.TB, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts in %s (%v)", dir, err)
	}
	return paths
}

// unpack writes an archive's files to a workspace, and those named ~/… to a home directory.
func unpack(t testing.TB, archive *txtar.Archive) (workspace, home string) {
	t.Helper()
	root := real(t, t.TempDir())
	workspace, home = filepath.Join(root, "workspace"), filepath.Join(root, "home")
	for _, dir := range []string{workspace, home} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range archive.Files {
		path := filepath.Join(workspace, filepath.FromSlash(file.Name))
		if rest, ok := strings.CutPrefix(file.Name, "~/"); ok {
			path = filepath.Join(home, filepath.FromSlash(rest))
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.ReplaceAll(file.Data, []byte("$WS"), []byte(inJSON(workspace))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return workspace, home
}

// makeRecent moves the dates of a script whose home has recorded sessions, in these and in the lines of the script
// alike, to a time at which they are idle.
func makeRecent(t *testing.T, archive *txtar.Archive) {
	t.Helper()
	recording := dirstest.Recording{}
	for _, file := range archive.Files {
		if strings.HasPrefix(file.Name, "~/") {
			recording[file.Name] = string(file.Data)
		}
	}
	if len(recording) == 0 {
		return
	}
	move := recording.Mover(t, 3*time.Hour)
	archive.Comment = []byte(move(string(archive.Comment)))
	for i := range archive.Files {
		archive.Files[i].Data = []byte(move(string(archive.Files[i].Data)))
	}
}

// testSystem is the system whose paths the tests use. It is Linux on macOS too, and Windows on Windows, because no
// other system supports a path with a drive.
var testSystem = map[bool]string{false: "linux", true: "windows"}[runtime.GOOS == "windows"]

// inJSON escapes a path for a JSON string, where a backslash is doubled.
func inJSON(path string) string { return strings.ReplaceAll(path, `\`, `\\`) }

func real(t testing.TB, path string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

func runScript(t *testing.T, path, engineName string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	makeRecent(t, archive)
	workspace, home := unpack(t, archive)
	dirstest.RefuseUnmoved(t, home)
	environment := dirs.Environment{OS: testSystem, Home: home, Getenv: func(string) string { return "" }}
	server := newTestServer(t, Options{
		Engine: realEngine(t, engineName), Home: home, State: state.OpenLedgers(filepath.Join(home, "state")), Version: "test",
		Source: sessions.NewFinder(environment),
	})
	expand := strings.NewReplacer("$WS", inJSON(workspace), "$URI", document.URI(workspace), "$HOMEURI", document.URI(home), "$HOME", inJSON(home))
	clients := map[string]*testClient{}
	var client *testClient
	become := func(name string) {
		if client = clients[name]; client == nil {
			client = connect(t, server)
			clients[name] = client
		}
	}
	become("first")
	var answer testMessage
	var asked [2]string
	for _, s := range statements(t, archive.Comment) {
		s.text = expand.Replace(s.text)
		method, params, _ := strings.Cut(s.text, " ")
		if params == "" {
			params = "{}"
		}
		fail := func(format string, args ...any) {
			t.Helper()
			t.Errorf("%s:%d: %s", filepath.Base(path), s.line, fmt.Sprintf(format, args...))
		}
		switch s.verb {
		case "-->":
			asked = [2]string{method, params}
			answer = client.ask(method, params)
		case "<~~":
			why := holds(s.text, answer.Result)
			for end := time.Now().Add(20 * time.Second); why != "" && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
				answer = client.ask(asked[0], asked[1])
				why = holds(s.text, answer.Result)
			}
			if why != "" {
				fail("%s\nin %s", why, answer.Result)
			}
		case ">>>":
			client.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
		case "<--":
			if answer.Error != nil {
				fail("error %d %s", answer.Error.Code, answer.Error.Message)
				continue
			}
			if why := holds(s.text, answer.Result); why != "" {
				fail("%s\nin %s", why, answer.Result)
			}
		case "<!!":
			body, _ := json.Marshal(answer.Error)
			if answer.Error == nil {
				fail("no error, but %s", answer.Result)
			} else if why := holds(s.text, body); why != "" {
				fail("%s\nin %s", why, body)
			}
		case "<<<":
			if why := awaitNote(client, method, params); why != "" {
				fail("%s", why)
			}
		case "write":
			file := filepath.Join(workspace, method)
			if rest, ok := strings.CutPrefix(method, "~/"); ok {
				file = filepath.Join(home, rest)
			}
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(strings.ReplaceAll(params, `\n`, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		case "remove":
			os.RemoveAll(filepath.Join(workspace, method))
		case "client":
			become(method)
		case "leave":
			client.conn.Close()
			client.exitCode()
			server.lanes.Wait()
		}
	}
}

// awaitNote waits for a notification that contains the part. Notifications of other methods are kept for later, because
// the order between methods depends on the state of the outbox.
func awaitNote(c *testClient, method, part string) string {
	deadline := time.After(20 * time.Second)
	last := ""
	fits := func(m testMessage) bool {
		if last = holds(part, m.Params); last != "" {
			last += "\nin " + string(m.Params)
		}
		return last == ""
	}
	for i, m := range c.skipped {
		if m.Method == method && fits(m) {
			c.skipped = slices.Delete(c.skipped, i, i+1)
			return ""
		}
	}
	for {
		select {
		case m, open := <-c.notes:
			switch {
			case !open:
				return "the connection ended before " + method + " came"
			case m.Method != method:
				c.skipped = append(c.skipped, m)
			case fits(m):
				return ""
			}
		case <-deadline:
			return "no such " + method + " within 20 s; the last one: " + last
		}
	}
}

type statement struct {
	line       int
	verb, text string
}

func statements(t *testing.T, comment []byte) []statement {
	t.Helper()
	var out []statement
	for i, line := range strings.Split(string(comment), "\n") {
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			out[len(out)-1].text += " " + strings.TrimSpace(line)
		default:
			verb, text, _ := strings.Cut(line, " ")
			if !slices.Contains([]string{"-->", "<--", "<~~", "<!!", ">>>", "<<<", "write", "remove", "client", "leave"}, verb) {
				t.Fatalf("line %d: what is %q?", i+1, verb)
			}
			out = append(out, statement{i + 1, verb, text})
		}
	}
	return out
}

// holds returns how a value differs from the expected one, or "" if it does not. An expected string that begins with …
// may occur anywhere in the value.
func holds(want string, got json.RawMessage) string {
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		return fmt.Sprintf("%s is no JSON: %v", want, err)
	}
	if err := json.Unmarshal(got, &g); err != nil {
		return fmt.Sprintf("%s is no JSON: %v", got, err)
	}
	return lacks("", w, g)
}

func lacks(at string, want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s is %v, no object", at, got)
		}
		for name, value := range w {
			there, ok := g[name]
			if !ok {
				return fmt.Sprintf("%s.%s is missing", at, name)
			}
			if why := lacks(at+"."+name, value, there); why != "" {
				return why
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%s is %v, want %d elements", at, got, len(w))
		}
		for i := range w {
			if why := lacks(fmt.Sprintf("%s[%d]", at, i), w[i], g[i]); why != "" {
				return why
			}
		}
		return ""
	case string:
		if part, ok := strings.CutPrefix(w, "…"); ok {
			if g, isText := got.(string); isText && strings.Contains(g, part) {
				return ""
			}
			return fmt.Sprintf("%s is %v, without %q in it", at, got, part)
		}
	}
	if fmt.Sprint(want) != fmt.Sprint(got) {
		return fmt.Sprintf("%s is %v, want %v", at, got, want)
	}
	return ""
}
