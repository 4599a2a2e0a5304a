// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ctx-lsp/ctx-lsp/internal/export"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
)

func init() {
	register(command{
		name:    "export",
		summary: "a row for each request of past sessions, as Parquet, CSV or JSON lines",
		usage: `  ctx-lsp export --out=table               every session on this machine, a file for each session and day
  ctx-lsp export --out=table ~/.codex      those below a folder, or in a transcript
  ctx-lsp export --format=csv a.jsonl      on standard output
  ctx-lsp export --out=table --shard=2/8   the second eighth of the sessions, for one of eight machines

Time, agent, version, model, window, line, input, output, cache, what was predicted and by how much it missed, what
filled the window by kind, compactions, MCP servers: docs/export.md lists the columns. Sessions and projects are keyed
hashes. Run it again, and only sessions that have changed since are read.

  --out=FOLDER           day=…/agent=…/NAME.FORMAT below this folder
  --format=FORMAT        parquet (with --out), csv or jsonl
  --shard=I/N            only the sessions of one of N parts
  --key=TEXT             of the hashes (CTX_EXPORT_KEY); otherwise a random one that is kept for this machine
  --names                sessions and projects as they are called, instead of hashes
  --jobs=N               how many sessions at a time (one a core)
  --json                 what was done, as JSON, schema ctx.export/1 (with --out)
  --color=auto|always|never

Exit codes: 0 done, 1 a session or a path could not be read, 2 usage.
`,
		run: runExport,
	})
}

// exportFlags are the flags of export.
type exportFlags struct {
	out, format, shard, key string
	names, json             bool
	jobs, part, parts       int
}

// exportDone is what was done.
type exportDone struct {
	Schema    string `json:"schema"` // ctx.export/1
	Rows      int64  `json:"rows"`
	Sessions  int64  `json:"sessions"`
	Unchanged int64  `json:"unchanged"` // sessions that stood in the folder already
	Failed    int64  `json:"failed"`
}

func runExport(ctx context.Context, env *environment, args []string) int {
	var f exportFlags
	flags := newFlags("export")
	flags.StringVar(&f.out, "out", "", "the folder")
	flags.StringVar(&f.format, "format", "", "parquet, csv or jsonl")
	flags.StringVar(&f.shard, "shard", "", "one of N parts")
	flags.StringVar(&f.key, "key", env.Getenv("CTX_EXPORT_KEY"), "of the hashes")
	flags.BoolVar(&f.names, "names", false, "no hashes")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0), "how many sessions at a time")
	colorFlag(flags)
	paths, err := parseFlags(flags, args)
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return env.usageError("export", err)
	}
	names := export.Names{Plain: f.names, Key: []byte(f.key)}
	if !f.names && f.key == "" {
		if names.Key, err = exportKey(env); err != nil {
			return env.fail(err)
		}
	}
	sessions, failed := exportedSessions(ctx, env, paths)
	var chosen []source.Session
	for _, s := range sessions {
		if f.parts == 0 || partOf(s, f.parts) == f.part-1 {
			chosen = append(chosen, s)
		}
	}
	done, err := f.run(ctx, env, chosen, names)
	if err != nil {
		return env.fail(err)
	}
	done.Failed += failed
	switch {
	case f.json:
		if code := env.printJSON(done); code != exitOK {
			return code
		}
	case f.out != "":
		fmt.Fprintf(env.Stdout, "%s of %s written, %s unchanged\n", countOf(int(done.Rows), "row", "rows"), countOf(int(done.Sessions), "session", "sessions"), countOf(int(done.Unchanged), "session", "sessions"))
	}
	if done.Failed > 0 || ctx.Err() != nil {
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
	if f.format != "parquet" && !slices.Contains(export.Formats, f.format) {
		return fmt.Errorf("--format is %s, not %q", strings.Join(export.Formats, ", "), f.format)
	}
	if f.shard != "" {
		part, parts, ok := strings.Cut(f.shard, "/")
		f.part, _ = strconv.Atoi(part)
		f.parts, _ = strconv.Atoi(parts)
		if !ok || f.part < 1 || f.parts < f.part {
			return fmt.Errorf("--shard is I/N, as 2/8 for the second of eight, and not %q", f.shard)
		}
	}
	switch {
	case f.jobs < 1:
		return errors.New("--jobs is at least 1")
	case f.out == "" && f.format == "parquet":
		return errors.New("--format=parquet needs --out: its files have their tables of contents at the end")
	case f.out == "" && f.json:
		return errors.New("--json goes with --out; --format=jsonl prints the rows")
	case f.names && f.key != "":
		return errors.New("--key is for hashes, and --names wants none")
	}
	return nil
}

