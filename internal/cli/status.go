// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

func statusCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "status [SESSION | FILE]",
		Short: "show how full a session's context is, and what fills it",
		Example: `  ctx-lsp status                       the current session of this workspace, on one screen
  ctx-lsp status --all                 every row and fact of it
  ctx-lsp status 0197f1c2              a session by its id, the beginning of it, or words of its title
  ctx-lsp status transcript.jsonl      a transcript, whatever its name and location
  ctx-lsp status --picture             a grid of the window by kind, and the largest items by name
  ctx-lsp status --json                the Reading as JSON; with --all, with its panel
  ctx-lsp status --over 80             exit with 3 if more than 80% of the window is used
  ctx-lsp status --calls calls.jsonl   a session as protocol calls, one {"method":…,"params":…} per line; - for standard input`,
		Long: `Each cell of --picture is a hundredth of the window. Names are those of files, commands, servers and tools, never text of
the conversation.

Exit codes: 0 done, 1 error, 2 usage, 3 over the budget.`,
		ValidArgsFunction: env.completeSessions,
	}
	fs := c.Flags()
	all := fs.Bool("all", false, "show every row, and every fact about the number, the threshold and the window")
	picture := fs.Bool("picture", false, "draw the window as a grid; with --json, schema ctx.picture/2")
	top := fs.Int("top", 10, "with --picture: list the `N` largest items")
	hide := hidePathsFlag(fs)
	over := fs.Float64("over", 0, "exit with 3 if more than `PERCENT` of the window is used")
	mode := modeFlag(fs)
	withLearned := fs.Bool("learned", true, "use corrections learned from earlier sessions")
	calls := fs.String("calls", "", "read protocol calls from this `FILE` instead of a session")
	asJSON := jsonFlag(fs, "print JSON")
	look := lookFlags(fs)
	c.RunE = does(func(ctx context.Context, args []string) int {
		word, err := oneSession(args)
		switch {
		case err != nil:
		case *calls != "" && word != "":
			err = errors.New("--calls cannot be used with a session")
		case *all && *picture:
			err = errors.New("--all cannot be used with --picture")
		case *picture && (*calls != "" || *over != 0):
			err = errors.New("--picture cannot be used with --calls or --over")
		case fs.Changed("top") && !*picture:
			err = errors.New("--top requires --picture")
		case *top < 0 || *top > 1000:
			err = errors.New("--top must be from 0 to 1000")
		case *over < 0:
			err = errors.New("--over must be a percentage")
		}
		if err != nil {
			return env.usageError("status", err)
		}
		env.hidePaths = env.hidePaths || *hide
		if *picture {
			return drawPicture(ctx, env, word, *top, *asJSON, look.style(env))
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
		if *calls == "" {
			var done func()
			ctx, done = env.hurry(ctx)
			defer done()
		}
		var reading []byte
		which, opening, host, started := "", "", "", ""
		var shown transcript.Session
		if *calls != "" {
			reading, err = readCalls(ctx, env, e, *calls)
		} else {
			found, chosen := findSession(ctx, env, word)
			switch {
			case chosen != nil:
				return env.chooseFailed(chosen)
			case *asJSON:
				env.hintWhich(found)
			default:
				which, opening = found.Which, conversation.Opening(ctx, found.Session)
			}
			host, started, shown = found.Session.Host, found.Session.Workspace, found.Session
			if reading, err = readSession(ctx, env, e, found.Session, found.Children); err == nil {
				reading, err = withActivity(ctx, env, e, found.Session, reading)
			}
		}
		if err == nil {
			reading, err = client.Call(e.Call).InMode(ctx, reading, mode.value)
			reading = follow.WithHost(reading, host)
		}
		if err != nil {
			return env.fail(err)
		}
		r, err := terminal.Parse(reading)
		if err != nil {
			return env.fail(err)
		}
		now := env.Now()
		if *calls != "" && r.AsOf != nil {
			now = time.UnixMilli(int64(*r.AsOf)).In(now.Location()) // recorded calls are shown as of their last one
		}
		if !*asJSON || *all {
			rows := hostRows(opening, host, started)
			if shown.Path != "" {
				if value := readAgain(ctx, e, shown); value != "" {
					rows = append(rows, api.HostRow{ID: "readAgain", Section: "numbers", Label: "Read again", Value: value})
				}
			}
			if reading, err = client.Call(e.Call).InWords(ctx, reading, mode.value, rows...); err == nil {
				reading = follow.WithHost(reading, host)
				r, err = terminal.Parse(reading)
			}
		}
		switch {
		case err != nil:
		case *asJSON:
			err = env.printLine(reading)
		case *all:
			err = terminal.Overlay(env.Stdout, r, which, now, look.style(env))
		default:
			err = terminal.Status(env.Stdout, r, which, now, look.style(env))
		}
		if err != nil {
			return env.fail(err)
		}
		if *over > 0 && r.Percent != nil && r.Percent.Float() > *over {
			return exitOver
		}
		return exitOK
	})
	return c
}

// hostRows returns the rows of a panel that only this command knows; an empty text is unknown.
func hostRows(opening, host, workspace string) []api.HostRow {
	var rows []api.HostRow
	for _, row := range []struct{ id, value string }{{"opening", opening}, {"host", host}, {"workspace", workspace}} {
		if row.value != "" {
			rows = append(rows, api.HostRow{ID: row.id, Value: row.value})
		}
	}
	return rows
}

// maxCall is the length of the longest call that is read; the engine accepts no longer ones.
const maxCall = 17 << 20

// readCalls makes the calls of a file, and returns the Reading of the session that the last call was about.
func readCalls(ctx context.Context, env *environment, e engine.Engine, path string) ([]byte, error) {
	var in io.Reader
	if path == "-" {
		in = env.input()
	} else {
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
			return nil, fmt.Errorf("line %d of %s is not a call: %w", number, path, err)
		}
		if call.Method == "" {
			return nil, fmt.Errorf(`line %d of %s is not a call: it has no "method"`, number, path)
		}
		answer, err := client.Call(e.Call).Ask(ctx, call.Method, call.Params)
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
		return nil, fmt.Errorf("%s does not open a session", path)
	}
	return client.Call(e.Call).Reading(ctx, &api.ReadingParams{ID: id}).JSON()
}
