// Copyright The ctx-lsp authors. MIT licence.

package sessions

import (
	"errors"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Problem is something that could not be read, and why.
type Problem struct {
	Path string
	What string // a sentence
	// Late is true if the path did not answer in time, so that its sessions are missing.
	Late bool
}

// problem is what is wrong with a path. A sentence that begins with the path says it once.
func problem(path string, err error) Problem {
	what := reason(err)
	for _, beginning := range []string{path + ": ", path + " "} {
		if rest, found := strings.CutPrefix(what, beginning); found {
			what = strings.TrimPrefix(rest, "is ")
			if what != rest {
				what = "it is " + what
			}
			break
		}
	}
	return Problem{path, what, errors.Is(err, transcript.ErrLate)}
}

func (p Problem) String() string { return p.Path + ": " + p.What }
