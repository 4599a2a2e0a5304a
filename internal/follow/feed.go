// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"bytes"
	"context"
	"sync/atomic"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Feed reads a session into an engine and keeps it up to date.
type Feed struct {
	Session transcript.Session
	// ID is the session's id in the engine: Session.ID unless it is changed before the first Read.
	ID string
	// Parent is the id in the engine of the session that started this one.
	Parent string
	// Settings are the agent's own variables and settings that move its compaction line; see [Settings].
	Settings map[string]string
	// Model and Window override what the records show; empty and 0 for none.
	Model  string
	Window int64
	// HidePaths shows only the last element of file paths.
	HidePaths bool
	// Loads, if set, finds the files that the agent loads automatically; it is called once the existing records have
	// been read.
	Loads func(s transcript.Session, hidePaths bool) *promptload.Loaded
	// Changed, if set, returns when files were changed that the agent reads again, and the servers of such a file; nil if
	// none was.
	Changed func(s transcript.Session) *promptload.Loaded
	// Windows, if set, returns the window that the agent has reported outside its records.
	Windows Windows
	// Files, if set, finds the content of files that the agent sends without recording it.
	Files promptload.Files
	// OnStep, if set, is called with every measured request.
	OnStep func(Step)
	// Inferred is set to infer the causes of cache breaks instead of reading recorded ones.
	Inferred bool
	// Bookmarks makes the feed record its position after each piece; see [Feed.Bookmark].
	Bookmarks bool

	// Records counts the records read, and Skipped those that could not be understood.
	Records, Skipped int64
	// Allowance is the agent's last report of its account's limits; nil for none.
	Allowance *api.Allowance

	// unread is newer data that a search has found and that is not read; the engine has been informed up to
	// unreadReported.
	unread         atomic.Pointer[unread]
	unreadReported time.Time

	call   client.Call
	tail   transcript.Tail
	opened bool
	loaded bool // Loads was called
	// filesChanged are the times of changed files that the engine has.
	filesChanged [2]time.Time
	recent       bool                 // the tail begins within the conversation
	reported     state.ReportedWindow // the window that the engine has
	// windowsChanged is the time of the last change of reported windows that the feed has applied.
	windowsChanged time.Time
	resumed        bool // another process has read the records before a bookmark
	kept           transcript.Bookmark
	goOn           func() bool // whether there is time for another piece; nil for always
	// publishAfter is how long Read reads before it returns a Reading of a part, which sets behind; 0 for no limit.
	publishAfter time.Duration
	behind       bool
	*scratch     // set while the feed reads
}

// NewFeed prepares to read a session from its beginning.
func NewFeed(s transcript.Session, call client.Call) *Feed {
	f := &Feed{Session: s, ID: s.ID, call: call, tail: agents.OpenTail(s)}
	f.noteUnread(&s)
	return f
}

// NewRecentFeed prepares to read a session from its last compaction, for a fast result; see [RecentTail].
func NewRecentFeed(s transcript.Session, call client.Call) (*Feed, error) {
	tail, err := RecentTail(s)
	if err != nil {
		return nil, err
	}
	f := &Feed{Session: s, ID: s.ID, call: call, tail: tail, recent: transcript.BeginsWithin(tail)}
	f.noteUnread(&s)
	return f, nil
}

// Position returns how far the session has been read, in bytes.
func (f *Feed) Position() int64 { return f.tail.Position() }

