// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A listing is the part of a Reading that the list of sessions shows, as the index keeps it.
type listing struct {
	Model     string          `json:"model"`
	Used      int64           `json:"used"`
	Limit     *int64          `json:"limit"`
	Percent   *api.Hundredths `json:"percent"`
	Level     api.Level       `json:"level"`
	Basis     api.Basis       `json:"basis"`
	Shown     [4]string       `json:"shown"` // Mark, Percent, Used and Limit of Display
	Threshold *int64          `json:"threshold"`
	Left      *int64          `json:"left"`
	Hint      string          `json:"hint"`
	Activity  api.Activity    `json:"activity"`
	Measured  bool            `json:"measured,omitempty"` // no number is estimated
	Learned   string          `json:"learned,omitempty"`  // see corrections.mark
	AsOf      *api.Time       `json:"asOf"`
	Back      *api.Back       `json:"back"`
	Rewritten int64           `json:"rewritten,omitempty"`
	Workspace string          `json:"workspace"`
	Title     titlePlace      `json:"title"`
	// Checked lists the files that the Reading depends on besides the transcript.
	Checked *promptload.Trace `json:"checked,omitempty"`
}

// A titlePlace says where the title of a session is. The zero value is a session without a title.
type titlePlace struct {
	Indexed bool  `json:"indexed,omitempty"` // in a file next to the transcript; see agents.IndexedTitle
	At      int64 `json:"at,omitempty"`      // the beginning of a record
	Length  int   `json:"length,omitempty"`  // its length; 0 if no record has the title
}

// ownPace is the number of requests after which a session's own growth decides its forecast.
const ownPace = 12

// mostChecked is how many files a kept Reading may depend on.
const mostChecked = 400

// An index keeps what was found in session files for the next commands.
type index struct {
	*state.Index
	env     *environment
	all     []string     // names what all findings depend on
	learned *corrections // what listings depend on, too
}

// index returns the index of this user.
func (env *environment) index() *index {
	x := &index{Index: state.OpenIndex(env.stateDir()), env: env}
	if !x.Keeps() {
		return x
	}
	v := currentVersion()
	x.all = []string{v.Version, v.Revision, v.Go, strconv.FormatBool(env.hidePaths), env.host().Home}
	if path, err := os.Executable(); err == nil { // versions in development have the same name
		x.all = append(x.all, path, fileState(path))
	}
	if folder, err := vocabularyFolder(env); err == nil {
		names, _ := addedVocabularies(folder) // a folder that cannot be read offers nothing, here as in the engine
		for _, name := range names {
			x.all = append(x.all, name, fileState(filepath.Join(folder, name+".ctxv")))
		}
	}
	return x
}

