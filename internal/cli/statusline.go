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

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func statuslineCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "statusline [SESSION | FILE]",
		Short: "print one line for an agent's status line, or for shells, tmux and other bars",
		Example: `  ctx-lsp statusline --setup          make it Claude Code's status line, after a confirmation
  ctx-lsp statusline --setup --undo   restore the previous status line
  ctx-lsp statusline --template='{number} of {limit}[ · {hint}]'
  ctx-lsp statusline --warn=120k --alarm=80%
  ctx-lsp statusline --for=shell                      without input: this directory's current session, or the newest on this machine
  ctx-lsp statusline --for=shell --here --dir=DIR     only a session that was started in another directory, such as a pane's
  ctx-lsp statusline --for=shell --color=tmux         colors in the notation of tmux and zellij's zjstatus
  ctx-lsp statusline --for=shell 0197f1c2             a session by its id, the beginning of it, or its transcript`,
		Long: `An agent sends its JSON on standard input. If the session cannot be read, the last good line is printed with its age.

With --for=shell the command reads no input, and prints nothing if there is no session. The current session is remembered
for some seconds and looked up again in the background; its number is always current. An idle session is printed without the
color of its level. Values that only an agent reports, such as its cost, are unknown in this form.

In a template, a part in [ ] is omitted if its field is unknown. {#yellow}colors{#}: red, green, yellow, blue, magenta,
cyan, white, black, grey, bold, dim, level (the level's color), or ff8700; nothing else is colored then. {sep= | }
separates the parts with other characters.

Fields of a template:
` + terminal.Fields() + furtherFields(readingWords[:], agentWords[:]) + `
Exit codes: 0 done, also if there is no session; 1 the session could not be read, 2 usage.`,
		ValidArgsFunction: env.completeSessions,
	}
	fs := c.Flags()
	f := statuslineFlags{asked: fs}
	f.reader = choiceFlag(fs, "for", "print for an agent, which sends its JSON, or for a shell", "agent", "shell")
	f.template = fs.String("template", "", "print this `TEMPLATE` (or CTX_STATUSLINE)")
	fs.Var(&f.warn, "warn", "show yellow from `N|P%` on, in tokens or percent, instead of by the compaction threshold")
	fs.Var(&f.alarm, "alarm", "show red from `N|P%` on")
	f.mode = modeFlag(fs)
	f.timeout = fs.Duration("timeout", time.Second, "print the last good line after this `TIME`")
	f.setup = newSetupFlags(fs)
	fs.BoolVar(&f.front.here, "here", false, "--for=shell: only a session of this directory, its repository or a directory above")
	fs.StringVar(&f.front.dir, "dir", env.Dir, "--for=shell: act as if started in this `DIRECTORY`")
	fs.Lookup("dir").DefValue = ""
	fs.DurationVar(&f.front.since, "since", 12*time.Hour, "--for=shell: only a session that changed within this `TIME`; 0 for any age")
	fs.Lookup("since").DefValue = "12h"
	f.refresh = fs.Bool(refreshFlag, false, "")
	_ = fs.MarkHidden(refreshFlag)
	f.asJSON = jsonFlag(fs, "print the Reading instead of a line; null if there is no session")
	f.look.color = choiceFlag(fs, "color", "use color; auto means unless NO_COLOR is set, because the agent shows it", "auto", "always", "never", "tmux")
	f.look.plain = fs.Bool("plain", false, "use ASCII and no color")
	c.RunE = does(func(ctx context.Context, args []string) int {
		word, err := oneSession(args)
		if err == nil {
			err = f.check(word)
		}
		if *f.template == "" {
			if *f.template = env.Getenv("CTX_STATUSLINE"); *f.template == "" {
				*f.template = terminal.DefaultTemplate + "[ · {back}]"
			}
		}
		if err == nil {
			fields := fieldsOf(nil, "", env.Now())
			if f.forShell() {
				fields = (&agentFields{}).words(nil, "", env.Now())
			}
			_, err = terminal.Line(*f.template, &api.Reading{}, "", f.style(env), append(wordsOf(nil, env.Now()), fields...)...)
		}
		if err != nil {
			return env.usageError("statusline", err)
		}
		if f.forShell() {
			return runShellLine(ctx, env, &f, word)
		}
		return runStatusline(ctx, env, &f)
	})
	return c
}

// statuslineFlags are the flags of statusline.
type statuslineFlags struct {
	asked       *pflag.FlagSet
	reader      *choice
	template    *string
	warn, alarm bound
	mode        *choice
	timeout     *time.Duration
	setup       setupFlags
	front       frontFlags
	refresh     *bool
	asJSON      *bool
	look        look
}

func (f *statuslineFlags) forShell() bool { return f.reader.value == "shell" }

// check returns an error for flags that cannot be used together.
func (f *statuslineFlags) check(word string) error {
	switch {
	case *f.timeout <= 0:
		return errors.New("--timeout must be greater than 0")
	case f.front.since < 0:
		return errors.New("--since must not be negative")
	case f.front.dir == "":
		return errors.New("--dir requires the path of a directory")
	case f.forShell() && *f.setup.setup:
		return errors.New("--setup writes the settings of agents; for shells, copy the lines in docs/editors.md")
	case !f.forShell() && word != "":
		return errors.New("a session can be named only with --for=shell; an agent sends its own")
	case !f.forShell() && f.look.color.value == "tmux":
		return errors.New("--color=tmux requires --for=shell")
	}
	if !f.forShell() {
		for _, name := range []string{"here", "dir", "since"} {
			if f.asked.Changed(name) {
				return fmt.Errorf("--%s requires --for=shell", name)
			}
		}
	}
	return f.setup.check(f.asked)
}

