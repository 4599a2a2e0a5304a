// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/allowance"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func init() {
	register(command{
		name:    "statusline",
		summary: "one line for the status line of Claude Code, Copilot CLI, Qwen Code or Antigravity",
		usage: `  ctx-lsp statusline --setup          makes it Claude Code's status line: shows the change, and asks
  ctx-lsp statusline --setup --undo   takes that back
  ctx-lsp statusline --template='{percent}{mark} of {limit}[ · {calls} calls left]'
  ctx-lsp statusline --warn=120k --alarm=80%

The agent's JSON comes on standard input; the line goes to standard output. If
something fails, the line is the last good one, with its age.

Flags:
  --setup                write the command, with the other flags, into the agent's settings, after a yes
  --agent=NAME           whose: claude-code (default), copilot-cli, qwen-code or antigravity
  --undo                 with --setup: what was there before
  --yes                  with --setup: show the change and do not ask
  --template=TEXT        what to print (CTX_STATUSLINE sets it too); a part in [ ] vanishes when its field is unknown
  --warn=N|P%            colour it yellow from so many tokens or percent on, instead of by the compaction line
  --alarm=N|P%           colour it red
  --mode=hybrid|provider the next request, predicted; or the last measured prompt and nothing else
  --timeout=DURATION     then print the last good line (1s)
  --json                 the Reading instead of a line
  --plain                ASCII and no colour
  --color=auto|always|never   auto colours unless NO_COLOR is set: the agent shows the colours

A template may colour what it says, {#yellow}like this{#}: red, green, yellow,
blue, magenta, cyan, white, black, grey, bold, dim, level (the colour of the
level), or ff8700. Then nothing else is coloured. {sep= | } separates the parts
by other characters.

Fields of a template:
` + terminal.Fields() + furtherFields(readingWords[:], agentWords[:]),
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
	setup := newSetupFlags(fs)
	args, err := parseFlags(fs, args)
	if err == nil && len(args) > 0 {
		err = errors.New("it takes no arguments")
	}
	if err == nil {
		err = setup.check(fs)
	}
	if *template == "" {
		if *template = env.Getenv("CTX_STATUSLINE"); *template == "" {
			*template = terminal.DefaultTemplate
		}
	}
	style := look.style(env)
	if look.color.value == "auto" && !*look.plain {
		// Standard output goes to the agent, which shows colours.
		style.Color = env.Getenv("NO_COLOR") == ""
	}
	if err == nil {
		_, err = terminal.Line(*template, &api.Reading{}, "", style, append(wordsOf(nil), fieldsOf(nil, "", env.Now())...)...)
	}
	if err != nil {
		return env.usageError("statusline", err)
	}
	if *setup.setup {
		return runStatuslineSetup(ctx, env, setup, lineCommand(env, fs), *asJSON)
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
	words := fieldsOf(nil, "", env.Now())
	if status != nil {
		words = fieldsOf(status.text, status.workspace, env.Now())
	}
	line := "ctx ?"
	if r, parsed := terminal.Parse(reading); parsed == nil && reading != nil {
		if r.Model == "" && status != nil {
			r.Model = status.model // the agent says it before an answer names it
		}
		if r.Branch == "" && status != nil && strings.Contains(*template, "{branch}") {
			r.Branch = branchOf(status.text, status.workspace)
		}
		line, _ = terminal.Line(*template, withBounds(r, warn, alarm), age, style, append(wordsOf(r), words...)...)
		if age != "" && !strings.Contains(*template, "{age}") {
			line += " (" + age + " old)"
		}
	} else if mode.value == "provider" {
		nothing := terminal.Nothing("")
		if status != nil {
			nothing.Model = status.model
		}
		line, _ = terminal.Line(*template, nothing, "", style, append(wordsOf(nil), words...)...)
	} else if status != nil && status.model != "" {
		line = style.Clean(status.model) + " ctx ?"
	}
	if _, err := fmt.Fprintln(env.Stdout, line); err != nil {
		return env.fail(err)
	}
	return exitOK
}

// maxStatus bounds the agent's message.
const maxStatus = 1 << 20

// statusReading makes a Reading of what the agent says and what it has
// written. When that takes too long it is of what the agent says alone, and on
// a failure the last good one of the same session, with its age; err then says
// what went wrong.
func statusReading(ctx context.Context, env *environment, mode string) (status *agentStatus, reading []byte, age string, err error) {
	status, err = heard(ctx, env)
	if err != nil {
		return nil, nil, "", err
	}
	status.mode = mode
	allowance.In(env.host().CacheDir()).Keep(status.agent, status.session, allowance.OfStatusLine(status.text, env.Now()))
	session, memory := status.remembered(), openMemory(env)
	select {
	case a := <-status.answer(ctx, env):
		if err = a.err; err == nil && a.reading != nil {
			memory.keep(session, a.reading, a.stamp, a.taught, a.place())
			return status, a.reading, "", nil
		}
	case <-ctx.Done():
		err = errors.New("reading the transcript took too long")
		if reading := status.fromNumbersAlone(env); reading != nil {
			return status, reading, "", err
		}
	}
	if last, at := memory.last(session); last != nil {
		return status, last, terminal.Age(env.Now().Sub(at)), err
	}
	return status, nil, "", err
}

// An answer is what was read of a session, with what was learned on the way of where it lies.
type answer struct {
	agentStatus
	reading []byte
	err     error
}

// answer reads the session in the background, so that nobody waits for longer than there is time.
func (s *agentStatus) answer(ctx context.Context, env *environment) <-chan answer {
	done := make(chan answer, 1)
	go func(a answer) {
		a.reading, a.err = a.read(ctx, env)
		done <- a
	}(answer{agentStatus: *s})
	return done
}

// heard is what the agent says on standard input, if it says it in time.
func heard(ctx context.Context, env *environment) (*agentStatus, error) {
	type told struct {
		text []byte
		err  error
	}
	done := make(chan told, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(env.Stdin, maxStatus))
		done <- told{text, err}
	}()
	select {
	case t := <-done:
		if t.err != nil {
			return nil, t.err
		}
		return parseStatus(t.text)
	case <-ctx.Done():
		return nil, errors.New("what the agent says took too long to arrive")
	}
}

// beforeReading is where tests have the reading hang.
var beforeReading = func() {}

// numbersPatience bounds the last resort when the time is over already.
const numbersPatience = 250 * time.Millisecond

// fromNumbersAlone is a Reading of what the agent says, nil where it says no number.
func (s *agentStatus) fromNumbersAlone(env *environment) []byte {
	if s.usage == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), numbersPatience)
	defer cancel()
	e, err := nativeEngine(env, 1)
	if err != nil {
		return nil
	}
	defer e.Close()
	if reading, err := s.fromNumbers(ctx, env, e); err == nil {
		return reading
	}
	return nil
}