// Read reads everything added since the last Read. It returns the Reading after it, or nil if nothing was added.
func (f *Feed) Read(ctx context.Context) (reading []byte, err error) {
	defer f.takeScratch()()
	began := time.Now()
	for given := false; ; given = true {
		if given && f.goOn != nil && !f.goOn() {
			return f.reading(ctx)
		}
		if given && f.publishAfter > 0 && f.opened && time.Since(began) >= f.publishAfter {
			return f.setBehind(ctx, true)
		}
		err := f.tail.Next(ctx, &f.batch)
		if err != nil && !given {
			return nil, err
		}
		if err == nil && f.batch.Reset && f.opened {
			f.Close(ctx)
			if f.batch.Count == 0 {
				return f.openEmpty(ctx)
			}
		}
		if err != nil || f.batch.Count == 0 {
			if err == nil && f.behind {
				if _, err := f.setBehind(ctx, false); err != nil {
					return nil, err
				}
				given = true
			}
			if err == nil && !given {
				return f.newsSince(ctx)
			}
			reading, err := f.readingWithFiles(ctx)
			if err != nil {
				return nil, err
			}
			return f.withNews(ctx, reading)
		}
		err = f.give(ctx)
		if f.opened && client.Refused(err, api.UnknownSession) {
			// The engine has lost the session, so reread it.
			f.opened, f.loaded, f.behind, f.reported, f.unreadReported, f.tail = false, false, false, state.ReportedWindow{}, time.Time{}, agents.OpenTail(f.Session)
			f.forgetFiles()
			f.Records, f.Skipped = 0, 0
			continue
		}
		if err != nil {
			return nil, err
		}
		f.keepPlace()
	}
}

// setBehind tells the engine whether there are records to read, and returns the Reading after it.
func (f *Feed) setBehind(ctx context.Context, behind bool) ([]byte, error) {
	f.behind = behind
	reading, err := f.call.Update(ctx, &api.UpdateParams{ID: f.ID, Behind: &behind}).JSON()
	if err != nil {
		return nil, err
	}
	return f.withNews(ctx, reading)
}

// openEmpty opens the session of a transcript that was emptied, and returns its Reading, which has no numbers.
func (f *Feed) openEmpty(ctx context.Context) ([]byte, error) {
	if err := f.send(ctx, nil, 0); err != nil {
		return nil, err
	}
	return f.reading(ctx)
}

// reading returns the session's current Reading.
func (f *Feed) reading(ctx context.Context) ([]byte, error) {
	reading, err := f.call.Reading(ctx, &api.ReadingParams{ID: f.ID}).JSON()
	if err != nil {
		return nil, err
	}
	return f.withNews(ctx, reading)
}

// readingWithFiles returns the Reading after sending the files that the agent loads, and content of files that no
// record contains.
func (f *Feed) readingWithFiles(ctx context.Context) ([]byte, error) {
	reading, err := f.readingWithLoaded(ctx)
	if err != nil || f.Files == nil || !f.opened {
		return reading, err
	}
	answer, err := f.call.Records(ctx, &api.RecordsParams{ID: f.ID, Wanted: true, Reading: new(bool)}).Read()
	if err != nil {
		return nil, err
	}
	found := f.Files.Look(promptload.ReadWanted(answer.Wanted), f.resumed)
	if len(found.Texts) == 0 && len(found.Unknown) == 0 {
		return reading, nil
	}
	return f.call.Update(ctx, found.Params(f.ID)).JSON()
}

// sendChanged sends when files were changed that the agent reads again, unless the engine has these times.
func (f *Feed) sendChanged(ctx context.Context) error {
	if f.Changed == nil || !f.opened {
		return nil
	}
	changed := f.Changed(f.Session)
	if changed == nil || changed.ServersChanged.Equal(f.filesChanged[0]) && changed.MemoryChanged.Equal(f.filesChanged[1]) {
		return nil
	}
	f.filesChanged = [2]time.Time{changed.ServersChanged, changed.MemoryChanged}
	_, err := f.call.Update(ctx, changed.Params(f.ID)).JSON()
	return err
}

// readingWithLoaded is like reading, and sends the files that the agent loads before, once.
func (f *Feed) readingWithLoaded(ctx context.Context) ([]byte, error) {
	if err := f.sendChanged(ctx); err != nil {
		return nil, err
	}
	if f.Loads == nil || f.loaded || !f.opened {
		return f.reading(ctx)
	}
	f.loaded = true
	loads := f.Loads(f.Session, f.HidePaths)
	if loads == nil {
		return f.reading(ctx)
	}
	return f.call.Update(ctx, loads.Params(f.ID)).JSON()
}

