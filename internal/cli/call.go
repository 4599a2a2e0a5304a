// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

func callCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "call METHOD",
		Short: "call one method of the protocol, with its parameters on standard input",
		Example: `  echo '{"text":"How many tokens is this?","model":"gpt-5.5"}' | ctx-lsp call ctx/count
  echo '{"model":"gpt-5.5","rule":{"percent":80}}' | ctx-lsp call ctx/session/open --engine wasm
  ctx-lsp call ctx/models --params '{"query":"opus"}'`,
		Long: `The result is printed as JSON. A protocol error is printed as JSON to standard error, and the exit code is 1.
docs/protocol.md describes the methods. Sessions last as long as the command.`,
		ValidArgsFunction: completeWords(api.MethodNames()),
	}
	fs := c.Flags()
	params := fs.String("params", "", "use these parameters, as `JSON`, instead of standard input")
	location := newEngineFlags(fs)
	jsonFlag(fs, "accepted and ignored: the result is always JSON")
	colorFlag(fs)
	c.RunE = does(func(ctx context.Context, args []string) int {
		if len(args) != 1 {
			return env.usageError("call", errors.New("expected one method, such as ctx/count; its parameters are read from standard input, or from --params"))
		}
		var err error
		text := []byte(*params)
		if len(text) == 0 {
			// Read one byte more than allowed, so that the engine refuses parameters that are too long.
			if text, err = io.ReadAll(io.LimitReader(env.input(), api.MaxParams+1)); err != nil {
				return env.fail(fmt.Errorf("the parameters cannot be read: %w", err))
			}
		}
		core, err := location.open(env, withAdded(env, engine.Options{Instances: 1}))
		if err != nil {
			return env.fail(err)
		}
		defer core.Close()
		answer, err := core.Call(ctx, args[0], bytes.TrimSpace(text))
		if err != nil {
			return env.fail(err)
		}
		var envelope struct {
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(answer, &envelope); err != nil {
			return env.fail(fmt.Errorf("the engine's response is not JSON: %w", err))
		}
		if envelope.Error != nil {
			fmt.Fprintf(env.Stderr, "%s\n", envelope.Error)
			return exitError
		}
		fmt.Fprintf(env.jsonOut(), "%s\n", envelope.Result)
		return exitOK
	})
	return c
}
