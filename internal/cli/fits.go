// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
)

// A fitReport is the output of `fits --json`.
type fitReport struct {
	Schema  string `json:"schema"` // ctx.fits/2
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
  ctx-lsp fits src --json               as JSON, schema ctx.fits/2`,
		Long: `Files that .gitignore excludes and files that are not text are left out of directories. A named archive or compressed
file is unpacked.

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
		env.noteNothing(names, !slices.ContainsFunc(parts, func(p textfiles.Text) bool { return p.Text != "" }))
		report := fitReport{Schema: "ctx.fits/2", Skipped: skipped}
		r, err := terminal.Parse(reading)
		if err == nil {
			report.Session = r.Session
			report.FitsAnswer, err = client.Call(e.Call).Fits(ctx, &api.FitsParams{ID: r.Session, Parts: textfiles.Parts(parts)}).Read()
		}
		if err != nil {
			return env.fail(err)
		}
		if *asJSON {
			if failed := env.printJSON(&report); failed != exitOK {
				return failed
			}
		} else {
			var b strings.Builder
			terminal.WriteFit(&b, report.FitsAnswer, r.Model, report.Skipped, env.name, env.color(colorMode.value))
			env.wrap(env.Stdout, b.String())
		}
		if report.Level == "now" || report.Level == "over" {
			return exitOver
		}
		return exitOK
	})
	return c
}

// readTexts reads the named files, and those of the named folders. It returns how many files of folders are not text.
func readTexts(ctx context.Context, env *environment, names []string) (texts []textfiles.Text, skipped int, err error) {
	files := env.textFiles()
	texts, skipped, err = files.Texts(ctx, names, textfiles.Most, false, files.Open)
	if errors.Is(err, textfiles.ErrUnreadable) {
		err = errors.New("a directory could not be read, so whether its files fit is unknown")
	}
	return texts, skipped, env.fileError(err)
}
