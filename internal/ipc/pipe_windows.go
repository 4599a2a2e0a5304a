// Copyright The ctx-lsp authors. MIT licence.

package ipc

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"
)

// pipes is where Windows has its named pipes.
const pipes = `\\.\pipe\`

// isNamedPipe tells the name of a pipe from the path of a file.
func isNamedPipe(name string) bool {
	return len(name) > len(pipes) && strings.EqualFold(name[:len(pipes)], pipes)
}

// claimPipe keeps other processes of this user from waiting at the pipe. They would be joined instead, as if they were
// clients.
func (m Meeting) claimPipe() (io.Closer, error) {
	name, err := windows.UTF16PtrFromString(`Local\ctx-lsp-` + digest(strings.ToLower(m.address)))
	if err != nil {
		return nil, err
	}
	handle, err := windows.CreateMutex(nil, false, name)
	if errors.Is(err, windows.ERROR_ALREADY_EXISTS) {
		windows.CloseHandle(handle)
		return nil, ErrTaken
	}
	if err != nil {
		return nil, fmt.Errorf("the pipe %s cannot be claimed: %w", m.address, err)
	}
	return mutex(handle), nil
}

// A mutex is there as long as a process has it open.
type mutex windows.Handle

func (m mutex) Close() error { return windows.CloseHandle(windows.Handle(m)) }

// dialPipe connects to whoever waits at the pipe, and waits until the context ends where all are busy. Whoever waits
// there cannot act in this user's name.
func (m Meeting) dialPipe(ctx context.Context) (net.Conn, error) {
	name := m.address
	if m.network == hiddenPipe {
		text, err := os.ReadFile(m.address)
		if err != nil {
			return nil, err
		}
		whole := false
		if name, whole = strings.CutSuffix(string(text), "\n"); !whole || !isNamedPipe(name) {
			return nil, &fs.PathError{Op: "read", Path: m.address, Err: fs.ErrNotExist} // a daemon is about to write it
		}
	}
	return winio.DialPipeContext(ctx, name)
}

// listenPipe waits at a pipe that only this user can open. The end of what one side says reaches the other through a
// hidden pipe, in a form that only this program knows; a client of another kind takes bytes and nothing else.
func (m Meeting) listenPipe() (net.Listener, error) {
	me, err := user()
	if err != nil {
		return nil, fmt.Errorf("the pipe cannot be restricted to this user: %w", err)
	}
	config := &winio.PipeConfig{SecurityDescriptor: "D:P(A;;GA;;;" + me.String() + ")", InputBufferSize: 1 << 16, OutputBufferSize: 1 << 16}
	if m.network == namedPipe {
		listener, err := listenAt(m.address, config)
		if errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_PIPE_BUSY) {
			return nil, fmt.Errorf("another program is listening at %s", m.address)
		}
		return listener, err
	}
	config.MessageMode = true
	name := pipes + "ctx-lsp-" + rand.Text()
	listener, err := listenAt(name, config)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(m.address, []byte(name+"\n"), 0o600); err != nil {
		listener.Close()
		return nil, err
	}
	return listener, nil
}

// listenAt makes a pipe. Its first instance is there to keep the name, and Windows lets no client connect to it. Wine
// does, and such a client would wait for ever; so there this process is that client.
func listenAt(name string, config *winio.PipeConfig) (net.Listener, error) {
	listener, err := winio.ListenPipe(name, config)
	if err != nil || windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() != nil {
		return listener, err
	}
	first, err := winio.DialPipe(name, nil)
	if err != nil {
		listener.Close()
		return nil, err
	}
	return occupied{listener, first}, nil
}

// occupied is a pipe under Wine.
type occupied struct {
	net.Listener
	first net.Conn
}

func (o occupied) Close() error {
	o.first.Close() // nothing was ever written to it
	return o.Listener.Close()
}

// ownPeer has nothing to check: whoever has made a pipe learns what is said there, but cannot act in this user's name,
// and its name was given by the client that waits there.
func ownPeer(net.Conn) error { return nil }

// user is the user as whom this process runs.
func user() (*windows.SID, error) {
	token, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, err
	}
	return token.User.Sid, nil
}
