// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// WantedFile is a file that the agent uses, as the engine tells.
type WantedFile struct {
	Path, Use string
	At        time.Time // zero if the record has none
	Sent      bool      // a measured prompt holds what was sent of it
}

// ReadWanted returns the files that an engine has named.
func ReadWanted(files []api.WantedFile) []WantedFile {
	wanted := make([]WantedFile, len(files))
	for i, file := range files {
		wanted[i] = WantedFile{Path: file.Path, Use: file.Use, Sent: file.Sent}
		if file.At != nil {
			wanted[i].At = time.UnixMilli(int64(*file.At))
		}
	}
	return wanted
}

// Unrecorded is what is sent with the next request.
type Unrecorded struct {
	Kind, Path, Text string
	Around           int64 // tokens around the text
}

// Found collects what is sent, and sentences about what cannot be known.
type Found struct {
	Texts   []Unrecorded
	Unknown []phrase.Text
}

// Params are the parameters of the call that tells a session what was found.
func (o *Found) Params(id string) *api.UpdateParams {
	params := &api.UpdateParams{ID: id, Append: make([]api.Appendix, len(o.Texts)), Loaded: api.Loaded{Unknown: sentences(o.Unknown)}}
	for i := range o.Texts {
		u := &o.Texts[i]
		params.Append[i] = api.Item{
			Kind: api.Kind(u.Kind), What: "file", Subject: u.Path, Hidden: true, Text: api.Text(u.Text), Wrapping: &u.Around,
		}
	}
	return params
}

// mostListed is how many sentences, and how many names of servers, are passed to a session.
const mostListed = 1000

// sentences returns what could not be found out as an engine takes it; nil if there is nothing.
func sentences(unknown []phrase.Text) (out []api.Sentence) {
	for _, sentence := range unknown[:min(len(unknown), mostListed)] {
		out = append(out, sentence)
	}
	return out
}

// Files finds what an agent sends of files without recording it.
type Files interface {
	// Look answers for the files that the agent has used since the last call, and for those that have changed. partly is
	// set if it is not known what was sent earlier.
	Look(wanted []WantedFile, partly bool) Found
	// ForgetAll is called if nothing of what was sent is in the conversation any more.
	ForgetAll()
}
