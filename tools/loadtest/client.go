// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"sync"
)

// A client is one connection to a daemon.
type client struct {
	to    io.WriteCloser
	from  *bufio.Reader
	child *exec.Cmd // set if the client itself started the daemon

	mu   sync.Mutex
	next int

	body []byte // the last message read; its memory is reused
}

func startClient(program, engine, dir string) (*client, error) {
	cmd := exec.Command(program, arguments(engine, dir)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &client{to: in, from: bufio.NewReader(out), child: cmd}
	return c, c.initialize()
}

func dial(socket string) (*client, error) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, err
	}
	c := &client{to: conn, from: bufio.NewReaderSize(conn, 64<<10)}
	return c, c.initialize()
}

func (c *client) initialize() error {
	if _, err := c.call("initialize", map[string]any{"capabilities": map[string]any{}}); err != nil {
		return err
	}
	return c.notify("initialized", map[string]any{})
}

func (c *client) close() {
	c.to.Close()
	if c.child != nil {
		_ = c.child.Wait() // its exit code reports a missing shutdown, rightly
	}
}

func (c *client) send(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return c.sendRaw(body)
}

func (c *client) sendRaw(body []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.to.Write(append([]byte("Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"), body...))
	return err
}

func (c *client) notify(method string, params any) error {
	return c.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// call sends a request and waits for the result; nothing else may read at the same time.
func (c *client) call(method string, params any) (json.RawMessage, error) {
	c.next++
	id := c.next
	if err := c.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		body, err := c.read()
		if err != nil {
			return nil, err
		}
		var m struct {
			ID     *int
			Method string
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(body, &m); err != nil {
			return nil, err
		}
		if m.Method != "" || m.ID == nil || *m.ID != id {
			continue
		}
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		return m.Result, nil
	}
}

// read returns the body of a message, which is valid until the next one is read.
func (c *client) read() ([]byte, error) {
	length := 0
	for {
		line, err := c.from.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(value)); err != nil {
				return nil, err
			}
		}
	}
	if cap(c.body) < length {
		c.body = make([]byte, length+length/2)
	}
	body := c.body[:length]
	_, err := io.ReadFull(c.from, body)
	return body, err
}
