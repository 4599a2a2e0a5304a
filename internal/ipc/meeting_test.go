// Copyright The ctx-lsp authors. MIT licence.

package ipc

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// shortDir returns a directory whose sockets have paths that every system accepts.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ctx")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// needsSockets skips a test if the system has no sockets in its file system, like Wine before 9.
func needsSockets(t *testing.T) {
	t.Helper()
	path := filepath.Join(shortDir(t), "try")
	l, err := net.Listen("unix", path)
	if err != nil && runtime.GOOS == "windows" {
		t.Skip("there are no sockets with a path here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

// TestAPortWithoutAClientCannotBeJoined checks that a server whose client does not wait at the port listens there
// itself, whatever error code the system has for a refused connection.
func TestAPortWithoutAClientCannotBeJoined(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	if conn, joined, err := Port(port).Join(); joined || err != nil {
		t.Errorf("joined %v to %v: %v", joined, conn, err)
	}
}

// TestAPipeHasOneOwner checks that of several processes that find a stale socket at the same time one listens, and that
// only the listening one removes the file.
func TestAPipeHasOneOwner(t *testing.T) {
	needsSockets(t)
	path := filepath.Join(shortDir(t), "s")
	for round := range 10 {
		stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		stale.SetUnlinkOnClose(false)
		stale.Close()
		places := make(chan *Place, 8)
		var racing sync.WaitGroup
		for range 8 {
			racing.Add(1)
			go func() {
				defer racing.Done()
				place, err := Pipe(path).Listen()
				if err == nil {
					places <- place
				} else if !errors.Is(err, ErrTaken) {
					t.Error(err)
				}
			}()
		}
		racing.Wait()
		close(places)
		var owner *Place
		n := 0
		for owner = range places {
			n++
		}
		if n != 1 {
			t.Fatalf("round %d: %d listen", round, n)
		}
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatalf("round %d: the one who listens is not reached: %v", round, err)
		}
		conn.Close()
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("the socket: %v %v", info, err)
		}
		owner.Release()
		if _, err := os.Lstat(path); err == nil {
			t.Error("the socket stays behind")
		}
	}
}

// TestEditorsThatAskForDifferentThingsHaveDifferentDaemons checks that the first editor's options do not apply to the
// others, and that a search for a session finds all daemons.
func TestEditorsThatAskForDifferentThingsHaveDifferentDaemons(t *testing.T) {
	dir := shortDir(t)
	getenv := func(name string) string { return map[string]string{"XDG_RUNTIME_DIR": dir}[name] }
	sockets := map[string]bool{}
	for _, asked := range [][]string{nil, {"--state=none"}, {"--engine=native"}, {"--engine=native", "--state=none"}, {"OPENAI_API_KEY=1"}} {
		at, err := NewRendezvous(getenv, "build", asked...)
		if err != nil {
			t.Fatal(err)
		}
		place, err := at.Listen(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer place.Release()
		sockets[at.Socket()] = true
	}
	at, _ := NewRendezvous(getenv, "build")
	if len(sockets) != 5 || len(at.Sockets()) != 5 {
		t.Errorf("%d sockets, %d are found", len(sockets), len(at.Sockets()))
	}
	long := filepath.Join(dir, strings.Repeat("x", 100))
	if _, err := NewRendezvous(func(string) string { return long }, "build"); err == nil && runtime.GOOS != "windows" {
		t.Error("a path that no socket can have is no error where it could still be mended")
	}
}

func TestOfTwoDaemonsOneServes(t *testing.T) {
	dir := t.TempDir()
	getenv := func(name string) string {
		if name == "XDG_RUNTIME_DIR" {
			return dir
		}
		return ""
	}
	var listening, taken atomic.Int32
	var racing sync.WaitGroup
	var release *Place
	for range 8 {
		racing.Add(1)
		go func() {
			defer racing.Done()
			at, err := NewRendezvous(getenv, "build")
			if err != nil {
				t.Error(err)
				return
			}
			place, err := at.Listen(t.Context())
			switch {
			case err == nil:
				listening.Add(1)
				release = place
			case errors.Is(err, ErrTaken):
				taken.Add(1)
			default:
				t.Error(err)
			}
		}()
	}
	racing.Wait()
	if listening.Load() != 1 || taken.Load() != 7 {
		t.Fatalf("%d listen, %d were told that one does", listening.Load(), taken.Load())
	}
	at, _ := NewRendezvous(getenv, "build")
	info, err := os.Stat(at.Socket())
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the socket: %v %v", info, err)
	}
	release.Release()
	if place, err := at.Listen(t.Context()); err != nil {
		t.Errorf("after the first has gone: %v", err)
	} else {
		place.Release()
	}
	other, _ := NewRendezvous(getenv, "another build")
	if other.Socket() == at.Socket() {
		t.Error("two builds share a socket")
	}
	os.Chmod(filepath.Dir(at.Socket()), 0o755)
	// On Windows the permissions of the profile apply.
	if _, err := NewRendezvous(getenv, "build"); err == nil && runtime.GOOS != "windows" {
		t.Error("a runtime directory that others can enter was used")
	}
}

// TestADaemonThatIsEndingIsWaitedFor closes the listener of a daemon that keeps its claim: another process waits, and
// becomes the daemon when the claim is released.
func TestADaemonThatIsEndingIsWaitedFor(t *testing.T) {
	needsSockets(t)
	dir := shortDir(t)
	at, err := NewRendezvous(func(name string) string {
		return map[string]string{"XDG_RUNTIME_DIR": dir}[name]
	}, "build")
	if err != nil {
		t.Fatal(err)
	}
	ending, err := at.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ending.Listener.Close()
	var released atomic.Bool
	followed := make(chan error, 1)
	go func() {
		place, err := at.Listen(t.Context())
		if err == nil && !released.Load() {
			err = errors.New("it did not wait")
		}
		if place != nil {
			place.Release()
		}
		followed <- err
	}()
	select {
	case err := <-followed:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	released.Store(true)
	ending.Release()
	if err := <-followed; err != nil {
		t.Error(err)
	}
}
