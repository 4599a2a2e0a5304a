// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/history"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/textfiles"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// replayed is the result of one transcript.
type replayed struct {
	session  transcript.Session
	reading  *api.Reading // the Reading at the end; nil if there was none
	steps    []follow.Step
	verdicts []api.Verdict // its last compactions
	levels   history.LevelQuality
	warnings []string
	skipped  int64
	err      error
}

func replayCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "replay SESSION | FILE | DIRECTORY | PATTERN ...",
		Short: "measure how accurate predictions would have been for past sessions",
		Example: `  ctx-lsp replay ~/.claude/projects          every transcript in a directory
  ctx-lsp replay a.jsonl b.jsonl
  ctx-lsp replay --json ~/.codex/sessions
  ctx-lsp replay --steps a.jsonl             one line per request first
  ctx-lsp replay --returns ~/.claude/projects   was the prompt cache cold, as predicted?
  ctx-lsp replay --levels ~/.claude/projects    did compactions come at the level now?
  ctx-lsp replay --breaks ~/.claude/projects    which requests missed the cache, and why?
  ctx-lsp replay 'logs/**/*.jsonl' old.tar.zst more.zip
  find . -name '*.jsonl' | ctx-lsp replay -
  ctx-lsp replay --json --shard=1/8 DIR > 1.json   an eighth, for one of eight machines
  ctx-lsp replay --merge 1.json 2.json …     the same numbers as one run over all of them`,
		Long: `Each request is predicted from the records before it, with this program's rules and this session alone. An error is the
predicted minus the actual prompt: positive means too high. COVERED is the share of ranges that contained the actual prompt;
steps whose new text is redacted in the file are counted separately. A second table shows the share of forecasts of
requests and turns that covered the outcome, for thresholds of 80,000 to 240,000 tokens, and of sizes after
compaction; REAL/LIKELY is the median of the real number divided by the likely one. A third shows how much of each
window is attributed.

--returns compares each request after a pause of more than five minutes with the forecast before it: whether the
conversation was still in the provider's cache, and how many tokens were rewritten. HIT treats a forecast that left it
open (PERHAPS) as half right. It also lists compactions, with the threshold that was predicted.

--breaks lists by cause the requests that did not find in the cache what the previous request had left there. With
--json it prints one object a break, with file, request, at, call, cause, recorded, written and kept. --inferred
ignores the causes that agents recorded, so that both runs show how well causes are inferred.

--levels follows the level after each record. FALSE counts the times that it became now and a request followed that stayed
below the threshold; AT NOW counts the automatic compactions that came at now or over. Those that came more than 5% below
the threshold are ELSEWHERE: the threshold was wrong, not the level. The last column leaves them out.

Exit codes: 0 done, 1 a path could not be read or has no session, 2 usage.`,
	}
	fs := c.Flags()
	withSteps := fs.Bool("steps", false, `first print a JSON line per request: {"file","call","kind","predicted","low","high","actual"}`)
	withReturns := fs.Bool("returns", false, "measure the forecasts of pauses: whether the prompt cache was cold; and list compactions")
	withBreaks := fs.Bool("breaks", false, "list the requests that missed the prompt cache, by cause")
	withLevels := fs.Bool("levels", false, "measure the level now: was it false, and did compactions come at it")
	inferred := fs.Bool("inferred", false, "with --breaks, infer causes that were recorded")
	withLearned := fs.Bool("learned", false, "start with the corrections learned from earlier sessions")
	jobs := fs.Int("jobs", runtime.GOMAXPROCS(0), "read `N` sessions at a time (default: one per processor)")
	fs.Lookup("jobs").DefValue = "0" // it differs between machines
	var part shard
	fs.Var(&part, "shard", "replay only the sessions of one of N parts, as `I/N`; its --json has what --merge needs")
	merge := fs.Bool("merge", false, "add up such summaries, given as arguments")
	asJSON := jsonFlag(fs, "print JSON")
	look := lookFlags(fs)
	c.RunE = does(func(ctx context.Context, paths []string) int {
		var err error
		if *merge && (*withSteps || *withLearned || part.parts > 0) {
			err = errors.New("--merge reads summaries; use --steps, --learned and --shard in the runs that write them")
		}
		if err == nil && *withReturns && (*merge || *withSteps || part.parts > 0) {
			err = errors.New("--returns cannot be used with --merge, --steps or --shard")
		}
		if err == nil && *withBreaks && (*merge || *withSteps || *withReturns || part.parts > 0) {
			err = errors.New("--breaks cannot be used with --merge, --steps, --returns or --shard")
		}
		if err == nil && *withLevels && (*merge || *withSteps || *withReturns || *withBreaks || part.parts > 0) {
			err = errors.New("--levels cannot be used with --merge, --steps, --returns, --breaks or --shard")
		}
		if err == nil && *inferred && !*withBreaks {
			err = errors.New("--inferred requires --breaks")
		}
		if err == nil && len(paths) == 0 {
			err = errors.New("expected a transcript or a directory of them")
		}
		if err == nil && *jobs < 1 {
			err = errors.New("--jobs must be at least 1")
		}
		if err != nil {
			return env.usageError("replay", err)
		}

		sum := history.NewSummary(part.parts > 0)
		if *merge {
			for _, path := range paths {
				if err := sum.Merge(env.resolve(path)); err != nil {
					env.errorf("%s", textfiles.Sentence(path, err))
					return exitError
				}
			}
			if err := sum.Write(env.Stdout, *asJSON, look.style(env)); err != nil {
				return env.fail(err)
			}
			return exitOK
		}
		in, err := sessionsFor(ctx, env, paths)
		if err != nil {
			return env.fail(err)
		}
		code := exitOK
		if in.failed > 0 {
			code = exitError
		}
		sessions := part.filter(in.sessions)
		if len(sessions) == 0 && part.parts == 0 {
			return exitError
		}

		progress := newProgress(env, "replay", totalSize(sessions))
		out := bufio.NewWriter(env.Stdout)
		defer out.Flush()
		warnings := map[string]int{}
		back, breaks, levels := history.NewReturns(), history.NewBreaks(), history.NewLevels()
		var skipped int64
		for r := range replayAll(ctx, env, sessions, *jobs, replaySettings{learned: *withLearned, inferred: *inferred, levels: *withLevels}, progress) {
			if r.err != nil {
				if ctx.Err() == nil {
					progress.clear()
					env.errorf("%s: %s", r.session.Path, plainError(r.err))
				}
				code = exitError
			}
			if r.err == nil && r.session.Agent == "" && len(r.steps) == 0 {
				progress.clear()
				env.errorf("%s contains no session", r.session.Path)
				code = exitError
			}
			skipped += r.skipped
			for _, sentence := range r.warnings {
				warnings[numbers.ReplaceAllString(sentence, "…")]++
			}
			if *withLevels {
				levels.Add(r.session.Agent, r.levels)
				continue
			}
			if *withReturns {
				back.Add(r.session.Path, r.steps, r.verdicts)
				continue
			}
			if *withBreaks {
				breaks.Add(relativePath(env, r.session.Path), r.session.ID, r.steps)
				continue
			}
			sum.Add(history.Part{Agent: r.session.Agent, Steps: r.steps, Picture: history.PictureOf(r.reading)})
			if *withSteps {
				for _, step := range r.steps {
					writeStep(out, env, r.session, step)
				}
			}
		}
		progress.clear()
		if ctx.Err() != nil {
			return exitError
		}
		switch {
		case *withLevels && *asJSON:
			err = levels.JSON(out)
		case *withLevels:
			err = levels.Table(out)
		case *withBreaks && *asJSON:
			err = breaks.JSON(out)
		case *withBreaks:
			err = breaks.Table(out, look.style(env))
		case *withReturns && *asJSON:
			err = back.JSON(out)
		case *withReturns:
			err = back.Table(out, look.style(env))
		default:
			err = sum.Write(out, *asJSON, look.style(env))
		}
		if !*asJSON && !*withReturns && !*withBreaks && !*withLevels {
			for _, sentence := range slices.Sorted(maps.Keys(warnings)) {
				env.errorf("in %d of %d sessions: %s", warnings[sentence], len(sessions), sentence)
			}
		}
		if err == nil {
			err = out.Flush()
		}
		if err != nil {
			return env.fail(err)
		}
		if skipped > 0 {
			env.errorf("%d records could not be read", skipped)
		}
		return code
	})
	return c
}

