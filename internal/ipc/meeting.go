// Copyright The ctx-lsp authors. MIT licence.

// Package ipc connects the processes of one user: a client with its daemon, and the editors that share a daemon. It
// listens, connects, and carries bytes between them; the only message that it reads is shutdown.
package ipc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Stdio joins the two halves of standard input and output to one connection.
func Stdio(in io.Reader, out io.Writer) io.ReadWriteCloser { return stdio{in, out} }

type stdio struct {
	io.Reader
	io.Writer
}

func (s stdio) Close() error {
	for _, end := range []any{s.Reader, s.Writer} {
		if closer, ok := end.(io.Closer); ok {
			closer.Close() // the process is exiting, so an error does not matter
		}
	}
	return nil
}

// refusedOnWindows is WSAECONNREFUSED. On Windows, syscall.ECONNREFUSED has another value.
const refusedOnWindows = syscall.Errno(10061)

// A Meeting is the address at which a client and a server meet: a socket file, a named pipe or a port of this machine.
type Meeting struct{ network, address string }

// Pipe returns the meeting at a socket file, or at a named pipe of Windows.
func Pipe(name string) Meeting {
	if isNamedPipe(name) {
		return Meeting{namedPipe, name}
	}
	return Meeting{"unix", name}
}

// The networks of a named pipe, and of a named pipe with its name in a file.
const namedPipe, hiddenPipe = "pipe", "hidden pipe"

// Port returns the meeting at a port of the loopback interface.
func Port(port int) Meeting { return Meeting{"tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(port))} }

func (m Meeting) String() string { return m.address }

// Join connects to a client that already listens, like VS Code's language clients. It returns false if none does; in
// that case this process has to listen.
func (m Meeting) Join() (io.ReadWriteCloser, bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	conn, err := m.dial(ctx)
	switch {
	case err == nil:
		if err := ownPeer(conn); err != nil {
			conn.Close()
			return nil, false, fmt.Errorf("no connection at %s: %w", m.address, err)
		}
		return conn, true, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, refusedOnWindows):
		return nil, false, nil
	}
	return nil, false, fmt.Errorf("cannot connect to %s: %w", m.address, err)
}

func (m Meeting) dial(ctx context.Context) (net.Conn, error) {
	if m.network == namedPipe || m.network == hiddenPipe {
		return m.dialPipe(ctx)
	}
	return new(net.Dialer).DialContext(ctx, m.network, m.address)
}

// Open reports whether the meeting is at a port. All programs of this machine can connect to a port, web pages
// included.
func (m Meeting) Open() bool { return m.network == "tcp" }

// A Place is a meeting that this process has claimed, so that no other process can listen there.
type Place struct {
	net.Listener
	path string    // the socket file, or the file with a pipe's name; empty for a port
	lock io.Closer // held until Release
}

// longestPath is the maximum length of a socket's path in bytes, slightly below the lowest limit of all systems.
const longestPath = 100

// Claim reserves a meeting for this process without listening yet. The error is ErrTaken if another process has claimed
// it. A claim ends with its process, even if that is killed.
func (m Meeting) Claim() (*Place, error) {
	if m.network == "tcp" {
		return &Place{}, nil // the system lets only one process listen at a port
	}
	if m.network == namedPipe {
		lock, err := m.claimPipe()
		if err != nil {
			return nil, err
		}
		return &Place{lock: lock}, nil
	}
	if m.network == "unix" && len(m.address) > longestPath {
		return nil, fmt.Errorf("the path of the socket is longer than %d bytes: %s", longestPath, m.address)
	}
	lock := flock.New(m.address+".lock", flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("the lock next to the socket cannot be acquired: %w", err)
	}
	if !locked {
		return nil, ErrTaken
	}
	return &Place{path: m.address, lock: lock}, nil
}

// Listen claims the meeting and listens for clients. Only this user can connect to a socket file. A socket file without
// a listener is replaced.
func (m Meeting) Listen() (*Place, error) {
	place, err := m.Claim()
	if err != nil {
		return nil, err
	}
	if err := place.Listen(m); err != nil {
		place.Release()
		return nil, err
	}
	return place, nil
}

// Listen listens at the claimed meeting.
func (p *Place) Listen(m Meeting) (err error) {
	switch m.network {
	case "tcp":
		p.Listener, err = net.Listen(m.network, m.address)
		return err
	case namedPipe, hiddenPipe:
		p.Listener, err = m.listenPipe()
		return err
	}
	if info, err := os.Lstat(p.path); err == nil {
		if info.Mode()&fs.ModeSocket == 0 {
			return fmt.Errorf("%s exists and is not a socket", p.path)
		}
		os.Remove(p.path)
	}
	listener, err := listenAlone(p.path)
	if err != nil {
		return err
	}
	listener.SetUnlinkOnClose(false) // Release removes the file under the lock; later it may belong to another process
	p.Listener = listener
	return nil
}

// Release stops listening and lets another process claim the meeting.
func (p *Place) Release() {
	if p.Listener != nil {
		p.Listener.Close()
		if p.path != "" {
			os.Remove(p.path)
		}
	}
	if p.lock != nil {
		p.lock.Close()
	}
}
