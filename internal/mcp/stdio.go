// Copyright The ctx-lsp authors. MIT licence.

package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// stdio is a started server that sends one message per line.
type stdio struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	lines  chan line
	done   chan struct{} // closed when the server has ended
	ended  error
	beside besides
}

type line struct {
	text []byte
	err  error
}

// start starts a server. The server and everything it has started ends with the context at the latest.
func start(ctx context.Context, s *agents.MCPServer) (*stdio, error) {
	cmd := exec.CommandContext(ctx, s.Command, s.Args...)
	cmd.Dir = s.Dir
	cmd.Env = os.Environ()
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	together(cmd)
	cmd.WaitDelay = 2 * time.Second
	p := &stdio{cmd: cmd, lines: make(chan line, 16), done: make(chan struct{})}
	cmd.Stderr = &p.beside
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("it cannot be started: %w", err)
	}
	go func() {
		p.read(ctx, out)
		p.ended = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// read passes lines on, up to a total number of bytes.
func (p *stdio) read(ctx context.Context, out io.Reader) {
	defer close(p.lines)
	give := func(l line) bool {
		select {
		case p.lines <- l:
			return true
		case <-ctx.Done():
			return false
		}
	}
	scanner := bufio.NewScanner(io.LimitReader(out, maxTotal))
	scanner.Buffer(make([]byte, 64<<10), maxMessage)
	total := 0
	for scanner.Scan() {
		total += len(scanner.Bytes()) + 1
		if text := strings.TrimSpace(scanner.Text()); text != "" && !give(line{text: []byte(text)}) {
			return
		}
	}
	switch {
	case errors.Is(scanner.Err(), bufio.ErrTooLong):
		give(line{err: fmt.Errorf("it sent a message of more than %d MB", maxMessage>>20)})
	case total >= maxTotal-1:
		give(line{err: fmt.Errorf("it sent more than %d MB", maxTotal>>20)})
	}
}

func (p *stdio) send(ctx context.Context, message []byte) error {
	written := make(chan error, 1)
	go func() {
		_, err := p.stdin.Write(append(message, '\n'))
		written <- err
	}()
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

var errEnded = errors.New("it ended before responding")

func (p *stdio) receive(ctx context.Context) ([]byte, error) {
	select {
	case l, ok := <-p.lines:
		if !ok {
			return nil, errEnded
		}
		return l.text, l.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// why adds the server's exit code and its last line of output to an error, if the server has ended.
func (p *stdio) why(err error) error {
	select {
	case <-p.done:
	case <-time.After(500 * time.Millisecond):
		return err
	}
	if p.ended != nil {
		err = fmt.Errorf("%w (%w)", errEnded, p.ended)
	}
	if words := p.beside.last(); words != "" {
		err = fmt.Errorf("%w; it printed: %s", err, words)
	}
	return err
}

func (p *stdio) close() {
	p.stdin.Close()
	select {
	case <-p.done:
		return
	case <-time.After(200 * time.Millisecond): // well-behaved servers end when their input is closed
	}
	end(p.cmd)
	for {
		select {
		case <-p.done:
			return
		case <-p.lines: // discard the remaining lines
		case <-time.After(5 * time.Second):
			return
		}
	}
}

// besides keeps the end of a server's other output.
type besides struct {
	mu   sync.Mutex
	text []byte
}

func (b *besides) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, text...)
	if over := len(b.text) - lastWords; over > 0 {
		b.text = append(b.text[:0], b.text[over:]...)
	}
	return len(text), nil
}

// last returns the last line that is not empty.
func (b *besides) last() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(b.text)), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	return last[:min(len(last), 300)]
}
