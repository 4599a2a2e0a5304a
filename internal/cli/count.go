// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
)

// countedFile is one file in the output of `count --json`.
type countedFile struct {
	File   string `json:"file"`
	Bytes  int64  `json:"bytes"`
	Tokens int64  `json:"tokens"`
	Basis  string `json:"basis"`
	Error  string `json:"error,omitempty"`
	Verify *int64 `json:"verify,omitempty"` // the count of the other tokenizer
}

type countTotal struct {
	Bytes   int64           `json:"bytes"`
	Tokens  int64           `json:"tokens"`
	Basis   string          `json:"basis"`
	Limit   *int64          `json:"limit,omitempty"`
	Percent *api.Hundredths `json:"percent,omitempty"`
	Budget  *int64          `json:"budget,omitempty"`
}

type countReport struct {
	Schema   string        `json:"schema"`
	Model    string        `json:"model,omitempty"`
	Encoding string        `json:"encoding"`
	Files    []countedFile `json:"files"`
	Total    countTotal    `json:"total"`
}

// noBudget is the value of --budget if it is not set.
const noBudget = math.MinInt64

func countCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "count [FILE | DIRECTORY ...]",
		Short: "count the tokens of files, like wc",
		Example: `  ctx-lsp count AGENTS.md docs/*.md            in o200k_base, the encoding of OpenAI's models since GPT-4o
  ctx-lsp count --model claude-opus-4-7 src    a directory, without what .gitignore excludes; also the share of the window
  git diff | ctx-lsp count --budget 8000       exit code 3 if there are more
  ctx-lsp count --encoding llama3 notes.txt    with a vocabulary that ctx-lsp vocab added
  ctx-lsp count --verify src                   again with tiktoken-go, with every difference
  ctx-lsp count --api anthropic --model claude-opus-5-5 request.json
                                               by the provider itself`,
		Long: "A number with ~ is an estimate: the model's tokenizer is not public. Without files, or for -, standard input is counted.\n" +
			"A named archive or compressed file is unpacked.\n" +
			"Encodings are " + strings.Join(token.Names(), ", ") + " and added vocabularies.\n\n" +
			"--api sends the request body in FILE to a provider's count API. Only with --api does this command use the\n" +
			"network. Keys come from the environment: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, AWS_…, VLLM_BASE_URL, …\n" +
			"Providers: " + countAPINames() + ".\n\n" +
			"Exit codes: 0 done, 1 a file could not be counted or --verify found a difference, 2 usage, 3 over the budget.",
	}
	fs := c.Flags()
	modelName := fs.String("model", "", "count for this `MODEL`, and show the share of its window")
	provider := fs.String("provider", "", "use the limits of this `PROVIDER`")
	encoding := fs.String("encoding", "", "count in this `ENCODING`")
	budget := fs.Int64("budget", noBudget, "exit with 3 if the total is over `N` tokens")
	fs.Lookup("budget").DefValue = "0" // not shown
	as := fs.String("as", "", "with `message`: count as one message of a user, with its frame, like the provider (models of Claude)")
	special := fs.Bool("special", false, "count control strings such as <|endoftext|> as one token each")
	force := fs.Bool("force", false, "also count files that are not text")
	verify := fs.Bool("verify", false, "count again with tiktoken-go and report every difference")
	api := fs.String("api", "", "count a request with this `PROVIDER`'s API")
	baseURL := fs.String("base-url", "", "use this `URL` instead of the provider's own")
	timeout := fs.Duration("timeout", 30*time.Second, "end one attempt after this `TIME`; a busy provider is retried")
	asJSON := jsonFlag(fs, "print JSON")
	colorMode := colorFlag(fs)
	c.RunE = does(func(ctx context.Context, names []string) int {
		var err error
		if *modelName != "" && *encoding != "" {
			err = errors.New("--model and --encoding cannot be used together: a model has its own encoding")
		}
		if err == nil && *as != "" && *as != "message" {
			err = fmt.Errorf("--as accepts only message, not %q", *as)
		}
		if err == nil && *budget < 0 && *budget != noBudget {
			err = errors.New("--budget must not be negative")
		}
		if err != nil {
			return env.usageError("count", err)
		}
		if *api != "" {
			if len(names) > 1 || *encoding != "" || *verify {
				return env.usageError("count", errors.New("--api expects one request, and cannot be used with --encoding or --verify"))
			}
			return runCountAPI(ctx, env, countAPIOptions{
				api: *api, model: *modelName, baseURL: *baseURL, timeout: *timeout,
				file: strings.Join(names, ""), budget: *budget, json: *asJSON,
			})
		}
		report := countReport{Schema: "ctx.count/1", Model: *modelName, Files: []countedFile{}}
		collectSeldom(env)
		counter, err := env.vocabularies().NewCounter(*modelName, *provider, *encoding)
		if err != nil {
			return env.fail(err)
		}
		report.Encoding = counter.Encoding
		if *verify {
			if counter.Estimates() {
				return env.fail(fmt.Errorf("--verify cannot check an estimate: the tokenizer of %s is not public", *modelName))
			}
			if counter.Verify, err = oracle(counter.Encoding); err != nil {
				return env.fail(err)
			}
		}
		counter.Force = *force
		if counter.Message = *as != ""; counter.Message && !counter.CountsMessages() {
			return env.fail(fmt.Errorf("--as=message cannot be used for %s: it requires a model of Claude and the vocabulary that ctx-lsp vocab add claude adds", cmp.Or(*modelName, report.Encoding)))
		}
		if counter.Doubt != "" {
			env.errorf("%s", counter.Doubt)
		}
		counter.AllowSpecial(*special)
		if len(names) == 0 {
			names = []string{"-"}
		}
		failed := countFiles(ctx, env, counter, &report, names)
		env.noteNothing(names, !failed && !slices.ContainsFunc(report.Files, func(f countedFile) bool { return f.Bytes > 0 }))
		total := &report.Total
		total.Basis = counter.Basis
		for _, f := range report.Files {
			total.Bytes += f.Bytes
			total.Tokens += f.Tokens
		}
		if limit := counter.Limit; limit > 0 {
			percent := percentOf(total.Tokens, limit)
			total.Limit, total.Percent = &limit, &percent
		}
		if *budget >= 0 {
			total.Budget = budget
		}
		if *asJSON {
			if failed := env.printJSON(report); failed != exitOK {
				return failed
			}
		} else {
			writeCounts(env, &report, env.color(colorMode.value))
			if env.StdoutTerminal {
				env.hintf("%s", countedFor(*modelName, counter))
			}
		}
		for _, f := range report.Files {
			if f.Verify != nil && *f.Verify != f.Tokens {
				env.errorf("%s: %d tokens, but tiktoken-go counts %d", f.File, f.Tokens, *f.Verify)
				failed = true
			}
		}
		if *verify && !failed && !*asJSON {
			fmt.Fprintf(env.Stderr, "ctx-lsp: tiktoken-go counts the same tokens in %s\n", terminal.Count(len(report.Files), "file", "files"))
		}
		switch {
		case failed:
			return exitError
		case *budget >= 0 && total.Tokens > *budget:
			env.errorf("%d tokens exceed the budget of %d", total.Tokens, *budget)
			return exitOver
		}
		return exitOK
	})
	return c
}

