// A status bar over JSON-RPC in Go: `make install`, then `go run examples/daemon.go`.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os/exec"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/sourcegraph/jsonrpc2"
)

func main() {
	ctx, daemon, r := context.Background(), exec.Command("ctx-lsp", "serve"), api.Reading{}
	ours, its := net.Pipe()
	daemon.Stdin, daemon.Stdout = its, its
	if err := daemon.Start(); err != nil {
		panic(err)
	}
	ignore := jsonrpc2.HandlerWithError(func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) { return nil, nil })
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(ours, jsonrpc2.VSCodeObjectCodec{}), ignore)
	call := func(method, params string) {
		if err := conn.Call(ctx, method, json.RawMessage(params), &r); err != nil {
			panic(err)
		}
	}
	call("initialize", `{"capabilities": {}}`)
	call("ctx/session/open", `{"id": "chat", "model": "claude-sonnet-4-5", "rule": {"percent": 80}}`)
	for _, tokens := range []int{129_500, 132_000, 137_000, 141_000} {
		call("ctx/session/update", `{"id": "chat", "append": [{"kind": "user", "text": "Why does the build fail?"}]}`)
		call("ctx/session/usage", fmt.Sprintf(`{"id": "chat", "usage": {"input_tokens": %d, "output_tokens": 400}}`, tokens))
	}
	fmt.Printf("%s · %s free · compacts at %s · %s\n", r.Display.Number, r.Display.Free, r.Display.Threshold, r.Compaction.Hint.Text)
}

// Prints: 71% · 58.6k free · compacts at 160k · compacts in ~5 requests
