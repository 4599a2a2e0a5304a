// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// TestFiftySessionsCostADaemonLittle is the alarm of `make bench-begin`: fifty recent sessions of 128 MB must cost at
// most two CPU seconds and 150 MB, whatever the number of processors. Memory does not depend on other programs, so its
// alarm is closer to the measured value than that of time.
func TestFiftySessionsCostADaemonLittle(t *testing.T) {
	const (
		mostTime   = 10 * time.Second
		mostMemory = 200 << 10 // in KB
	)
	module, err := filepath.Abs("../../wasm/js/ctx.wasm")
	if err == nil {
		_, err = os.Stat(module)
	}
	if err != nil {
		t.Skip("there is no module; make wasm builds it: ", err)
	}
	home := t.TempDir()
	folder := filepath.Join(home, ".claude", "projects", "-w-p")
	freshSessions(t, folder)
	for _, compiled := range []bool{false, true} { // the first start compiles the engine, which happens once
		makeRecent(t, folder)
		used, memory := beginsAmongSessions(t, home, module)
		t.Logf("%v and %d MB; compiled before: %v", used, memory>>10, compiled)
		if compiled && (used > mostTime || memory > mostMemory) {
			t.Errorf("fifty sessions of 128 MB cost %v of processor time and %d MB", used, memory>>10)
		}
	}
}

// freshSessions writes fifty sessions of 128 MB in the form of Claude Code, like those of an agent that reads one file
// after another.
func freshSessions(t *testing.T, folder string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	file := strings.Repeat("\tif err := read(name, folder); err != nil {\\n\t\treturn fmt.Errorf(\\\"%s: %w\\\", name, err)\\n\t}\\n", 200)
	for i := range 50 {
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
		var text strings.Builder
		for n := 0; text.Len() < 128<<20/50; n++ {
			record := func(kind, uuid, message string) {
				fmt.Fprintf(&text, `{"type":%q,"uuid":%q,"parentUuid":null,"isSidechain":false,"sessionId":%q,"version":"2.1.200","cwd":"/w/p","message":%s,"timestamp":"2026-01-01T00:00:%02d.000Z"}`+"\n",
					kind, uuid, id, strings.ReplaceAll(message, "\t", `\t`), n%60)
			}
			record("user", fmt.Sprint("u", n), fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"%d%s"}]}`, n-1, n, file))
			record("assistant", fmt.Sprint("a", n), fmt.Sprintf(`{"model":"claude-opus-4-6","id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Read","input":{"file_path":"/w/p/%d.go"}}],"stop_reason":"tool_use","usage":{"input_tokens":%d,"output_tokens":50}}`, n, n, n, 10_000+n*100))
		}
		path := filepath.Join(folder, id+".jsonl")
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// makeRecent gives the sessions in a directory times in the last minutes, however long the test has taken so far.
func makeRecent(t *testing.T, folder string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(paths) != 50 {
		t.Fatal(len(paths), err)
	}
	for i, path := range paths {
		written := time.Now().Add(-time.Duration(i+1) * 15 * time.Second)
		if err := os.Chtimes(path, written, written); err != nil {
			t.Fatal(err)
		}
	}
}

// pollPause is the time between two questions. Each costs the daemon CPU time, which would grow with the time that a
// busy machine takes.
const pollPause = 200 * time.Millisecond

// beginsAmongSessions starts a daemon, waits until the number of every session is known, and returns the CPU time and
// the maximum memory in KB.
func beginsAmongSessions(t *testing.T, home, module string) (used time.Duration, memory int64) {
	t.Helper()
	daemon := exec.Command("ctx-lsp", "serve", "--stdio", "--engine=wasm", "--module="+module)
	daemon.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GOMAXPROCS=16"}
	in, err := daemon.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = daemon.Process.Kill() // it has ended, unless the test has failed
		_ = daemon.Wait()         // its exit code was checked above
	}()
	answers := wire.NewFraming(out, func(bad *wire.FrameError) { t.Error(bad) })
	send := func(message string) {
		if _, err := in.Write(wire.Frame([]byte(`{"jsonrpc":"2.0",` + message + `}`))); err != nil {
			t.Fatal(err)
		}
	}
	calls := 0
	call := func(method, params string, into any) {
		calls++
		send(fmt.Sprintf(`"id":%d,"method":%q,"params":%s`, calls, method, params))
		for {
			body, err := answers.Next()
			if err != nil {
				t.Fatalf("%s: %v", method, err)
			}
			var answer struct {
				ID     int
				Method string
				Result json.RawMessage
			}
			if json.Unmarshal(body, &answer) == nil && answer.ID == calls && answer.Method == "" {
				if into != nil && json.Unmarshal(answer.Result, into) != nil {
					t.Fatalf("%s is answered with %s", method, body)
				}
				return
			}
		}
	}
	call("initialize", `{"capabilities":{}}`, nil)
	send(`"method":"initialized","params":{}`)
	known, most := 0, -1
	var deadline time.Time
	for known < 50 {
		var read struct{ Sessions []struct{} }
		var earlier struct {
			Sessions []struct{ Glimpse *struct{} }
		}
		call("ctx/watch", `{}`, &read)
		call("ctx/earlier", `{"limit":50}`, &earlier)
		known = len(read.Sessions)
		for _, s := range earlier.Sessions {
			if s.Glimpse != nil {
				known++
			}
		}
		switch now := time.Now(); {
		case known > most:
			most, deadline = known, now.Add(5*time.Minute)
		case now.After(deadline):
			t.Fatalf("the numbers of %d sessions are known, and no further one for 5 minutes", known)
		}
		if known < 50 {
			time.Sleep(pollPause)
		}
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", daemon.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(peak, &memory); err != nil {
		t.Fatal(err)
	}
	call("shutdown", "null", nil)
	send(`"method":"exit"`)
	if err := daemon.Wait(); err != nil {
		t.Fatal(err)
	}
	usage := daemon.ProcessState.SysUsage().(*syscall.Rusage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), memory
}
