// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/ctx-lsp/ctx-lsp/internal/learned"
)

func init() {
	register(command{
		name:    "forget",
		summary: "remove what sessions have taught",
		usage: `  ctx-lsp forget             remove it; estimates start again from what this program knows
  ctx-lsp forget --json

What is learned are numbers: how far estimates were off, by agent, model and
workspace. The numbers that status lines showed last go with them.
`,
		run: runForget,
	})
}

func runForget(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("forget")
	asJSON := fs.Bool("json", false, "print what was removed as JSON")
	colorFlag(fs)
	args, err := parseFlags(fs, args)
	if err == nil && len(args) > 0 {
		err = errors.New("it takes no arguments")
	}
	if err != nil {
		return env.usageError("forget", err)
	}
	store := learned.Open(env.host().StateDir())
	had, err := store.Forget()
	if err == nil {
		err = openMemory(env).forget()
	}
	if err == nil {
		m, _ := promptFlags{}.notes(env)
		err = m.forget()
	}
	if err != nil {
		return env.fail(err)
	}
	if *asJSON {
		return env.printJSON(struct {
			Schema  string `json:"schema"`
			Path    string `json:"path"`
			Removed bool   `json:"removed"`
		}{"ctx.forget/1", store.Path(), had})
	}
	if had {
		_, err = fmt.Fprintf(env.Stdout, "removed %s\n", store.Path())
	} else {
		_, err = fmt.Fprintln(env.Stdout, "nothing had been learned")
	}
	if err != nil {
		return env.fail(err)
	}
	return exitOK
}