// style returns how the line is drawn. An agent and tmux read the line and show its colors.
func (f *statuslineFlags) style(env *environment) terminal.Style {
	style := f.look.style(env)
	switch {
	case f.look.color.value == "tmux":
		style.Color = !*f.look.plain
	case !f.forShell() && f.look.color.value == "auto" && !*f.look.plain:
		style.Color = env.Getenv("NO_COLOR") == ""
	}
	return style
}

// runStatusline prints the line for an agent, or sets it up.
func runStatusline(ctx context.Context, env *environment, f *statuslineFlags) int {
	if *f.setup.setup {
		return runStatuslineSetup(ctx, env, f.setup, lineCommand(env, f.asked), *f.asJSON)
	}
	defer collectNothing(env)()
	ctx, cancel := context.WithTimeout(ctx, *f.timeout)
	defer cancel()
	status, reading, age, err := statusReading(ctx, env, f.mode.value)
	if err != nil {
		env.errorf("%s", err)
	}
	if *f.asJSON {
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
		if r.Branch == "" && status != nil && strings.Contains(*f.template, "{branch}") {
			r.Branch = branchOf(status.text, status.workspace)
		}
		line, _ = terminal.Line(*f.template, withBounds(r, f.warn, f.alarm), age, f.style(env), append(wordsOf(r, env.Now()), words...)...)
		if age != "" && !strings.Contains(*f.template, "{age}") {
			line += " (" + age + " old)"
		}
	} else if f.mode.value == "provider" {
		nothing := terminal.Nothing("")
		if status != nil {
			nothing.Model = status.model
		}
		line, _ = terminal.Line(*f.template, nothing, "", f.style(env), append(wordsOf(nil, env.Now()), words...)...)
	} else if status != nil && status.model != "" {
		line = f.style(env).Clean(status.model) + " ctx ?"
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
	status.keepSaid(env)
	state.LimitsIn(env.host().CacheDir()).Keep(status.agent, status.session, agents.StatusLineLimits(status.text, env.Now()))
	session, notes := status.remembered(), env.lastReadings()
	select {
	case a := <-status.answer(ctx, env):
		if err = a.err; err == nil && a.reading != nil {
			notes.Keep(session, a.reading, a.stamp, a.taught, a.place())
			return status, a.reading, "", nil
		}
	case <-ctx.Done():
		err = errors.New("reading the transcript took too long")
		if reading := status.fromNumbersAlone(env); reading != nil {
			return status, reading, "", err
		}
	}
	if last, at := notes.Last(session); last != nil {
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
		text, err := io.ReadAll(io.LimitReader(env.input(), maxStatus))
		done <- told{text, err}
	}()
	select {
	case t := <-done:
		if t.err != nil {
			return nil, t.err
		}
		return parseStatus(t.text)
	case <-ctx.Done():
		return nil, errors.New("the agent's status took too long to arrive")
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
		if same := env.lastReadings().Same(s.remembered(), s.stamp); same != nil {
			return same, nil
		}
		if !s.alone {
			if reading := askDaemon(ctx, env, s); reading != nil {
				return reading, nil
			}
		}
	}
	e, engineErr := engine.Native(withAdded(env, engine.Options{Instances: 1, Brief: true}))
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
		if shown, _ := env.lastReadings().Last(s.remembered()); shown != nil || !errors.Is(err, os.ErrNotExist) {
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
	if env.lastReadings().Taught(s.remembered()) < s.taught {
		ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond) // another program may be writing
		defer cancel()
		keepLearned(ctx, env, e, true)
	}
}

// agrees says whether a Reading of the transcript knows more than the agent's message. It does not before the first
// answer is in the file. Agents that may write later than they tell have the word until both agree.
func (s *agentStatus) agrees(reading []byte) bool {
	r, err := terminal.Parse(reading)
	if err != nil {
		return false
	}
	if s.line != nil && !s.line.WritesFirst {
		return r.LastRequest != nil && r.LastRequest.In == agents.PromptOf(s.usage)
	}
	return r.LastRequest != nil || r.Compactions > 0
}

// readTranscript reads the transcript: on from where the last status line stopped, and where all of it takes too long,
// only its end.
func (s *agentStatus) readTranscript(ctx context.Context, env *environment, e engine.Engine, transcript transcript.Session) ([]byte, error) {
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
		err = fmt.Errorf("%s contains no record yet", transcript.Path)
	}
	if err == nil {
		reading, err = client.Call(e.Call).InMode(ctx, reading, s.mode)
	}
	return reading, err
}

// readRecent reads the end of the transcript.
func (s *agentStatus) readRecent(ctx context.Context, env *environment, e engine.Engine, transcript transcript.Session) ([]byte, error) {
	feed, err := follow.NewRecentFeed(transcript, e.Call)
	if err != nil {
		return nil, err
	}
	feed.Settings, feed.Says = agents.SettingsOf(env.host(), transcript), env.says()
	feed.Files = env.files(transcript)
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

// Type names the value in the help.
func (b *bound) Type() string { return "N|P%" }

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
		return errors.New("expected a number of tokens such as 160000, 160k or 1.2M, or a percentage such as 80%")
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
