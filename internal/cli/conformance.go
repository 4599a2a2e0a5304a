// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/engine/vectors"
	"github.com/ctx-lsp/ctx-lsp/testdata/conformance"
)

// conformanceResult is the output of `conformance --json`.
type conformanceResult struct {
	Schema   string            `json:"schema"`
	Engine   string            `json:"engine"`
	Passed   int               `json:"passed"`
	Failed   int               `json:"failed"`
	Failures []vectors.Failure `json:"failures"`
}

func conformanceCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "conformance [DIRECTORY]",
		Short: "check that an engine gives the expected answers",
		Example: `  ctx-lsp conformance
  ctx-lsp conformance --engine wasm
  ctx-lsp conformance --engine wasm --module ctx.wasm testdata/conformance
  ctx-lsp conformance --update testdata/conformance`,
		Long: `The command runs the vectors of a directory, or those built into a released program. Each answer must match the vector, and match
answers.sum byte for byte, so that all engines answer alike. The last line is "N passed, M failed"; the exit code is 1
if M is not 0.`,
	}
	flags := c.Flags()
	location := newEngineFlags(flags)
	update := flags.Bool("update", false, "write answers.sum in the directory from this engine's answers")
	asJSON := jsonFlag(flags, "print the result as JSON")
	colorFlag(flags)
	c.RunE = does(func(ctx context.Context, rest []string) int {
		folder := conformance.Files()
		switch {
		case len(rest) > 1:
			return env.usageError("conformance", errors.New("expected one directory"))
		case len(rest) == 1:
			folder = os.DirFS(rest[0])
		case *update:
			return env.usageError("conformance", errors.New("--update requires the directory to write to"))
		case folder == nil:
			return env.usageError("conformance", errors.New("this program was built without the vectors; name their directory, testdata/conformance in a checkout"))
		}
		files, err := vectors.Read(folder)
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("%s contains no vectors (*.json)", rest[0])
			if _, absent := os.Stat(rest[0]); errors.Is(absent, fs.ErrNotExist) {
				err = fmt.Errorf("there is no directory %s", rest[0])
			}
		}
		if err != nil {
			return env.fail(err)
		}
		core, err := location.open(env, engine.Options{Instances: 1})
		if err != nil {
			return env.fail(err)
		}
		defer core.Close()

		result := conformanceResult{Schema: "ctx.conformance/1", Engine: location.name.value, Failures: []vectors.Failure{}}
		known, sums := vectors.ReadSums(folder), vectors.Sums{}
		total := 0
		for _, file := range files {
			total += len(file.Vectors)
		}
		done := 0
		for _, file := range files {
			for _, v := range file.Vectors {
				if ctx.Err() != nil {
					return env.fail(errors.New("interrupted"))
				}
				if env.StderrTerminal {
					fmt.Fprintf(env.Stderr, "\r%d of %d ", done, total)
				}
				done++
				key := vectors.Key(file, v)
				sum, failure := vectors.Run(ctx, core, v)
				if sum != "" {
					sums[key] = sum
				}
				switch {
				case failure != nil || *update:
				case known[key] == "":
					failure = &vectors.Failure{Why: "its answers are not in answers.sum yet; make vectors records them"}
				case known[key] != sum:
					failure = &vectors.Failure{Why: "its answers match the vector, but not the bytes recorded in answers.sum; if the change is intended, record it with make vectors"}
				}
				if failure == nil {
					result.Passed++
					continue
				}
				failure.Vector = key
				result.Failed++
				result.Failures = append(result.Failures, *failure)
			}
		}
		if env.StderrTerminal {
			fmt.Fprint(env.Stderr, "\r                \r")
		}
		if *update {
			path := filepath.Join(rest[0], vectors.SumsName)
			if err := os.WriteFile(path, sums.Text(), 0o644); err != nil {
				return env.fail(err)
			}
		}
		if *asJSON {
			if failed := env.printJSON(result); failed != exitOK {
				return failed
			}
		} else {
			for _, f := range result.Failures {
				fmt.Fprintf(env.Stdout, "failed: %s\n", f)
			}
			fmt.Fprintf(env.Stdout, "%d passed, %d failed\n", result.Passed, result.Failed)
		}
		if result.Failed > 0 {
			return exitError
		}
		return exitOK
	})
	return c
}
