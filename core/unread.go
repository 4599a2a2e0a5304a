// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// WrittenSince reports that an agent has written in the session's directory in a form that the host cannot read. By is
// the agent's name.
type WrittenSince struct {
	By string
	At int64
}

func (WrittenSince) event() {}

// Behind reports whether the host has yet to read records that the agent has already written. It is not saved: a host
// that restores the session continues to read it.
type Behind struct{ Yes bool }

func (Behind) event() {}

// PromptReported is the agent's own number for its prompt, which contradicts its records and is newer than they are:
// after a rewind, nothing is recorded until the next request. It is not saved, and holds until the conversation
// continues. At is the time of the report, 0 if unknown.
type PromptReported struct{ In, At int64 }

func (PromptReported) event() {}

// unreadRun is how many records of an unknown type, without a known one after them, mark the numbers as old. A single
// one may be a note that the agent writes after each turn.
const unreadRun = 2

// unread is data newer than the session's numbers, in a form that cannot be read.
type unread struct {
	by      string
	at      int64 // 0 if the host has reported none
	records int64 // records of unknown types since the last known one that changed the conversation
	behind  bool  // the host has not read all records
	// reported is the agent's newer number for its prompt; 0 for none. reportedAt is the time of the report, 0 if unknown.
	reported, reportedAt int64
}

// observe resets the records of unknown types once a known one changes the conversation.
func (u *unread) observe(e Event) {
	switch e.(type) {
	case Replaced, Inserted, Synced, Compacted:
		u.records, u.reported = 0, 0
	case Truncated:
		u.reported = 0
	default:
		if (u.records > 0 || u.reported > 0) && continues(e) {
			u.records, u.reported = 0, 0
		}
	}
}

func (u *unread) walk(c *codec.Codec) {
	c.Names("by", &u.by)
	c.Ints("at records", &u.at, &u.records)
}

// outdated appends why the session's numbers are older than the agent's data, and reports whether they are.
func (s *Session) outdated(out []Text) ([]Text, bool) {
	u, before := &s.unread, len(out)
	if s.pastOlder {
		out = append(out, phrase.PastOlder.Text())
	}
	if u.records >= unreadRun {
		out = append(out, phrase.NewestUnknown.Text(phrase.Count(u.records)))
	}
	if u.at > s.now && u.by != "" {
		out = append(out, phrase.WrittenSince.Text(phrase.Name(u.by)))
	}
	if u.behind {
		out = append(out, phrase.NewestAwaited.Text())
	}
	return out, len(out) > before
}
