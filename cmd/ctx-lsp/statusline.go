// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func init() {
	register(command{
		name:    "statusline",
		summary: "one line for the status line of Claude Code, Copilot CLI or Qwen Code",
		usage: `  "statusLine": {"type": "command", "command": "ctx-lsp statusline"}
                         in ~/.claude/settings.json; Copilot CLI and Qwen Code alike
  ctx-lsp statusline --template='{percent}{mark} of {limit}[ · {calls} calls left]'
  ctx-lsp statusline --warn=120k --alarm=80%

The agent's JSON comes on standard input; the line goes to standard output. If
something fails, the line is the last good one, with its age.

Flags:
  --template=TEXT        what to print (CTX_STATUSLINE sets it too); a part in [ ] vanishes when its field is unknown
  --warn=N|P%            colour it yellow from so many tokens or percent on, instead of by the compaction line
  --alarm=N|P%           colour it red
  --mode=hybrid|provider the next request, predicted; or the last measured prompt and nothing else
  --timeout=DURATION     then print the last good line (1s)
  --json                 the Reading instead of a line
  --plain                ASCII and no colour
  --color=auto|always|never   auto colours unless NO_COLOR is set: the agent shows the colours

Fields of a template:
` + terminal.Fields(),
		run: runStatusline,
	})
}

func runStatusline(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("statusline")
	template := fs.String("template", "", "what to print")
	var warn, alarm bound
	fs.Var(&warn, "warn", "yellow from here on")
	fs.Var(&alarm, "alarm", "red from here on")
	timeout := fs.Duration("timeout", time.Second, "then print the last good line")
	asJSON := fs.Bool("json", false, "the Reading")
	mode := modeFlag(fs)
	look := lookFlags(fs)
	args, err := parseFlags(fs, args)
	if err == nil && len(args) > 0 {
		err = errors.New("it takes no arguments")
	}
	if *template == "" {
		if *template = env.Getenv("CTX_STATUSLINE"); *template == "" {
			*template = terminal.DefaultTemplate
		}
	}
	style := look.style(env)
	if look.color.value == "auto" && !*look.plain {
		// Standard output is the agent, which shows colours.
		style.Color = env.Getenv("NO_COLOR") == ""
	}
	if err == nil {
		_, err = terminal.Line(*template, &api.Reading{}, "", style)
	}
	if err != nil {
		return env.usageError("statusline", err)
	}
	defer collectNothing(env)()
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	status, reading, age, err := statusReading(ctx, env, mode.value)
	if err != nil {
		env.errorf("%s", err)
	}
	if *asJSON {
		if reading == nil {
			reading = []byte("null")
		}
		if err := env.printLine(reading); err != nil {
			return env.fail(err)
		}
		return exitOK
	}
	line := "ctx ?"
	if r, parsed := terminal.Parse(reading); parsed == nil && reading != nil {
		line, _ = terminal.Line(*template, withBounds(r, warn, alarm), age, style)
		if age != "" && !strings.Contains(*template, "{age}") {
			line += " (" + age + " old)"
		}
	} else if mode.value == "provider" {
		nothing := terminal.Nothing("")
		if status != nil {
			nothing.Model = status.model
		}
		line, _ = terminal.Line(*template, nothing, "", style)
	} else if status != nil && status.model != "" {
		line = style.Clean(status.model) + " ctx ?"
	}
	if _, err := fmt.Fprintln(env.Stdout, line); err != nil {
		return env.fail(err)
	}
	return exitOK
}

// maxStatus bounds what an agent may say.
const maxStatus = 1 << 20

// statusReading makes a Reading of what the agent says and what it has
// written. On a failure it is the last good one, with its age; err then says
// what went wrong.
func statusReading(ctx context.Context, env *environment, mode string) (status *agentStatus, reading []byte, age string, err error) {
	type answer struct {
		status  *agentStatus
		reading []byte
		err     error
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		var text []byte
		if text, a.err = io.ReadAll(io.LimitReader(env.Stdin, maxStatus)); a.err == nil {
			if a.status, a.err = parseStatus(text); a.err == nil {
				a.status.mode = mode
				a.reading, a.err = a.status.read(ctx, env)
			}
		}
		done <- a
	}()
	var a answer
	select {
	case a = <-done:
	case <-ctx.Done():
		a.err = errors.New("it took too long")
	}
	session := ""
	if a.status != nil {
		session = a.status.remembered()
	}
	memory := openMemory(env)
	if a.err == nil && a.reading != nil {
		memory.keep(session, a.reading, a.status.stamp)
		return a.status, a.reading, "", nil
	}
	if last, at := memory.last(session); last != nil {
		return a.status, last, terminal.Age(env.Now().Sub(at)), a.err
	}
	return a.status, nil, "", a.err
}

