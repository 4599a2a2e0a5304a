// Copyright The ctx-lsp authors. MIT licence.

package ipc

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestListenForAnother is not a test: it is the process of another user that waits at a socket.
func TestListenForAnother(t *testing.T) {
	path := os.Getenv("CTX_TEST_LISTEN")
	if path == "" {
		t.Skip("it is started by TestAnotherUsersSocketIsNotJoined")
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	os.Chmod(path, 0o777)
	conn, err := listener.Accept()
	if err == nil {
		conn.Read(make([]byte, 1))
	}
}

// TestAnotherUsersSocketIsNotJoined checks that a socket in a world-writable directory is joined only if this user, or
// root, listens there.
func TestAnotherUsersSocketIsNotJoined(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be two users")
	}
	dir := shortDir(t)
	os.Chmod(dir, 0o777)
	program := filepath.Join(dir, "t")
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil || os.WriteFile(program, self, 0o755) != nil {
		t.Skip("this program cannot be copied")
	}
	path := filepath.Join(dir, "s")
	other := exec.Command(program, "-test.run=^TestListenForAnother$")
	other.Env = []string{"CTX_TEST_LISTEN=" + path}
	other.Dir = dir
	other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if err := other.Start(); err != nil {
		t.Skipf("no other user: %v", err)
	}
	defer func() { other.Process.Kill(); other.Wait() }()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		conn, joined, err := Pipe(path).Join()
		switch {
		case joined:
			conn.Close()
			t.Fatal("another user's socket is joined")
		case err != nil:
			if !strings.Contains(err.Error(), "another user (65534)") {
				t.Errorf("it says %v", err)
			}
			return
		}
	}
	t.Fatal("the other user never listened")
}
