// Copyright The ctx-lsp authors. MIT licence.

//go:build linux || darwin

package ipc

import "net"

// peerUser returns the user at the other end of a socket.
func peerUser(conn *net.UnixConn) (uid int, known bool) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, false
	}
	_ = raw.Control(func(fd uintptr) { uid, known = credential(int(fd)) })
	return uid, known
}
