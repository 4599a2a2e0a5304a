// Copyright The ctx-lsp authors. MIT licence.

//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// patience is how long a response may take on a machine that is suspended, short of resources and busy: the module may
// have to be compiled again, and a thousand clients may be ahead in the queue.
var patience = 5 * time.Minute

// A client is one connection.
type client struct {
	conn net.Conn
	from *bufio.Reader
	next int
}

// refusal is an error response from the daemon.
type refusal struct {
	Code    int
	Message string
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s", r.Code, r.Message) }

func frame(body string) string {
	return "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

// dial connects with a client name, which determines the ledgers that the client can resume.
func dial(d *daemon, name string) (*client, error) {
	conn, err := d.dial()
	if err != nil {
		return nil, err
	}
	c := &client{conn: conn, from: bufio.NewReader(conn)}
	if _, err := c.call("initialize", fmt.Sprintf(`{"clientInfo":{"name":%q},"capabilities":{}}`, name)); err != nil {
		conn.Close()
		return nil, err
	}
	return c, c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
}

func (c *client) send(body string) error {
	_, err := io.WriteString(c.conn, frame(body))
	return err
}

// readFrame reads the body of one message.
func readFrame(from *bufio.Reader) ([]byte, error) {
	length := 0
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			length, _ = strconv.Atoi(value) // the daemon writes digits
		}
	}
	body := make([]byte, length)
	_, err := io.ReadFull(from, body)
	return body, err
}

// call sends a request and waits for the result.
func (c *client) call(method, params string) (json.RawMessage, error) {
	c.next++
	if err := c.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	if err := c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.next, method, params)); err != nil {
		return nil, err
	}
	for {
		body, err := readFrame(c.from)
		if err != nil {
			return nil, err
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Result json.RawMessage
			Error  *refusal
		}
		if err := json.Unmarshal(body, &m); err != nil {
			return nil, err
		}
		switch {
		case m.Method != "" && m.ID != nil:
			if err := c.send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":null}`); err != nil {
				return nil, err
			}
		case m.Method != "" || string(m.ID) != strconv.Itoa(c.next):
		case m.Error != nil:
			return nil, m.Error
		default:
			return m.Result, nil
		}
	}
}
