// Copyright The ctx-lsp authors. MIT licence.

//go:build unix && !linux && !darwin

package ipc

import (
	"net"
	"os"
	"syscall"
)

// peerUser returns the owner of the socket's file. This system does not identify the user at the other end.
func peerUser(conn *net.UnixConn) (uid int, known bool) {
	info, err := os.Lstat(conn.RemoteAddr().String())
	if err != nil {
		return 0, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}
