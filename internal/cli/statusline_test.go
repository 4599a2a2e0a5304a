// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/ipc"
	"github.com/ctx-lsp/ctx-lsp/internal/statusline"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// fakeDaemon responds at the shared daemon's socket with a Reading whose last request had this number of tokens, after
// an unsolicited message.
func fakeDaemon(t *testing.T, env *environment, in int64) {
	t.Helper()
	where, err := ipc.NewRendezvous(env.Getenv, ipc.BuildOf(currentVersion().Version))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := where.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(listener.Release)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				r := bufio.NewReader(conn)
				for {
					header, err := textproto.NewReader(r).ReadMIMEHeader()
					if err != nil {
						return
					}
					n, _ := strconv.Atoi(header.Get("Content-Length"))
					body := make([]byte, n)
					if _, err := io.ReadFull(r, body); err != nil {
						return
					}
					var call struct{ ID int }
					json.Unmarshal(body, &call)
					for _, answer := range []string{
						`{"jsonrpc":"2.0","method":"window/logMessage","params":{}}`,
						fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"schema":"ctx.reading/3","lastRequest":{"in":%d},"display":{"percent":"42%%","mark":"","used":"daemon"}}}`, call.ID, in),
					} {
						fmt.Fprintf(conn, "Content-Length: %d\r\n\r\n%s", len(answer), answer)
					}
				}
			}()
		}
	}()
}

// The Reading of a daemon that has seen the agent's last request replaces the transcript's; that of a slower daemon
// does not.
func TestStatuslineAsksADaemonThatIsUpToDate(t *testing.T) {
	for in, want := range map[int64]string{22000: "daemon", 21000: "no daemon"} {
		var out, errs bytes.Buffer
		env := testEnvironment(t, &out, &errs)
		env.daemonPatience = 5 * time.Second
		getenv, runtime := env.Getenv, shortTempDir(t)
		env.Getenv = func(name string) string {
			if name == "XDG_RUNTIME_DIR" || name == "LOCALAPPDATA" {
				return runtime
			}
			return getenv(name)
		}
		fakeDaemon(t, env, in)
		path := env.Dir + "/s.jsonl"
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		writeClaudeTranscript(f, "s", "/w", 3, 0)
		f.Close()
		text, _ := json.Marshal(path)
		env.Stdin = strings.NewReader(`{"session_id":"s","transcript_path":` + string(text) + `,"context_window":{"context_window_size":200000,"current_usage":{"input_tokens":3,"cache_creation_input_tokens":997,"cache_read_input_tokens":21000,"output_tokens":60}}}`)
		if code := run(context.Background(), env, []string{"statusline", "--timeout=30s", "--plain", "--template", "{used}"}); code != exitOK {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		if got := strings.TrimSpace(out.String()); (got == "daemon") != (want == "daemon") || got == "" {
			t.Errorf("with a daemon at %d tokens the line is %q, want %q", in, got, want)
		}
	}
}

// shortTempDir returns a directory whose path is short enough for a socket.
func shortTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ctx")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Until the transcript contains an answer, the agent's own numbers are used, with the rule of the agent's version and
// the user's settings.
func TestStatuslineUsesTheAgentsNumbersBeforeTheTranscript(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "t.jsonl")
	record := `{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"userType":"external","sessionId":"s","version":"2.1.200","cwd":"/w","message":{"role":"user","content":"hi"},"timestamp":"2026-11-01T10:00:00.000Z"}` + "\n"
	if err := os.WriteFile(empty, []byte(record), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ transcript, version, override, want string }{
		{"", "2.0.76", "", "141.7k of 155k"},
		{"", "2.1.200", "", "141.7k of 167k"},
		{"", "2.1.200", "50", "141.7k of 90k"},
		{empty, "2.1.200", "", "141.7k of 167k"},
	} {
		var out, errs bytes.Buffer
		env := testEnvironment(t, &out, &errs)
		home := t.TempDir()
		env.Getenv = func(name string) string {
			return map[string]string{"HOME": home, "USERPROFILE": home, "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": test.override}[name]
		}
		env.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","transcript_path":%q,"model":{"id":"claude-opus-4-6"},"version":%q,"context_window":{"context_window_size":200000,`+
			`"total_input_tokens":999999,"current_usage":{"input_tokens":3,"output_tokens":700,"cache_creation_input_tokens":1000,"cache_read_input_tokens":140000}}}`, test.transcript, test.version))
		if code := run(context.Background(), env, []string{"statusline", "--timeout=30s", "--json"}); code != exitOK {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		r, err := terminal.Parse(bytes.TrimSpace(out.Bytes()))
		if err != nil || r.Compaction.Threshold == nil {
			t.Fatalf("%v: %s", err, out.String())
		}
		if got := fmt.Sprintf("%d.%dk of %dk", r.Used/1000, r.Used%1000/100, *r.Compaction.Threshold/1000); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// A line is printed even if reading hangs.
func TestStatuslineKeepsItsTime(t *testing.T) {
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	hang, release := io.Pipe()
	defer release.Close()
	env.Stdin = hang
	began := time.Now()
	if code := run(context.Background(), env, []string{"statusline", "--timeout=50ms"}); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	if out.String() != "ctx ?\n" || !strings.Contains(errs.String(), "took too long") {
		t.Errorf("%q, %q", out.String(), errs.String())
	}
}

// TestStatuslineMarksSessionsNotReadInTime checks that for a transcript that is not read completely, and ends shortly
// after a compaction, the number of its end is not shown: the line shows the last good line with its age, or an
// ellipsis, until everything is read.
func TestStatuslineMarksSessionsNotReadInTime(t *testing.T) {
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	path := filepath.Join(env.Dir, "s.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	writeClaudeTranscript(f, "s", "/w", 120, 40_000)
	record := func(text string) {
		t.Helper()
		if _, err := f.WriteString(strings.ReplaceAll(text, "ABOUT", `"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s","version":"2.1.120","timestamp":"2026-03-02T10:00:00.000Z"`) + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	compact := func(n int) {
		record(fmt.Sprintf(`{"parentUuid":null,ABOUT,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","uuid":"c%d","compactMetadata":{"trigger":"manual","preTokens":140000}}`, n))
		record(fmt.Sprintf(`{"parentUuid":"c%d",ABOUT,"type":"user","uuid":"s%d","isCompactSummary":true,"message":{"role":"user","content":%q}}`, n, n, strings.Repeat("What was done so far. ", 300)))
	}
	compact(1)
	name, _ := json.Marshal(path)
	message := `{"session_id":"s","transcript_path":` + string(name) + `,"model":{"id":"claude-opus-4-6","display_name":"Opus"}}`
	line := func(build string, hasTime bool) *statusline.Line {
		t.Helper()
		env.Stdin = strings.NewReader(message)
		program := env.statuslineProgram()
		program.Build += build
		if !hasTime {
			program.HasTime = func() bool { return false }
		}
		l, _ := program.Agent(t.Context(), "")
		return l
	}
	look := statusline.Look{Template: "{mark}{percent}", Style: terminal.Style{Unicode: true}}
	shown := line("", false)
	if text := shown.ForAgent(look); !shown.Unfinished || text != "claude-opus-4-6 ctx …" {
		t.Fatalf("a transcript of which a part was read shows %q", text)
	}
	look.Style.Unicode = false
	if text := shown.ForAgent(look); text != "claude-opus-4-6 ctx ..." {
		t.Errorf("in ASCII it shows %q", text)
	}
	for runs := 0; shown.Unfinished; runs++ {
		if runs == 200 {
			t.Fatal("no line comes to the end of the transcript")
		}
		shown = line("", false)
	}
	out.Reset()
	if code := run(context.Background(), env, []string{"status", "--json", path}); code != exitOK {
		t.Fatalf("status ends with %d: %s", code, errs.String())
	}
	r, err := terminal.Parse(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	good := r.Display.Mark + r.Display.Percent
	if text := shown.ForAgent(look); text != good {
		t.Errorf("the line shows %q, status %q", text, good)
	}
	// After an update of the program, nothing that was read before can be used, and the session was compacted again.
	compact(2)
	old := line("2", false)
	if text := old.ForAgent(look); !old.Unfinished || !strings.HasPrefix(text, good+" (") || !strings.HasSuffix(text, " old)") {
		t.Errorf("instead of the part that was read in time, %q is shown", text)
	}
}

// TestStatuslineReadsTheRestOfATranscript checks that a line from a transcript's end, which has the number of the
// whole, leaves out the cost of returning, and that the next line continues reading although nothing was appended.
func TestStatuslineReadsTheRestOfATranscript(t *testing.T) {
	var out, errs bytes.Buffer
	env := testEnvironment(t, &out, &errs)
	path := filepath.Join(env.Dir, "s.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	writeClaudeTranscript(f, "s", "/w", 60, 40_000)
	name, _ := json.Marshal(path)
	read := false
	line := func() *api.Reading {
		t.Helper()
		env.Stdin = strings.NewReader(`{"session_id":"s","transcript_path":` + string(name) + `,"model":{"id":"claude-opus-4-6"}}`)
		program := env.statuslineProgram()
		program.HasTime = func() bool { read = true; return false }
		l, err := program.Agent(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := terminal.Parse(l.Reading)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := line()
	if first.Cache.Back != nil || first.Basis == "estimated" {
		t.Errorf("the end of the transcript shows %+v, and its basis is %s", first.Cache.Back, first.Basis)
	}
	for runs := 0; read; runs++ {
		if runs == 200 {
			t.Fatal("no line comes to the end of the transcript")
		}
		read = false
		if r := line(); r.Display.Percent != first.Display.Percent {
			t.Errorf("a later line shows %s instead of %s", r.Display.Percent, first.Display.Percent)
		}
	}
}
