// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/export"
	"github.com/ctx-lsp/ctx-lsp/internal/redact"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// exportFlags are the flags of export.
type exportFlags struct {
	out, format, key string
	since, until     string
	names, json      bool
	merge            bool
	jobs             int
	part             shard
}

// mostJobs is how many sessions are exported at a time where nobody says more. Each has an engine of its own and takes
// some ten megabytes, so that four stay below 100 (make bench-export).
const mostJobs = 4

// exportDone is the result of an export.
type exportDone struct {
	Schema    string `json:"schema"` // ctx.export/1
	Rows      int64  `json:"rows"`
	Sessions  int64  `json:"sessions"`
	Unchanged int64  `json:"unchanged"` // sessions that were in the directory already
	Failed    int64  `json:"failed"`
	Struck    int64  `json:"struck"` // values in the rows that look like secrets
}

func exportCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "export [SESSION | FILE | DIRECTORY | PATTERN ...]",
		Short: "export past sessions, one row per request, as Parquet, CSV or JSON lines",
		Example: `  ctx-lsp export --out=table               every session on this machine; again later, what is new
  ctx-lsp export --out=table ~/.codex      sessions below a directory, or in a transcript
  ctx-lsp export --format=csv a.jsonl      to standard output
  ctx-lsp export --out=table 'logs/**/*.jsonl' old.tar.zst more.zip
  find . -name '*.jsonl' | ctx-lsp export --out=table -
  ctx-lsp export --out=table --shard=2/8   the second eighth of the sessions, for one of eight machines`,
		Long: `A row has time, agent, version, model, window, threshold, input, output, cache, the predicted prompt and its error, what
filled the window by kind, compactions and MCP servers; docs/export.md lists the columns. Sessions and projects are
keyed hashes. Each run adds one file with the rows that are not in the directory yet.

Exit codes: 0 done, 1 a session or a path could not be read, 2 usage.`,
	}
	flags := c.Flags()
	var f exportFlags
	flags.StringVar(&f.out, "out", "", "add a file with the new rows to this `DIRECTORY`")
	flags.StringVar(&f.format, "format", "", "write this `FORMAT`: parquet (with --out), csv or jsonl")
	flags.Var(&f.part, "shard", "export only the sessions of one of N parts, as `I/N`")
	flags.StringVar(&f.key, "key", env.Getenv("CTX_EXPORT_KEY"), "hash with this `KEY` (or CTX_EXPORT_KEY) instead of this machine's random one")
	flags.Lookup("key").DefValue = ""
	flags.StringVar(&f.since, "since", "", "export only requests from this `TIME` on, such as 2026-11-01 (UTC) or 2026-11-01T08:00:00Z")
	flags.StringVar(&f.until, "until", "", "export only requests before this `TIME`")
	flags.BoolVar(&f.names, "names", false, "export sessions and projects by name instead of as hashes")
	unredacted := unredactedFlag(flags)
	flags.IntVar(&f.jobs, "jobs", min(runtime.GOMAXPROCS(0), mostJobs), "read `N` sessions at a time")
	flags.Lookup("jobs").DefValue = "0" // it differs between machines
	flags.BoolVar(&f.merge, "merge", false, "add up the JSON summaries of other shards, given as arguments")
	flags.BoolVar(&f.json, "json", false, "print a summary as JSON, schema ctx.export/1 (with --out)")
	colorFlag(flags)
	c.RunE = does(func(ctx context.Context, paths []string) int {
		err := f.check()
		if err != nil {
			return env.usageError("export", err)
		}
		if f.merge {
			return f.merged(env, paths)
		}
		names := export.Names{Plain: f.names, Key: []byte(f.key), Unredacted: *unredacted, At: env.Now().UTC().Truncate(time.Millisecond)}
		if names.Since, err = moment("--since", f.since); err == nil {
			names.Until, err = moment("--until", f.until)
		}
		if err != nil {
			return env.usageError("export", err)
		}
		if !f.names && f.key == "" {
			if names.Key, err = exportKey(env); err != nil {
				return env.fail(err)
			}
		}
		boundExportMemory(env)
		in, err := sessionsFor(ctx, env, paths)
		if err != nil {
			return env.fail(err)
		}
		done, err := f.run(ctx, env, f.part.filter(in.sessions), names, in.origin)
		if err != nil {
			return env.fail(err)
		}
		done.Failed += in.failed
		if note := redact.Note(int(done.Struck)); note != "" {
			env.hintf("%s", note)
		}
		if f.json || f.out != "" {
			if code := f.print(env, done); code != exitOK {
				return code
			}
		}
		if done.Failed > 0 || ctx.Err() != nil {
			return exitError
		}
		return exitOK
	})
	return c
}

