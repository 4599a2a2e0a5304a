// Copyright The ctx-lsp authors. MIT licence.

package statusline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// These features read a session in addition to an agent's status line.
const (
	shellUse = "shell"
	hookUse  = "hook"
)

// A session is the session that a line shows, with the data of the agent's message.
type session struct {
	// use is empty for a status line, which an agent runs with a message.
	use string
	// alone excludes the daemon, which may not have read the agent's latest records.
	alone     bool
	message   []byte // the agent's, as it was sent
	agent     string
	line      *agents.StatusLine // the agent's; nil without a message
	version   string
	id        string
	path      string // the transcript; "" if it cannot be read
	workspace string
	model     string
	window    int64  // 0 if unknown
	mode      string // the mode that the user wants; "" for the default
	// usage is the usage of the last request, as the provider's adapter reads it; nil before the first request.
	provider string
	usage    json.RawMessage
	found    transcript.Session // the session on disk, once it was located
	// kept is a session that was found before; path is not used in that case.
	kept *transcript.Kept
	// lessons is how often the session has produced corrections so far: with its first prompt, and with each
	// compaction.
	lessons int64
	// stamp changes whenever the Reading may change.
	stamp string
}

// key identifies the session's last Reading in the notes. Each mode has its own.
func (s *session) key() string {
	if s.id == "" {
		return ""
	}
	return strings.TrimRight(s.id+" "+s.mode+" "+s.use, " ")
}

// elsewhere reports whether the session is not at the path in the message.
func (s *session) elsewhere() bool { return s.line != nil && s.line.OwnFolder }

// place returns where the session was found; nil if the message has its path.
func (s *session) place() *transcript.Kept {
	if s.found.Path == "" || s.path != "" && !s.elsewhere() {
		return nil
	}
	kept := s.found.Keep()
	return &kept
}

