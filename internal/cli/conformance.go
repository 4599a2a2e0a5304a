// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/engine/vectors"
	"github.com/ctx-lsp/ctx-lsp/testdata/conformance"
)

func init() {
	register(command{
		name:    "conformance",
		summary: "checks that an engine gives the answers it must",
		usage: `  ctx-lsp conformance
  ctx-lsp conformance --engine wasm
  ctx-lsp conformance --engine wasm --module ctx.wasm testdata/conformance
  ctx-lsp conformance --update testdata/conformance

Runs the vectors of a folder, or those that this program holds. Each must be answered as it says, and byte for byte as
answers.sum has it, so that all engines answer alike. The last line is "N passed, M failed"; the exit code is 1 if M > 0.

  --engine=native|wasm   where the core runs (native)
  --module=FILE          the WebAssembly module; else CTX_WASM, the one this program holds, or the one beside it
  --update               write answers.sum anew into the folder, from the answers of this engine
  --json                 the result as JSON
`,
		run: runConformance,
	})
}

// conformanceResult is what `conformance --json` prints.
type conformanceResult struct {
	Schema   string            `json:"schema"`
	Engine   string            `json:"engine"`
	Passed   int               `json:"passed"`
	Failed   int               `json:"failed"`
	Failures []vectors.Failure `json:"failures"`
}

func runConformance(ctx context.Context, env *environment, args []string) int {
	flags := newFlags("conformance")
	location := newEngineFlags(flags)
	update := flags.Bool("update", false, "write answers.sum anew")
	asJSON := flags.Bool("json", false, "print JSON")
	colorFlag(flags)
	rest, err := parseFlags(flags, args)
	if err != nil {
		return env.usageError("conformance", err)
	}
	var folder fs.FS = conformance.Files
	switch {
	case len(rest) > 1:
		return env.usageError("conformance", errors.New("it takes one folder"))
	case len(rest) == 1:
		folder = os.DirFS(rest[0])
	case *update:
		return env.usageError("conformance", errors.New("--update needs the folder to write to"))
	}
	files, err := vectors.Read(folder)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("there are no vectors, *.json files, in %s", rest[0])
		if !exists(rest[0]) {
			err = fmt.Errorf("there is no folder %s", rest[0])
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
				failure = &vectors.Failure{Why: "its answers are not recorded in answers.sum yet: make vectors does that"}
			case known[key] != sum:
				failure = &vectors.Failure{Why: "it is answered as it says, but not with the bytes recorded in answers.sum; if the change is meant, make vectors records it"}
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
}
