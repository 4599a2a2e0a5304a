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

// A Rendezvous is where the editors of one user find their common daemon: a directory that nobody else can enter, with
// a socket and a lock in it. On Windows the name of a pipe stands in the socket's place. Each build of the program has
// its own, so that an editor never meets a daemon that an update has replaced.
type Rendezvous struct {
	dir, name string
}

// NewRendezvous uses the user's runtime directory, and creates it if it is missing. build tells one build from another.
// asked is what was asked of the daemon: editors that ask for different things get different daemons, because nobody
// should get the wishes of whoever came first.
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

// RuntimeDir is the directory for this user's sockets and secrets, which nobody else can enter.
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

// local is the folder of Windows for what a program keeps of one person on one machine. A relative path would name a
// folder of whatever project is open.
func local(getenv func(string) string) string {
	if dir := getenv("LOCALAPPDATA"); filepath.IsAbs(dir) {
		return dir
	}
	if home := getenv("USERPROFILE"); filepath.IsAbs(home) {
		return filepath.Join(home, "AppData", "Local")
	}
	return os.TempDir() // one person's too
}

// BuildOf tells one program file from another, even where both have the same version.
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

// Sockets lists the sockets of every daemon of this build, whatever was asked of it.
func (r *Rendezvous) Sockets() []string {
	build, _, _ := strings.Cut(strings.TrimPrefix(r.name, "daemon-"), "-")
	entries, _ := os.ReadDir(r.dir) // without the folder there is no daemon
	var sockets []string
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, "daemon-"+build) && strings.HasSuffix(name, ".sock") {
			sockets = append(sockets, filepath.Join(r.dir, name))
		}
	}
	return sockets
}

// Socket is the path of the socket.
func (r *Rendezvous) Socket() string { return filepath.Join(r.dir, r.name+".sock") }

// Log is the path of the daemon's log.
func (r *Rendezvous) Log() string { return filepath.Join(r.dir, r.name+".log") }

// ErrTaken says that another daemon is already waiting there.
var ErrTaken = errors.New("another daemon is already running")

// How long a process waits for a daemon that is ending, and how long a client waits for a daemon that starts, which
// may be such a process.
const (
	endPatience  = time.Minute
	dialPatience = 40 * time.Second
)

// Listen makes this process the daemon. When two processes try at the same time, one gets the lock and the other
// ErrTaken. A daemon that is ending keeps the lock until it has given up all that it holds, and no longer answers;
// Listen waits for that.
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

// daemonAt is where a daemon waits that has this path in the runtime directory. Windows knows sockets with a path too,
// but not all of its versions and substitutes do, and they tell nobody who is at the other end. There the file has the
// name of a pipe, which nobody can guess and so nobody can wait at before the daemon does.
func daemonAt(path string) Meeting {
	if runtime.GOOS == "windows" {
		return Meeting{hiddenPipe, path}
	}
	return Meeting{"unix", path}
}

// DialSocket connects to the daemon of one of [Rendezvous.Sockets].
func DialSocket(ctx context.Context, path string) (net.Conn, error) { return daemonAt(path).dial(ctx) }

// Dial connects to the daemon, and starts one with start when there is none.
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
