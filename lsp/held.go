// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"strconv"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// When a session is opened again, its saved ledger may still be held: by a daemon that is ending, by another daemon, or
// by a client of this one. Opening waits for another process, and takes the ledger over from a client that has
// disconnected. If it cannot be had, the client gets an error that names the holder, instead of numbers as if the
// conversation had just begun.

const (
	heldPatience = 5 * time.Second       // how long opening a session waits for its ledger
	heldPause    = 20 * time.Millisecond // between two attempts
)

// heldError reports that another session holds the ledger.
type heldError struct{ process int }

func (e *heldError) Error() string {
	if e.process == 0 {
		return "its past could not be read: held by another process"
	}
	return "its past could not be read: held by process " + strconv.Itoa(e.process)
}

// awaitLedgers is savedLedgers that waits for a ledger that is held. The error is a heldError if it stays held for
// longer than heldPatience.
func (s *Server) awaitLedgers(ctx context.Context, of *session) (past savedPast, err error) {
	if of.save == "" {
		return past, nil
	}
	for deadline := time.Now().Add(s.heldPatience); ; {
		var holder *state.Holder
		// A shared session is one conversation, so a held ledger is newer than any other. Private sessions with the
		// same name may be different conversations, so a free ledger is taken first.
		if of.owner == nil {
			if holder, err = s.options.State.Holder(of.ledger, of.save); err != nil {
				return past, err
			}
		}
		if holder == nil {
			past, err = s.savedLedgers(of)
			if err != nil || past.ledgers != nil {
				return past, err
			}
			if holder, err = s.options.State.Holder(of.ledger, of.save); err != nil || holder == nil {
				past.missing = err == nil && s.options.State.IsMissing(of.ledger)
				return past, err
			}
		}
		if holder.Here && s.releaseDisconnected(of) {
			continue
		}
		if holder.Here || time.Now().After(deadline) {
			return past, &heldError{holder.Process}
		}
		select {
		case <-ctx.Done():
			return past, ctx.Err()
		case <-time.After(heldPause):
		}
	}
}

// releaseDisconnected releases the ledgers of a name that belong to disconnected clients, and reports whether there
// were any. Without it they would be released only when those sessions end, possibly after the request that is waiting
// here.
func (s *Server) releaseDisconnected(of *session) bool {
	disconnected := s.all(func(each *session) bool {
		return each != of && each.ledger == of.ledger && each.owner != nil && each.owner.hasEnded() && !each.saver.hasReleased()
	})
	for _, each := range disconnected {
		s.releaseLedger(each)
	}
	return len(disconnected) > 0
}

func (v *saver) hasReleased() bool {
	v.file.Lock()
	defer v.file.Unlock()
	return v.released
}

// hasEnded reports whether the connection has ended.
func (c *connection) hasEnded() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// heldLedgerError returns the error for a shared session whose ledger is held. Starting it over would make a second
// conversation with the same name.
func heldLedgerError(of *session, held *heldError) *api.Error {
	name := string(wire.Quoted(of.id))
	return &api.Error{
		Kind: api.Unreadable, Name: of.id,
		Message: "The saved session " + name + " cannot be opened now: " + held.Error() + ". No data is lost; " +
			"try again when that process has ended.",
	}
}

// warn shows a message to the user, and logs it.
func (c *connection) warn(message string) {
	c.log.Warn(message)
	c.notify("window/showMessage", map[string]any{"type": messageWarning, "message": message})
}
