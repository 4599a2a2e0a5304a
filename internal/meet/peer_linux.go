// Copyright The ctx-lsp authors. MIT licence.

package meet

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerUser is who holds the other end of a socket.
func peerUser(conn *net.UnixConn) (uid int, known bool) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, false
	}
	_ = raw.Control(func(fd uintptr) {
		if peer, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); err == nil {
			uid, known = int(peer.Uid), true
		}
	})
	return uid, known
}
