// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/statusline"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func hookCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "hook",
		Args:  cobra.ArbitraryArgs, // refused below, with the exit code for hooks
		Short: "report to an agent, from its hooks, how full its context is",
		Example: `  ctx-lsp hook               read the agent's hook JSON on standard input, reply in the agent's format
  ctx-lsp hook --from=now    only if compaction is due at the next request
  ctx-lsp hook --always      every time, not once per level
  ctx-lsp hook --json        print the Reading instead
  ctx-lsp hook --sees        before a read: which lines of the file are in the request already
  ctx-lsp hook --exec='notify-send "ctx $CTX_PERCENT"' --at=120k --quiet
                             run your own command at 120k tokens, without a reply`,
		Long: `In Claude Code's settings.json, so that the model is warned in time and can write down what must survive:

  {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "ctx-lsp hook"}]}],
             "PostToolUse":      [{"hooks": [{"type": "command", "command": "ctx-lsp hook"}]}]}}

Gemini CLI and Qwen Code run the same command at BeforeAgent and AfterTool, Codex at events with the names above, and
Copilot CLI and Cursor, whose events name a session but no transcript, at postToolUse. Kiro CLI names neither; at
userPromptSubmit and agentSpawn the directory's newest session is used. At events that accept no context, such as
PreCompact, the message is shown to the user instead. Each level is reported once, and again after a compaction;
nothing is reported below --from.

With --sees, at Claude Code's PreToolUse with the matcher Read, the model reads which lines of the file are in its
request already (ctx-lsp sees), if there are any. The read goes on in any case.

The command of --exec receives the Reading as JSON on standard input, and in its environment CTX_LEVEL, CTX_PERCENT,
CTX_USED, CTX_LIMIT, CTX_LEFT, CTX_AGENT, CTX_MODEL, CTX_SESSION, CTX_WORKSPACE and CTX_TRANSCRIPT. These values are
never inserted into the command's text. Its output is ignored.

Exit codes: 0 done, 1 the session could not be read. Never 2, because agents take 2 as a veto of their next step.`,
	}
	fs := c.Flags()
	var x hookExec
	from := choiceFlag(fs, "from", "report from this level on", "soon", "now", "over")
	fs.Var(&x.at, "at", "report from your own alert threshold on, in tokens or percent of the window, as `N|P%`")
	always := fs.Bool("always", false, "report every time, not once per level")
	fs.StringVar(&x.command, "exec", "", "run this shell `COMMAND` once per level; the agent does not wait for it")
	fs.DurationVar(&x.timeout, "exec-timeout", time.Minute, "kill the command after this `TIME`")
	sees := fs.Bool("sees", false, "before a read, report which lines of the file are in the request already")
	quiet := fs.Bool("quiet", false, "send no reply to the agent")
	patience := fs.Duration("timeout", 2*time.Second, "give up after this `TIME`, because the agent waits")
	run := fs.Bool(execNow, false, "")
	_ = fs.MarkHidden(execNow)
	asJSON := jsonFlag(fs, "print the Reading")
	colorFlag(fs)
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error { // exit code 2 would forbid the agent's next step
		env.usageError("hook", flagError(fs, err))
		return exit(exitError)
	})
	c.RunE = does(func(ctx context.Context, rest []string) int {
		if *run {
			return runExecNow(ctx, env, rest)
		}
		var err error
		if len(rest) > 0 {
			err = fmt.Errorf("unexpected argument %q", rest[0])
		}
		if err == nil && *patience <= 0 {
			err = errors.New("--timeout must be greater than 0")
		}
		if err == nil {
			err = x.check(fs)
		}
		if err != nil {
			return min(env.usageError("hook", err), exitError)
		}
		ctx, cancel := context.WithTimeout(ctx, *patience)
		defer cancel()
		var event *statusline.HookEvent
		var reading []byte
		if *sees {
			err = env.hookSees(ctx)
		} else {
			event, reading, err = env.statuslineProgram().Hook(ctx)
		}
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("the session was not read within %s, so nothing is reported; --timeout allows more time", *patience)
		}
		if errors.Is(err, errNotAllowed) || errors.Is(err, statusline.ErrNotWritten) {
			return exitOK // the agent runs the hook again and again, and would show an error each time
		}
		if err != nil {
			env.errorf("hook: %s", err)
			return exitError
		}
		if *sees {
			return exitOK
		}
		if *asJSON {
			if env.printLine(reading) != nil {
				return exitError
			}
			return exitOK
		}
		r, err := terminal.Parse(reading)
		if err != nil {
			return env.fail(err)
		}
		if x.at.IsSet() {
			r = statusline.WithBounds(r, statusline.Bound{}, x.at)
			if r.Compaction.Level == "ok" {
				return exitOK
			}
		}
		if x.command == "" && event.Sender().AnswerHook(event.Name, "") == nil {
			return exitOK // reported now, it would be lost, and not be reported again at an event with an answer
		}
		if !*always && !newThreshold(env, event, r, from.value, x.key()) {
			return exitOK
		}
		if x.command != "" && state.AtLeast(r.Compaction.Level, api.Level(from.value)) {
			x.start(env, event, r, reading)
		}
		if *quiet {
			return exitOK
		}
		return answerHook(env, event, r)
	})
	return c
}

// newThreshold reports whether the session has reached a level that was not reported since its last compaction, and
// remembers that level.
func newThreshold(env *environment, event *statusline.HookEvent, r *api.Reading, from, of string) bool {
	marks := state.HookMarksIn(env.host().StateDir())
	reached, err := marks.Reached(event.SessionID+" "+event.AgentID+of, r.Compaction.Level, api.Level(from), r.Compaction.Count)
	if err != nil {
		env.errorf("hook: the reported level cannot be saved, so it may be reported again: %s", err)
	}
	return reached
}

// answerHook responds to the model if the event allows that, otherwise to the user.
func answerHook(env *environment, event *statusline.HookEvent, r *api.Reading) int {
	text := []byte(nil)
	switch answer := event.Sender().AnswerHook(event.Name, statusline.HookSentence(r)).(type) {
	case nil:
		return exitOK
	case string:
		text = []byte(answer)
	default:
		text, _ = json.Marshal(answer) // strings always encode
	}
	if env.printLine(text) != nil {
		return exitError
	}
	return exitOK
}
