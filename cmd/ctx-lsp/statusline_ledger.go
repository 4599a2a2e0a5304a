// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/source"
)

// A status line lives for milliseconds and must say what status and the editors say, which read the whole transcript.
// So it keeps the session's ledger (counts and labels, no text) beside where it has read to, and the next one reads
// only what was added.

// keptLedger is the first line of a file of the memory; the ledger is the second, which only the engine parses.
type keptLedger struct {
	// About changes when the ledger says nothing of what is asked now: another program, other settings.
	About string          `json:"about"`
	Mark  source.Bookmark `json:"mark"`
}

const (
	// maxLedger bounds the file of one session.
	maxLedger = 16 << 20
	// ledgerStep is how much is read again rather than saved anew.
	ledgerStep = 256 << 10
)

// A ledgerKeeper reads a transcript on from where the last status line stopped.
type ledgerKeeper struct {
	memory memory
	path   string
	about  string
	saved  int64 // the offset of the ledger that is there
}

func (s *agentStatus) keeper(env *environment, settings map[string]string) *ledgerKeeper {
	m := openMemory(env)
	text, _ := json.Marshal(settings) // strings always encode, in the order of their names
	v := currentVersion()
	about := fmt.Sprintf("%s %s %s %d %v %s", v.Version, v.Revision, v.Ledger, s.window, env.hidePaths, text)
	return &ledgerKeeper{memory: m, path: m.ledgerPath(s.session), about: fingerprintOf(about)}
}

// resume is the session as it was saved, restored in the engine; nil where it has to be read from its beginning.
func (k *ledgerKeeper) resume(ctx context.Context, e engine.Engine, transcript source.Session) *source.Feed {
	if k.path == "" {
		return nil
	}
	info, err := os.Stat(k.path)
	if err != nil || info.Size() > maxLedger {
		return nil
	}
	text, err := os.ReadFile(k.path)
	head, ledger, two := bytes.Cut(text, []byte("\n"))
	var kept keptLedger
	if err != nil || !two || json.Unmarshal(head, &kept) != nil || kept.About != k.about {
		return nil
	}
	feed, same := source.Resume(transcript, e.Call, kept.Mark)
	if !same {
		return nil
	}
	id, _ := json.Marshal(feed.ID) // a string always encodes
	params := append(append(append([]byte(`{"id":`), id...), `,"ledger":`...), ledger...)
	if _, err := result(e.Call(ctx, "ctx/session/restore", append(params, '}'))); err != nil {
		return nil
	}
	k.saved = kept.Mark.Offset
	return feed
}

// keep saves the ledger, unless one is there that leaves little to read.
func (k *ledgerKeeper) keep(ctx context.Context, feed *source.Feed) {
	mark, some := feed.Bookmark()
	if !some || k.path == "" || k.saved > 0 && mark.Offset-k.saved < ledgerStep {
		return
	}
	ledger, err := feed.Ledger(ctx)
	if err != nil || len(ledger) == 0 || len(ledger) > maxLedger/2 {
		return
	}
	head, err := json.Marshal(keptLedger{k.about, mark})
	if err == nil {
		k.memory.write(k.path, append(append(head, '\n'), ledger...))
	}
}

// readWhole reads the transcript as status does. It is false where that would take longer than a third of the time
// there is; what was read is kept for the next time.
func (s *agentStatus) readWhole(ctx context.Context, env *environment, e engine.Engine, transcript source.Session) (reading []byte, whole bool, err error) {
	settings := source.Settings(env.host(), transcript.Agent, transcript.Workspace)
	keeper := s.keeper(env, settings)
	feed := keeper.resume(ctx, e, transcript)
	if feed == nil {
		feed = source.NewFeed(transcript, e.Call)
		feed.Bookmarks = true
		feed.HidePaths, feed.Settings, feed.Window = env.hidePaths, settings, s.window
	}
	until := time.Now().Add(time.Second / 3)
	if deadline, some := ctx.Deadline(); some {
		until = time.Now().Add(time.Until(deadline) / 3)
	}
	reading, whole, err = feed.ReadWhile(ctx, func() bool { return time.Now().Before(until) })
	if err != nil {
		return nil, false, err
	}
	keeper.keep(ctx, feed)
	if !whole {
		feed.Close(ctx)
	}
	return reading, whole, nil
}
