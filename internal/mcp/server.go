// Copyright The ctx-lsp authors. MIT licence.

package mcp

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ctx-lsp/ctx-lsp/internal/redact"
)

// instructions describe the server as a whole to an agent. They are sent with every request, like the
// descriptions of the tools.
const instructions = "Reports how full this session's context window is, and whether more fits. Changes nothing and sends nothing."

// Serve answers a client until it closes its stream or ctx ends. Requests before the end of the stream are answered; if
// one is not, the error says so.
func (a *Answers) Serve(ctx context.Context, from io.Reader, to io.Writer) error {
	stream := newExchange(from, to)
	err := a.protocol().Run(ctx, &sdk.IOTransport{Reader: stream, Writer: stream})
	if ctx.Err() != nil {
		return nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, sdk.ErrConnectionClosed) {
		err = nil
	}
	return errors.Join(err, stream.unanswered())
}

// protocol returns the server with its tools. The descriptions are short and the results explain, because the agent
// pays for a description in every request but for a result once.
func (a *Answers) protocol() *sdk.Server {
	server := sdk.NewServer(
		&sdk.Implementation{Name: "ctx", Title: "ctx-lsp", Version: a.Version},
		&sdk.ServerOptions{Instructions: instructions},
	)
	add(a, server, "context_status", "How full the context window is, what fills it, and when it will be compacted.", a.status)
	add(a, server, "will_it_fit", "Whether files or a text still fit into the window, before they are read.", a.fits)
	add(a, server, "count_tokens", "How many tokens files or a text have.", a.count)
	add(a, server, "largest_items", "The largest items in the conversation, by name.", a.largest)
	add(a, server, "what_was_forgotten", "The items that the last compaction dropped, the largest first.", a.forgotten)
	add(a, server, "sees", "Which lines of files are in the request already, so that only others need to be read.", a.sees)
	return server
}

// add registers a tool that returns a text. An error becomes a result that is marked as an error.
func add[In any](a *Answers, server *sdk.Server, name, does string, answer func(context.Context, In) (string, error)) {
	closed := false
	tool := &sdk.Tool{Name: name, Description: does, Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed}}
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // cannot happen, because the type is one of this package
	}
	for _, parameter := range schema.Properties {
		if slices.Contains(parameter.Types, "array") { // "or null", according to the library; some agents refuse two types
			parameter.Type, parameter.Types = "array", nil
		}
	}
	tool.InputSchema = schema
	sdk.AddTool(server, tool, func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, any, error) {
		select {
		case a.one <- struct{}{}:
			defer func() { <-a.one }()
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
		text, err := answer(ctx, in)
		red := redact.Redactor{Unredacted: a.Unredacted}
		if err != nil {
			return nil, nil, errors.New(red.Text(a.Sentence(err)))
		}
		text = red.Text(text)
		if note := redact.Note(redact.Count(text)); note != "" && !strings.Contains(text, note) {
			text = strings.TrimRight(text, "\n") + "\n" + note + "\n"
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil, nil
	})
}
