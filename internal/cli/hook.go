// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/statusline"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// errNotWritten is the error for a transcript whose session has no record yet.
var errNotWritten = errors.New("the session has no record yet")

// hookEvent is the message that agents send to their hooks.
type hookEvent struct {
	agents.HookEvent
	sender *agents.Agent
}

func hookCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "hook",
		Args:  cobra.ArbitraryArgs, // refused below, with the exit code for hooks
		Short: "report to an agent, from its hooks, how full its context is",
		Example: `  ctx-lsp hook               read the agent's hook JSON on standard input, reply in the agent's format
  ctx-lsp hook --from=now    only if compaction is due at the next request
  ctx-lsp hook --always      every time, not once per level
  ctx-lsp hook --json        print the Reading instead
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
		event, reading, err := hookReading(ctx, env)
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("the session was not read within %s, so nothing is reported; --timeout allows more time", *patience)
		}
		if errors.Is(err, errNotAllowed) || errors.Is(err, errNotWritten) {
			return exitOK // the agent runs the hook again and again, and would show an error each time
		}
		if err != nil {
			env.errorf("hook: %s", err)
			return exitError
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
		if x.command == "" && event.sender.AnswerHook(event.Name, "") == nil {
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

// ofSubAgent is the transcript of the sub-agent that the event is about: the one that it names, or the one that lies in
// the usual place beside the session's.
func (e *hookEvent) ofSubAgent() string {
	if e.AgentTranscriptPath != "" {
		return e.AgentTranscriptPath
	}
	own := filepath.Join(strings.TrimSuffix(e.TranscriptPath, ".jsonl"), "subagents", "agent-"+filepath.Base(e.AgentID)+".jsonl")
	if info, err := os.Stat(own); err == nil && info.Mode().IsRegular() {
		return own
	}
	return e.TranscriptPath
}

// hookReading reads the session that the event is about, as a status line does: all of it, on from where the last
// event stopped.
func hookReading(ctx context.Context, env *environment) (*hookEvent, []byte, error) {
	text, err := io.ReadAll(io.LimitReader(env.input(), statusline.MaxMessage))
	if err != nil {
		return nil, nil, err
	}
	text = statusline.Unmarked(text)
	var event hookEvent
	if len(text) == 0 {
		return nil, nil, errors.New("standard input is empty; expected an agent's event as JSON")
	}
	if err := json.Unmarshal(text, &event); err != nil {
		return nil, nil, fmt.Errorf("the agent's event is not JSON: %w", err)
	}
	event.sender = event.Sender()
	path := event.TranscriptPath
	if event.AgentID != "" {
		path = event.ofSubAgent()
	}
	session, err := event.located(ctx, env, path)
	if err != nil {
		return nil, nil, err
	}
	if session.Agent == "" { // too little is written yet to recognize the agent
		session.Agent = event.sender.ID
	}
	session.Workspace = cmp.Or(session.Workspace, event.Cwd)
	reading, err := env.statuslineProgram().ForHook(ctx, session)
	return &event, reading, err
}

// located is the session that the event is about: the transcript that it names, or else the session with its id.
func (e *hookEvent) located(ctx context.Context, env *environment, path string) (transcript.Session, error) {
	e.SessionID = cmp.Or(e.SessionID, e.CamelSessionID, e.Conversation)
	if path != "" {
		if err := env.refuses(path); err != nil {
			return transcript.Session{}, err
		}
		session, err := sessions.At(path)
		if err == nil {
			err = env.refusal(session.Agent)
		}
		if err == nil {
			return session, nil
		}
		if h := e.sender.Hooks; h != nil && slices.Contains(h.Early, e.Name) && errors.Is(err, fs.ErrNotExist) {
			return session, errNotWritten
		}
		if e.SessionID == "" || e.CamelSessionID == "" && e.Conversation == "" {
			return session, fmt.Errorf("the transcript cannot be read: %w", err)
		}
	}
	if e.sender.Hooks != nil && e.sender.Hooks.NewestOfFolder {
		return e.locatedByFolder(ctx, env, e.sender)
	}
	if e.SessionID == "" {
		return transcript.Session{}, errors.New("the event contains neither transcript_path nor a session id")
	}
	query := sessions.Query{ID: e.SessionID, Limit: 1}
	if e.sender.Hooks != nil && e.sender.Hooks.ByID {
		query.Agent = e.sender.ID
	}
	found, _, err := sessions.NewFinder(env.host()).Find(ctx, query)
	if err == nil && (len(found) == 0 || found[0].ID != e.SessionID) {
		err = fmt.Errorf("the event contains no transcript_path, and the session %q was not found", e.SessionID)
	}
	if err != nil {
		return transcript.Session{}, err
	}
	e.TranscriptPath = found[0].Path
	return found[0], nil
}

// locatedByFolder returns the newest session of an agent that was started in the folder that the event names, or below
// it.
func (e *hookEvent) locatedByFolder(ctx context.Context, env *environment, of *agents.Agent) (transcript.Session, error) {
	found, _, err := sessions.NewFinder(env.host()).Find(ctx, sessions.Query{Agent: of.ID, Workspace: e.Cwd, Limit: 1})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("the event names no session, and %s has no session that was started in %s", of.Name(), e.Cwd)
	}
	if err != nil {
		return transcript.Session{}, err
	}
	e.SessionID, e.TranscriptPath = found[0].ID, found[0].Path
	return found[0], nil
}

// newThreshold reports whether the session has reached a level that was not reported since its last compaction, and
// remembers that level.
func newThreshold(env *environment, event *hookEvent, r *api.Reading, from, of string) bool {
	marks := state.HookMarksIn(env.host().StateDir())
	reached, err := marks.Reached(event.SessionID+" "+event.AgentID+of, r.Compaction.Level, api.Level(from), r.Compactions)
	if err != nil {
		env.errorf("hook: the reported level cannot be saved, so it may be reported again: %s", err)
	}
	return reached
}

// answerHook answers the model where the event allows that, and otherwise the person.
func answerHook(env *environment, event *hookEvent, r *api.Reading) int {
	text := []byte(nil)
	switch answer := event.sender.AnswerHook(event.Name, hookSentence(r)).(type) {
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

// hookSentence tells the model how full its context is, which it does not know by itself.
func hookSentence(r *api.Reading) string {
	d := r.Display
	var b strings.Builder
	if r.Limit == nil {
		fmt.Fprintf(&b, "Your context contains %s%s tokens; the size of the window is unknown.", d.Mark, d.Used)
	} else {
		fmt.Fprintf(&b, "Your context is %s%s full: %s%s of %s tokens.", d.Mark, d.Percent, d.Mark, d.Used, d.Limit)
	}
	switch {
	case r.Limit != nil && r.Used > *r.Limit:
		b.WriteString(" That exceeds the limit, so the next request may be refused.")
	case r.Compaction.Line == nil:
	case r.Compaction.Level == "over":
		fmt.Fprintf(&b, " It is past the compaction threshold of %s: write down what must survive before you continue.", d.Line)
	case r.Compaction.Level == "ok":
		fmt.Fprintf(&b, " It will be compacted at %s, %s from here.", d.Line, d.Left)
	default:
		fmt.Fprintf(&b, " It will be compacted at %s, %s from here: finish your current step, or write down what must survive.", d.Line, d.Left)
	}
	if v := r.Verdict; v != nil && v.Text != "" {
		b.WriteString(" The last compaction: " + terminal.Sentence(v.Text))
	}
	return b.String()
}
