// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/client"
)

// A status line is a process that finds the daemon of `serve --shared`, another process, and prints the daemon's
// number. After the daemon was killed, the status line reads the transcript as if there had never been one.
func TestStatuslineAndASharedDaemonAsTheyRun(t *testing.T) {
	program, err := exec.LookPath("ctx-lsp") // this test binary, under that name
	if err != nil {
		t.Fatal(err)
	}
	home, runtime := t.TempDir(), shortTempDir(t)
	environ := []string{"HOME=" + home, "XDG_RUNTIME_DIR=" + runtime, "XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "PATH=" + os.Getenv("PATH"), "LANG=en_US.UTF-8", "NO_COLOR=1"}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Env, cmd.Dir = environ, home
		return cmd
	}

	// The agent's transcript.
	path := filepath.Join(home, "s.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	writeClaudeTranscript(f, "s", "/w", 3, 0)
	f.Close()
	quoted, _ := json.Marshal(path)
	status := `{"session_id":"s","transcript_path":` + string(quoted) + `,"context_window":{"context_window_size":200000,"current_usage":{"input_tokens":3,"cache_creation_input_tokens":997,"cache_read_input_tokens":21000,"output_tokens":60}}}`
	changed := time.Now()
	line := func() string {
		changed = changed.Add(time.Second)
		os.Chtimes(path, changed, changed) // otherwise the previous line would be used
		cmd := command("statusline", "--plain", "--template", "{used} of {limit}", "--timeout=20s")
		cmd.Stdin = strings.NewReader(status)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("statusline: %v", err)
		}
		return strings.TrimSpace(string(out))
	}
	alone := line()
	if !strings.HasSuffix(alone, " of 200k") {
		t.Fatalf("without a daemon the line is %q", alone)
	}

	// An editor whose daemon has another window for the same session, because it was set.
	editor := command("serve", "--shared", "--engine=native", "--idle-exit=1m")
	in, _ := editor.StdinPipe()
	out, _ := editor.StdoutPipe()
	editor.Stderr = os.Stderr
	if err := editor.Start(); err != nil {
		t.Fatal(err)
	}
	daemonOf := client.OverStream(in, out)
	for _, call := range []struct{ method, params string }{
		{"initialize", `{"capabilities":{}}`},
		{"ctx/session/open", `{"id":"s","shared":true,"model":"claude-opus-4-6","limits":{"window":123000,"input":123000}}`},
		{"ctx/session/usage", `{"id":"s","provider":"ctx","usage":{"in":22000,"out":60}}`},
	} {
		if _, err := daemonOf.Ask(t.Context(), call.method, []byte(call.params)); err != nil {
			t.Fatalf("%s: %v", call.method, err)
		}
	}
	daemon := peerOf(t, runtime)
	defer syscall.Kill(daemon, syscall.SIGKILL)

	// The daemon has 15 ms to respond, which on a busy machine may take several attempts.
	reply := ""
	for deadline := time.Now().Add(time.Minute); reply != "22.1k of 123k" && time.Now().Before(deadline); {
		reply = line()
	}
	if reply != "22.1k of 123k" {
		t.Fatalf("with a daemon the line is %q, without one %q", reply, alone)
	}

	// A shell sends no message that shows whether the daemon has read the last records, so a transcript that has just
	// changed is read.
	shell := func(age time.Duration) string {
		at := time.Now().Add(-age)
		os.Chtimes(path, at, at)
		out, err := command("statusline", "--for=shell", "--plain", "--template", "{used} of {limit}", "--timeout=20s", path).Output()
		if err != nil {
			t.Fatalf("statusline: %v", err)
		}
		return strings.TrimSpace(string(out))
	}
	if got := shell(0); got != alone {
		t.Errorf("the line of a shell after a change is %q, and the transcript has %q", got, alone)
	}
	for deadline, age := time.Now().Add(time.Minute), time.Minute; ; age += time.Second {
		if got := shell(age); got == reply {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("the line of a shell is %q, and the daemon has %q", got, reply)
		}
	}

	if err := syscall.Kill(daemon, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	editor.Wait() // its daemon has ended, so it ends too
	begin := time.Now()
	if got := line(); got != alone {
		t.Errorf("after the daemon was killed the line is %q, before there was one %q", got, alone)
	}
	t.Logf("alone: %s; with a daemon: %s; after it was killed, in %v", alone, reply, time.Since(begin))
}

// peerOf returns the process that serves at the only meeting point in a runtime directory.
func peerOf(t *testing.T, runtime string) int {
	t.Helper()
	sockets, _ := filepath.Glob(filepath.Join(runtime, "ctx-lsp", "*.sock"))
	if len(sockets) != 1 {
		t.Fatalf("sockets: %v", sockets)
	}
	conn, err := net.Dial("unix", sockets[0])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw, err := conn.(*net.UnixConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var peer *syscall.Ucred
	raw.Control(func(fd uintptr) {
		peer, err = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	if err != nil {
		t.Fatal(err)
	}
	return int(peer.Pid)
}
