// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"bytes"
	"crypto/rand"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// In the engine the ids of sessions and documents that belong to one client begin with that client's prefix, so that
// two editors may both have a "chat-1". The prefix is random and nobody is told it, so that no client can name what
// belongs to another, whatever else goes wrong.

// insideMark begins every prefix; a client's own ids must not begin so.
const insideMark = "~ctx."

// newPrefix is the prefix of one connection: 130 random bits.
func newPrefix() string { return insideMark + rand.Text() + "~" }

// reservedID refuses an id that looks like one of the engine's.
func reservedID(id string) *api.Error {
	if !strings.HasPrefix(id, insideMark) {
		return nil
	}
	return api.Invalid("id", "must not begin with "+insideMark+", which is reserved for the daemon; choose another id.")
}

// forClients replaces the engine's ids in an answer by those that its clients know.
func (s *session) forClients(result []byte) []byte { return withOutsideIDs(result, s.prefix()) }

// prefix is what stands before the session's id in the engine; empty for a session that belongs to no client.
func (s *session) prefix() string { return s.key[:len(s.key)-len(s.id)] }

// withOutsideIDs removes a prefix from the ids in an answer. Ids are the values of the members session and parent, and
// the elements of the lists children and names; the last is a ledger's list, in which ids stand among other names.
func withOutsideIDs(result []byte, prefix string) []byte {
	if prefix == "" || !bytes.Contains(result, []byte(prefix)) {
		return result
	}
	var cuts []int // the places at which a prefix begins
	wire.ReadValue(result, func(v json.Value) { cuts = idsIn(v, prefix, nil) })
	out := make([]byte, 0, len(result)-len(cuts)*len(prefix))
	at := 0
	for _, cut := range cuts {
		out = append(out, result[at:cut]...)
		at = cut + len(prefix)
	}
	return append(out, result[at:]...)
}

// idsIn finds in a value the ids that begin with the prefix, in their order.
func idsIn(v json.Value, prefix string, cuts []int) []int {
	// Nothing in a prefix is written with an escape, so it stands at the beginning of an id that has some behind it too.
	id := func(v json.Value) {
		if v.Kind() == json.String && bytes.HasPrefix(v.Raw()[1:], []byte(prefix)) {
			cuts = append(cuts, v.Offset()+1)
		}
	}
	switch v.Kind() {
	case json.Array:
		for e := v.Elements(); e.Next(); {
			cuts = idsIn(e.Value, prefix, cuts)
		}
	case json.Object:
		for f := v.Fields(); f.Next(); {
			name := string(f.Name())
			switch {
			case name == "session" || name == "parent":
				id(f.Value)
			case (name == "children" || name == "names") && f.Value.Kind() == json.Array:
				for e := f.Value.Elements(); e.Next(); {
					id(e.Value)
					cuts = idsIn(e.Value, prefix, cuts)
				}
			default:
				cuts = idsIn(f.Value, prefix, cuts)
			}
		}
	}
	return cuts
}

// forClients words a refusal of the engine for its client, if it names a session by the engine's id: one of those that
// the client named.
func (c *connection) forClients(e *api.Error, ids ...string) *api.Error {
	if e == nil || !strings.HasPrefix(e.Name, c.prefix) {
		return e
	}
	for _, id := range ids {
		switch {
		case !strings.HasPrefix(c.prefix+id, strings.TrimSuffix(e.Name, "...")):
		case e.Kind == api.SessionExists:
			return api.SessionIsOpen(id)
		case e.Field == "parent":
			return api.NoParent(id)
		default:
			return api.NoSession(id)
		}
	}
	return &api.Error{Kind: e.Kind, Field: e.Field, Message: strings.ReplaceAll(e.Message, c.prefix, ""), Name: e.Name[len(c.prefix):]}
}
