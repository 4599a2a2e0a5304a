// Copyright The ctx-lsp authors. MIT licence.

package promptload

import (
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// WantedFile is a file that the engine reports as used by the agent.
type WantedFile struct {
	Path, Use string
	At        time.Time // zero if unknown
	Sent      bool      // whether a measured prompt contains what was sent of it
}

// ReadWanted converts the files reported by an engine.
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

// Unrecorded is text that is sent with the next request but not recorded.
type Unrecorded struct {
	Kind, Path, Text string
	Around           int64 // tokens around the text
}

// Found collects unrecorded texts, and messages about what cannot be determined.
type Found struct {
	Texts   []Unrecorded
	Unknown []phrase.Text
}

// Params returns the parameters of the call that passes these findings to a session.
func (o *Found) Params(id string) *api.UpdateParams {
	params := &api.UpdateParams{ID: id, Append: make([]api.Appendix, len(o.Texts)), Loaded: api.Loaded{Unknown: sentences(o.Unknown)}}
	for i := range o.Texts {
		u := &o.Texts[i]
		params.Append[i] = api.Item{
			Kind: api.Kind(u.Kind), What: "file", Subject: u.Path, Hidden: true, Text: api.Body(u.Text), Wrapping: &u.Around,
		}
	}
	return params
}

// mostListed is the maximum number of messages, and of server names, that are passed to a session.
const mostListed = 1000

// sentences returns messages in the form that an engine accepts, nil if there are none.
func sentences(unknown []phrase.Text) (out []api.Sentence) {
	for _, sentence := range unknown[:min(len(unknown), mostListed)] {
		out = append(out, sentence)
	}
	return out
}

// Files finds what an agent sends from files without recording it.
type Files interface {
	// Look checks the files that the agent has used since the last call, and those that have changed. partly must be
	// set if it is unknown what was sent earlier.
	Look(wanted []WantedFile, partly bool) Found
	// ForgetAll must be called when the conversation no longer contains anything that was sent.
	ForgetAll()
	// Checked returns what Look has checked, nil if nothing.
	Checked() *Trace
}
