// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/acp"
)

func init() {
	register(command{
		name:    "acp",
		summary: "stands between an agent and its client, and tells the client how full the context is",
		usage: `  ctx-lsp acp -- gemini --experimental-acp
  ctx-lsp acp -- opencode acp
  ctx-lsp acp -- npx @zed-industries/claude-code-acp

The client of the Agent Client Protocol (Zed, a JetBrains IDE, Neovim, Emacs) runs this instead of the agent. Everything
passes as it comes, in both directions: messages, errors, signals, the exit code. Only usage_update is more: where the
agent sends none it is added, and where it sends one its two numbers are those of ctx-lsp status.

A session is read from the agent's own store, which is found by the session's id or by the agent's process. Without a
store the text that passes is counted, on top of what the agent says of itself; a size is told only with a window.
What the number is known from stands in the message's _meta, under "ctx": "store" or "text", the basis, and the line at
which the agent compacts.

Flags:
  --mode=hybrid|provider the next request, predicted; or the last measured prompt and nothing else
  --json                 each size that is told, on standard error, too, as a line of JSON
  --color=auto|always|never

The exit code is the agent's. It is 1 when the agent cannot be started, and 2 for wrong usage.
`,
		run: runACP,
	})
}

func runACP(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("acp")
	asJSON := fs.Bool("json", false, "what is told, on standard error")
	mode := modeFlag(fs)
	colorFlag(fs)
	at := slices.Index(args, "--")
	own, agentCommand := args, []string(nil)
	if at >= 0 {
		own, agentCommand = args[:at], args[at+1:]
	}
	rest, err := parseFlags(fs, own)
	if err == nil && (len(rest) > 0 || len(agentCommand) == 0 || agentCommand[0] == "") {
		err = errors.New("it takes the command of an agent behind --, as in ctx-lsp acp -- opencode acp")
	}
	if err != nil {
		return env.usageError("acp", err)
	}
	cmd := exec.Command(agentCommand[0], agentCommand[1:]...)
	cmd.Stderr = env.Stderr
	toAgent, err := cmd.StdinPipe()
	if err != nil {
		return env.fail(err)
	}
	fromAgent, err := cmd.StdoutPipe()
	if err != nil {
		return env.fail(err)
	}
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, passedSignals...)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		env.errorf("acp: %s cannot be started: %s", agentCommand[0], plainly(err))
		return exitError
	}
	go func() {
		for s := range signals {
			passSignal(cmd.Process, s, isTerminal(os.Stdin))
		}
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	meter := newACPMeter(env, mode.value, *asJSON, cmd.Process.Pid, agentCommand)
	connection := acp.New(env.Stdout, meter)
	meter.tell = connection.Tell
	go meter.run(ctx)
	go func() {
		_ = connection.FromClient(env.Stdin, toAgent) // the agent has gone, or the client: each is seen below
		toAgent.Close()
	}()
	passed := make(chan struct{})
	go func() {
		err := connection.FromAgent(fromAgent)
		if err != nil { // the client has gone; the agent learns of it as it would without us
			if c, ok := fromAgent.(io.Closer); ok {
				c.Close()
			}
			toAgent.Close()
		}
		close(passed)
	}()
	state, err := cmd.Process.Wait()
	select {
	case <-passed:
	case <-time.After(time.Second): // a program that the agent has started holds its output
	}
	if err != nil {
		return env.fail(err)
	}
	return endAs(state)
}
