// Copyright The ctx-lsp authors. MIT licence.

// Package sink runs ctx-lsp-fleet, the program that writes Parquet files and sends measurements to OpenTelemetry
// collectors. It is a separate Go module, fleet/, so that ctx-lsp does not need the libraries for either.
package sink

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Name is the program's name.
const Name = "ctx-lsp-fleet"

// ErrMissing reports that the program was not found, and how to get it.
var ErrMissing = errors.New(Name + " is missing: it is next to ctx-lsp in the archives, the Linux packages and Homebrew; " +
	"with Go, go install github.com/ctx-lsp/ctx-lsp/fleet/" + Name + "@latest; from a clone, make install-fleet")

// Find returns the path of the program: next to this program, or on PATH.
func Find() (string, error) {
	exe, err := os.Executable()
	if err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
	}
	name := Name
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if exe != "" {
		path := filepath.Join(filepath.Dir(exe), name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	path, err := exec.LookPath(Name)
	if err != nil {
		return "", ErrMissing
	}
	return path, nil
}

// A Sink is a running program. Write sends lines to it, and Lines receives its lines.
type Sink struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  tail
	once    sync.Once
	ended   chan struct{} // closed when the program has ended
	failed  error         // how it ended; valid once ended is closed
}

// Start starts the program with the given arguments.
func Start(args ...string) (*Sink, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	s := &Sink{command: exec.Command(path, args...), ended: make(chan struct{})}
	if s.in, err = s.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	s.command.Stderr = &s.stderr
	apart(s.command)
	if err := s.command.Start(); err != nil {
		return nil, fmt.Errorf("%s cannot be started: %w", Name, err)
	}
	return s, nil
}

// Write writes to the program.
func (s *Sink) Write(text []byte) (int, error) { return s.in.Write(text) }

// Lines calls visit for each line of the program until it ends. It returns the error with which the program ended, nil
// if it succeeded. It must be called only once.
func (s *Sink) Lines(visit func(line []byte)) error {
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			break
		}
		visit(line)
	}
	s.failed = s.command.Wait()
	if text := s.stderr.last(); s.failed != nil && text != "" {
		s.failed = errors.New(text)
	}
	close(s.ended)
	return s.failed
}

// Close closes the program's input, and kills the program if it does not end in time. It requires a running Lines.
func (s *Sink) Close(within time.Duration) {
	s.once.Do(func() { _ = s.in.Close() })
	select {
	case <-s.ended:
	case <-time.After(within):
		_ = s.command.Process.Kill()
		<-s.ended
	}
}

// A tail keeps the end of the text written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, text...)
	if over := len(t.text) - 4096; over > 0 {
		t.text = t.text[over:]
	}
	return len(text), nil
}

// last returns the last line, without the program's name.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimSpace(t.text)
	return strings.TrimPrefix(string(text[bytes.LastIndexByte(text, '\n')+1:]), Name+": ")
}