// read computes the Reading: from the memory if nothing has changed, from a
// daemon that follows the session, from the transcript, or from the numbers
// the agent says itself.
func (s *agentStatus) read(ctx context.Context, env *environment) ([]byte, error) {
	var transcript source.Session
	var err error
	if s.transcript != "" {
		if transcript, err = source.Known(s.transcript, s.session, s.agent, s.workspace); err == nil {
			s.stamp = s.stampOf(transcript)
			if same := openMemory(env).same(s.remembered(), s.stamp); same != nil {
				return same, nil
			}
			if reading := askDaemon(ctx, env, s); reading != nil {
				return reading, nil
			}
		}
	}
	e, engineErr := nativeEngine(env, 1)
	if engineErr != nil {
		return nil, engineErr
	}
	defer e.Close()
	if s.transcript != "" && err == nil {
		var reading []byte
		if reading, err = s.readTranscript(ctx, env, e, transcript); err == nil && (s.usage == nil || tells(reading)) {
			return reading, nil
		}
	}
	if s.usage == nil && s.transcript != "" && err != nil {
		return nil, err
	}
	return s.fromNumbers(ctx, env, e)
}

// tells is whether a Reading of the transcript knows more than what the agent
// says: it does not before the first answer is in the file.
func tells(reading []byte) bool {
	r, err := terminal.Parse(reading)
	return err == nil && (r.LastRequest != nil || r.Compactions > 0)
}

// readTranscript reads the end of the transcript.
func (s *agentStatus) readTranscript(ctx context.Context, env *environment, e engine.Engine, transcript source.Session) ([]byte, error) {
	feed, err := source.NewRecentFeed(transcript, e.Call)
	if err != nil {
		return nil, err
	}
	feed.Settings = source.Settings(env.host(), transcript.Agent, transcript.Workspace)
	feed.Window = s.window
	reading, err := feed.Read(ctx)
	if err == nil && reading == nil {
		err = fmt.Errorf("%s holds no record yet", s.transcript)
	}
	if err == nil {
		reading, err = inMode(ctx, e, reading, s.mode)
	}
	return reading, err
}

// withBounds puts the user's own thresholds in the place of the level.
func withBounds(r *api.Reading, warn, alarm bound) *api.Reading {
	if !warn.set && !alarm.set {
		return r
	}
	switch {
	case alarm.reached(r):
		r.Compaction.Level = "now"
	case warn.reached(r):
		r.Compaction.Level = "soon"
	default:
		r.Compaction.Level = "ok"
	}
	return r
}

// A bound is a number of tokens, like 160000, 160k or 1.2M, or a percentage.
type bound struct {
	set     bool
	percent bool
	value   float64
}

func (b *bound) String() string { return "" }

func (b *bound) Set(text string) error {
	number, unit := text, 1.0
	b.set = true
	switch {
	case strings.HasSuffix(text, "%"):
		b.percent, number = true, strings.TrimSuffix(text, "%")
	case strings.HasSuffix(text, "k"), strings.HasSuffix(text, "K"):
		unit, number = 1e3, text[:len(text)-1]
	case strings.HasSuffix(text, "m"), strings.HasSuffix(text, "M"):
		unit, number = 1e6, text[:len(text)-1]
	}
	var value float64
	var rest string
	if n, _ := fmt.Sscanf(number+" ", "%g%s", &value, &rest); n != 1 || value < 0 {
		return errors.New("it is a number of tokens like 160000, 160k or 1.2M, or a percentage like 80%")
	}
	b.value = value * unit
	return nil
}

func (b bound) reached(r *api.Reading) bool {
	switch {
	case !b.set:
		return false
	case b.percent:
		return r.Percent != nil && r.Percent.Float() >= b.value
	}
	return float64(r.Used) >= b.value
}