// partOf divides sessions by their ids, so that every machine comes to the same parts.
func partOf(s source.Session, parts int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s.ID)) // a hash accepts everything
	return int(h.Sum32() % uint32(parts))
}

// exportKey is the key of this machine. It is made once, so that later exports have the same hashes.
func exportKey(env *environment) ([]byte, error) {
	folder := env.host().StateDir()
	if folder == "" {
		return nil, errors.New("there is no folder for the key of the hashes; say --key=TEXT, or --names")
	}
	path := filepath.Join(folder, "export.key")
	for {
		key, err := os.ReadFile(path)
		if err == nil && len(key) >= 20 {
			return key, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		made := []byte(rand.Text())
		out, err := os.CreateTemp(folder, "export.key.*")
		if err != nil {
			return nil, err
		}
		_, err = out.Write(made)
		if err = errors.Join(err, out.Close()); err == nil {
			err = os.Link(out.Name(), path) // fails where another export was faster, whose key counts then
		}
		_ = os.Remove(out.Name())
		if err == nil {
			return made, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return made, os.WriteFile(path, made, 0o600) // a file system without links
		}
	}
}

// exportedSessions lists the sessions below the paths, or all of this machine, and counts what could not be read.
func exportedSessions(ctx context.Context, env *environment, paths []string) (sessions []source.Session, failed int64) {
	trouble := func(p source.Problem) {
		env.errorf("%s", p)
		failed++
	}
	if len(paths) == 0 {
		found, problems, err := source.NewFinder(env.host()).Find(ctx, source.Query{Children: true})
		for _, p := range problems {
			trouble(p)
		}
		if err != nil {
			failed++
		}
		return found, failed
	}
	for _, path := range paths {
		before := len(sessions)
		source.Walk(resolve(env, path), func(s source.Session) { sessions = append(sessions, s) }, trouble)
		if len(sessions) == before && failed == 0 {
			env.errorf("%s holds no session", path)
			failed++
		}
	}
	return sessions, failed
}

// run reads the sessions side by side, and writes each one's rows together.
func (f *exportFlags) run(ctx context.Context, env *environment, sessions []source.Session, names export.Names) (*exportDone, error) {
	done := &exportDone{Schema: "ctx.export/1"}
	var folder *export.Folder
	var stream export.Writer
	var err error
	if f.out != "" {
		folder, err = export.OpenFolder(resolve(env, f.out), f.format)
		if err == nil {
			defer folder.Close()
		}
	} else {
		stream, err = export.NewWriter(f.format, env.Stdout)
	}
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	bar := newProgress(env, "export", totalSize(sessions))
	defer bar.clear()
	var next, rows, read, same, failed atomic.Int64
	var writing sync.Mutex
	var workers sync.WaitGroup
	for range min(f.jobs, len(sessions)) {
		workers.Go(func() {
			e, err := nativeEngine(env, 1)
			if err != nil {
				stop(err)
				return
			}
			defer e.Close()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(sessions) {
					return
				}
				s := sessions[i]
				if folder != nil && folder.Has(s, names) {
					same.Add(1)
					bar.add(s.Size)
					continue
				}
				var list []*export.Row
				err := export.Read(ctx, s, func(ctx context.Context, method string, params []byte) ([]byte, error) {
					bar.add(int64(len(params)))
					return e.Call(ctx, method, params)
				}, names, func(row *export.Row) error {
					list = append(list, row)
					return nil
				})
				if err != nil {
					if ctx.Err() == nil {
						failed.Add(1)
						bar.clear()
						env.errorf("%s: %s", s.Path, plainly(err))
					}
					continue
				}
				if folder != nil {
					err = folder.Put(s, names, list)
				} else {
					writing.Lock()
					for n := 0; n < len(list) && err == nil; n++ {
						err = stream.Write(list[n])
					}
					writing.Unlock()
				}
				if err != nil {
					stop(err)
					return
				}
				read.Add(1)
				rows.Add(int64(len(list)))
			}
		})
	}
	workers.Wait()
	if stream != nil {
		err = stream.Close()
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	done.Rows, done.Sessions, done.Unchanged, done.Failed = rows.Load(), read.Load(), same.Load(), failed.Load()
	return done, err
}