// fileState describes a file by its size and time; "" if it is missing.
func fileState(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

// A kept is the place of one session's finding in the index.
type kept struct {
	index      *index
	key, stamp state.IndexKey
	changed    time.Time // when the transcript has changed last
	title      string    // see agents.IndexedTitle
}

// of returns the place of a session's finding; ok is false if the session consists of more than one file, or cannot be
// read. The feed must not have read anything.
func (x *index) of(kind string, s *transcript.Session, feed *follow.Feed) (k kept, ok bool) {
	if !x.Keeps() || !agents.OneFile(*s) {
		return k, false
	}
	stamp, changed, err := transcript.StampOf(s.Path)
	if err != nil {
		return k, false
	}
	title := agents.IndexedTitle(*s)
	depends := append(slices.Clone(x.all),
		hex.EncodeToString(stamp[:]), s.ID, s.Agent, s.Workspace, s.Parent, s.Label, s.Version, s.Host, s.HostTitle, s.Checkout,
		fmt.Sprint(s.Form, s.Started.UnixNano(), s.Unread.UnixNano(), feed.Files != nil), s.UnreadBy,
		title, agents.HomeOf(x.env.host(), s.Agent))
	if window := x.env.windows().Of(*s); window != nil {
		depends = append(depends, "window", strconv.FormatInt(window.Window, 10), window.Model)
	}
	for _, name := range slices.Sorted(maps.Keys(feed.Settings)) {
		depends = append(depends, name, feed.Settings[name])
	}
	return kept{x, state.IndexKeyOf(kind, s.Path, s.ID), state.IndexKeyOf(depends...), changed, title}, true
}

// find returns the kept listing and the session's title; nil without a current one.
func (k *kept) find(s *transcript.Session) (l *listing, title string) {
	value, ok := k.index.Get(k.key, k.stamp)
	if !ok {
		return nil, ""
	}
	l = &listing{}
	if json.Unmarshal([]byte(value), l) != nil || l.Checked != nil && !l.Checked.Same() || l.Learned != k.index.learned.mark(s.Agent, l.Model, l.Measured) {
		return nil, ""
	}
	switch {
	case l.Title.Indexed:
		title = k.title
	case l.Title.Length > 0:
		if title = sessions.TitleAt(*s, l.Title.At, l.Title.Length); title == "" {
			return nil, ""
		}
	}
	return l, title
}

// keep adds a listing to the index, unless a file that it depends on has changed just now, or its title cannot be found
// again.
func (k *kept) keep(s *transcript.Session, feed *follow.Feed, l listing, title string) {
	settled := k.index.env.Now().Add(-agents.Settled)
	if k.changed.After(settled) {
		return
	}
	l.Learned = k.index.learned.mark(s.Agent, l.Model, l.Measured)
	if feed.Files != nil {
		l.Checked = feed.Files.Checked()
	}
	if l.Checked != nil && (l.Checked.Len() > mostChecked || !l.Checked.Settled(settled)) {
		return
	}
	if title != "" {
		at, length := sessions.FindTitle(*s, title)
		l.Title = titlePlace{At: at, Length: length}
		if length == 0 {
			if k.title != title {
				return
			}
			l.Title.Indexed = true
		}
	}
	if value, err := json.Marshal(&l); err == nil {
		k.index.Put(k.key, k.stamp, string(value))
	}
}

// firstRequest returns what is kept of a session's first request, and a function that keeps it; see
// [history.FixedReader].
func (x *index) firstRequest(s *transcript.Session, feed *follow.Feed) (text []byte, keep func([]byte)) {
	place, ok := x.of("first request", s, feed)
	if !ok || place.changed.After(x.env.Now().Add(-agents.Settled)) {
		return nil, func([]byte) {}
	}
	if value, ok := x.Get(place.key, place.stamp); ok {
		text = []byte(value)
	}
	return text, func(text []byte) { x.Put(place.key, place.stamp, string(text)) }
}

// listingOf returns the part of a Reading that the list shows.
func listingOf(r *api.Reading) listing {
	rewritten := int64(0)
	if r.Cache.Breaks != nil {
		rewritten = r.Cache.Breaks.Written
	}
	return listing{
		Model: r.Model, Used: r.Used, Limit: r.Limit, Percent: r.Percent, Level: r.Compaction.Level, Basis: r.Basis,
		Shown:     [4]string{r.Display.Mark, r.Display.Percent, r.Display.Used, r.Display.Limit},
		Threshold: r.Compaction.Threshold, Left: r.Compaction.Left, Hint: r.Compaction.Hint.Text, Activity: r.Activity,
		Measured: r.Basis == "measured" && r.Spent.Calls >= ownPace,
		AsOf:     r.AsOf, Back: r.Cache.Back, Rewritten: rewritten, Workspace: r.Workspace,
	}
}

// show fills in the listing of a session.
func (l *listed) show(ctx context.Context, env *environment, s transcript.Session, of *listing, title string) {
	l.Model, l.Used, l.Limit, l.Level, l.Basis, l.Percent, l.Title = of.Model, &of.Used, of.Limit, of.Level, of.Basis, of.Percent, title
	l.display.Mark, l.display.Percent, l.display.Used, l.display.Limit = of.Shown[0], of.Shown[1], of.Shown[2], of.Shown[3]
	l.Threshold, l.Left, l.Hint, l.Activity = of.Threshold, of.Left, of.Hint, of.Activity
	if of.AsOf != nil { // the age is that of the last record, as in every other list; programs touch files, too
		l.at = time.UnixMilli(int64(*of.AsOf))
		l.Age = int64(env.Now().Sub(l.at) / time.Second)
	}
	l.Rewritten = of.Rewritten
	l.Back, l.Cache = of.Back, terminal.WarmthOf(of.Back, env.Now())
	if l.Title == "" {
		l.opening = conversation.Opening(ctx, s)
	}
	if l.Workspace == "" {
		l.Workspace = of.Workspace
	}
}
