// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// A session that is only listed may be minutes old, and a person wants to know how full it is. The end of its
// transcript tells that: the last measured request is there. So a glimpse costs some kilobytes, whatever the length of
// the transcript, and the session stays a line of a list.

const (
	// mostGlimpsed is how many bytes one answer reads for glimpses; the next one goes on from there.
	mostGlimpsed = 4 << 20
	// glimpsesKept is how many glimpses are remembered.
	glimpsesKept = 2 * mostEarlier
)

// glimpses remembers what the ends of transcripts told, until they change.
type glimpses struct {
	mu   sync.Mutex // also held while a transcript is read, so that it is read once
	kept map[string]glimpse
}

// A glimpse is what the end of a transcript told when it had this size and time, with what agents had said by then.
type glimpse struct {
	size     int64
	modified time.Time
	says     time.Time // the last change of what agents say
	said     json.RawMessage
}

// nothing is the glimpse of a session of which none is had.
var nothing = json.RawMessage("null")

// glimpse answers how full the window of a session is that is not read. It reads at most room bytes, and takes from
// room what it has read.
func (w *watcher) glimpse(ctx context.Context, s transcript.Session, room *int64) json.RawMessage {
	if w.server.options.Now().Sub(s.Modified) > watchAge {
		return nothing
	}
	w.glimpses.mu.Lock()
	defer w.glimpses.mu.Unlock()
	var says time.Time
	if w.server.options.Windows != nil {
		says = w.server.options.Windows.Changed()
	}
	if known, ok := w.glimpses.kept[s.ID]; ok && known.size == s.Size && known.modified.Equal(s.Modified) && known.says.Equal(says) {
		return known.said
	}
	feed, length := follow.NewGlimpse(s, w.server.callRaw)
	if feed == nil || length > *room {
		return nothing
	}
	*room -= length
	began := feed.Position()
	feed.ID = "glimpse:" + s.ID
	feed.HidePaths = w.server.options.HidePaths
	feed.Windows = w.server.options.Windows
	if w.server.options.Settings != nil {
		feed.Settings = w.server.options.Settings(s)
	}
	reading, err := feed.Read(ctx)
	feed.Close(context.WithoutCancel(ctx))
	if err != nil {
		return nothing // what is wrong with it is said when it is read
	}
	if len(w.glimpses.kept) >= glimpsesKept || w.glimpses.kept == nil {
		w.glimpses.kept = map[string]glimpse{}
	}
	said := glimpsed(reading, began > 0)
	w.glimpses.kept[s.ID] = glimpse{s.Size, s.Modified, says, said}
	return said
}

// glimpsed takes from a Reading what a line of a list shows. rest is set if the transcript has more than was read.
func glimpsed(reading []byte, rest bool) json.RawMessage {
	if len(reading) == 0 || wire.MemberText(reading, "basis") == "unknown" {
		return nothing
	}
	if rest && bytes.Equal(wire.MemberOf(reading, "used"), []byte("0")) {
		return nothing // at least 0 says nothing
	}
	out := []byte{'{'}
	for _, name := range []string{"model", "used", "limit", "percent", "basis", "display"} {
		out = wire.AppendMember(out, name, wire.MemberOf(reading, name))
	}
	measured := !bytes.Equal(wire.MemberOf(reading, "lastRequest"), nothing) || !bytes.Equal(wire.MemberOf(reading, "compactions"), []byte("0"))
	part := "true"
	if measured || !rest {
		part = "false"
	}
	return append(wire.AppendMember(out, "part", []byte(part)), '}')
}
