// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func init() {
	register(command{
		name:    "hook",
		summary: "tells an agent how full its own context is, from its hooks",
		usage: `  ctx-lsp hook               reads the agent's hook JSON on standard input and answers in the agent's format
  ctx-lsp hook --from=now    speaks only when compaction is due at the next request
  ctx-lsp hook --always      speaks every time, not once a threshold
  ctx-lsp hook --json        answers with the Reading instead

In Claude Code's settings.json, so that the model knows in time and can write down what must survive:

  {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "ctx-lsp hook"}]}],
             "PostToolUse":      [{"hooks": [{"type": "command", "command": "ctx-lsp hook"}]}]}}

Gemini CLI and Qwen Code run the same command at BeforeAgent and AfterTool. At events that take no context, as PreCompact,
the sentence is shown to the person instead. Nothing is said below the threshold, and each threshold is said once.

Exit codes: 0 always, 1 when the session could not be read. Never 2: to an agent that means that the hook forbids what
was about to happen.`,
		run: runHook,
	})
}

// hookPatience bounds the time of a hook, because the agent waits for it.
const hookPatience = 2 * time.Second

// hookEvent is the message that agents send to their hooks.
type hookEvent struct {
	SessionID           string `json:"session_id"`
	TranscriptPath      string `json:"transcript_path"`
	AgentTranscriptPath string `json:"agent_transcript_path"`
	AgentID             string `json:"agent_id"`
	Cwd                 string `json:"cwd"`
	Name                string `json:"hook_event_name"`
}

// takesContext says whether the answer to an event may contain a text for the model.
func takesContext(event string) bool {
	for _, e := range agent.Entries() {
		if slices.Contains(strings.Fields(e.HookEvents), event) {
			return true
		}
	}
	return false
}

func runHook(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("hook")
	from := choiceFlag(fs, "from", "soon", "now", "over")
	always := fs.Bool("always", false, "")
	asJSON := fs.Bool("json", false, "")
	colorFlag(fs) // as every command has it
	rest, err := parseFlags(fs, args)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("it takes no argument %q", rest[0])
	}
	if err != nil {
		return min(env.usageError("hook", err), exitError)
	}
	ctx, cancel := context.WithTimeout(ctx, hookPatience)
	defer cancel()
	event, reading, err := hookReading(ctx, env)
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
	if !*always && !newThreshold(env, event, r, from.value) {
		return exitOK
	}
	return answerHook(env, event, r)
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

// hookReading reads the end of the transcript that the event is about.
func hookReading(ctx context.Context, env *environment) (*hookEvent, []byte, error) {
	text, err := io.ReadAll(io.LimitReader(env.Stdin, maxStatus))
	if err != nil {
		return nil, nil, err
	}
	var event hookEvent
	if len(text) == 0 {
		return nil, nil, errors.New("standard input is empty; an agent sends its event there")
	}
	if err := json.Unmarshal(text, &event); err != nil {
		return nil, nil, fmt.Errorf("what the agent says is no JSON: %w", err)
	}
	path := event.TranscriptPath
	if event.AgentID != "" {
		path = event.ofSubAgent()
	}
	if path == "" {
		return nil, nil, errors.New("the event names no transcript_path")
	}
	session, err := source.At(path)
	if err != nil {
		return nil, nil, fmt.Errorf("the transcript cannot be read: %w", err)
	}
	if session.Agent == "" { // not enough is written yet to tell which agent writes it
		session.Agent = agent.ClaudeCode
		if strings.HasPrefix(event.Name, "Before") || strings.HasPrefix(event.Name, "After") {
			session.Agent = agent.GeminiCLI
		}
	}
	e, err := nativeEngine(env, 1)
	if err != nil {
		return nil, nil, err
	}
	defer e.Close()
	feed, err := source.NewRecentFeed(session, e.Call)
	if err != nil {
		return nil, nil, err
	}
	workspace := session.Workspace
	if workspace == "" {
		workspace = event.Cwd
	}
	session.Workspace = workspace
	feed.Settings, feed.Files = source.Settings(env.host(), session.Agent, workspace), env.files(session)
	reading, err := feed.Read(ctx)
	if err == nil && reading == nil {
		err = fmt.Errorf("%s holds no record yet", path)
	}
	return &event, reading, err
}

// hookMark is what is remembered of a session between two hooks.
type hookMark struct {
	Level       api.Level `json:"level"`
	Compactions int64     `json:"compactions"`
}

// maxMarks is how many sessions have a mark.
const maxMarks = 256

var levelOrder = map[api.Level]int{"ok": 0, "soon": 1, "now": 2, "over": 3}

// newThreshold says whether the session has reached a level that was not reported since its last compaction, and
// remembers that level.
func newThreshold(env *environment, event *hookEvent, r *api.Reading, from string) bool {
	marks := memoryIn(env.host().StateDir(), "hooks")
	path := marks.path(event.SessionID + " " + event.AgentID)
	var said hookMark
	if marks.folder != "" {
		if text, err := os.ReadFile(path); err == nil {
			_ = json.Unmarshal(text, &said) // a damaged mark counts as none
		}
	}
	level := r.Compaction.Level
	if said.Compactions != r.Compactions {
		said = hookMark{Level: "ok", Compactions: r.Compactions}
	}
	if levelOrder[level] <= levelOrder[said.Level] || levelOrder[level] < levelOrder[api.Level(from)] {
		return false
	}
	if marks.folder == "" {
		return true
	}
	text, _ := json.Marshal(hookMark{level, r.Compactions}) // two plain fields can always be encoded
	err := os.MkdirAll(marks.folder, 0o700)
	if err == nil {
		forgetOldMarks(filepath.Dir(path), time.Now())
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		env.errorf("hook: what was said cannot be remembered: %s", err)
	}
	marks.prune(maxMarks)
	return true
}

// keptMarks is how long a mark is kept.
const keptMarks = 30 * 24 * time.Hour

// forgetOldMarks removes the marks of sessions that had no report for a month. If a clock that jumps removes one too
// early, a sentence is said once more.
func forgetOldMarks(dir string, now time.Time) {
	entries, _ := os.ReadDir(dir) // without the folder there is nothing to forget
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > keptMarks {
			os.Remove(filepath.Join(dir, entry.Name()))
		}
	}
}

// answerHook answers the model where the event allows that, and otherwise the person.
func answerHook(env *environment, event *hookEvent, r *api.Reading) int {
	sentence := hookSentence(r)
	answer := map[string]any{"systemMessage": sentence}
	if takesContext(event.Name) {
		answer = map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": event.Name, "additionalContext": sentence}}
	}
	text, _ := json.Marshal(answer) // strings always encode
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
		fmt.Fprintf(&b, "Your context holds %s%s tokens; how large the window is, is not known.", d.Mark, d.Used)
	} else {
		fmt.Fprintf(&b, "Your context is %s%s full: %s%s of %s tokens.", d.Mark, d.Percent, d.Mark, d.Used, d.Limit)
	}
	switch {
	case r.Limit != nil && r.Used > *r.Limit:
		b.WriteString(" That is over the limit, and the next request may be refused.")
	case r.Compaction.Line == nil:
	case r.Compaction.Level == "over":
		fmt.Fprintf(&b, " It is past %s, where it is compacted: write down what must survive before you go on.", d.Line)
	default:
		fmt.Fprintf(&b, " It is compacted at %s, %s from here: finish what you are at, or write down what must survive.", d.Line, d.Left)
	}
	return b.String()
}
