// Copyright The ctx-lsp authors. MIT licence.

package ipc

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// A Rendezvous lets the editors of one user find the daemon that they share. It is a socket and a lock in a directory
// that no other user can enter. On Windows a file with the name of a pipe replaces the socket. Each build of the
// program has its own Rendezvous, so that an editor never connects to a daemon from before an update.
type Rendezvous struct {
	dir, name string
}

// NewRendezvous returns the Rendezvous of a build in the user's runtime directory, which it creates if necessary. asked
// are the options of the daemon: editors with different options get different daemons, so that the first editor does
// not decide for the others.
func NewRendezvous(getenv func(string) string, build string, asked ...string) (*Rendezvous, error) {
	dir, err := RuntimeDir(getenv)
	if err != nil {
		return nil, err
	}
	at := &Rendezvous{dir, "daemon-" + digest(build)}
	if len(asked) > 0 {
		at.name += "-" + digest(strings.Join(asked, "\x00"))
	}
	if path := at.Socket(); runtime.GOOS != "windows" && len(path) > longestPath {
		return nil, fmt.Errorf("the path of the socket would be longer than %d bytes: %s", longestPath, path)
	}
	return at, nil
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:5])
}

// RuntimeDir returns the directory for this user's sockets and secrets, and creates it if necessary. It fails if
// another user could enter the directory.
func RuntimeDir(getenv func(string) string) (string, error) {
	dir := ""
	switch {
	case filepath.IsAbs(getenv("XDG_RUNTIME_DIR")):
		dir = filepath.Join(getenv("XDG_RUNTIME_DIR"), "ctx-lsp")
	case runtime.GOOS == "windows":
		dir = filepath.Join(local(getenv), "ctx-lsp", "run")
	default:
		dir = filepath.Join(os.TempDir(), fmt.Sprintf("ctx-lsp-%d", os.Getuid()))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("there is no runtime directory: %w", err)
	}
	return dir, ownedAlone(dir)
}

// local returns the directory in which Windows programs keep a user's files that stay on this machine. It ignores a
// relative path, which would lead into the current project.
func local(getenv func(string) string) string {
	if dir := getenv("LOCALAPPDATA"); filepath.IsAbs(dir) {
		return dir
	}
	if home := getenv("USERPROFILE"); filepath.IsAbs(home) {
		return filepath.Join(home, "AppData", "Local")
	}
	return os.TempDir() // belongs to the user, too
}

// BuildOf identifies the running program file. Two builds of the same version differ.
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

// Sockets lists the sockets of all daemons of this build, with any options.
func (r *Rendezvous) Sockets() []string {
	build, _, _ := strings.Cut(strings.TrimPrefix(r.name, "daemon-"), "-")
	entries, _ := os.ReadDir(r.dir) // a missing directory has no sockets
	var sockets []string
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, "daemon-"+build) && strings.HasSuffix(name, ".sock") {
			sockets = append(sockets, filepath.Join(r.dir, name))
		}
	}
	return sockets
}

// Socket returns the path of the socket.
func (r *Rendezvous) Socket() string { return filepath.Join(r.dir, r.name+".sock") }

// Log returns the path of the daemon's log.
func (r *Rendezvous) Log() string { return filepath.Join(r.dir, r.name+".log") }

// ErrTaken is the error of Listen and Claim if another daemon already listens.
var ErrTaken = errors.New("another daemon is already running")

// A new daemon waits this long for one that is shutting down. A client waits that long for a daemon that starts, which
// may itself be waiting.
const (
	endPatience  = time.Minute
	dialPatience = 40 * time.Second
)

// Listen makes this process the daemon. If two processes try at the same time, one gets the lock and the other
// ErrTaken. A daemon that is shutting down no longer answers, but keeps the lock until it has released everything;
// Listen waits for it.
func (r *Rendezvous) Listen(ctx context.Context) (*Place, error) {
	for deadline := time.Now().Add(endPatience); ; {
		place, err := daemonAt(r.Socket()).Listen()
		if !errors.Is(err, ErrTaken) || time.Now().After(deadline) {
			return place, err
		}
		if conn, err := DialSocket(ctx, r.Socket()); err == nil {
			conn.Close()
			return nil, ErrTaken
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// daemonAt returns the meeting for a path in the runtime directory. Not all versions of Windows and its substitutes
// have sockets with a path, and none identifies the other end. So on Windows the file contains the name of a pipe. The
// name cannot be guessed, and so no other process can listen there before the daemon does.
func daemonAt(path string) Meeting {
	if runtime.GOOS == "windows" {
		return Meeting{hiddenPipe, path}
	}
	return Meeting{"unix", path}
}

// DialSocket connects to the daemon of one of [Rendezvous.Sockets].
func DialSocket(ctx context.Context, path string) (net.Conn, error) { return daemonAt(path).dial(ctx) }

// Dial connects to the daemon. If none is running, it runs start.
func (r *Rendezvous) Dial(ctx context.Context, start *exec.Cmd) (net.Conn, error) {
	if conn, err := DialSocket(ctx, r.Socket()); err == nil {
		return conn, nil
	}
	detach(start)
	if err := start.Start(); err != nil {
		return nil, fmt.Errorf("the shared daemon does not start: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- start.Wait() }()
	deadline := time.After(dialPatience)
	for {
		if conn, err := DialSocket(ctx, r.Socket()); err == nil {
			return conn, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-deadline:
			return nil, fmt.Errorf("the shared daemon does not respond at %s; its log is %s", r.Socket(), r.Log())
		case err := <-ended:
			if err != nil {
				return nil, fmt.Errorf("the shared daemon ended: %w; its log is %s", err, r.Log())
			}
			ended = nil // another process has become the daemon, and is about to listen
		case <-time.After(10 * time.Millisecond):
		}
	}
}
