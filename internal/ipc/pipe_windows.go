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

// pipes is the prefix of all named pipes on Windows.
const pipes = `\\.\pipe\`

// isNamedPipe reports whether a name is that of a pipe, and not the path of a file.
func isNamedPipe(name string) bool {
	return len(name) > len(pipes) && strings.EqualFold(name[:len(pipes)], pipes)
}

// claimPipe prevents other processes of this user from listening at the pipe. Otherwise they would be taken for clients
// and joined.
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

// A mutex exists as long as a process has it open.
type mutex windows.Handle

func (m mutex) Close() error { return windows.CloseHandle(windows.Handle(m)) }

// dialPipe connects to the process that listens at the pipe. If all instances are busy, it waits until the context
// ends. The other process cannot act in this user's name.
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

// listenPipe listens at a pipe that only this user can open. A hidden pipe also carries the end of a stream, in a form
// that only this program supports; other clients support only bytes, and get an ordinary pipe.
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

// listenAt creates a pipe. Its first instance only reserves the name. Windows lets no client connect to it, but Wine
// does, and such a client would wait forever. So under Wine this process connects to it first.
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
	o.first.Close() // it never had any data
	return o.Listener.Close()
}

// ownPeer accepts every peer. The process that created a pipe receives the messages, but cannot act in this user's
// name, and the client that listens there has chosen the name.
func ownPeer(net.Conn) error { return nil }

// user returns the user of this process.
func user() (*windows.SID, error) {
	token, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, err
	}
	return token.User.Sid, nil
}
