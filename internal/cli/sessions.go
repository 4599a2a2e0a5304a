// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
	"github.com/ctx-lsp/ctx-lsp/internal/patience"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// listed is one session of the list.
type listed struct {
	Session   string          `json:"session"`
	Agent     string          `json:"agent"`
	Model     string          `json:"model"`
	Label     string          `json:"label,omitempty"`
	Title     string          `json:"title,omitempty"`
	Workspace string          `json:"workspace"`
	Host      string          `json:"host,omitempty"` // the program that runs it for its agent
	Path      string          `json:"path"`
	Used      *int64          `json:"used"`
	Limit     *int64          `json:"limit"`
	Percent   *api.Hundredths `json:"percent"`
	Level     api.Level       `json:"level"`
	Threshold *int64          `json:"threshold"`
	Left      *int64          `json:"left"`     // tokens left to the threshold
	Hint      string          `json:"hint"`     // the forecast
	Activity  api.Activity    `json:"activity"` // what its agent does now
	Basis     api.Basis       `json:"basis"`
	Age       int64           `json:"ageSeconds"`
	Modified  int64           `json:"modified"`
	Cache     terminal.Warmth `json:"cache,omitempty"` // the state of the prompt cache now: warm, perhaps or cold
	Back      *api.Back       `json:"back,omitempty"`  // what coming back to it costs
	Rewritten int64           `json:"rewritten"`       // tokens that breaks of the cache wrote again
	Problem   string          `json:"problem,omitempty"`
	Shown     bool            `json:"shown,omitempty"` // ctx-lsp status shows it in this folder, and so does every editor
	Proof     string          `json:"proof,omitempty"` // what its reader was compared with: lab, fixtures or estimated
	Children  []*listed       `json:"children"`

	display api.Display
	at      time.Time
	late    bool   // its store did not answer in time
	opening string // the first words of its first prompt, for the screen
}

func sessionsCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "sessions",
		Short: "list the sessions of every agent on this machine",
		Example: `  ctx-lsp sessions                 the newest first
  ctx-lsp sessions --here          those of this workspace
  ctx-lsp sessions --since=2h      those that changed in the last two hours
  ctx-lsp sessions --sort=rewritten   those first whose prompt cache broke most
  ctx-lsp sessions --json`,
	}
	fs := c.Flags()
	here := fs.Bool("here", false, "list only this workspace's sessions")
	since := fs.Duration("since", 0, "list sessions up to this `AGE`, such as 90m or 72h; 0 for any age")
	limit := fs.Int("limit", 50, "list at most `N`, not counting sub-agents; 0 for all")
	sort := fs.String("sort", "age", "list first: the newest (`age|rewritten`), or those that wrote\nthe most tokens to the prompt cache again")
	asJSON := jsonFlag(fs, "print JSON")
	look := lookFlags(fs)
	c.RunE = does(func(ctx context.Context, args []string) int {
		var err error
		if len(args) > 0 {
			err = errNoArguments
		}
		if err == nil && *sort != "age" && *sort != "rewritten" {
			err = fmt.Errorf("--sort expects age or rewritten, not %q", *sort)
		}
		if err == nil && (*since < 0 || *limit < 0) {
			err = errors.New("--since and --limit must not be negative")
		}
		if err != nil {
			return env.usageError("sessions", err)
		}
		query := sessions.Query{Limit: *limit, Children: true}
		if *limit > 0 {
			query.Limit++ // one more session than is shown, to notice further ones
		}
		if *since > 0 {
			query.Since = env.Now().Add(-*since)
		}
		if *here {
			query.Workspace = env.Dir
		}
		ctx, done := env.hurry(ctx)
		defer done()
		defer collectBeyond(env, 256<<20)() // a search leaves little garbage, and collecting it takes a third of the time
		places := env.host()
		places.Distributions = true
		finder := sessions.NewFinder(places).Hold()
		sessions, problems, err := finder.Find(ctx, query)
		if err != nil {
			return env.fail(err)
		}
		for _, p := range problems {
			env.errorf("%s", p)
			env.missing = env.missing || p.Late
		}
		if *limit > 0 {
			parents := 0
			for _, s := range sessions {
				if s.Parent == "" {
					parents++
				}
			}
			if parents > *limit { // parents come first, and among them the newest
				dropped := map[string]bool{sessions[*limit].ID: true}
				sessions = slices.DeleteFunc(sessions, func(s transcript.Session) bool {
					if dropped[s.Parent] {
						dropped[s.ID] = true
					}
					return dropped[s.ID]
				})
				defer env.hintf("there are more; --limit=0 lists all")
			}
		}
		top := readAll(ctx, env, sessions)
		if errors.Is(ctx.Err(), context.Canceled) {
			return exitError
		}
		if *sort == "rewritten" {
			slices.SortStableFunc(top, func(x, y *listed) int { return cmp.Compare(y.Rewritten, x.Rewritten) })
		}
		if *asJSON {
			search := focus.Search{Finder: finder, Dir: env.Dir, Now: env.Now, Processes: env.Processes}
			if front, err := search.Front(ctx); err == nil {
				for _, each := range top {
					each.Shown = each.Session == front.Session.ID
				}
			}
			return env.printJSON(struct {
				Schema   string    `json:"schema"`
				Sessions []*listed `json:"sessions"`
			}{"ctx.sessions/1", top})
		}
		if len(top) == 0 {
			switch {
			case *since > 0:
				env.errorf("no session was active in the last %s", terminal.Age(*since))
				env.hintf("omit --since to include older sessions")
			case *here:
				env.errorf("no session was started in %s", env.Dir)
				env.hintf("omit --here to include other directories")
			default:
				env.errorf("no session was found")
				env.hintf("ctx-lsp doctor lists the searched directories")
			}
			return exitOK
		}
		if err := terminal.Sessions(env.Stdout, sessionRows(top, 0), env.Now(), look.style(env)); err != nil {
			return env.fail(err)
		}
		if text := unproved(top); text != "" {
			fmt.Fprintln(env.Stdout, "\n"+text)
		}
		return exitOK
	})
	return c
}

