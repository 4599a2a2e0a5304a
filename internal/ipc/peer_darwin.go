// Copyright The ctx-lsp authors. MIT licence.

package ipc

import "golang.org/x/sys/unix"

// credential returns the user at the other end of a socket, according to the kernel.
func credential(socket int) (uid int, known bool) {
	peer, err := unix.GetsockoptXucred(socket, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, false
	}
	return int(peer.Uid), true
}
