// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/presence"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func init() {
	register(command{
		name:    "status",
		summary: "how full a session's context is, and what fills it",
		usage: `  ctx-lsp status                       the current session of this workspace, on one screen
  ctx-lsp status --all                 every row and fact of it
  ctx-lsp status 0197f1c2              a session by its id, or the beginning of it
  ctx-lsp status transcript.jsonl      a transcript, whatever its name and place
  ctx-lsp status --calls calls.jsonl   a session as protocol calls, one {"method":…,"params":…} a line (- reads them from standard input)
  ctx-lsp status --json                the Reading as JSON
  ctx-lsp status --line                one line, for tmux, a prompt or an editor's own line
  ctx-lsp status --over 80             exit with 3 when more than 80 % of the window is used

Flags:
  --all                  every row, and all that is known of the number, the threshold and the window
  --line                 one line; --template=TEXT says how it looks, as in ctx-lsp help statusline
  --learned=false        leave out what earlier sessions have taught
  --over=PERCENT         exit with 3 when the window is fuller
  --mode=hybrid|provider the next request, predicted; or the last measured prompt and nothing else
  --plain                ASCII and no colour
  --color=auto|always|never

Exit codes: 0 done, 1 error, 2 usage, 3 over the budget.
`,
		run: runStatus,
	})
}

func runStatus(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("status")
	asJSON := fs.Bool("json", false, "print the Reading")
	calls := fs.String("calls", "", "a file of protocol calls")
	withLearned := fs.Bool("learned", true, "use what earlier sessions have taught")
	over := fs.Float64("over", 0, "exit with 3 when more percent are used")
	all := fs.Bool("all", false, "every row and fact")
	line := fs.Bool("line", false, "one line")
	template := fs.String("template", "", "how the line looks")
	mode := modeFlag(fs)
	look := lookFlags(fs)
	word, err := parseSession(fs, args)
	switch {
	case err != nil:
	case *calls != "" && word != "":
		err = errors.New("it takes a session or --calls, not both")
	case *template != "" && !*line:
		err = errors.New("--template goes with --line")
	case *line && *asJSON:
		err = errors.New("it takes --line or --json, not both")
	case *all && (*line || *asJSON):
		err = errors.New("--all cannot be used with --line or --json")
	case *over < 0:
		err = errors.New("--over takes a percentage")
	}
	if *template == "" {
		*template = terminal.DefaultTemplate
	}
	if err == nil && *line {
		_, err = terminal.Line(*template, &api.Reading{}, "", look.style(env), wordsOf(nil)...)
	}
	if err != nil {
		return env.usageError("status", err)
	}
	e, err := nativeEngine(env, 1)
	if err != nil {
		return env.fail(err)
	}
	defer e.Close()
	if *withLearned {
		if err := teach(ctx, env, e); err != nil {
			return env.fail(err)
		}
	}
	var reading []byte
	which := ""
	if *calls != "" {
		reading, err = readCalls(ctx, env, e, *calls)
	} else {
		var s source.Session
		var children []source.Session
		var chosen error
		if *asJSON || *line {
			s, children, chosen = chooseSession(ctx, env, word)
		} else {
			s, children, which, chosen = findSession(ctx, env, word)
		}
		if chosen != nil {
			return env.chooseFailed(chosen)
		}
		reading, err = readSession(ctx, env, e, s, children)
	}
	if err == nil {
		reading, err = inMode(ctx, e, reading, mode.value)
	}
	if err != nil {
		return env.fail(err)
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		return env.fail(err)
	}
	switch {
	case *asJSON:
		err = env.printLine(reading)
	case *line:
		var text string
		if text, err = terminal.Line(*template, r, "", look.style(env), wordsOf(r)...); err == nil {
			err = env.printLine([]byte(text))
		}
	default:
		now := env.Now()
		if r.AsOf != nil && now.Sub(time.UnixMilli(int64(*r.AsOf))) > presence.IdleAfter {
			// The records say that work was going on then. Its age is shown, and nobody knows about now.
			r.Activity, r.Pending = "", false
		}
		draw := terminal.Status
		if *all {
			draw = terminal.Overlay
		}
		err = draw(env.Stdout, r, which, now, look.style(env))
	}
	if err != nil {
		return env.fail(err)
	}
	if *over > 0 && r.Percent != nil && r.Percent.Float() > *over {
		return exitOver
	}
	return exitOK
}

// inMode is the Reading of an open session in the mode that a person wants; an empty mode is the session's own.
func inMode(ctx context.Context, e engine.Engine, reading []byte, mode string) ([]byte, error) {
	if mode == "" || len(reading) == 0 {
		return reading, nil
	}
	var about struct {
		Session string `json:"session"`
	}
	if err := json.Unmarshal(reading, &about); err != nil {
		return nil, err
	}
	params, err := json.Marshal(map[string]string{"id": about.Session, "mode": mode})
	if err != nil {
		return nil, err
	}
	return result(e.Call(ctx, "ctx/session/reading", params))
}

// maxCall is the length of the longest call that is read; the engine accepts none that is longer.
const maxCall = 17 << 20

// readCalls makes the calls of a file, and returns the Reading of the session that the last call was about.
func readCalls(ctx context.Context, env *environment, e engine.Engine, path string) ([]byte, error) {
	in := env.Stdin
	if path != "-" {
		if !filepath.IsAbs(path) {
			path = filepath.Join(env.Dir, path)
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), maxCall)
	id := ""
	number := 0
	for lines.Scan() {
		number++
		if len(lines.Bytes()) == 0 {
			continue
		}
		var call struct {
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
			return nil, fmt.Errorf("line %d of %s is no call: %w", number, path, err)
		}
		if call.Method == "" {
			return nil, fmt.Errorf(`line %d of %s is no call: it has no "method"`, number, path)
		}
		answer, err := result(e.Call(ctx, call.Method, call.Params))
		if err != nil {
			return nil, fmt.Errorf("line %d of %s, %s: %w", number, path, call.Method, err)
		}
		var about struct {
			Schema  string `json:"schema"`
			Session string `json:"session"`
		}
		if json.Unmarshal(answer, &about) == nil && about.Session != "" {
			id = about.Session
		}
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return nil, fmt.Errorf("line %d of %s is longer than %d MB", number+1, path, maxCall>>20)
		}
		return nil, err
	}
	if id == "" {
		return nil, fmt.Errorf("%s opens no session", path)
	}
	return result(e.Call(ctx, "ctx/session/reading", idParams(id)))
}
