// Copyright The ctx-lsp authors. MIT licence.

package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
)

// overHTTP is a server with an address. Each message is an HTTP request; the response is a message or a stream of
// events.
type overHTTP struct {
	server  *agents.MCPServer
	client  http.Client
	session string
	waiting [][]byte
}

func newHTTP(s *agents.MCPServer) *overHTTP {
	return &overHTTP{server: s, client: http.Client{
		// A header may contain a secret, which must only be sent to the configured address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (h *overHTTP) send(ctx context.Context, message []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.server.URL, bytes.NewReader(message))
	if err != nil {
		return errors.New("its address is invalid") // the error would repeat the address, which may contain a secret
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range h.server.Headers {
		r.Header.Set(name, value)
	}
	if h.session != "" {
		r.Header.Set("Mcp-Session-Id", h.session)
	}
	answer, err := h.client.Do(r)
	if err != nil {
		return unreached(h.server, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("it responded %s", answer.Status)
	}
	if id := answer.Header.Get("Mcp-Session-Id"); id != "" {
		h.session = id
	}
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	body := io.LimitReader(answer.Body, maxMessage+1)
	if kind == "text/event-stream" {
		return h.events(body)
	}
	text, err := io.ReadAll(body)
	switch {
	case err != nil:
		return err
	case len(text) > maxMessage:
		return fmt.Errorf("it sent a message of more than %d MB", maxMessage>>20)
	case len(bytes.TrimSpace(text)) > 0:
		h.waiting = append(h.waiting, text)
	}
	return nil
}

// unreached returns the cause of a failure without the address, because any part of it may be secret.
func unreached(s *agents.MCPServer, err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it closed the connection before responding")
	}
	if s.Variable() {
		return errors.New("it cannot be reached") // the cause may repeat a host that contains a variable's value
	}
	return fmt.Errorf("it cannot be reached: %w", err)
}

// events reads the messages of a stream, up to the response.
func (h *overHTTP) events(body io.Reader) error {
	scanner := bufio.NewScanner(body)
	scanner.Buffer(make([]byte, 64<<10), maxMessage)
	var data []byte
	for scanner.Scan() {
		text, ok := strings.CutPrefix(scanner.Text(), "data:")
		switch {
		case ok:
			data = append(data, strings.TrimPrefix(text, " ")...)
		case scanner.Text() == "" && len(data) > 0:
			h.waiting = append(h.waiting, data)
			if bytes.Contains(data, []byte(`"result"`)) || bytes.Contains(data, []byte(`"error"`)) {
				return nil
			}
			data = nil
		}
	}
	if len(data) > 0 {
		h.waiting = append(h.waiting, data)
	}
	if errors.Is(scanner.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("it sent a message of more than %d MB", maxMessage>>20)
	}
	return scanner.Err()
}

func (h *overHTTP) receive(context.Context) ([]byte, error) {
	if len(h.waiting) == 0 {
		return nil, errors.New("its response does not belong to the request")
	}
	text := h.waiting[0]
	h.waiting = h.waiting[1:]
	return text, nil
}

func (h *overHTTP) why(err error) error { return err }

func (h *overHTTP) close() { h.client.CloseIdleConnections() }
