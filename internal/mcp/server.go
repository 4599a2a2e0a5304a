// Copyright The ctx-lsp authors. MIT licence.

package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/redact"
)

// instructions describe the server as a whole to an agent. They are sent with every request, like the
// descriptions of the tools.
const instructions = "Reports how full this session's context window is, and whether more fits. Changes nothing and sends nothing."

// versions are the supported versions of the protocol, newest first. From stateless on, every request carries its
// version and clients do not call initialize, which negotiates one of the others.
var versions = []string{stateless, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

const stateless = "2026-07-28"

// The codes of errors.
const (
	codeMalformed   = -32700
	codeInvalid     = -32600
	codeNoMethod    = -32601
	codeParameters  = -32602
	codeUnsupported = -32022 // the request's version of the protocol
)

const (
	// maxRequest is the largest request in bytes: the largest text, with every character escaped.
	maxRequest = 64 << 20
	// lastCalls is how long running calls may continue after the client has closed its stream.
	lastCalls = 2 * time.Second
)

// request is a message of a client.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// parameters contains the parameters of all methods.
type parameters struct {
	Meta struct {
		Version string `json:"io.modelcontextprotocol/protocolVersion"`
	} `json:"_meta"`
	Version   string          `json:"protocolVersion"` // initialize: the requested version
	RequestID json.RawMessage `json:"requestId"`       // notifications/cancelled: the request to cancel
	Name      string          `json:"name"`            // tools/call: the tool
	Arguments json.RawMessage `json:"arguments"`
}

// problem is the error of a response.
type problem struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

type result = map[string]any

// tool is a tool that an agent can call.
type tool struct {
	name, does, schema string
	call               func(ctx context.Context, arguments json.RawMessage) (string, error)
}

// The parameters of the tools, aboutSession and aboutTexts, as schemas.
const (
	sessionSchema = `{"type":"object","properties":{"session":{"type":"string","description":"another session's id"}},"additionalProperties":false}`
	textsSchema   = `{"type":"object","properties":{"files":{"type":"array","items":{"type":"string"},"description":"files or folders of the workspace"},"text":{"type":"string"},"session":{"type":"string","description":"another session's id"}},"additionalProperties":false}`
)

// tools returns the tools, by name. The descriptions are short and the results explain, because the agent pays for a
// description in every request but for a result once.
func (a *Answers) tools() []tool {
	return []tool{
		{"context_status", "How full the context window is, what fills it, and when it will be compacted.", sessionSchema, reads(a.status)},
		{"count_tokens", "How many tokens files or a text have.", textsSchema, reads(a.count)},
		{"largest_items", "The largest items in the conversation, by name.", sessionSchema, reads(a.largest)},
		{"what_was_forgotten", "The items that the last compaction dropped, the largest first.", sessionSchema, reads(a.forgotten)},
		{"will_it_fit", "Whether files or a text still fit into the window, before they are read.", textsSchema, reads(a.fits)},
	}
}

// reads returns a call that reads the arguments of a tool.
func reads[In any](answer func(context.Context, In) (string, error)) func(context.Context, json.RawMessage) (string, error) {
	return func(ctx context.Context, arguments json.RawMessage) (string, error) {
		var in In
		if len(arguments) > 0 {
			decoder := json.NewDecoder(bytes.NewReader(arguments))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&in); err != nil {
				if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
					return "", fmt.Errorf("there is no argument %s", name)
				}
				return "", fmt.Errorf("the arguments cannot be used: %w", err)
			}
		}
		return answer(ctx, in)
	}
}

// connection is the connection of a client.
type connection struct {
	answers *Answers
	tools   []tool

	writing sync.Mutex
	to      io.Writer
	failed  error // the first failed write

	calls   sync.WaitGroup
	mu      sync.Mutex
	running map[string]context.CancelFunc // the running calls, keyed by request id
}

// Serve answers a client until it closes its stream or ctx ends.
func (a *Answers) Serve(ctx context.Context, from io.Reader, to io.Writer) error {
	return a.serve(ctx, from, to, a.tools(), lastCalls)
}

// serve is Serve with these tools; patience is how long running calls may continue at the end.
func (a *Answers) serve(ctx context.Context, from io.Reader, to io.Writer, tools []tool, patience time.Duration) error {
	calls, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &connection{answers: a, tools: tools, to: to, running: map[string]context.CancelFunc{}}
	ended := make(chan error, 1)
	go func() { ended <- s.read(calls, from) }()
	select {
	case <-ctx.Done():
		return nil
	case err := <-ended:
		last := time.AfterFunc(patience, cancel)
		defer last.Stop()
		s.calls.Wait()
		s.writing.Lock()
		defer s.writing.Unlock()
		return errors.Join(err, s.failed)
	}
}

// read handles the client's messages, one per line.
func (s *connection) read(ctx context.Context, from io.Reader) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 64<<10), maxRequest)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var r request
		err := json.Unmarshal(line, &r)
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &kind) || err == nil && r.Method == "" && len(r.ID) == 0:
			s.refuse(nil, &problem{Code: codeInvalid, Message: "expected a JSON-RPC request"})
		case err != nil:
			s.refuse(nil, &problem{Code: codeMalformed, Message: "the message is not JSON"})
		case r.Method != "": // otherwise a response, which this server does not expect
			s.handle(ctx, &r)
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a request is longer than %d MB", maxRequest>>20)
	}
	return lines.Err()
}

