// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/top"
)

// A transcript is cut after a request, in the state that its agent had left at that moment, and every front end with a
// number is queried for it. All of them must agree with `status --json FILE`.

// A test run takes a sample of the cuts, and queries the status line, the hook and some of the other front ends at
// each. With CTX_EVERY_CUT=1 (make accuracy) every front end is queried at every cut, and with N at every Nth cut of
// each session, counted from its last.
const (
	sampledCuts  = 200
	sampledAsked = 2
)

// TestFrontEndsAgreeAtEveryCut checks that used, limit, threshold, level, state, forecast and the count of requests are
// the same in every front end, at cuts of the sessions in testdata, CTX_FRESH and CTX_TRANSCRIPTS.
func TestFrontEndsAgreeAtEveryCut(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	cuts := sessionCuts(t)
	every, _ := strconv.Atoi(os.Getenv("CTX_EVERY_CUT"))
	sampled, all := every < 1, len(cuts)
	if sampled {
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(cuts), func(i, j int) { cuts[i], cuts[j] = cuts[j], cuts[i] })
		cuts = cuts[:min(sampledCuts, len(cuts))]
	} else {
		cuts = everyCut(cuts, every)
	}
	t.Logf("%d of %d cuts", len(cuts), all)
	slices.SortFunc(cuts, func(a, b sessionCut) int { return cmp.Or(strings.Compare(a.from, b.from), cmp.Compare(a.at, b.at)) })
	agreed := agreements{}
	t.Run("sessions", func(t *testing.T) {
		for number := uint64(1); len(cuts) > 0; number++ {
			same := 1
			for same < len(cuts) && cuts[same].from == cuts[0].from {
				same++
			}
			of := cuts[:same]
			cuts = cuts[same:]
			t.Run(filepath.Base(filepath.Dir(of[0].from))+"/"+filepath.Base(of[0].from), func(t *testing.T) {
				t.Parallel()
				var random *rand.Rand
				if sampled {
					random = rand.New(rand.NewPCG(seed, number))
				}
				agreed.ofSession(t, of, random)
			})
		}
	})
	agreed.table(t)
}

// everyCut returns every nth cut of each session, counted from its last. The cuts of a session are adjacent.
func everyCut(cuts []sessionCut, n int) (some []sessionCut) {
	from, left := "", 0
	for _, cut := range slices.Backward(cuts) {
		if cut.from != from {
			from, left = cut.from, 0
		}
		if left%n == 0 {
			some = append(some, cut)
		}
		left++
	}
	return some
}

var (
	workedIn  = regexp.MustCompile(`"cwd": ?"([^"]+)"`)
	sessionID = regexp.MustCompile(`"(?:sessionId|session_id)": ?"([^"]+)"|"payload": ?\{[^{}]*?"id": ?"([^"]+)"|"type": ?"session",[^{}]*?"id": ?"([^"]+)"|"table": ?"task", ?"id": ?"([^"]+)"|"id": ?"(ses_[^"]+)"`)
	modelOf   = regexp.MustCompile(`"model": ?"([a-z][^"<]+)"`)
	turnOf    = regexp.MustCompile(`"turn_id": ?"([^"]+)"`)
)

// agreements counts, by front end and agent, the results and those that agree.
type agreements struct {
	mu sync.Mutex
	by map[string]map[string]*agreement
}

type agreement struct{ asked, agreed int }

// ofSession checks the cuts of one session, in its own home, as the file grows. Without random every front end is
// queried.
func (a *agreements) ofSession(t *testing.T, cuts []sessionCut, random *rand.Rand) {
	t.Helper()
	f := newFrontEnds(t, cuts[0].from)
	f.random = random
	reported := map[string]int{}
	for _, cut := range cuts {
		f.form.write(f, cut.at)
		for name, differs := range f.compare() {
			if a.add(name, f.by, differs == ""); differs == "" {
				continue
			}
			if reported[name]++; reported[name] <= 3 {
				t.Errorf("%s at cut %d of %s: %s", name, cut.at, cut.from, differs)
			}
		}
	}
	for name, n := range reported {
		if n > 3 {
			t.Errorf("%s: %d more cuts", name, n-3)
		}
	}
}