// print prints the result.
func (f *exportFlags) print(env *environment, done *exportDone) int {
	if f.json {
		return env.printJSON(done)
	}
	_, err := fmt.Fprintf(env.Stdout, "%s of %s written, %s unchanged\n", terminal.Count(int(done.Rows), "row", "rows"), terminal.Count(int(done.Sessions), "session", "sessions"), terminal.Count(int(done.Unchanged), "session", "sessions"))
	if err != nil {
		return env.fail(err)
	}
	return exitOK
}

// merged prints the sum of several exports.
func (f *exportFlags) merged(env *environment, paths []string) int {
	sum := &exportDone{Schema: "ctx.export/1"}
	for _, path := range paths {
		text, err := os.ReadFile(env.resolve(path))
		var done exportDone
		if err == nil && (json.Unmarshal(text, &done) != nil || done.Schema != sum.Schema) {
			err = errors.New("it is not a summary of ctx-lsp export --json")
		}
		if err != nil {
			env.errorf("%s", textfiles.Sentence(path, err))
			return exitError
		}
		sum.Rows, sum.Sessions = sum.Rows+done.Rows, sum.Sessions+done.Sessions
		sum.Unchanged, sum.Failed = sum.Unchanged+done.Unchanged, sum.Failed+done.Failed
		sum.Struck += done.Struck
	}
	if code := f.print(env, sum); code != exitOK {
		return code
	}
	if sum.Failed > 0 {
		return exitError
	}
	return exitOK
}

func (f *exportFlags) check() error {
	if f.format == "" {
		f.format = "jsonl"
		if f.out != "" {
			f.format = export.Formats[0]
		}
	}
	if !slices.Contains(export.Formats, f.format) {
		return fmt.Errorf("--format cannot be %q: expected one of %s", f.format, strings.Join(export.Formats, ", "))
	}
	switch {
	case f.merge && (f.out != "" || f.part.parts > 0 || f.names):
		return errors.New("--merge only adds up summaries; it cannot be used with --out, --shard or --names")
	case f.merge:
		return nil
	case f.jobs < 1:
		return errors.New("--jobs must be at least 1")
	case f.out == "" && f.format == "parquet":
		return errors.New("--format=parquet requires --out: a Parquet file cannot be written to a pipe")
	case f.out == "" && f.json:
		return errors.New("--json requires --out; use --format=jsonl to print the rows")
	case f.names && f.key != "":
		return errors.New("--key and --names cannot be used together")
	}
	return nil
}

// moment reads a bound of the times: a day in UTC, or a time. An empty text is the zero time.
func moment(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%s cannot be %q: expected a day such as 2026-11-01, or a time such as 2026-11-01T08:00:00Z", flag, text)
}

// exportKey returns the key of this machine. It is created once, so that later exports have the same hashes.
func exportKey(env *environment) ([]byte, error) {
	folder := env.stateDir()
	if folder == "" {
		return nil, errors.New("the key of the hashes cannot be saved, because no directory for settings is known; use --key=TEXT or --names")
	}
	return safefile.Secret(filepath.Join(folder, "export.key"))
}

