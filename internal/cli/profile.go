// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/course"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

func init() {
	register(command{
		name:    "profile",
		summary: "where a session's tokens went, for go tool pprof and speedscope",
		usage: `  ctx-lsp profile 0197f1c2                          the largest, as a table
  ctx-lsp profile 0197f1c2 --pprof=tokens.pb.gz     go tool pprof -http=: tokens.pb.gz
  ctx-lsp profile 0197f1c2 --speedscope=tokens.json open it at speedscope.app, or with npx speedscope
  ctx-lsp profile transcript.jsonl --pprof=-        on standard output
  ctx-lsp profile --json                            the samples as JSON, schema ctx.profile/1

A token that stays in the window is sent with every request. "Sent" is what all requests held together, by kind, tool,
file and message; "held" is how large a thing was at most. Names are those of files, commands and tools; what was said
is in no profile.

Flags:
  --pprof=FILE           write a profile of pprof; - prints it
  --speedscope=FILE      write a profile of speedscope; - prints it
  --top=N                how many lines the table has (30)
  --hide-paths           show of the paths of files no more than the last element
  --color=auto|always|never

Exit codes: 0 done, 1 error, 2 usage.
`,
		run: runProfile,
	})
}

func runProfile(ctx context.Context, env *environment, args []string) int {
	fs := newFlags("profile")
	asJSON := fs.Bool("json", false, "print the samples as JSON")
	pprof := fs.String("pprof", "", "write a profile of pprof")
	speedscope := fs.String("speedscope", "", "write a profile of speedscope")
	lines := fs.Int("top", 30, "how many lines")
	hide := fs.Bool("hide-paths", false, "show only the last element of paths")
	colorFlag(fs)
	word, err := parseSession(fs, args)
	switch {
	case err != nil:
	case *lines < 1:
		err = errors.New("--top is at least 1")
	case *asJSON && (*pprof == "-" || *speedscope == "-"), *pprof == "-" && *speedscope == "-":
		err = errors.New("only one of them can be printed")
	}
	if err != nil {
		return env.usageError("profile", err)
	}
	env.hidePaths = env.hidePaths || *hide
	c, _, failed := readCourse(ctx, env, word)
	if failed != exitOK {
		return failed
	}
	written := false
	for _, out := range []struct {
		path  string
		write func(io.Writer, *course.Course) error
	}{{*pprof, course.WritePprof}, {*speedscope, course.WriteSpeedscope}} {
		if out.path == "" {
			continue
		}
		written = true
		if err := env.writeFile(out.path, func(w io.Writer) error { return out.write(w, c) }); err != nil {
			return env.fail(err)
		}
	}
	samples := c.Samples()
	switch {
	case *asJSON:
		type sample struct {
			Stack    []string `json:"stack"`
			Sent     int64    `json:"sent"`
			Held     int64    `json:"held"`
			Requests int64    `json:"requests"`
		}
		list := make([]sample, len(samples))
		for i, s := range samples {
			list[i] = sample{s.Stack, s.Sent, s.Tokens, s.Requests}
		}
		return env.printJSON(struct {
			Schema   string   `json:"schema"`
			Session  string   `json:"session"`
			Requests int      `json:"requests"`
			Samples  []sample `json:"samples"`
		}{"ctx.profile/1", c.Last.Session, len(c.Requests), list})
	case !written:
		env.printSamples(c, samples, *lines)
	}
	return exitOK
}

// printSamples prints the samples that were sent most.
func (env *environment) printSamples(c *course.Course, samples []course.Sample, lines int) {
	sum := int64(0)
	for i := range samples {
		sum += samples[i].Sent
	}
	fmt.Fprintf(env.Stdout, "%s, %s: %s tokens sent in %s requests\n", terminal.Name(c.Last.Model), terminal.Name(c.Last.Session), terminal.Digits(sum), terminal.Digits(int64(len(c.Requests))))
	fmt.Fprintf(env.Stdout, "%14s  %6s  %10s  %8s  %s\n", "SENT", "SHARE", "HELD", "REQUESTS", "WHAT")
	for i, s := range samples {
		if i == lines {
			fmt.Fprintf(env.Stdout, "and %d more; --top=N lists them, --pprof=FILE has all\n", len(samples)-i)
			break
		}
		what := terminal.Sentence(strings.Join(s.Stack, " / "))
		room := max(env.Columns-46, 20)
		fmt.Fprintf(env.Stdout, "%14s  %5.1f%%  %10s  %8s  %s\n", terminal.Digits(s.Sent), 100*float64(s.Sent)/float64(max(sum, 1)), terminal.Digits(s.Tokens), terminal.Digits(s.Requests), terminal.Style{Unicode: true}.Cut(what, room))
	}
}

// writeFile writes a file of a command's result, and says so; - is standard output.
func (env *environment) writeFile(path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(env.Stdout)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(env.Dir, path)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		fmt.Fprintln(env.Stderr, "ctx-lsp: wrote "+path)
	}
	return err
}