// written returns when the transcript that the message names was last written; zero if unknown.
func (s *session) written() time.Time {
	info, err := os.Stat(s.path)
	if s.path == "" || err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// prompt returns the tokens of the last request, as the message reports them after the transcript was written; 0 if an
// agent may write later than it reports.
func (s *session) prompt() int64 {
	if s.line == nil || !s.line.WritesFirst || s.usage == nil {
		return 0
	}
	return agents.PromptOf(s.usage)
}

// stampOf distinguishes the states of the session's files, of the agent's message and last report, and of what other
// sessions have taught.
func (p *Program) stampOf(s *session, found transcript.Session, files transcript.State) string {
	taught := int64(0)
	if info, err := os.Stat(p.learned().Path()); err == nil {
		taught = info.Size() ^ info.ModTime().UnixNano()
	}
	var reported state.ReportedWindow
	if last := p.windows().Of(found); last != nil {
		reported = *last
	}
	servers, memory := agents.FilesChanged(p.Machine.Host, found)
	return fmt.Sprintf("%s %s %d %d %d %d %d %s %d %s %d %d %d %s %d", found.Path, found.Key, found.Size, found.Modified.UnixNano(), files.Size, files.Modified.UnixNano(), taught,
		s.model, s.window, s.usage, servers.UnixNano(), memory.UnixNano(), reported.Prompt, reported.Model, reported.At.UnixMilli())
}

// An answer is the result of reading a session, with what was learned about the session on the way.
type answer struct {
	session
	reading []byte
	err     error
}

// answer reads the session in the background, so that the caller can stop waiting in time.
func (p *Program) answer(ctx context.Context, s *session) <-chan answer {
	done := make(chan answer, 1)
	go func(a answer) {
		a.reading, a.err = p.read(ctx, &a.session)
		done <- a
	}(answer{session: *s})
	return done
}

// readForHook reads a session for an agent's hook.
func (p *Program) readForHook(ctx context.Context, of transcript.Session) ([]byte, error) {
	kept := of.Keep()
	s := &session{use: hookUse, alone: true, agent: of.Agent, version: of.Version, id: of.ID, workspace: of.Workspace, kept: &kept, window: p.windowOf(of)}
	select {
	case a := <-p.answer(ctx, s):
		if a.err == nil && a.reading != nil {
			p.lastReadings().Keep(s.key(), a.reading, a.stamp, a.lessons, nil)
		}
		return a.reading, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// windowOf returns the window that the agent of a session has reported, 0 if none.
func (p *Program) windowOf(s transcript.Session) int64 {
	if reported := p.windows().Of(s); reported != nil {
		return reported.Window
	}
	return 0
}

// locate finds the session on disk: at the path that the agent reports, otherwise by its id among that agent's
// sessions.
func (p *Program) locate(ctx context.Context, s *session) (transcript.Session, error) {
	if err := p.Refuses(s.agent); err != nil {
		return transcript.Session{}, err
	}
	if s.kept != nil {
		return s.kept.Session()
	}
	if s.path != "" && !s.elsewhere() {
		return sessions.AtPath(s.path, s.id, s.agent, s.workspace)
	}
	if s.id == "" {
		return transcript.Session{}, os.ErrNotExist
	}
	if kept := p.lastReadings().Place(s.key()); kept != nil {
		if found, err := kept.Session(); err == nil {
			return found, nil
		}
	}
	found, _, err := sessions.NewFinder(p.Machine.Host).Find(ctx, sessions.Query{ID: s.id, Agent: s.agent, Limit: 1})
	if err == nil && (len(found) == 0 || found[0].ID != s.id) {
		err = os.ErrNotExist
	}
	if err != nil {
		return transcript.Session{}, err
	}
	return found[0], nil
}

// read returns the first Reading available: the last one if nothing has changed, that of a daemon that follows the
// session, that of the transcript, or that of the numbers in the agent's message.
func (p *Program) read(ctx context.Context, s *session) ([]byte, error) {
	if p.BeforeReading != nil {
		p.BeforeReading()
	}
	found, err := p.locate(ctx, s)
	if err == nil {
		files := agents.StateOf(found)
		s.found, s.stamp = found, p.stampOf(s, found, files)
		if same := p.lastReadings().Same(s.key(), s.stamp); same != nil {
			return same, nil
		}
		if agents.SettlesIn(found, files, p.Now()) > 0 {
			s.stamp += " unsettled" // the next line reads it again, because the last change may not show yet
		}
		if !s.alone && (s.use == "" || p.Now().Sub(files.Modified) > daemonBehind) {
			if reading := p.askDaemon(ctx, s); reading != nil {
				return reading, nil
			}
		}
	}
	e, engineErr := p.Engine(true)
	if engineErr != nil {
		return nil, engineErr
	}
	defer e.Close()
	_ = follow.Teach(ctx, e.Call, p.learned(), p.Now()) // without the learned corrections the line is still useful
	if err == nil {
		var reading []byte
		if reading, err = p.readTranscript(ctx, s, e, found); err == nil && (s.usage == nil || s.isAtLeastAsNew(reading)) {
			p.keepLessons(ctx, s, e, reading)
			return reading, nil
		}
	}
	if errors.Is(err, errUnfinished) {
		return nil, err // the numbers in the message may be from before a compaction
	}
	if s.usage == nil && err != nil {
		// An agent names a transcript before it writes it.
		if shown, _ := p.lastReadings().Last(s.key()); shown != nil || !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	return p.fromMessage(ctx, s, e)
}

// keepLessons saves the corrections learned from the session for later sessions, once when its first prompt was
// measured and once after each compaction.
func (p *Program) keepLessons(ctx context.Context, s *session, e engine.Engine, reading []byte) {
	r, err := terminal.Parse(reading)
	if err != nil || r.LastRequest == nil || s.id == "" {
		return
	}
	s.lessons = r.Compaction.Count + 1
	if p.lastReadings().Lessons(s.key()) < s.lessons {
		ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond) // another program may be writing
		defer cancel()
		if err := follow.KeepLessons(ctx, e.Call, p.learned(), true); err != nil {
			p.Failed(err)
		}
	}
}

// isAtLeastAsNew reports whether a Reading of the transcript is at least as recent as the agent's message. It is not
// before the transcript contains the first answer. For an agent that may write later than it reports, the message is
// used until both agree.
func (s *session) isAtLeastAsNew(reading []byte) bool {
	r, err := terminal.Parse(reading)
	if err != nil {
		return false
	}
	if s.line != nil && !s.line.WritesFirst {
		return r.LastRequest != nil && r.LastRequest.In == agents.PromptOf(s.usage)
	}
	return r.LastRequest != nil || r.Compaction.Count > 0
}

// errUnfinished is the error for a transcript that could not be read in time and whose end does not show its number.
// The next line continues from there.
var errUnfinished = errors.New("the transcript is still being read")

// readTranscript reads the transcript from where the last status line stopped, or only its end if reading all of it
// takes too long. The end is used only if it contains a measured request after the last compaction. Otherwise its
// number would differ from that of the whole transcript without being marked.
func (p *Program) readTranscript(ctx context.Context, s *session, e engine.Engine, found transcript.Session) ([]byte, error) {
	var reading []byte
	var err error
	whole := false
	if s.mode != "provider" { // the last measurement is at the end, and a ledger does not contain it
		reading, whole, err = p.readWhole(ctx, s, e, found)
	}
	if err == nil && !whole {
		var feed *follow.Feed
		if feed, err = p.Machine.RecentFeed(found, e.Call); err == nil {
			reading, err = feed.Read(ctx)
		}
		switch {
		case err != nil || s.mode == "provider":
		case !isAnchored(reading):
			reading, err = nil, errUnfinished
		default:
			reading, err = withoutBack(reading)
			s.stamp += " partly" // the next line reads the rest even if nothing is appended
		}
	}
	if err == nil && reading == nil {
		err = fmt.Errorf("%s contains no record yet", found.Path)
	}
	if err == nil {
		reading, err = client.Call(e.Call).InMode(ctx, reading, s.mode)
	}
	return reading, err
}

// isAnchored reports whether a Reading starts from a measured request.
func isAnchored(reading []byte) bool {
	r, err := terminal.Parse(reading)
	return err == nil && (r.Basis == "measured" || r.Basis == "measured+estimated")
}

// withoutBack removes the cost of returning from the Reading of a transcript's end, because it depends on earlier
// requests.
func withoutBack(reading []byte) ([]byte, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(reading, &members); err != nil {
		return nil, err
	}
	var cache map[string]json.RawMessage
	if err := json.Unmarshal(members["cache"], &cache); err != nil {
		return nil, err
	}
	cache["back"] = json.RawMessage("null")
	var err error
	if members["cache"], err = json.Marshal(cache); err != nil {
		return nil, err
	}
	return json.Marshal(members)
}

// messagePatience limits the last resort if the time is already over.
const messagePatience = 250 * time.Millisecond

// fromMessageAlone returns a Reading built from the numbers in the agent's message; nil if it contains none.
func (p *Program) fromMessageAlone(s *session) []byte {
	if s.usage == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), messagePatience)
	defer cancel()
	e, err := p.Engine(false)
	if err != nil {
		return nil
	}
	defer e.Close()
	reading, err := p.fromMessage(ctx, s, e)
	if err != nil {
		return nil
	}
	return reading
}

// fromMessage returns a Reading built from the numbers in the agent's message, for a session whose transcript cannot be
// read.
func (p *Program) fromMessage(ctx context.Context, s *session, e engine.Engine) ([]byte, error) {
	call, id := client.Call(e.Call), "status"
	open := api.OpenParams{
		ID: id, Agent: s.agent, AgentVersion: s.version, Model: s.model, Workspace: s.workspace, Mode: api.Mode(s.mode),
		Settings: agents.Settings(p.Machine.Host, s.agent, s.workspace),
	}
	var reading []byte
	var err error
	if e, known := agent.Find(s.agent); known && e.FromStore {
		if s.usage == nil {
			return nil, errors.New("the agent reported no context size (this happens while a sub-agent runs), and its session was not found on this machine")
		}
		// Without a rule it cannot be opened, so a record names it.
		writer := transcript.StoreWriter{By: s.agent}
		writer.Session(transcript.StoreSession{CWD: s.workspace, Model: s.model, Version: s.version, Window: s.window})
		open.ID, open.Agent = "", ""
		records := []api.Foreign{json.RawMessage(writer.Records[0].JSON)}
		reading, err = call.Records(ctx, &api.RecordsParams{ID: id, Agent: s.agent, Open: &open, Records: records}).JSON()
	} else {
		reading, err = call.Open(ctx, &open).JSON()
		if err == nil && s.window > 0 {
			reading, err = call.Update(ctx, &api.UpdateParams{ID: id, AgentLimits: &api.Limits{Window: &s.window}}).JSON()
		}
	}
	if err != nil || s.usage == nil {
		return reading, err
	}
	return call.Usage(ctx, &api.UsageParams{ID: id, Request: "last", Provider: s.provider, Usage: s.usage}).JSON()
}
