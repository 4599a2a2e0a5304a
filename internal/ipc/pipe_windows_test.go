// Copyright The ctx-lsp authors. MIT licence.

package ipc

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// echo sends each client its input back, once that has ended.
func echo(place *Place) {
	for {
		conn, err := place.Accept()
		if err != nil {
			return
		}
		go func() {
			text, _ := io.ReadAll(conn)
			conn.Write(text)
			conn.Close()
		}()
	}
}

// TestNamesOfPipesAreKnown checks that the pipe names of editors are recognized, and that paths are not.
func TestNamesOfPipesAreKnown(t *testing.T) {
	for name, is := range map[string]bool{
		`\\.\pipe\lsp-1`: true, `\\.\PIPE\lsp-1`: true, `\\.\pipe\`: false, `\\.\pipe`: false, `C:\pipe\s`: false, `\\host\pipe\s`: false, ``: false,
		`\\?\pipe\s`: false, `./pipe/s`: false,
	} {
		if got := isNamedPipe(name); got != is {
			t.Errorf("%q is a named pipe: %v", name, got)
		}
	}
}

// TestAHiddenPipeHasOneOwner checks that of several daemons that start at once one listens, that its file leads to it,
// that the end of a client's input is detected, and that a name without a listener is replaced.
func TestAHiddenPipeHasOneOwner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "daemon-x.sock")
	for round, stale := range []string{"", `\\.\pipe\ctx-lsp-of-one-that-was-killed` + "\n", `\\.\pipe\half`, "no pipe\n"} {
		if stale != "" {
			os.WriteFile(path, []byte(stale), 0o600)
		}
		if conn, err := DialSocket(t.Context(), path); err == nil {
			conn.Close()
			t.Fatalf("round %d: somebody is reached", round)
		}
		places := make(chan *Place, 8)
		var racing sync.WaitGroup
		for range 8 {
			racing.Go(func() {
				place, err := daemonAt(path).Listen()
				if err == nil {
					places <- place
				} else if !errors.Is(err, ErrTaken) {
					t.Error(err)
				}
			})
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
		go echo(owner)
		said := bytes.Repeat([]byte("said "), 30_000) // more than fits into a pipe
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			conn, err := DialSocket(ctx, path)
			cancel()
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			if _, err := conn.Write(said); err != nil {
				t.Fatal(err)
			}
			conn.(interface{ CloseWrite() error }).CloseWrite()
			if heard, err := io.ReadAll(conn); err != nil || !bytes.Equal(heard, said) {
				t.Errorf("round %d: %d bytes come back, %v", round, len(heard), err)
			}
			conn.Close()
		}
		owner.Release()
		if _, err := os.Lstat(path); err == nil {
			t.Error("the name stays behind")
		}
	}
}

// TestANamedPipeIsJoinedOrWaitedAt checks both ways in which an editor's client uses a pipe: it listens there and is
// joined, or it connects to the listening server. Both sides may read and write at the same time.
func TestANamedPipeIsJoinedOrWaitedAt(t *testing.T) {
	name := pipes + "ctx-lsp-test-" + rand.Text()
	if conn, joined, err := Pipe(name).Join(); joined || err != nil {
		t.Fatalf("nobody is there: %v %v %v", conn, joined, err)
	}
	place, err := Pipe(name).Listen()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Pipe(name).Listen(); !errors.Is(err, ErrTaken) {
		t.Errorf("a second one that waits: %v", err)
	}
	accepted := make(chan net.Conn)
	go func() {
		conn, err := place.Accept()
		if err != nil {
			t.Error(err)
		}
		accepted <- conn
	}()
	client, joined, err := Pipe(strings.Replace(name, "pipe", "PIPE", 1)).Join()
	if err != nil || !joined {
		t.Fatalf("it is not joined: %v", err)
	}
	server := <-accepted
	for _, ends := range [][2]io.ReadWriter{{client, server}, {server, client}} {
		heard := make(chan string)
		go func() {
			text := make([]byte, 5)
			io.ReadFull(ends[0], text)
			heard <- string(text)
		}()
		time.Sleep(50 * time.Millisecond) // the first end is blocked in a read
		wrote := make(chan error, 1)
		go func() {
			_, err := ends[0].Write([]byte("while"))
			wrote <- err
		}()
		text := make([]byte, 5)
		if _, err := io.ReadFull(ends[1], text); err != nil || string(text) != "while" {
			t.Errorf("what is written while it waits in a read: %q, %v", text, err)
		}
		if err := <-wrote; err != nil {
			t.Error(err)
		}
		ends[1].Write([]byte("after"))
		if got := <-heard; got != "after" {
			t.Errorf("it reads %q", got)
		}
	}
	client.Close()
	if _, err := server.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the client has gone: %v", err)
	}
	server.Close()
	place.Release()
	if _, joined, _ := Pipe(name).Join(); joined {
		t.Error("nobody waits there any more")
	}
}
