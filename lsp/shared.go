// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
)

// A Rendezvous is where the editors of one user find their common daemon: a directory that nobody else can enter, with
// a socket and a lock in it. Programs of different builds have different ones, so that an update is never served by
// what it replaced.
type Rendezvous struct {
	dir, name string
}

// NewRendezvous uses the user's runtime directory, and creates it if need be. build tells one build from another.
func NewRendezvous(getenv func(string) string, build string) (*Rendezvous, error) {
	dir := ""
	switch {
	case getenv("XDG_RUNTIME_DIR") != "":
		dir = filepath.Join(getenv("XDG_RUNTIME_DIR"), "ctx-lsp")
	case runtime.GOOS == "windows":
		dir = filepath.Join(getenv("LOCALAPPDATA"), "ctx-lsp", "run")
	default:
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("ctx-lsp-%d", os.Getuid()))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("there is no runtime directory: %w", err)
	}
	if err := ownedAlone(dir); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(build))
	return &Rendezvous{dir, "daemon-" + hex.EncodeToString(sum[:6])}, nil
}

// BuildOf tells one program file from another, whatever version it calls itself.
func BuildOf(version string) string {
	path, err := os.Executable()
	if err != nil {
		return version
	}
	info, err := os.Stat(path)
	if err != nil {
		return version
	}
	return fmt.Sprintf("%s %s %d %d", version, path, info.Size(), info.ModTime().UnixNano())
}

// Socket is the path of the socket.
func (r *Rendezvous) Socket() string { return filepath.Join(r.dir, r.name+".sock") }

// Log is the path of the daemon's log.
func (r *Rendezvous) Log() string { return filepath.Join(r.dir, r.name+".log") }

// ErrTaken says that another daemon serves already.
var ErrTaken = errors.New("another daemon serves already")

// Listen makes this process the daemon. Of two that race for it one gets the lock, and the other ErrTaken. The lock
// ends with the process, however that ends.
func (r *Rendezvous) Listen() (net.Listener, func(), error) {
	lock := flock.New(filepath.Join(r.dir, r.name+".lock"))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, nil, err
	}
	if !locked {
		return nil, nil, ErrTaken
	}
	listener, err := Pipe(r.Socket()).Listen()
	if err != nil {
		lock.Close()
		return nil, nil, err
	}
	return listener, func() { listener.Close(); lock.Close() }, nil
}

// Dial connects to the daemon, starting one with start when there is none.
func (r *Rendezvous) Dial(ctx context.Context, start *exec.Cmd) (net.Conn, error) {
	if conn, err := net.Dial("unix", r.Socket()); err == nil {
		return conn, nil
	}
	detach(start)
	if err := start.Start(); err != nil {
		return nil, fmt.Errorf("the shared daemon does not start: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- start.Wait() }()
	deadline := time.After(10 * time.Second)
	for {
		if conn, err := net.Dial("unix", r.Socket()); err == nil {
			return conn, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-deadline:
			return nil, fmt.Errorf("the shared daemon does not answer at %s; its log is %s", r.Socket(), r.Log())
		case err := <-ended:
			if err != nil {
				return nil, fmt.Errorf("the shared daemon ended: %w; its log is %s", err, r.Log())
			}
			ended = nil // another one was faster; it is about to listen
		case <-time.After(10 * time.Millisecond):
		}
	}
}

var shutdownMethod = regexp.MustCompile(`"method"\s*:\s*"shutdown"`)

// Forward carries bytes between a client on standard input and output and the daemon, until either side ends, and
// returns the client's exit code: 0 after shutdown, 1 otherwise.
func Forward(client io.ReadWriteCloser, daemon net.Conn) int {
	var orderly atomic.Bool
	go func() {
		relay(daemon, client, &orderly)
		if half, ok := daemon.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite() // a client that is gone reads nothing
		}
	}()
	_, _ = io.Copy(client, daemon) // ends when the daemon closes, or the client no longer reads
	daemon.Close()
	if orderly.Load() {
		return 0
	}
	return 1
}

// relay copies what the client sends, and notes whether a shutdown was in it.
func relay(to io.Writer, from io.Reader, shutdown *atomic.Bool) {
	const overlap = 64
	buffer := make([]byte, 64<<10)
	kept := 0
	for {
		n, err := from.Read(buffer[kept:])
		chunk := buffer[:kept+n]
		if shutdownMethod.Match(chunk) {
			shutdown.Store(true)
		}
		if n > 0 {
			if _, err := to.Write(chunk[kept:]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
		kept = copy(buffer, chunk[max(0, len(chunk)-overlap):])
	}
}
