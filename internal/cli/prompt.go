// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/allowance"
	"github.com/ctx-lsp/ctx-lsp/internal/presence"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func init() {
	register(command{
		name:    "prompt",
		summary: "the same line without any input, for tmux, zellij, wezterm, starship and shells",
		usage: `  ctx-lsp prompt                      the session in front here, or else the newest of this machine
  ctx-lsp prompt --here               only a session that was started here
  ctx-lsp prompt --dir=FOLDER --here  the same for another folder, as that of a pane
  ctx-lsp prompt --color=tmux         colours as tmux and zellij's zjstatus write them
  ctx-lsp prompt --template='{percent}{mark}[ · {left} left]' --warn=120k

It prints one line, and nothing at all where there is no session. Which session is in front is remembered for some
seconds and found anew in the background; its number is that of now. A session without a process and without a record
of the last quarter of an hour is printed without the colours of its level.

Flags:
  --here                 only a session of this folder, of the repository around it, or of a folder above
  --dir=FOLDER           as if it had been started in this folder
  --since=DURATION       only a session that changed in this time; 0 for any age (12h)
  --template=TEXT        what to print (CTX_PROMPT sets it too); a part in [ ] vanishes when its field is unknown
  --warn=N|P%            colour it yellow from so many tokens or percent on, instead of by the compaction line
  --alarm=N|P%           colour it red
  --mode=hybrid|provider the next request, predicted; or the last measured prompt and nothing else
  --timeout=DURATION     then print the last good line (1s)
  --json                 the Reading instead of a line, null without a session
  --plain                ASCII and no colour
  --color=auto|always|never|tmux

The fields of a template are those of ctx-lsp statusline. Of what an agent says to a status line alone, as its cost,
nothing is known here; limits and the prompt's cache are, where ctx-lsp statusline was told of them.

Exit codes: 0 also when there is no session and nothing is printed, 1 when it could not be read, 2 for wrong usage.
`,
		run: runPrompt,
	})
}

// promptFlags are the flags of the command that the line depends on.
type promptFlags struct {
	here  bool
	dir   string
	since time.Duration
	mode  string
}

func runPrompt(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("prompt")
	var f promptFlags
	fs.BoolVar(&f.here, "here", false, "only a session of this folder")
	fs.StringVar(&f.dir, "dir", env.Dir, "as if it had been started there")
	fs.DurationVar(&f.since, "since", 12*time.Hour, "only a session that changed in this time")
	template := fs.String("template", "", "what to print")
	var warn, alarm bound
	fs.Var(&warn, "warn", "yellow from here on")
	fs.Var(&alarm, "alarm", "red from here on")
	timeout := fs.Duration("timeout", time.Second, "then print the last good line")
	asJSON := fs.Bool("json", false, "the Reading")
	refresh := fs.Bool(refreshFlag, false, "find the session in front anew, and print nothing")
	mode := modeFlag(fs)
	color := choiceFlag(fs, "color", "auto", "always", "never", "tmux")
	look := look{color, fs.Bool("plain", false, "ASCII and no colour")}
	args, err := parseFlags(fs, args)
	f.mode = mode.value
	switch {
	case err != nil:
	case len(args) > 0:
		err = errors.New("it takes no arguments; ctx-lsp status SESSION --line prints the line of a session")
	case f.since < 0 || *timeout <= 0:
		err = errors.New("--since is not negative, and --timeout is more than nothing")
	case f.dir == "":
		err = errors.New("--dir needs the path of a folder")
	}
	if *template == "" {
		if *template = env.Getenv("CTX_PROMPT"); *template == "" {
			*template = terminal.DefaultTemplate
		}
	}
	style := look.style(env)
	if color.value == "tmux" {
		style.Color = !*look.plain
	}
	nothing := agentFields{}
	if err == nil {
		_, err = terminal.Line(*template, &api.Reading{}, "", style, append(wordsOf(nil), nothing.words(nil, "", env.Now())...)...)
	}
	if err != nil {
		return env.usageError("prompt", err)
	}
	if !filepath.IsAbs(f.dir) {
		f.dir = filepath.Join(env.Dir, f.dir)
	}
	env.Dir = filepath.Clean(f.dir)
	if *refresh {
		f.find(ctx, env)
		return exitOK
	}
	defer collectNothing(env)()
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	status, reading, age, err := promptReading(ctx, env, f)
	if err != nil {
		env.errorf("%s", plainly(err))
		if reading == nil {
			return exitError
		}
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
	if reading == nil {
		return exitOK
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		return env.fail(err)
	}
	if r.Branch == "" && strings.Contains(*template, "{branch}") {
		r.Branch = branchOf(nil, status.workspace)
	}
	told := allowance.In(env.host().CacheDir()).Of(status.agent, status.session)
	words := append(wordsOf(r), nothing.words(told, status.workspace, env.Now())...)
	r = withBounds(r, warn, alarm)
	if style.Color && env.Now().Sub(status.found.Modified) > presence.IdleAfter {
		r.Compaction.Level = "" // it never alarms
	}
	line, err := terminal.Line(*template, r, age, style, words...)
	if err != nil {
		return env.fail(err)
	}
	if age != "" && !strings.Contains(*template, "{age}") {
		line += " (" + age + " old)"
	}
	if color.value == "tmux" {
		line = terminal.Tmux(line)
	}
	if err := env.printLine([]byte(line)); err != nil {
		return env.fail(err)
	}
	return exitOK
}

// promptReading is the Reading of the session in front; nil where there is none. On a failure it is the last good one,
// with its age.
func promptReading(ctx context.Context, env *environment, f promptFlags) (status *agentStatus, reading []byte, age string, err error) {
	kept, err := f.front(ctx, env)
	if kept == nil {
		return nil, nil, "", err
	}
	status = &agentStatus{face: "prompt", agent: kept.Agent, version: kept.Version, session: kept.ID, workspace: kept.Workspace, mode: f.mode, kept: kept}
	if status.found, err = kept.Session(); err != nil {
		return nil, nil, "", nil // it is gone, and the next run finds another
	}
	session, memory := status.remembered(), openMemory(env)
	select {
	case a := <-status.answer(ctx, env):
		if err = a.err; err == nil && a.reading != nil {
			memory.keep(session, a.reading, a.stamp, a.taught, nil)
			return status, a.reading, "", nil
		}
	case <-ctx.Done():
		err = errors.New("reading the session took too long")
	}
	if last, at := memory.last(session); last != nil {
		return status, last, terminal.Age(env.Now().Sub(at)), nil
	}
	return status, nil, "", err
}
