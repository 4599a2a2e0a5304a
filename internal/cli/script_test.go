// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ctx-lsp/ctx-lsp/internal/sink/sinktest"
)

// TestMain makes the test program behave like ctx-lsp if it is called by that name or if it starts itself with a
// command. Otherwise it would run all tests again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		os.Exit(Main(os.Args[1:]))
	}
	testscript.Main(m, map[string]func(){"ctx-lsp": func() { os.Exit(Main(os.Args[1:])) }})
}

// TestScripts runs the files of testdata/script, which read like sessions at a terminal: the input and the expected
// output.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("USERPROFILE", home)
			e.Setenv("LANG", "en_US.UTF-8")
			e.Setenv("XDG_RUNTIME_DIR", filepath.Join(e.WorkDir, "run"))
			for _, folder := range []string{home, filepath.Join(e.WorkDir, "run")} {
				if err := os.MkdirAll(folder, 0o700); err != nil {
					return err
				}
			}
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "links" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return makesLinks(t.TempDir()), nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"claude-session": writeClaudeSession,
			"replace":        replaceInFile,
			"append":         appendToFile,
			"binary":         writeBinary,
			"action-script":  writeActionScript,
			"fleet":          putFleetOnPath,
			"sleep":          sleep,
			"until":          awaitLines,
		},
	})
}

// makesLinks reports whether links can be created here. Wine reports success without creating any.
func makesLinks(folder string) bool {
	link := filepath.Join(folder, "link")
	if os.Symlink(folder, link) != nil {
		return false
	}
	about, err := os.Lstat(link)
	return err == nil && about.Mode()&os.ModeSymlink != 0
}

// writeActionScript writes the script of the project's action for GitHub's workflows into a file.
func writeActionScript(ts *testscript.TestScript, _ bool, args []string) {
	action, err := os.ReadFile(filepath.Join("..", "..", "action.yml"))
	ts.Check(err)
	_, script, ok := strings.Cut(string(action), "      run: |\n")
	if !ok {
		ts.Fatalf("action.yml has no script")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(script, "\n        ", "\n")), 0o600))
}

// putFleetOnPath builds ctx-lsp-fleet for the rest of a script.
func putFleetOnPath(ts *testscript.TestScript, _ bool, _ []string) {
	dir := ts.MkAbs("fleet")
	ts.Check(os.MkdirAll(dir, 0o755))
	ts.Check(sinktest.Build(dir))
	ts.Setenv("PATH", dir+string(os.PathListSeparator)+ts.Getenv("PATH"))
}

// writeBinary creates a file that is not text: binary FILE.
func writeBinary(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: binary FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte("\x89PNG\x00\x00"), 0o644))
}

// writeClaudeSession creates a transcript: claude-session FILE CWD CALLS [PADDING]. Each call adds 1,000 tokens;
// padding is the length of a text that is not sent, for long transcripts.
func writeClaudeSession(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: claude-session FILE CWD CALLS [PADDING]")
	}
	path := ts.MkAbs(args[0])
	calls, err := strconv.Atoi(args[2])
	ts.Check(err)
	padding := 0
	if len(args) > 3 {
		padding, err = strconv.Atoi(args[3])
		ts.Check(err)
	}
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	f, err := os.Create(path)
	ts.Check(err)
	defer f.Close()
	writeClaudeTranscript(f, strings.TrimSuffix(filepath.Base(path), ".jsonl"), args[1], calls, padding)
}

// writeClaudeTranscript writes a session with this number of requests. Their input grows by 1,000 tokens a request,
// from 20,000 on.
func writeClaudeTranscript(f io.StringWriter, session, cwd string, calls, padding int) {
	var b strings.Builder
	parent := "null"
	for i := range calls {
		line := func(id, kind, message, more string) {
			fmt.Fprintf(&b, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":%q,"sessionId":%q,"version":"2.1.120","gitBranch":"main","type":%q,"message":%s,"uuid":%q,"timestamp":"2026-03-02T09:%02d:%02d.000Z"%s}`+"\n",
				parent, cwd, session, kind, message, id, i/60%60, i%60, more)
			parent = strconv.Quote(id)
		}
		if i == 0 {
			line("u0", "user", `{"role":"user","content":"Please look into it."}`, "")
		}
		line(fmt.Sprintf("a%d", i), "assistant", fmt.Sprintf(`{"model":"claude-opus-4-6","id":"msg_%d","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"ls"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":997,"cache_read_input_tokens":%d,"output_tokens":60}}`, i, i, 19000+1000*i), fmt.Sprintf(`,"requestId":"req_%d"`, i))
		line(fmt.Sprintf("r%d", i), "user", fmt.Sprintf(`{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":%q,"is_error":false}]}`, i, strings.Repeat("a line of output\n", 200)),
			fmt.Sprintf(`,"toolUseResult":{"stdout":%q}`, strings.Repeat("x", padding)))
		if b.Len() > 1<<20 {
			f.WriteString(b.String())
			b.Reset()
		}
	}
	f.WriteString(b.String())
}

// replaceInFile replaces one text by another: replace FILE OLD NEW. $WORK in the new text is the script's directory. In
// a JSON file, a backslash of the new text is doubled.
func replaceInFile(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	path := ts.MkAbs(args[0])
	text, err := os.ReadFile(path)
	ts.Check(err)
	replacement := args[2]
	if strings.HasSuffix(path, ".json") {
		replacement = strings.ReplaceAll(replacement, `\`, `\\`)
	}
	ts.Check(os.WriteFile(path, []byte(strings.ReplaceAll(string(text), args[1], replacement)), 0o644))
}

// appendToFile appends a file's text, or stdout, to another: append FILE TEXT.
func appendToFile(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: append FILE TEXT")
	}
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	defer f.Close()
	_, err = f.WriteString(ts.ReadFile(args[1]))
	ts.Check(err)
}

// sleep waits for a program in the background: sleep MILLISECONDS.
func sleep(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	time.Sleep(time.Duration(n) * time.Millisecond)
}

// awaitLines waits until this number of lines of a file match a pattern, because a program in the background writes
// them when the machine has time: until COUNT FILE PATTERN.
func awaitLines(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: until COUNT FILE PATTERN")
	}
	count, err := strconv.Atoi(args[0])
	ts.Check(err)
	pattern, err := regexp.Compile("(?m)" + args[2])
	ts.Check(err)
	var text []byte
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(20 * time.Millisecond) {
		if text, _ = os.ReadFile(ts.MkAbs(args[1])); len(pattern.FindAllIndex(text, -1)) >= count {
			return
		}
	}
	ts.Fatalf("after a minute %s does not match %q %d times:\n%s", args[1], args[2], count, text)
}