// unproved names the agents of a list that were not run in the lab, and what their readers were compared with.
func unproved(list []*listed) string {
	var texts []string
	for _, each := range list {
		entry, ok := agent.Find(each.Agent)
		if !ok || entry.Proof.Rank() == agent.ProvedInLab || entry.Proof.Rank() == "" {
			continue
		}
		if text := entry.Name + ": " + entry.Proof.Text().String() + "."; !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// readAll reads sessions on all cores, and puts each session below its parent.
func readAll(ctx context.Context, env *environment, sessions []transcript.Session) []*listed {
	entries := make([]*listed, len(sessions))
	progress := newProgress(env, "sessions", totalSize(sessions))
	defer progress.clear()
	engines, index := newEngines(env), env.index()
	index.learned = correctionsOf(env)
	engines.learned = index.learned
	running := runningOf(env, sessions)
	read, late := patience.Each(ctx, len(sessions), runtime.GOMAXPROCS(0), func(i int) *listed {
		defer progress.add(sessions[i].Size)
		return listSession(ctx, env, index, engines, sessions[i])
	})
	engines.close()
	index.Save(env.Now())
	unread, named := 0, map[string]bool{}
	for i, l := range read {
		if late[i] {
			l = newListed(env, sessions[i])
			l.Problem = "not read: the time limit for this list was reached"
			unread++
		}
		l.Activity = running.activity(&sessions[i], l.Activity, l.at, env.Now())
		entries[i] = l
		if l.late && !named[l.Path] {
			named[l.Path], env.missing = true, true
			env.errorf("%s", l.Problem)
		}
	}
	if unread > 0 && ctx.Err() != context.Canceled {
		env.missing = true
		env.errorf("%s could not be read in time", terminal.Count(unread, "session", "sessions"))
	}

	byID := map[string]*listed{}
	for i, s := range sessions {
		byID[s.ID] = entries[i]
	}
	top := []*listed{}
	for i, s := range sessions {
		if parent := byID[s.Parent]; s.Parent != "" && parent != nil && parent != entries[i] {
			parent.Children = append(parent.Children, entries[i])
		} else {
			top = append(top, entries[i])
		}
	}
	return top
}

// newListed lists a session that has not been read.
func newListed(env *environment, s transcript.Session) *listed {
	return &listed{
		Session: s.ID, Agent: s.Agent, Proof: agent.ProofOf(s.Agent).Rank(), Label: s.Label, Workspace: s.Workspace, Host: s.Host, Path: s.Path,
		Age: int64(env.Now().Sub(s.Modified) / time.Second), Modified: s.Modified.UnixMilli(),
		Children: []*listed{}, at: s.Modified,
	}
}

// listSession lists one session: as the index has it, or by reading it with an engine.
func listSession(ctx context.Context, env *environment, x *index, engines *engines, s transcript.Session) *listed {
	l := newListed(env, s)
	call, done := engines.lazily()
	defer done()
	feed := env.machine().Feed(s, call)
	defer feed.Close(ctx)
	place, keeps := x.of("sessions", &s, feed)
	if keeps {
		if of, title := place.find(&s); of != nil {
			l.show(ctx, env, s, of, title)
			return l
		}
	}
	reading, err := feed.Read(ctx)
	if err != nil {
		l.Problem, l.late = err.Error(), errors.Is(err, context.DeadlineExceeded)
		return l
	}
	if reading == nil {
		return l
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		l.Problem = err.Error()
		return l
	}
	of := listingOf(r)
	if keeps {
		place.keep(&s, feed, of, r.Title)
	}
	l.show(ctx, env, s, &of, r.Title)
	return l
}

func sessionRows(list []*listed, depth int) []terminal.SessionRow {
	var rows []terminal.SessionRow
	for _, l := range list {
		row := terminal.SessionRow{
			ID: l.Session, Agent: l.Agent, Model: l.Model, Workspace: l.Workspace, Host: l.Host, Label: l.Label, Title: cmp.Or(l.Title, l.opening),
			Percent: l.display.Mark + l.display.Percent, Used: l.display.Used, Limit: l.display.Limit,
			Level: l.Level, Modified: l.at, Back: l.Back, Depth: depth, Problem: l.Problem,
		}
		if depth > 0 {
			row.Workspace = ""
		}
		rows = append(rows, row)
		rows = append(rows, sessionRows(l.Children, depth+1)...)
	}
	return rows
}
