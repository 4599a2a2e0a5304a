// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/internal/mcp"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

func mcpCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "mcp",
		Short: "run an MCP server that answers an agent's questions about its own context",
		Example: `  ctx-lsp mcp                           use the Model Context Protocol on standard input and output
  ctx-lsp mcp --workspace=DIR           for the sessions and files of another directory
  claude mcp add ctx -- ctx-lsp mcp     add it to Claude Code`,
		Long: `Other agents expect {"command": "ctx-lsp", "args": ["mcp"]} in their list of servers.

The tools only read: how full the window is (context_status), whether files or a text would fit (will_it_fit), how many
tokens they have (count_tokens), the largest items of the conversation (largest_items), what the last compaction dropped
(what_was_forgotten), and which lines of files are in the request (sees). They see only the sessions and files of the
workspace. Their names and descriptions cost the agent less than 700 tokens per request; ctx-lsp mcp-cost -- ctx-lsp mcp
counts them.

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
			env.hintf("agents start this command and send requests on standard input; ctx-lsp help mcp shows how to add it")
		}
		answers, err := mcpAnswers(env, env.resolve(*workspace), *unredacted)
		if err != nil {
			return env.fail(err)
		}
		defer answers.Close()
		if err := answers.Serve(ctx, env.Stdin, env.Stdout); err != nil {
			return env.fail(err)
		}
		return exitOK
	})
	return c
}

// mcpAnswers returns the handler of an agent's queries about the sessions and files of a workspace.
func mcpAnswers(env *environment, workspace string, unredacted bool) (*mcp.Answers, error) {
	inside := *env // its messages are discarded, because its streams belong to the protocol
	inside.Stdout, inside.Stderr, inside.StdoutTerminal, inside.StderrTerminal = io.Discard, io.Discard, false, false
	answers, err := mcp.NewAnswers(workspace)
	if err != nil {
		return nil, err
	}
	inside.Dir = answers.Workspace
	answers.Machine, answers.Search, answers.Files = inside.machine(), inside.search, inside.textFiles()
	answers.Vocabularies, answers.Learned, answers.Now = inside.vocabularies(), state.OpenLearned(env.host().StateDir()), env.Now
	answers.Engine = func() (*engine.Pool, error) { return nativeEngine(&inside, 1) }
	answers.Sentence, answers.Version, answers.Unredacted = plainError, version, unredacted
	return answers, nil
}
