// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A Form is an agent's way to keep sessions that are neither lines nor one document. Programs derived from the agent
// use the same form. Zero fields mean that the form does not need them.
type Form struct {
	// Open starts at the beginning of a session.
	Open func(transcript.Session) transcript.Tail
	// State returns the state of a session's files; nil if it is the state of one file.
	State func(path string) transcript.State
	// Head sets the fields that are known without its records.
	Head func(*transcript.Session)
	// Part returns the path of a document's session; false if it is not such a document.
	Part func(document string) (path string, ok bool)
	// Below passes the paths of the sessions in a folder to see; false if the folder is not one with such sessions.
	Below func(folder string, see func(path string)) bool
	// Sessions lists the sessions of a database that is of no known agent.
	Sessions func(ctx context.Context, path string) ([]transcript.Session, error)
}

// formOf returns what is known of a form; nil if no agent has it for its own.
func formOf(form transcript.Form) *Form {
	for _, a := range all {
		if own := a.Forms[form]; own != nil {
			return own
		}
	}
	return nil
}

// OpenTail starts at the beginning of a session.
func OpenTail(s transcript.Session) transcript.Tail {
	tail := OpenOwn(s)
	if join := Of(s).Join; join != nil {
		tail = join(s, tail)
	}
	if join := Of(s).JoinHost; join != nil && s.HostStore != "" {
		tail = join(s, tail)
	}
	return tail
}

// OpenOwn starts at the beginning of a session's own records, without those that are kept elsewhere.
func OpenOwn(s transcript.Session) transcript.Tail {
	if form := formOf(s.Form); form != nil {
		return form.Open(s)
	}
	switch s.Form {
	case transcript.Store:
		var state func() transcript.State
		if Of(s).Beside != nil {
			state = func() transcript.State { return StateOf(s) }
		}
		return transcript.OpenStore(s, func(ctx context.Context) ([]transcript.StoreRecord, error) {
			return storeRecords(ctx, s.Agent, s.Path, s.Key)
		}, state)
	case transcript.WithSidecars:
		return transcript.OpenWithSidecars(s.Path, Sidecars(s))
	}
	return transcript.Open(s)
}

// OneFile reports whether everything that is read of a session's records is in one file, apart from [IndexedTitle].
func OneFile(s transcript.Session) bool {
	a := Of(s)
	switch s.Form {
	case transcript.Lines, transcript.Compressed, transcript.Document:
		return formOf(s.Form) == nil && a.Join == nil && (a.JoinHost == nil || s.HostStore == "") && UsageStore(s) == ""
	}
	return false
}

// Whole returns the path and the form of a document's session. Most documents are one session.
func Whole(document string) (path string, form transcript.Form) {
	for _, a := range all {
		for form, own := range a.Forms {
			if own.Part == nil {
				continue
			}
			if path, ok := own.Part(document); ok {
				return path, form
			}
		}
	}
	return document, transcript.Document
}

// InFolder passes the paths of the sessions in a folder to see, if an agent keeps sessions in such a folder.
func InFolder(folder string, see func(path string)) bool {
	for _, a := range all {
		for _, own := range a.Forms {
			if own.Below != nil && own.Below(folder, see) {
				return true
			}
		}
	}
	return false
}

// InDatabase lists the sessions of a database.
func InDatabase(ctx context.Context, path string) ([]transcript.Session, error) {
	if owner := OfDatabase(ctx, path); owner != nil {
		return StoreSessions(ctx, owner.ID, path)
	}
	return formOf(transcript.Database).Sessions(ctx, path)
}

// Head sets the fields of a session that are known without its records. It returns false if the transcript has to be
// read for more.
func Head(s *transcript.Session) (done bool) {
	if head := Of(*s).Head; head != nil && head(s) {
		return true
	}
	if form := formOf(s.Form); form != nil && form.Head != nil {
		form.Head(s)
		return true
	}
	return false
}

// First sets the fields that one of the first records names, if an agent begins its sessions with such a record. It
// returns true if no more has to be read.
func First(s *transcript.Session, record json.Value) (done bool) {
	for _, a := range all {
		if a.First != nil && a.First(s, record) {
			return true
		}
	}
	return false
}
