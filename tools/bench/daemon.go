// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os/exec"
	"strconv"
	"time"
)

// daemon runs `serve` with one session and some updates, and returns the CPU time of the process.
func daemon(p program, engine string, updates int) (time.Duration, error) {
	cmd, c, err := start(p, "serve", "--stdio", "--engine="+engine)
	if err != nil {
		return 0, err
	}
	err = converse(c, updates)
	c.to.Close()
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return 0, err
	}
	if err := cmd.Wait(); err != nil {
		return 0, err
	}
	return used(cmd), nil
}

// start starts a daemon, and returns a client of it.
func start(p program, args ...string) (*exec.Cmd, *client, error) {
	cmd := p.command(args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	return cmd, &client{to: in, from: textproto.NewReader(bufio.NewReader(out))}, cmd.Start()
}

func converse(c *client, updates int) error {
	if err := begin(c, updates); err != nil {
		return err
	}
	return finish(c)
}

type object = map[string]any

// begin opens a session and sends some updates.
func begin(c *client, updates int) error {
	if err := c.call("initialize", object{"capabilities": object{}}); err != nil {
		return err
	}
	if err := c.send(object{"method": "initialized", "params": object{}}); err != nil {
		return err
	}
	open := object{"id": "s", "model": "gpt-5", "limits": object{"window": 1 << 30}}
	if err := c.call("ctx/session/open", open); err != nil {
		return err
	}
	for n := range updates {
		item := object{"kind": "user", "text": words(n)}
		if err := c.call("ctx/session/update", object{"id": "s", "append": []object{item}}); err != nil {
			return err
		}
	}
	return nil
}

// finish ends the daemon.
func finish(c *client) error {
	if err := c.call("shutdown", nil); err != nil {
		return err
	}
	return c.send(object{"method": "exit"})
}

// A client sends one request after another.
type client struct {
	to   io.WriteCloser
	from *textproto.Reader
	last int
}

func (c *client) send(message map[string]any) error {
	message["jsonrpc"] = "2.0"
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.to, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// call sends a request and waits for its response. It ignores notifications and requests from the server.
func (c *client) call(method string, params any) error {
	c.last++
	request := map[string]any{"id": c.last, "method": method}
	if params != nil {
		request["params"] = params
	}
	if err := c.send(request); err != nil {
		return err
	}
	for {
		header, err := c.from.ReadMIMEHeader()
		if err != nil {
			return err
		}
		length, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return err
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(c.from.R, body); err != nil {
			return err
		}
		var response struct {
			ID     json.RawMessage
			Method string
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(body, &response); err != nil {
			return err
		}
		if response.Method != "" || string(response.ID) != strconv.Itoa(c.last) {
			continue
		}
		if response.Error != nil {
			return errors.New(method + ": " + response.Error.Message)
		}
		return nil
	}
}
