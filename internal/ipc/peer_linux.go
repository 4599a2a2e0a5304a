// Copyright The ctx-lsp authors. MIT licence.

package ipc

import "golang.org/x/sys/unix"

// credential returns the user at the other end of a socket, according to the kernel.
func credential(socket int) (uid int, known bool) {
	peer, err := unix.GetsockoptUcred(socket, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, false
	}
	return int(peer.Uid), true
}