// numbers matches the numbers in a warning, so that the same warnings of two sessions are equal without them.
var numbers = regexp.MustCompile(`[0-9][0-9,.]*`)

func totalSize(sessions []transcript.Session) (n int64) {
	for _, s := range sessions {
		n += s.Size
	}
	return n
}

// replaySettings are the settings of a replay.
type replaySettings struct {
	learned  bool // start with the corrections learned from earlier sessions
	inferred bool // infer the causes of cache breaks instead of reading recorded ones
	levels   bool // follow the level after each record
}

// replayAll replays sessions in parallel, and yields the results in the order of the sessions.
func replayAll(ctx context.Context, env *environment, sessions []transcript.Session, jobs int, with replaySettings, progress *progress) func(func(replayed) bool) {
	return func(yield func(replayed) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		results := make([]chan replayed, len(sessions))
		for i := range results {
			results[i] = make(chan replayed, 1)
		}
		// The largest sessions start first, so that none of them occupies one core alone at the end.
		order := make([]int, len(sessions))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sessions[b].Size, sessions[a].Size) })
		var next atomic.Int64
		var workers sync.WaitGroup
		for range min(jobs, len(sessions)) {
			workers.Add(1)
			go func() {
				defer workers.Done()
				e, failed := nativeEngine(env, 1)
				if failed == nil {
					defer e.Close()
				}
				for {
					n := int(next.Add(1)) - 1
					if n >= len(order) {
						return
					}
					switch i := order[n]; {
					case failed != nil:
						results[i] <- replayed{session: sessions[i], err: failed}
					default:
						results[i] <- replayOne(ctx, env, e, sessions[i], with, progress)
					}
				}
			}()
		}
		defer workers.Wait()
		for i := range results {
			if !yield(<-results[i]) {
				stop()
				return
			}
		}
	}
}

