// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// start specifies the agent to start, its program, the Node.js to run it with if it needs one, the model, and whether
// the agent runs in a repository.
type start struct {
	Agent, Node, Program, Model string
	Git                         bool
}

// patience is how long an agent has to send a request.
const patience = 3 * time.Minute

// run starts an agent in a namespace without a network, and returns the agent's request. It does so by calling this
// program with -inside. It needs no privileges except permission to create a user namespace in Linux.
func run(s start) (request, error) {
	self, err := os.Executable()
	if err != nil {
		return request{}, err
	}
	in, err := json.Marshal(s)
	if err != nil {
		return request{}, err
	}
	c := exec.Command("unshare", "--user", "--map-root-user", "--net", self, "-inside")
	c.Stdin = bytes.NewReader(in)
	var errs bytes.Buffer
	c.Stderr = &errs
	body, err := c.Output()
	if err != nil {
		return request{}, fmt.Errorf("%s with %s: %w: %s", s.Agent, s.Model, err, tail(errs.String()))
	}
	return readRequest(body)
}

func tail(text string) string { return text[max(0, len(text)-1500):] }

// runInside does the part of run inside the namespace. It starts the agent with an empty home directory, and writes the
// body of the first request with tools.
func runInside(in io.Reader, out io.Writer) error {
	var s start
	if err := json.NewDecoder(in).Decode(&s); err != nil {
		return err
	}
	if text, err := exec.Command("ip", "link", "set", "lo", "up").CombinedOutput(); err != nil {
		return fmt.Errorf("the loopback of the name space does not come up: %w: %s", err, text)
	}
	server, err := listen()
	if err != nil {
		return err
	}
	// Agents send this path in their prompts. It is always the same, so that its length is too.
	home := filepath.Join(os.TempDir(), "ctx-lsp-prefix-home")
	if err := os.RemoveAll(home); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(home) }()
	c, err := command(s, home, server.url)
	if err != nil {
		return err
	}
	var output bytes.Buffer
	c.Stdout, c.Stderr = &output, &output
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case body := <-server.main:
		_ = c.Process.Kill() // nothing more is needed from the agent
		_, err = out.Write(body)
		return err
	case err := <-ended:
		select {
		case body := <-server.main:
			_, err = out.Write(body)
			return err
		default:
			return fmt.Errorf("it ended without a request: %w: %s", err, tail(output.String()))
		}
	case <-time.After(patience):
		_ = c.Process.Kill()
		return fmt.Errorf("it sent no request with tools in %v: %s", patience, tail(output.String()))
	}
}
