// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/internal/acp"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
)

func acpCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "acp -- AGENT [ARGUMENT ...]",
		Short: "run an agent for an ACP client and report how full its context is",
		Example: `  ctx-lsp acp -- gemini --experimental-acp
  ctx-lsp acp -- opencode acp
  ctx-lsp acp -- npx @zed-industries/claude-code-acp`,
		Long: `The client of the Agent Client Protocol (Zed, a JetBrains IDE, Neovim, Emacs) runs this command instead of the agent.
Messages, errors, signals and the exit code pass unchanged in both directions. Only usage_update differs: it is added if
the agent sends none, and otherwise its two numbers are replaced by those of ctx-lsp status. If the agent records a
compaction and does not report it, a compaction_update is added for clients that declare session.compaction.

The session is read from the agent's own store, found by the session's id or the agent's process. Without a store the
text that passes is counted on top of the agent's own numbers (after a compaction, from its summary on), and a size is
reported only if the window is known. The message's _meta has the source under "ctx": "store" or "text", the basis, and
the compaction threshold.

The exit code is the agent's. It is 1 if the agent cannot be started, and 2 for wrong usage.`,
	}
	fs := c.Flags()
	mode := modeFlag(fs)
	asJSON := jsonFlag(fs, "also print each reported size to standard error, as a line of JSON")
	colorFlag(fs)
	c.RunE = does(func(ctx context.Context, agentCommand []string) int {
		if fs.ArgsLenAtDash() != 0 || len(agentCommand) == 0 {
			return env.usageError("acp", errors.New("expected -- and the command of an agent, for example ctx-lsp acp -- opencode acp"))
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
			env.errorf("acp: %s cannot be started: %s", agentCommand[0], plainError(err))
			return exitError
		}
		go func() {
			for s := range signals {
				passSignal(cmd.Process, s, isTerminal(os.Stdin))
			}
		}()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		metering := acp.Metering{
			Host: env.host(), Now: env.Now, Mode: mode.value, Process: cmd.Process.Pid, Command: agentCommand,
			Engine: func(ctx context.Context) (*engine.Pool, error) {
				e, err := nativeEngine(env, 1)
				if err == nil {
					_ = teach(ctx, env, e) // learned corrections only improve estimates
				}
				return e, err
			},
			Follow: env.machine().Feed,
			Failed: func(err error) { env.errorf("acp: the session is not measured: %s", err) },
		}
		if *asJSON {
			metering.Sent = func(m acp.Measured) {
				line, _ := json.Marshal(map[string]any{"schema": "ctx.acp/1", "session": m.Session, "used": m.Used, "size": m.Size, "from": m.From, "basis": m.Basis})
				fmt.Fprintf(env.Stderr, "%s\n", line)
			}
		}
		meter := acp.NewMeter(metering)
		connection := acp.New(env.Stdout, meter)
		go meter.Run(ctx, connection)
		go func() {
			_ = connection.FromClient(env.Stdin, toAgent) // the agent or the client has ended: both are handled below
			toAgent.Close()
		}()
		passed := make(chan struct{})
		go func() {
			err := connection.FromAgent(fromAgent)
			if err != nil { // the client has ended; the agent notices that as it would without us
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
	})
	return c
}
