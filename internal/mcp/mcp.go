// Copyright The ctx-lsp authors. MIT licence.

// Package mcp implements both sides of the Model Context Protocol. The client lists a server's tools: it starts the
// server or connects to its address, and limits the size of the responses. The server answers an agent's queries about
// its context.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// Limits for the responses of a server.
const (
	maxMessage  = 8 << 20  // bytes of one message
	maxTotal    = 32 << 20 // bytes of all messages
	maxMessages = 10_000
	maxPages    = 200
	maxTools    = 10_000
	lastWords   = 4 << 10 // bytes kept of the server's other output
)

// Tool is one of a server's tools, as an agent sends it with every request.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// Text returns the definition as agents send it.
func (t *Tool) Text() string {
	schema := t.InputSchema
	if len(schema) == 0 {
		schema = json.RawMessage(`{}`)
	}
	text, err := json.Marshal(struct {
		Description string          `json:"description"`
		Name        string          `json:"name"`
		Parameters  json.RawMessage `json:"parameters"`
	}{t.Description, t.Name, schema})
	if err != nil { // cannot happen, because the schema was parsed
		return t.Name + t.Description + string(schema)
	}
	return string(text)
}

// A wire carries messages to a server and back.
type wire interface {
	// send sends a message; receive returns the next one from the server.
	send(ctx context.Context, message []byte) error
	receive(ctx context.Context) ([]byte, error)
	// why adds the known details of the failure to an error.
	why(err error) error
	close()
}

// Tools returns the tools of a server. An error is a sentence that describes the server's behavior.
func Tools(ctx context.Context, s *agents.MCPServer, version string, patience time.Duration) (tools []Tool, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var w wire
	if s.URL != "" {
		w = newHTTP(s)
	} else if w, err = start(ctx, s); err != nil {
		return nil, err
	}
	defer w.close()
	c := &peer{wire: w}
	tools, err = c.tools(ctx, version)
	switch {
	case err == nil:
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("it did not respond within %s; --timeout allows more time", patience)
	default:
		err = w.why(err)
	}
	return tools, err
}

type peer struct {
	wire wire
	id   int
}

func (c *peer) tools(ctx context.Context, version string) ([]Tool, error) {
	hello := map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "ctx-lsp", "version": version},
	}
	if _, err := c.call(ctx, "initialize", hello); err != nil {
		return nil, err
	}
	if err := c.wire.send(ctx, []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)); err != nil {
		return nil, err
	}
	var all []Tool
	cursor, seen := "", map[string]bool{}
	for range maxPages {
		params := map[string]any{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		answer, err := c.call(ctx, "tools/list", params)
		if err != nil {
			return nil, err
		}
		var page struct {
			Tools      []Tool `json:"tools"`
			NextCursor string `json:"nextCursor"`
		}
		if err := json.Unmarshal(answer, &page); err != nil {
			return nil, fmt.Errorf("its list of tools cannot be read: %w", err)
		}
		if all = append(all, page.Tools...); len(all) > maxTools {
			return nil, fmt.Errorf("it has more than %d tools", maxTools)
		}
		if cursor = page.NextCursor; cursor == "" {
			return all, nil
		}
		if seen[cursor] {
			return nil, errors.New("its list of tools repeats a page")
		}
		seen[cursor] = true
	}
	return nil, fmt.Errorf("its list of tools has more than %d pages", maxPages)
}

// call sends a request and waits for the response. Requests that the server sends in the meantime get the shortest
// response that the protocol allows.
func (c *peer) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	c.id++
	message, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if err := c.wire.send(ctx, message); err != nil {
		return nil, err
	}
	for range maxMessages {
		text, err := c.wire.receive(ctx)
		if err != nil {
			return nil, err
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
			} `json:"error"`
		}
		switch err := json.Unmarshal(text, &m); {
		case err != nil:
			continue // some servers print lines that are not messages
		case m.Method != "" && len(m.ID) > 0:
			if err := c.wire.send(ctx, reply(m.Method, m.ID)); err != nil {
				return nil, err
			}
		case m.Method != "" || string(m.ID) != fmt.Sprint(c.id):
		case m.Error != nil:
			return nil, fmt.Errorf("it rejected %s: %.300s (%d)", method, m.Error.Message, m.Error.Code)
		default:
			return m.Result, nil
		}
	}
	return nil, fmt.Errorf("it sent %d messages without a response to %s", maxMessages, method)
}

func reply(method string, id json.RawMessage) []byte {
	if method == "ping" {
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{}}`, id)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"ctx-lsp only lists tools"}}`, id)
}
