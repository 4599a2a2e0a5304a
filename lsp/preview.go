// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// Users want to see how full a session is even if it is only listed. The end of its transcript shows that, because the
// last measured request is there. So a preview costs a few kilobytes, however long the transcript is, and the session
// is still not followed.

const (
	// mostPreviewed is how many bytes one request reads for previews; the next request continues from there.
	mostPreviewed = 4 << 20
	// previewsKept is how many previews are cached.
	previewsKept = 2 * mostEarlier
)

// previewCache caches previews until their transcripts change.
type previewCache struct {
	mu   sync.Mutex // also held while a transcript is read, so that it is read once
	kept map[string]preview
}

// A preview belongs to a transcript with this size and modification time, and this state of the agents' reports.
type preview struct {
	size           int64
	modified       time.Time
	windowsChanged time.Time // the last change of windows that agents reported
	text           json.RawMessage
}

// nothing is the preview of a session that has none.
var nothing = json.RawMessage("null")

// preview returns how full the window of an unread session is. It reads at most room bytes, and subtracts from room the
// number read.
func (w *watcher) preview(ctx context.Context, s transcript.Session, room *int64) json.RawMessage {
	if w.server.options.Now().Sub(s.Modified) > watchAge {
		return nothing
	}
	w.previews.mu.Lock()
	defer w.previews.mu.Unlock()
	var changed time.Time
	machine := w.server.options.Machine
	if machine != nil && machine.Windows != nil {
		changed = machine.Windows.Changed()
	}
	if known, ok := w.previews.kept[s.ID]; ok && known.size == s.Size && known.modified.Equal(s.Modified) && known.windowsChanged.Equal(changed) {
		return known.text
	}
	feed, length := follow.NewPreview(s, w.server.callRaw)
	if feed == nil || length > *room {
		return nothing
	}
	*room -= length
	began := feed.Position()
	feed.ID = "glimpse:" + s.ID
	if machine != nil {
		feed.HidePaths, feed.Windows, feed.Settings = machine.HidePaths, machine.Windows, agents.SettingsOf(machine.Host, s)
	}
	reading, err := feed.Read(ctx)
	feed.Close(context.WithoutCancel(ctx))
	if err != nil {
		return nothing // the error is reported when the session is read
	}
	if len(w.previews.kept) >= previewsKept || w.previews.kept == nil {
		w.previews.kept = map[string]preview{}
	}
	text := previewOf(reading, began > 0)
	w.previews.kept[s.ID] = preview{s.Size, s.Modified, changed, text}
	return text
}

// previewOf returns the parts of a Reading that a list shows. rest means that the transcript contains more than was
// read.
func previewOf(reading []byte, rest bool) json.RawMessage {
	if len(reading) == 0 || wire.MemberText(reading, "basis") == "unknown" {
		return nothing
	}
	if rest && bytes.Equal(wire.MemberOf(reading, "used"), []byte("0")) {
		return nothing // "at least 0" is useless
	}
	out := []byte{'{'}
	for _, name := range []string{"model", "used", "limit", "percent", "basis", "display"} {
		out = wire.AppendMember(out, name, wire.MemberOf(reading, name))
	}
	measured := !bytes.Equal(wire.MemberOf(reading, "lastRequest"), nothing) || !bytes.Equal(wire.MemberOf(wire.MemberOf(reading, "compaction"), "count"), []byte("0"))
	part := "true"
	if measured || !rest {
		part = "false"
	}
	return append(wire.AppendMember(out, "part", []byte(part)), '}')
}