// run reads the sessions side by side, and writes each one's rows as they come. The largest begin first, so that none
// of them keeps one core busy alone at the end.
func (f *exportFlags) run(ctx context.Context, env *environment, sessions []transcript.Session, names export.Names, origin func(string) string) (*exportDone, error) {
	e := &exporting{env: env, names: names, done: &exportDone{Schema: "ctx.export/1"}}
	var err error
	if f.out != "" {
		if e.folder, err = export.OpenFolder(env.resolve(f.out), f.format, names); err == nil {
			e.folder.Origin, e.folder.Windows = origin, env.windows()
			defer e.folder.Close()
		}
	} else {
		out := env.Stdout
		if f.format == "jsonl" {
			out = env.jsonOut()
		}
		e.stream, err = export.NewWriter(f.format, out)
	}
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(sessions, func(a, b transcript.Session) int { return cmp.Compare(b.Size, a.Size) })
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	e.bar = newProgress(env, "export", totalSize(sessions))
	defer e.bar.clear()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(f.jobs, len(sessions)) {
		workers.Go(func() {
			engine, err := nativeEngine(env, 1)
			if err != nil {
				stop(err)
				return
			}
			defer engine.Close()
			for i := next.Add(1) - 1; i < int64(len(sessions)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				if err := e.one(ctx, engine, sessions[i]); err != nil {
					stop(err)
					return
				}
			}
		})
	}
	workers.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return e.done, cause
	}
	if e.stream != nil {
		return e.done, e.stream.Close()
	}
	return e.done, e.folder.Finish() // after an interrupt too, with the rows so far
}

// An exporting is an export under way.
type exporting struct {
	env    *environment
	names  export.Names
	folder *export.Folder // nil if rows are written to standard output
	stream export.Writer
	bar    *progress

	mu   sync.Mutex // guards the fields below, and the stream
	done *exportDone
}

// rowsAtOnce is how many rows of a session are printed together.
const rowsAtOnce = 256

// one exports a session. It returns only write errors, which end the export; read errors are reported and counted.
func (e *exporting) one(ctx context.Context, engine engine.Engine, s transcript.Session) error {
	if e.folder != nil && e.folder.Has(s, e.names) {
		e.bar.add(s.Size)
		e.mu.Lock()
		e.done.Unchanged++
		e.mu.Unlock()
		return nil
	}
	var put *export.Put
	if e.folder != nil {
		put = e.folder.Begin(s, e.names)
	}
	var waiting []*export.Row
	var unwritten error
	read, rows, struck := int64(0), int64(0), int64(0)
	print := func() error {
		e.mu.Lock()
		defer e.mu.Unlock()
		for _, row := range waiting {
			if err := e.stream.Write(row); err != nil {
				return err
			}
		}
		waiting = waiting[:0]
		return nil
	}
	err := export.Read(ctx, s, e.bar.through(engine.Call), e.env.windows(), e.names, func(row *export.Row) error {
		read++
		added := true
		switch {
		case put != nil:
			added, unwritten = put.Row(row)
		default:
			if waiting = append(waiting, row); len(waiting) >= rowsAtOnce {
				unwritten = print()
			}
		}
		if added {
			rows++
			struck += int64(row.Struck())
		}
		return unwritten
	})
	if unwritten != nil {
		return unwritten
	}
	if err == nil && read == 0 && s.Agent == "" {
		err = errors.New("it contains no record of a supported coding agent")
	}
	if put != nil {
		unwritten = put.Commit(err == nil)
	} else if err == nil {
		unwritten = print()
	}
	failed := err != nil && ctx.Err() == nil
	if failed {
		e.bar.clear()
		e.env.errorf("%s: %s", s.Path, plainError(err))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if failed {
		e.done.Failed++
	}
	if err == nil {
		e.done.Sessions++
	}
	e.done.Rows += rows
	e.done.Struck += struck
	return unwritten
}