// Close closes the session in the engine.
func (f *Feed) Close(ctx context.Context) {
	if f.opened {
		f.opened, f.loaded, f.behind, f.reported, f.unreadReported = false, false, false, state.ReportedWindow{}, time.Time{}
		f.forgetFiles()
		f.Records, f.Skipped = 0, 0
		f.call.Close(ctx, &api.SessionParams{ID: f.ID}) // a missing session counts as closed
	}
}

func (f *Feed) forgetFiles() {
	f.filesChanged = [2]time.Time{}
	f.resumed = false
	if f.Files != nil {
		f.Files.ForgetAll()
	}
}

// Again makes the next Read start over.
func (f *Feed) Again(ctx context.Context) {
	f.Close(ctx)
	f.tail = agents.OpenTail(f.Session)
}

// give sends the batch to the engine. If the engine cannot parse it, give sends the records one by one, so that only
// the invalid ones are lost.
func (f *Feed) give(ctx context.Context) error {
	line := f.batch.Line
	f.noteAllowance()
	err := f.send(ctx, f.batch.Body, line)
	if err == nil || !client.Refused(err, api.ParseError) && !client.Refused(err, api.LimitExceeded) {
		f.Records += int64(f.batch.Count)
		f.Skipped += int64(f.batch.Skipped)
		return err
	}
	f.Skipped += int64(f.batch.Skipped)
	for i := range f.batch.Count {
		record := f.batch.Record(i)
		if err = f.send(ctx, record, line); client.Refused(err, "") {
			err = f.send(ctx, bytes.ToValidUTF8(record, []byte("\uFFFD")), line)
		}
		if client.Refused(err, "") {
			f.Skipped++
			err = f.send(ctx, transcript.AppendSkipped(nil, int64(len(record))), line)
		}
		if line > 0 {
			line++
		}
		if err != nil {
			return err
		}
		f.Records++
	}
	return nil
}

// noteAllowance keeps the last account limits in the batch.
func (f *Feed) noteAllowance() {
	of := agents.Of(f.Session)
	if of.Limits == nil || !bytes.Contains(f.batch.Body, []byte(of.LimitsMark)) {
		return
	}
	for i := f.batch.Count - 1; i >= 0; i-- {
		if a := of.Limits(f.batch.Record(i)); a != nil {
			f.Allowance = a
			return
		}
	}
}

// send makes one call of ctx/session/records.
func (f *Feed) send(ctx context.Context, records []byte, line int64) error {
	err := f.sendOnce(ctx, records, line)
	if !f.opened && f.Parent != "" && client.Refused(err, api.UnknownSession) {
		f.Parent = "" // the parent was closed, and the child does not need it
		err = f.sendOnce(ctx, records, line)
	}
	return err
}

func (f *Feed) sendOnce(ctx context.Context, records []byte, line int64) error {
	params := &api.RecordsParams{
		ID: f.ID, Agent: f.Session.Agent, Records: []api.Foreign{client.Joined(records)}, Steps: f.OnStep != nil, Inferred: f.Inferred, Reading: new(bool),
	}
	if !f.opened {
		params.Open = f.opening()
	}
	if line > 0 {
		params.Line = &line
	}
	result, err := f.call.Records(ctx, params).JSON()
	if err != nil {
		return err
	}
	f.opened = true
	if f.OnStep != nil {
		return f.steps(result)
	}
	return nil
}

// opening returns the parameters for opening the session.
func (f *Feed) opening() *api.OpenParams {
	open := &api.OpenParams{
		Workspace: f.Session.Workspace, Checkout: f.Session.Checkout, Model: f.Model, Parent: f.Parent, Title: agents.IndexedTitle(f.Session), HidePaths: f.HidePaths,
		Settings: f.Settings, Tail: f.recent,
	}
	if f.Session.Parent != "" {
		open.Label = f.Session.Label // its kind
	}
	if f.Window > 0 {
		open.Limits = &api.Limits{Window: &f.Window}
	}
	return open
}
