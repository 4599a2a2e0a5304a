// Copyright The ctx-lsp authors. MIT licence.

package statusline

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// The program of a status line has milliseconds, and must show the same as `ctx-lsp status` and the editors, which read
// the whole transcript. So it saves the session's ledger (counts, labels and the title) and how far it has read, and
// the next run reads only what was appended since.

// keptLedger is the first line of a saved file. The second line is the ledger, which only the engine parses.
type keptLedger struct {
	// About is a fingerprint of the program and its settings. A ledger with another one is not used.
	About string              `json:"about"`
	Mark  transcript.Bookmark `json:"mark"`
}

const (
	// maxLedger is the size limit of one session's file, in bytes.
	maxLedger = 16 << 20
	// ledgerStep is how many bytes of a transcript are reread before the ledger is saved again.
	ledgerStep = 64 << 10
)

// A ledgerKeeper reads a transcript from where the last status line stopped.
type ledgerKeeper struct {
	notes state.Notes
	path  string
	about string
	saved int64 // the offset in the transcript up to which the saved ledger reaches
}

func (p *Program) keeper(s *session, settings map[string]string) *ledgerKeeper {
	m := p.lastReadings()
	text, _ := json.Marshal(settings) // strings always encode, in the order of their names
	about := fmt.Sprintf("%s %v %s", p.Build, p.Machine.HidePaths, text)
	return &ledgerKeeper{notes: m, path: m.LedgerPath(s.id), about: state.Fingerprint(about)}
}

// resume restores the saved session in the engine. It returns nil if the transcript has to be read from its beginning.
func (k *ledgerKeeper) resume(ctx context.Context, e engine.Engine, found transcript.Session) *follow.Feed {
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
	feed, same := follow.Resume(found, e.Call, kept.Mark)
	if !same {
		return nil
	}
	restored := client.Call(e.Call).Restore(ctx, &api.RestoreParams{ID: feed.ID, Ledger: json.RawMessage(ledger)})
	if _, err := restored.JSON(); err != nil {
		return nil
	}
	k.saved = kept.Mark.Offset
	return feed
}

// keep saves the ledger, unless the saved one leaves little to read.
func (k *ledgerKeeper) keep(ctx context.Context, feed *follow.Feed) {
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
		k.notes.Write(k.path, append(append(head, '\n'), ledger...))
	}
}

// readWhole reads the transcript like `ctx-lsp status`. It stops after a third of the available time; whole is false in
// that case, and the next run continues from there.
func (p *Program) readWhole(ctx context.Context, s *session, e engine.Engine, found transcript.Session) (reading []byte, whole bool, err error) {
	fresh := p.Machine.Feed(found, e.Call)
	keeper := p.keeper(s, fresh.Settings)
	feed := keeper.resume(ctx, e, found)
	if feed == nil {
		feed = fresh
		feed.Bookmarks = true
	}
	feed.Files, feed.Windows, feed.Changed = fresh.Files, fresh.Windows, fresh.Changed
	until := time.Now().Add(time.Second / 3)
	if deadline, some := ctx.Deadline(); some {
		until = time.Now().Add(time.Until(deadline) / 3)
	}
	hasTime := func() bool { return time.Now().Before(until) }
	if p.HasTime != nil {
		hasTime = p.HasTime
	}
	reading, whole, err = feed.ReadWhile(ctx, hasTime)
	if err != nil {
		return nil, false, err
	}
	keeper.keep(ctx, feed)
	if !whole {
		feed.Close(ctx)
	}
	return reading, whole, nil
}