func (a *agreements) add(name, by string, agreed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.by == nil {
		a.by = map[string]map[string]*agreement{}
	}
	if a.by[name] == nil {
		a.by[name] = map[string]*agreement{}
	}
	if a.by[name][by] == nil {
		a.by[name][by] = &agreement{}
	}
	each := a.by[name][by]
	if each.asked++; agreed {
		each.agreed++
	}
}

// TestEveryFrontEndUsesTheWindowReportedByTheAgent checks that the window in a status line's message applies to the
// session in every front end after the message, and that another model comes with its own window and a mark.
func TestEveryFrontEndUsesTheWindowReportedByTheAgent(t *testing.T) {
	f := newFrontEnds(t, filepath.Join("..", "..", "testdata", "sessions", agent.ClaudeCode, "compacted.jsonl"))
	f.form.write(f, bytes.Count(f.whole, []byte("\n")))
	before := f.reading("", "status", "--json", f.path)
	if before == nil || before.Limit == nil || *before.Limit == 300_000 {
		t.Fatalf("status says %s", numbersOf(before))
	}
	f.reading("", "hook", "--json", "--timeout=30s") // no earlier result is used again
	message := func(model string, window int64) {
		f.reading(fmt.Sprintf(`{%s,"model":{"id":%q},"context_window":{"context_window_size":%d,"current_usage":{"input_tokens":%d,"output_tokens":1}}}`,
			f.about(), model, window, before.LastRequest.In), "statusline", "--json", "--timeout=1m")
	}
	table := filepath.Join(f.env.Dir, "table")
	f.run("", "export", "--out="+table, "--format=jsonl", f.path)
	message(before.Model, 300_000)
	after := f.reading("", "status", "--json", f.path)
	if after.LimitSource != "agentNow" || *after.Limit != 300_000 || numbersOf(after) == numbersOf(before) {
		t.Errorf("status says %s, by %s", numbersOf(after), after.LimitSource)
	}
	for name, differs := range f.compare() {
		if differs != "" {
			t.Errorf("%s: %s", name, differs)
		}
	}
	rows := func(text string) {
		t.Helper()
		if n := strings.Count(text, `"window":`); n == 0 || n != strings.Count(text, `"window":300000`) {
			t.Errorf("export says %s", text)
		}
	}
	text, _ := f.run("", "export", "--format=jsonl", f.path)
	rows(text)
	f.run("", "export", "--out="+table, "--format=jsonl", f.path) // the transcript is unchanged
	written, err := filepath.Glob(filepath.Join(table, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	newest := map[string]string{} // by the name of the run's file
	for _, path := range written {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(filepath.Base(path), "_") && strings.Contains(string(text), `"window":300000`) {
			newest[path] = string(text)
		}
	}
	if len(newest) != 1 {
		t.Errorf("of %v, %d have the window", written, len(newest))
	}
	for _, text := range newest {
		rows(text)
	}
	message("another-model", 400_000)
	if r := f.reading("", "status", "--json", f.path); r.Model != "another-model" || *r.Limit != 400_000 || r.Range.Cause.Text == "" {
		t.Errorf("by the window of another model status says %s of %s, %q", numbersOf(r), r.Model, r.Range.Cause.Text)
	}
	for name, differs := range f.compare() {
		if differs != "" {
			t.Errorf("after another model, %s: %s", name, differs)
		}
	}
}

// table logs how many results agreed.
func (a *agreements) table(t *testing.T) {
	t.Helper()
	agents := map[string]bool{}
	for _, by := range a.by {
		for name := range by {
			agents[name] = true
		}
	}
	var columns []string
	for name := range agents {
		columns = append(columns, name)
	}
	slices.Sort(columns)
	var b strings.Builder
	fmt.Fprintf(&b, "%-22s %12s", "agreed of asked", "all")
	for _, c := range columns {
		fmt.Fprintf(&b, " %14s", c)
	}
	var names []string
	for name := range a.by {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		all, row := agreement{}, ""
		for _, c := range columns {
			each := cmp.Or(a.by[name][c], &agreement{})
			all.asked, all.agreed = all.asked+each.asked, all.agreed+each.agreed
			row += fmt.Sprintf(" %14s", fmt.Sprintf("%d/%d", each.agreed, each.asked))
		}
		fmt.Fprintf(&b, "\n%-22s %12s%s", name, fmt.Sprintf("%d/%d", all.agreed, all.asked), row)
	}
	t.Logf("\n%s", b.String())
}

// frontEnds queries the front ends of one home about one session.
type frontEnds struct {
	t         *testing.T
	random    *rand.Rand
	env       *environment
	out, errs bytes.Buffer
	by, id    string
	form      form
	home      string
	path      string
	whole     []byte // the recording, with a directory of this machine as its working directory
	text      []byte // the part that is written now
	placed    bool   // the transcript contains its working directory
}

// withoutAgents is a system on which no agent runs, unlike perhaps this one.
type withoutAgents struct{}

func (withoutAgents) List() []process.Process  { return []process.Process{{PID: 1, Name: "init"}} }
func (withoutAgents) Inspect(*process.Process) {}

// newFrontEnds creates a home for a recorded session, which it does not contain yet.
func newFrontEnds(t *testing.T, from string) *frontEnds {
	t.Helper()
	whole, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	form, ok := formOf(from)
	if !ok {
		t.Fatalf("%s cannot be cut", from)
	}
	f := &frontEnds{t: t, form: form, by: filepath.Base(filepath.Dir(from)), placed: workedIn.Match(whole)}
	f.env = testEnvironment(t, &f.out, &f.errs)
	f.home, f.env.Processes = f.env.Dir, withoutAgents{}
	f.env.Dir = filepath.Join(f.home, "w")
	if err := os.Mkdir(f.env.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f.whole = workedIn.ReplaceAllLiteral(whole, append([]byte(`"cwd":`), quoted(f.env.Dir)...))
	if id := sessionID.FindSubmatch(whole); id != nil {
		f.id = string(bytes.Join(id[1:], nil))
	} else if f.by == agent.MiniSWEAgent { // it records no directory
		f.id = "last_mini_run.traj"
	} else {
		t.Fatalf("%s names no session", from)
	}
	return f
}

// run runs a command and returns its output. Corrections that an earlier command has learned from this session are
// removed: a front end that continues a saved ledger did not get them, and one that reads the whole file would.
func (f *frontEnds) run(stdin string, args ...string) (string, int) {
	if err := os.Remove(state.OpenLearned(f.env.host().StateDir()).Path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.t.Fatal(err)
	}
	f.out.Reset()
	f.errs.Reset()
	f.env.Stdin = strings.NewReader(stdin)
	code := run(context.Background(), f.env, args)
	return f.out.String(), code
}

// reading returns the Reading that a command prints; nil if it prints none.
func (f *frontEnds) reading(stdin string, args ...string) *api.Reading {
	text, _ := f.run(stdin, args...)
	r, err := terminal.Parse([]byte(strings.TrimSpace(text)))
	if err != nil || r.Schema == "" {
		return nil
	}
	return r
}

func orUnknown[N any](n *N) string {
	if n == nil {
		return "?"
	}
	return fmt.Sprint(*n)
}

// numbersOf returns the numbers of a Reading in one form for all front ends.
func numbersOf(r *api.Reading) string {
	if r == nil {
		return "nothing"
	}
	return fmt.Sprintf("%d of %s, threshold %s, %s, %d requests, %s%s", r.Used, orUnknown(r.Limit), orUnknown(r.Compaction.Threshold), r.Compaction.Level, r.Spent.Calls, r.Display.Mark, r.Display.Percent)
}

// levelAndState returns a session's level, state, forecast and threshold in one form for all front ends.
func levelAndState(used, limit, threshold, left *int64, level api.Level, activity api.Activity, hint string) string {
	return fmt.Sprintf("%s of %s, threshold %s, %s left, %s, %s, %q", orUnknown(used), orUnknown(limit), orUnknown(threshold), orUnknown(left), level, activity, hint)
}

func levelOfReading(r *api.Reading) string {
	if r == nil {
		return "nothing"
	}
	return levelAndState(&r.Used, r.Limit, r.Compaction.Threshold, r.Compaction.Left, r.Compaction.Level, r.Activity, r.Compaction.Hint.Text)
}

// byItsAgent returns what a hook or a status line says, which the agent's process runs: it is at work then, whereas
// status sees no process here, and calls the session idle.
func byItsAgent(r, want *api.Reading) *api.Reading {
	if r != nil && want.Activity == "idle" && (r.Activity == "waiting" || r.Activity == "working") {
		r.Activity = "idle"
	}
	return r
}

// compare queries front ends, and returns for each how its result differs from status of the file; "" if it does not.
func (f *frontEnds) compare() map[string]string {
	learning := f.learning()
	want := f.reading("", "status", "--json", f.path)
	if want == nil || want.LastRequest == nil {
		return nil // nothing is measured yet, and not all front ends know how earlier sessions began
	}
	differs := map[string]string{}
	check := func(name, got, want string) {
		differs[name] = ""
		if got != want {
			differs[name] = fmt.Sprintf("%q instead of %q %s", got, want, strings.TrimSpace(f.errs.String()))
		}
	}
	status := func(name string, r *api.Reading) {
		check(name, numbersOf(r)+"; "+levelOfReading(r), numbersOf(want)+"; "+levelOfReading(want))
	}
	for name, r := range learning {
		status(name, byItsAgent(r, want))
	}
	if f.by == agent.ClaudeCode {
		usage := fmt.Sprintf(`"model":{"id":%s},"context_window":{"context_window_size":%s,"current_usage":{"input_tokens":%d,"output_tokens":1}}`, quoted(want.Model), orUnknown(want.Limit), want.LastRequest.In)
		status("statusline, payload", byItsAgent(f.reading(fmt.Sprintf(`{%s,%s}`, f.about(), usage), "statusline", "--json", "--timeout=1m"), want))
	}
	others := []func(){
		func() {
			var list struct{ Sessions []listed }
			text, _ := f.run("", "sessions", "--json", "--limit=0")
			_ = json.Unmarshal([]byte(text), &list)
			line := "nothing"
			for i := range list.Sessions {
				if s := &list.Sessions[i]; s.Session == f.id {
					line = levelAndState(s.Used, s.Limit, s.Threshold, s.Left, s.Level, s.Activity, s.Hint)
				}
			}
			check("sessions", line, levelOfReading(want))
		},
		func() {
			var fit api.FitsAnswer
			text, _ := f.run("word", "fits", "--json", "--session="+f.path, "-")
			_ = json.Unmarshal([]byte(text), &fit)
			check("fits", fmt.Sprintf("%d of %s, threshold %s", fit.Used-fit.Tokens, orUnknown(fit.Limit), orUnknown(fit.Threshold)),
				fmt.Sprintf("%d of %s, threshold %s", want.Used, orUnknown(want.Limit), orUnknown(want.Compaction.Threshold)))
		},
		func() {
			var history api.HistoryAnswer
			text, _ := f.run("", "history", "--json", f.path)
			_ = json.Unmarshal([]byte(text), &history)
			calls := int64(0)
			for _, p := range history.Points {
				calls = max(calls, p.Call)
			}
			check("history", courseOf(f.withCompacting(calls, want), history.Threshold, history.Limit), courseOf(want.Spent.Calls, want.Compaction.Threshold, want.Limit))
		},
		func() {
			var whatIf whatIfAnswer
			line := *cmp.Or(want.Compaction.Threshold, new(int64)) // the same, or never
			text, _ := f.run("", "whatif", "--json", fmt.Sprintf("--threshold=%d", line), f.path)
			_ = json.Unmarshal([]byte(text), &whatIf)
			check("whatif", courseOf(f.withCompacting(whatIf.Was.Calls, want), whatIf.WasThreshold, want.Limit), courseOf(want.Spent.Calls, want.Compaction.Threshold, want.Limit))
		},
		func() {
			watched, focused := daemonOf(f.t, f.env, f.id, f.placed)
			status("ctx/watch", watched)
			if f.placed {
				status("ctx/focus", focused)
			}
		},
	}
	if f.placed {
		others = append(others, func() { status("status here", f.reading("", "status", "--json")) }, func() {
			server, err := mcpAnswers(f.env, f.env.Dir, false)
			answer := ""
			if err == nil {
				answer, err = server.Status(context.Background(), "")
				server.Close()
			}
			if err != nil {
				answer = err.Error()
			}
			check("mcp", answer, terminal.ForAgent(f.reading("", "status", "--json", "--all", f.path), time.Now()))
		})
	}
	watches := func() { // it learns too, so it is queried last
		reading, _ := json.Marshal(want)
		row := top.LiveOf(f.id, reading)
		if s, _, err := f.env.sessionIn(context.Background(), f.path); row.Title == "" && err == nil {
			row.Title = conversation.Opening(context.Background(), s)
		}
		check("top --plain", f.firstLine(row.Fullness(terminal.Style{}), "top", "--plain"), row.Fullness(terminal.Style{}))
	}
	if f.random != nil {
		if f.random.IntN(len(others)+1) >= sampledAsked {
			watches = func() {}
		}
		f.random.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
		others = others[:sampledAsked]
	}
	for _, ask := range append(others, watches) {
		ask()
	}
	return differs
}

// learning queries the front ends that save the corrections learned from a session.
func (f *frontEnds) learning() map[string]*api.Reading {
	model, turn := lastOf(f.text, `"model":`, modelOf), lastOf(f.text, `"turn_id":`, turnOf)
	event := fmt.Sprintf(`{%s,"hook_event_name":"PostToolUse","turn_id":%s,"model":%s,"tool_name":"Bash"}`, f.about(), quoted(turn), quoted(model))
	if f.by == agent.CopilotCLI {
		event = fmt.Sprintf(`{"sessionId":%s,"timestamp":1,"cwd":%s,"toolName":"bash"}`, quoted(f.id), quoted(f.env.Dir))
	}
	readings := map[string]*api.Reading{"hook": f.reading(event, "hook", "--json", "--always", "--timeout=1m")}
	if f.by == agent.ClaudeCode {
		readings["statusline, file"] = f.reading(fmt.Sprintf(`{%s,"version":"2.1.200"}`, f.about()), "statusline", "--json", "--timeout=1m")
	}
	return readings
}

// lastOf returns the last value in a text that a pattern matches after a key.
func lastOf(text []byte, key string, pattern *regexp.Regexp) string {
	for end := len(text); ; {
		at := bytes.LastIndex(text[:end], []byte(key))
		if at < 0 {
			return ""
		}
		if value := pattern.FindSubmatch(text[at:end]); value != nil {
			return string(value[1])
		}
		end = at
	}
}

// about returns the part of an agent's message that identifies the session.
func (f *frontEnds) about() string {
	return fmt.Sprintf(`"session_id":%s,"transcript_path":%s,"cwd":%s`, quoted(f.id), quoted(f.path), quoted(f.env.Dir))
}

func quoted(s string) string {
	text, _ := json.Marshal(s) // a string always encodes
	return string(text)
}

func courseOf(calls int64, line, limit *int64) string {
	return fmt.Sprintf("%d requests, threshold %s of %s", calls, orUnknown(line), orUnknown(limit))
}

// withCompacting returns the requests that a Reading counts, if calls counts only those of the work itself. Codex and
// OpenCode also meter the requests that compact; each compaction has one, and a cut may be between the two.
func (f *frontEnds) withCompacting(calls int64, want *api.Reading) int64 {
	if aside := want.Spent.Calls - calls; (f.by == agent.Codex || f.by == agent.OpenCode) && aside > 0 && aside <= want.Compaction.Count+1 {
		return want.Spent.Calls
	}
	return calls
}

// firstLine runs a command that does not end until it has printed a line.
func (f *frontEnds) firstLine(want string, args ...string) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	w := &untilLine{want: want, done: cancel}
	env := *f.env
	env.Stdout = w
	run(ctx, &env, args)
	line, _, _ := strings.Cut(w.text.String(), "\n")
	return line
}

// untilLine calls done once a line was written. Lines about a part of a session that is still being read are dropped.
type untilLine struct {
	text bytes.Buffer
	want string
	done func()
}

func (w *untilLine) Write(p []byte) (int, error) {
	n, err := w.text.Write(p)
	if bytes.IndexByte(p, '\n') >= 0 {
		if text := w.text.String(); strings.Contains(text, ": !") && !strings.Contains(text, w.want) {
			w.text.Reset()
			return n, err
		}
		w.done()
	}
	return n, err
}