// handle answers a request. Calls of tools run concurrently with the requests after them, so that they can be
// canceled.
func (s *connection) handle(ctx context.Context, r *request) {
	var p parameters
	err := json.Unmarshal(r.Params, &p)
	if len(r.ID) == 0 || string(r.ID) == "null" {
		if r.Method == "notifications/cancelled" {
			s.cancel(p.RequestID)
		}
		return
	}
	modern := p.Meta.Version >= stateless
	switch {
	case err != nil && len(r.Params) > 0:
		s.refuse(r.ID, &problem{Code: codeParameters, Message: "the parameters have the wrong type"})
	case modern && !slices.Contains(versions, p.Meta.Version):
		s.refuse(r.ID, &problem{codeUnsupported, "unsupported protocol version", result{"supported": versions, "requested": p.Meta.Version}})
	case r.Method == "tools/call":
		s.start(ctx, r.ID, &p, modern)
	default:
		out := s.result(r.Method, &p, modern)
		if out == nil {
			s.refuse(r.ID, &problem{Code: codeNoMethod, Message: fmt.Sprintf("method not found: %q", r.Method)})
			return
		}
		s.respond(r.ID, out, modern)
	}
}

// result returns the result of a method other than tools/call, or nil if the method is unknown.
func (s *connection) result(method string, p *parameters, modern bool) result {
	switch {
	case method == "initialize" && !modern:
		version := versions[1]
		if p.Version != stateless && slices.Contains(versions, p.Version) {
			version = p.Version
		}
		return result{"protocolVersion": version, "capabilities": capabilities, "serverInfo": s.info(), "instructions": instructions}
	case method == "ping" && !modern:
		return result{}
	case method == "server/discover" && modern:
		return cacheable(result{"supportedVersions": versions, "capabilities": capabilities, "instructions": instructions})
	case method == "tools/list":
		list := make([]result, len(s.tools))
		for i, t := range s.tools {
			list[i] = result{
				"name": t.name, "description": t.does, "inputSchema": json.RawMessage(t.schema),
				"annotations": result{"readOnlyHint": true, "idempotentHint": true, "openWorldHint": false},
			}
		}
		return cacheable(result{"tools": list})
	case method == "prompts/list":
		return cacheable(result{"prompts": []string{}})
	case method == "resources/list":
		return cacheable(result{"resources": []string{}})
	}
	return nil
}

var capabilities = result{"tools": result{}}

// cacheable adds how long a client may keep a result: until it connects again.
func cacheable(r result) result {
	r["ttlMs"], r["cacheScope"] = 0, "public"
	return r
}

func (s *connection) info() result {
	return result{"name": "ctx", "title": "ctx-lsp", "version": s.answers.Version}
}

// start calls a tool in a goroutine of its own.
func (s *connection) start(ctx context.Context, id json.RawMessage, p *parameters, modern bool) {
	i := slices.IndexFunc(s.tools, func(t tool) bool { return t.name == p.Name })
	if i < 0 {
		s.refuse(id, &problem{Code: codeParameters, Message: fmt.Sprintf("unknown tool %q", p.Name)})
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.running[string(id)] = cancel
	s.mu.Unlock()
	s.calls.Go(func() {
		defer cancel()
		text, err := s.answers.call(ctx, &s.tools[i], p.Arguments)
		canceled := ctx.Err() != nil
		s.mu.Lock()
		delete(s.running, string(id))
		s.mu.Unlock()
		if canceled {
			return // a client expects no response to a canceled request
		}
		out := result{"content": []result{{"type": "text", "text": text}}}
		if err != nil {
			out["isError"] = true
		}
		s.respond(id, out, modern)
	})
}

func (s *connection) cancel(id json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[string(id)]; cancel != nil {
		cancel()
	}
}

// call returns the text of a tool's result, with secrets removed, or of its error.
func (a *Answers) call(ctx context.Context, t *tool, arguments json.RawMessage) (string, error) {
	select {
	case a.one <- struct{}{}:
		defer func() { <-a.one }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	text, err := t.call(ctx, arguments)
	red := redact.Redactor{Unredacted: a.Unredacted}
	if err != nil {
		return red.Text(a.Sentence(err)), err
	}
	text = red.Text(text)
	if note := redact.Note(redact.Count(text)); note != "" && !strings.Contains(text, note) {
		text = strings.TrimRight(text, "\n") + "\n" + note + "\n"
	}
	return text, nil
}

// respond sends a result.
func (s *connection) respond(id json.RawMessage, out result, modern bool) {
	if modern {
		out["resultType"], out["_meta"] = "complete", result{"io.modelcontextprotocol/serverInfo": s.info()}
	}
	s.send(result{"jsonrpc": "2.0", "id": id, "result": out})
}

// refuse sends an error. The id is nil if the request could not be read.
func (s *connection) refuse(id json.RawMessage, p *problem) {
	s.send(result{"jsonrpc": "2.0", "id": id, "error": p})
}

func (s *connection) send(message result) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(message)
	s.writing.Lock()
	defer s.writing.Unlock()
	if err == nil && s.failed == nil {
		_, err = s.to.Write(line.Bytes())
	}
	if err != nil && s.failed == nil {
		s.failed = err
	}
}