// replayOne replays one session. The corrections learned from the previous session are forgotten first, so that the
// order of the sessions makes no difference.
func replayOne(ctx context.Context, env *environment, e engine.Engine, s transcript.Session, with replaySettings, progress *progress) replayed {
	r := replayed{session: s}
	if r.err = ctx.Err(); r.err != nil {
		return r
	}
	if _, r.err = client.Call(e.Call).LearnedSet(ctx, &api.LearnedParams{}).JSON(); r.err != nil {
		return r
	}
	if with.learned {
		if r.err = teach(ctx, env, e); r.err != nil {
			return r
		}
	}
	feed := follow.NewFeed(s, func(ctx context.Context, method string, params []byte) ([]byte, error) {
		progress.add(int64(len(params)))
		return e.Call(ctx, method, params)
	})
	feed.Windows = env.windows()
	feed.Inferred = with.inferred
	feed.OnStep = func(step follow.Step) { r.steps = append(r.steps, step) }
	defer feed.Close(ctx)
	if with.levels {
		r.levels, r.err = history.LevelsOf(ctx, feed)
		if r.session.Agent == "" {
			r.session.Agent = "generic"
		}
		return r
	}
	reading, err := feed.Read(ctx)
	r.err, r.skipped = err, feed.Skipped
	if reading != nil {
		if parsed, err := terminal.Parse(reading); err == nil {
			r.reading, r.warnings = parsed, api.Sentences(parsed.Warnings)
			if r.verdicts, r.err = verdictsOf(ctx, e, parsed); r.err != nil {
				return r
			}
			if s.Agent == "" && parsed.Agent != "generic" {
				r.session.Agent = parsed.Agent
			}
		}
	}
	return r
}

// verdictsOf returns the verdicts of a session's last compactions.
func verdictsOf(ctx context.Context, e engine.Engine, r *api.Reading) ([]api.Verdict, error) {
	if r.Compaction.Count == 0 {
		return nil, nil
	}
	course, err := client.Call(e.Call).History(ctx, &api.HistoryParams{ID: r.Session}).Read()
	if err != nil {
		return nil, err
	}
	return course.Verdicts, nil
}

func writeStep(w io.Writer, env *environment, s transcript.Session, step follow.Step) {
	file := relativePath(env, s.Path)
	line, _ := json.Marshal(struct {
		File      string `json:"file"`
		Session   string `json:"session,omitempty"`
		Call      int64  `json:"call"`
		Kind      string `json:"kind"`
		Predicted int64  `json:"predicted"`
		Low       int64  `json:"low"`
		High      int64  `json:"high"`
		Actual    int64  `json:"actual"`
	}{file, other(step.Session, s.ID), step.Call, step.Kind, step.Predicted, step.Low, step.High, step.Actual})
	_, _ = w.Write(append(line, '\n')) // if the reader of the pipe has ended, the pipe ends the command
}

// relativePath returns a path below the working directory relative to it, and others unchanged.
func relativePath(env *environment, path string) string {
	if relative, err := filepath.Rel(env.Dir, path); err == nil && !strings.HasPrefix(relative, "..") {
		return relative
	}
	return path
}

// other returns the name if it is not the expected one; a sub-agent in the same transcript has another.
func other(name, expected string) string {
	if name == expected {
		return ""
	}
	return name
}
