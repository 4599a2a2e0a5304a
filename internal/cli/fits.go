// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
)

// fitsListed is how many of the files are printed.
const fitsListed = 20

// A fitReport is what `fits --json` prints.
type fitReport struct {
	Schema  string `json:"schema"` // ctx.fits/1
	Session string `json:"session"`
	*api.FitsAnswer
	Skipped int `json:"skipped"` // files that are not text
}

func fitsCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "fits [FILE | DIRECTORY ...]",
		Short: "check whether files fit into a session, and which have to stay out",
		Example: `  ctx-lsp fits src docs/plan.md         into the current session of this workspace
  git diff | ctx-lsp fits               standard input
  ctx-lsp fits --session 0197f1c2 src   a session by its id, the beginning of it, or its transcript
  ctx-lsp fits src --json               as JSON, schema ctx.fits/1`,
		Long: `Files that .gitignore excludes and files that are not text are left out of directories.

Exit codes: 0 it fits, 1 error, 2 usage, 3 the session would be compacted, or its window is too small.`,
	}
	fs := c.Flags()
	word := fs.String("session", "", "use this `SESSION` instead of the current one")
	asJSON := jsonFlag(fs, "print JSON")
	colorMode := colorFlag(fs)
	c.RunE = does(func(ctx context.Context, names []string) int {
		if len(names) == 0 {
			names = []string{"-"}
		}
		parts, skipped, err := readTexts(ctx, env, names)
		if err != nil {
			return env.fail(err)
		}
		e, err := nativeEngine(env, 1)
		if err != nil {
			return env.fail(err)
		}
		defer e.Close()
		if err := teach(ctx, env, e); err != nil {
			return env.fail(err)
		}
		ctx, done := env.hurry(ctx) // the deadline starts here, because the texts may come from standard input
		defer done()
		s, children, chosen := chooseSession(ctx, env, *word)
		if chosen != nil {
			return env.chooseFailed(chosen)
		}
		reading, err := readSession(ctx, env, e, s, children)
		if err != nil {
			return env.fail(err)
		}
		report := fitReport{Schema: "ctx.fits/1", Skipped: skipped}
		if report.FitsAnswer, report.Session, err = askFits(ctx, e, reading, parts); err != nil {
			return env.fail(err)
		}
		if *asJSON {
			if failed := env.printJSON(&report); failed != exitOK {
				return failed
			}
		} else {
			writeFit(env, &report, env.color(colorMode.value))
		}
		if report.Level == "now" || report.Level == "over" {
			return exitOver
		}
		return exitOK
	})
	return c
}

// askFits asks about a session that the engine has open.
func askFits(ctx context.Context, e engine.Engine, reading []byte, parts []textfiles.Text) (*api.FitsAnswer, string, error) {
	r, err := terminal.Parse(reading)
	if err != nil {
		return nil, "", err
	}
	named := make([]api.Part, len(parts))
	for i, part := range parts {
		named[i] = api.Part{Label: part.Path, Text: api.Text(part.Text)}
	}
	fit, err := client.Call(e.Call).Fits(ctx, &api.FitsParams{ID: r.Session, Parts: named}).Read()
	return fit, r.Session, err
}

// readTexts reads the named files, and those of the named folders. It returns how many files of folders are not text.
func readTexts(ctx context.Context, env *environment, names []string) (texts []textfiles.Text, skipped int, err error) {
	files := env.textFiles()
	texts, skipped, err = files.Texts(ctx, names, textfiles.Most, false, files.Open)
	if errors.Is(err, textfiles.ErrUnreadable) {
		err = errors.New("a file that cannot be read cannot be checked")
	}
	return texts, skipped, env.fileError(err)
}

// writeFit prints the answer in a line, and the files below it, the largest first.
func writeFit(env *environment, report *fitReport, color bool) {
	headline := terminal.Name(report.Text)
	if color {
		headline = "\x1b[1m" + headline + "\x1b[0m"
	}
	fmt.Fprintln(env.Stdout, headline)
	if len(report.Parts) < 2 && report.Skipped == 0 {
		return
	}
	for i, p := range report.Parts {
		if i == fitsListed {
			fmt.Fprintf(env.Stdout, "  and %d smaller files\n", len(report.Parts)-i)
			break
		}
		note := ""
		if p.LeftOut {
			note = "  (leave it out)"
		}
		fmt.Fprintf(env.Stdout, "  %9s  %s%s\n", terminal.Digits(p.Tokens), env.name(p.Label), note)
	}
	if report.Skipped == 1 {
		fmt.Fprintln(env.Stdout, "  not counted: 1 file that is not text")
	} else if report.Skipped > 1 {
		fmt.Fprintf(env.Stdout, "  not counted: %d files that are not text\n", report.Skipped)
	}
}