// countedFor describes the model or encoding that files were counted with.
func countedFor(model string, counter *textfiles.Counter) string {
	switch {
	case model == "":
		return "counted in " + counter.Encoding + "; --model counts for a model"
	case counter.Estimates():
		return "estimated for " + model + ", whose tokenizer is not public"
	}
	return "counted for " + model + " in " + counter.Encoding
}

// percentOf returns the share of a window that tokens take.
func percentOf(tokens, limit int64) api.Hundredths { return api.Hundredths(core.Share(tokens, limit)) }

// vocabularies returns the built-in vocabularies and those that the user has added.
func (env *environment) vocabularies() textfiles.Vocabularies {
	return textfiles.Vocabularies{
		Has: func(name string) bool {
			_, err := findVocabulary(env, name)
			return err == nil
		},
		Open: func(encoding string) (*token.Tokenizer, error) { return openTokenizer(env, encoding) },
	}
}

// countFiles counts the named files, and reports whether anything failed.
func countFiles(ctx context.Context, env *environment, counter *textfiles.Counter, report *countReport, names []string) bool {
	files := env.textFiles()
	paths, size, failed := files.List(ctx, names)
	bar := newProgress(env, "counting", size)
	defer bar.clear()
	counter.Progress = bar.add
	for _, path := range paths {
		counted, err := countFile(ctx, files, counter, path)
		if err != nil {
			bar.clear()
			if ctx.Err() != nil {
				env.errorf("interrupted")
				return true
			}
			if errors.Is(err, textfiles.ErrBinary) && len(paths) > len(names) {
				continue // a folder may contain pictures
			}
			env.errorf("%s", textfiles.Sentence(path, err))
			failed = true
			counted.Error = err.Error()
		}
		report.Files = append(report.Files, counted)
	}
	return failed
}

// noteNothing prints that there was nothing to count.
func (env *environment) noteNothing(names []string, nothing bool) {
	switch {
	case !nothing:
	case len(names) == 1 && names[0] == "-":
		env.errorf("standard input is empty")
	default:
		env.errorf("no text was found in %s", strings.Join(names, ", "))
	}
}

// countFile counts one file.
func countFile(ctx context.Context, files *textfiles.Files, counter *textfiles.Counter, path string) (countedFile, error) {
	f := countedFile{File: path, Basis: counter.Basis}
	in, err := files.Open(path)
	if err != nil {
		return f, err
	}
	defer in.Close()
	counted, err := counter.Count(ctx, in)
	f.Bytes, f.Tokens, f.Verify = counted.Bytes, counted.Tokens, counted.Verified
	return f, err
}

// writeCounts prints a line for each file and, for several, the total.
func writeCounts(env *environment, report *countReport, color bool) {
	mark := ""
	if report.Total.Basis == "estimated" {
		mark = "~"
	}
	lines := report.Files
	if len(lines) != 1 {
		lines = append(lines[:len(lines):len(lines)], countedFile{File: "total", Bytes: report.Total.Bytes, Tokens: report.Total.Tokens})
	}
	width := len(mark) + len(fmt.Sprint(report.Total.Tokens))
	for i, f := range lines {
		if f.Error != "" && f.Tokens == 0 {
			continue
		}
		share := ""
		if report.Total.Limit != nil {
			share = fmt.Sprintf(" %7.2f%%", percentOf(f.Tokens, *report.Total.Limit).Float())
		}
		name := env.name(f.File)
		if name == "-" {
			name = ""
		}
		line := strings.TrimRight(fmt.Sprintf("%*s%s  %s", width, mark+fmt.Sprint(f.Tokens), share, name), " ")
		if color && i == len(report.Files) {
			line = "\x1b[1m" + line + "\x1b[0m"
		}
		fmt.Fprintln(env.Stdout, line)
	}
	if report.Total.Limit != nil && env.StdoutTerminal {
		fmt.Fprintf(env.Stdout, "of the %d tokens that %s accepts\n", *report.Total.Limit, env.name(report.Model))
	}
}
