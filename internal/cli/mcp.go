// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/internal/redact"
)

// askedInstructions are what an agent is told of the server as a whole. They are sent with every request, like the
// descriptions of the tools.
const askedInstructions = "Reports how full this session's context window is, and whether more fits. Changes nothing and sends nothing."

func mcpCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "mcp",
		Short: "run an MCP server that answers an agent's questions about its own context",
		Example: `  ctx-lsp mcp                           use the Model Context Protocol on standard input and output
  ctx-lsp mcp --workspace=DIR           for the sessions and files of another directory
  claude mcp add ctx -- ctx-lsp mcp     add it to Claude Code`,
		Long: `Other agents expect {"command": "ctx-lsp", "args": ["mcp"]} in their list of servers.

The tools only read: how full the window is (context_status), whether files or a text would fit (will_it_fit), how many
tokens they have (count_tokens), the largest items of the conversation (largest_items), and what the last compaction
dropped (what_was_forgotten). They see only the sessions and files of the workspace. Their names and descriptions cost
the agent less than 600 tokens per request; ctx-lsp mcp-cost -- ctx-lsp mcp counts them.

Exit codes: 0 the client has closed the connection, 1 error, 2 usage.`,
	}
	fs := c.Flags()
	workspace := fs.String("workspace", env.Dir, "serve the sessions and files of this `DIRECTORY`")
	fs.Lookup("workspace").DefValue = ""
	unredacted := unredactedFlag(fs)
	jsonFlag(fs, "accepted and ignored: the protocol is JSON")
	colorFlag(fs)
	c.RunE = does(func(ctx context.Context, args []string) int {
		if len(args) > 0 {
			return env.usageError("mcp", errNoArguments)
		}
		if env.StdoutTerminal {
			env.hintf("an agent starts this command and talks to it on standard input; ctx-lsp help mcp shows how to add it")
		}
		server, err := newAsked(env, env.resolve(*workspace))
		if err != nil {
			return env.fail(err)
		}
		defer server.root.Close()
		server.unredacted = *unredacted
		err = server.protocol().Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(env.Stdin), Writer: keptOpen{env.Stdout}})
		if err != nil && ctx.Err() == nil && !errors.Is(err, io.EOF) && !errors.Is(err, mcp.ErrConnectionClosed) {
			return env.fail(err)
		}
		return exitOK
	})
	return c
}

// keptOpen is a stream that its user does not close.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }

// An asked server answers an agent's questions about one workspace.
type asked struct {
	env  *environment
	root *os.Root
	// one has a place for one call at a time. A call reads a whole session, and an agent may ask many things at once.
	one chan struct{}
	// unredacted leaves secrets in names and texts, because the user asked for it.
	unredacted bool
}

// newAsked is a server for a workspace. Its commands run in that folder, and print nothing.
func newAsked(env *environment, workspace string) (*asked, error) {
	workspace, err := filepath.EvalSymlinks(workspace)
	if err != nil {
		return nil, fmt.Errorf("the workspace: %w", err)
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fmt.Errorf("the workspace: %w", err)
	}
	inside := *env
	inside.Dir, inside.Stdout, inside.Stderr = workspace, io.Discard, io.Discard
	inside.StdoutTerminal, inside.StderrTerminal = false, false
	return &asked{env: &inside, root: root, one: make(chan struct{}, 1)}, nil
}

// protocol is the server with its tools. What a tool's description does not say, its answer does: descriptions are
// paid for in every request of the agent, answers once.
func (a *asked) protocol() *mcp.Server {
	server := mcp.NewServer(
		&mcp.Implementation{Name: "ctx", Title: "ctx-lsp", Version: version},
		&mcp.ServerOptions{Instructions: askedInstructions},
	)
	add(a, server, "context_status", "How full the context window is, what fills it, and when it will be compacted.", a.status)
	add(a, server, "will_it_fit", "Whether files or a text still fit into the window, before they are read.", a.fits)
	add(a, server, "count_tokens", "How many tokens files or a text have.", a.count)
	add(a, server, "largest_items", "The largest items in the conversation, by name.", a.largest)
	add(a, server, "what_was_forgotten", "The items that the last compaction dropped, the largest first.", a.forgotten)
	return server
}

// add registers a tool whose answer is a text. An error becomes an answer that the agent sees as one.
func add[In any](a *asked, server *mcp.Server, name, does string, answer func(context.Context, In) (string, error)) {
	closed := false
	tool := &mcp.Tool{Name: name, Description: does, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed}}
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // the type is one of this package
	}
	for _, parameter := range schema.Properties {
		if slices.Contains(parameter.Types, "array") { // or null, says the library; some agents refuse two types
			parameter.Type, parameter.Types = "array", nil
		}
	}
	tool.InputSchema = schema
	mcp.AddTool(server, tool, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		select {
		case a.one <- struct{}{}:
			defer func() { <-a.one }()
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
		text, err := answer(ctx, in)
		red := redact.Redactor{Unredacted: a.unredacted}
		if err != nil {
			return nil, nil, errors.New(red.Text(plainly(err)))
		}
		text = red.Text(text)
		if note := redact.Note(redact.Count(text)); note != "" && !strings.Contains(text, note) {
			text = strings.TrimRight(text, "\n") + "\n" + note + "\n"
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
}
