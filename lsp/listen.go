// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
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
			closer.Close() // the process ends; there is nobody to tell
		}
	}
	return nil
}

// A Meeting is where client and server find each other: a socket file or named pipe, or a port of this machine.
type Meeting struct{ network, address string }

// Pipe is a meeting at a socket file, or at a named pipe under Windows.
func Pipe(name string) Meeting { return Meeting{"unix", name} }

// Port is a meeting at a port of the loopback interface.
func Port(port int) Meeting { return Meeting{"tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(port))} }

func (m Meeting) String() string { return m.address }

// Join connects to the client that waits there, as language clients of VS Code do. It is false when nobody waits: then
// the server is the one to listen.
func (m Meeting) Join() (io.ReadWriteCloser, bool, error) {
	if runtime.GOOS == "windows" && strings.HasPrefix(m.address, `\\.\pipe\`) {
		f, err := os.OpenFile(m.address, os.O_RDWR, 0)
		return f, err == nil, err
	}
	conn, err := net.DialTimeout(m.network, m.address, 5*time.Second)
	switch {
	case err == nil:
		return conn, true, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, false, nil
	}
	return nil, false, fmt.Errorf("cannot connect to %s: %w", m.address, err)
}

// Listen waits at the meeting for clients. A socket file is its owner's alone; one that nobody listens at is replaced.
func (m Meeting) Listen() (net.Listener, error) {
	if m.network != "unix" {
		return net.Listen(m.network, m.address)
	}
	const longest = 100 // the shortest limit of the systems, less a little
	if len(m.address) > longest {
		return nil, fmt.Errorf("the path of the socket is longer than %d bytes: %s", longest, m.address)
	}
	if info, err := os.Lstat(m.address); err == nil {
		if info.Mode()&fs.ModeSocket == 0 {
			return nil, fmt.Errorf("%s exists and is no socket", m.address)
		}
		os.Remove(m.address)
	}
	listener, err := net.Listen("unix", m.address)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(m.address, 0o700); err != nil {
		listener.Close()
		return nil, err
	}
	return listener, nil
}

// ServeListener serves every client that comes, until ctx is cancelled, and waits for them to end.
func (s *Server) ServeListener(ctx context.Context, listener net.Listener) error {
	stop := context.AfterFunc(ctx, func() { listener.Close() })
	defer stop()
	var serving sync.WaitGroup
	defer serving.Wait()
	for {
		conn, err := listener.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			var temporary net.Error
			if errors.As(err, &temporary) && temporary.Timeout() || errors.Is(err, syscall.EMFILE) {
				s.log.Warn("a client could not be accepted", "error", err)
				time.Sleep(100 * time.Millisecond)
				continue
			}
			return err
		}
		serving.Add(1)
		go func() {
			defer serving.Done()
			s.Serve(ctx, conn)
		}()
	}
}
