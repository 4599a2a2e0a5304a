// Copyright The ctx-lsp authors. MIT licence.

package ipc

import "golang.org/x/sys/unix"

// credential is the user whom the kernel names as the other end of a socket.
func credential(socket int) (uid int, known bool) {
	peer, err := unix.GetsockoptXucred(socket, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, false
	}
	return int(peer.Uid), true
}
