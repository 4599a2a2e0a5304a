// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

func init() {
	register(command{
		name:    "call",
		summary: "one call of the protocol, its parameters on standard input",
		usage: `  echo '{"text":"How many tokens is this?","model":"gpt-5.5"}' | ctx-lsp call ctx/count
  echo '{"model":"gpt-5.5","rule":{"percent":80}}' | ctx-lsp call ctx/session/open --engine wasm
  ctx-lsp call ctx/models --params '{"query":"opus"}'

Prints the result as JSON. An error of the protocol is printed as JSON too, on standard error, and the exit code is 1.
docs/protocol.md describes the methods; sessions live as long as the command does.

  --params=JSON          the parameters, instead of standard input
  --engine=native|wasm   where the core runs (native)
  --module=FILE          the WebAssembly module; else CTX_WASM, the one this program holds, or the one beside it
  --json                 accepted; it is JSON anyway
`,
		run: runCall,
	})
}

func runCall(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("call")
	location := newEngineFlags(fs)
	params := fs.String("params", "", "the parameters as JSON")
	fs.Bool("json", false, "print JSON")
	colorFlag(fs)
	rest, err := parseFlags(fs, args)
	if err != nil {
		return env.usageError("call", err)
	}
	if len(rest) != 1 {
		return env.usageError("call", errors.New("it takes one method, such as ctx/count"))
	}
	text := []byte(*params)
	if len(text) == 0 {
		// One byte more than is allowed is read, so that the engine refuses
		// parameters that are too long.
		if text, err = io.ReadAll(io.LimitReader(env.Stdin, api.MaxParams+1)); err != nil {
			return env.fail(fmt.Errorf("the parameters cannot be read: %w", err))
		}
	}
	core, err := location.open(env, withAdded(env, engine.Options{Instances: 1}))
	if err != nil {
		return env.fail(err)
	}
	defer core.Close()
	answer, err := core.Call(ctx, rest[0], bytes.TrimSpace(text))
	if err != nil {
		return env.fail(err)
	}
	var envelope struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(answer, &envelope); err != nil {
		return env.fail(fmt.Errorf("the engine's answer is not JSON: %w", err))
	}
	if envelope.Error != nil {
		fmt.Fprintf(env.Stderr, "%s\n", envelope.Error)
		return exitError
	}
	fmt.Fprintf(env.Stdout, "%s\n", envelope.Result)
	return exitOK
}
