// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package ipc

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// ownedAlone returns an error for a directory that belongs to another user or that others can enter.
func ownedAlone(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || ok && int(stat.Uid) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s must be a directory that belongs to you and that no other user can enter (mode 0700)", dir)
	}
	return nil
}

// listenAlone listens at a socket file that only its owner can use. The file never has wider permissions.
func listenAlone(path string) (*net.UnixListener, error) {
	umask.Lock()
	defer umask.Unlock()
	before := syscall.Umask(0o077)
	defer syscall.Umask(before)
	return net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
}

// umask guards the umask of the process, which all goroutines share.
var umask sync.Mutex

// ownPeer returns an error if another user listens at the other end. It accepts root, who can do everything anyway.
func ownPeer(conn net.Conn) error {
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return nil
	}
	uid, known := peerUser(socket)
	if known && uid != 0 && uid != os.Getuid() {
		return fmt.Errorf("another user (%d) is listening there", uid)
	}
	return nil
}

// detach lets a process outlive the editor that started it.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
