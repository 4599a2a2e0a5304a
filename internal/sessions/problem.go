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
	What string // the reason, as a message
	// Late is set if the path did not respond in time, so that its sessions are missing.
	Late bool
}

// problem returns the Problem of a path. If the error begins with the path, it is not repeated.
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

func (p Problem) String() string {
	if p.Path == "" {
		return p.What
	}
	return p.Path + ": " + p.What
}