// read computes the Reading: from the memory if nothing has changed, or from a daemon that follows the session, or from
// the transcript, or from the numbers in the agent's message.
func (s *agentStatus) read(ctx context.Context, env *environment) ([]byte, error) {
	beforeReading()
	transcript, err := s.locate(ctx, env)
	if err == nil {
		s.found, s.stamp = transcript, s.stampOf(transcript)
		if same := openMemory(env).same(s.remembered(), s.stamp); same != nil {
			return same, nil
		}
		if reading := askDaemon(ctx, env, s); reading != nil {
			return reading, nil
		}
	}
	e, engineErr := nativeEngine(env, 1)
	if engineErr != nil {
		return nil, engineErr
	}
	defer e.Close()
	_ = teach(ctx, env, e) // a line without what was learned is better than none
	if err == nil {
		var reading []byte
		if reading, err = s.readTranscript(ctx, env, e, transcript); err == nil && (s.usage == nil || s.agrees(reading)) {
			s.pass(ctx, env, e, reading)
			return reading, nil
		}
	}
	if s.usage == nil && err != nil {
		// An agent names a transcript before it writes it.
		if shown, _ := openMemory(env).last(s.remembered()); shown != nil || !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return s.fromNumbers(ctx, env, e)
}

// pass keeps what the session has taught for those that come after it, once when its first prompt has been measured and
// once after each compaction.
func (s *agentStatus) pass(ctx context.Context, env *environment, e engine.Engine, reading []byte) {
	r, err := terminal.Parse(reading)
	if err != nil || r.LastRequest == nil || s.session == "" {
		return
	}
	s.taught = r.Compactions + 1
	if openMemory(env).taught(s.remembered()) < s.taught {
		ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond) // another program may be writing
		defer cancel()
		keepLearned(ctx, env, e)
	}
}

// agrees says whether a Reading of the transcript knows more than the agent's message. It does not before the first
// answer is in the file. Agents that may write later than they tell have the word until both agree.
func (s *agentStatus) agrees(reading []byte) bool {
	r, err := terminal.Parse(reading)
	if err != nil {
		return false
	}
	if s.agent != agent.ClaudeCode {
		return r.LastRequest != nil && r.LastRequest.In == promptOf(s.usage)
	}
	return r.LastRequest != nil || r.Compactions > 0
}

// readTranscript reads the transcript: on from where the last status line stopped, and where all of it takes too long,
// only its end.
func (s *agentStatus) readTranscript(ctx context.Context, env *environment, e engine.Engine, transcript source.Session) ([]byte, error) {
	var reading []byte
	var err error
	whole := false
	if s.mode != "provider" { // what was measured last is at the end, and a ledger does not bring it back
		reading, whole, err = s.readWhole(ctx, env, e, transcript)
	}
	if err == nil && !whole {
		reading, err = s.readRecent(ctx, env, e, transcript)
	}
	if err == nil && reading == nil {
		err = fmt.Errorf("%s holds no record yet", transcript.Path)
	}
	if err == nil {
		reading, err = inMode(ctx, e, reading, s.mode)
	}
	return reading, err
}

// readRecent reads the end of the transcript.
func (s *agentStatus) readRecent(ctx context.Context, env *environment, e engine.Engine, transcript source.Session) ([]byte, error) {
	feed, err := source.NewRecentFeed(transcript, e.Call)
	if err != nil {
		return nil, err
	}
	feed.Settings = source.SettingsOf(env.host(), transcript)
	feed.Window, feed.Files = s.window, env.files(transcript)
	return feed.Read(ctx)
}

// withBounds replaces the level of a Reading by one that follows from the user's own thresholds.
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
	text    string // as it was typed
}

func (b *bound) String() string { return b.text }

func (b *bound) Set(text string) error {
	number, unit := text, 1.0
	b.set, b.text = true, text
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
