// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"encoding/json"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/conversation"
)

// A queried is one of several results of a call: of a file that was read, or of a command. Cline records them as JSON.
type queried struct {
	Query   string `json:"query"` // the path or the command
	Result  string `json:"result"`
	Success *bool  `json:"success"`
}

func (q *queried) failed() bool { return q.Success != nil && !*q.Success }

// queriesIn returns the results in a text that is a JSON list of them, or one of them; nil for any other text.
func queriesIn(text string) []queried {
	var all []queried
	switch {
	case strings.HasPrefix(text, `[{"query":`):
		if json.Unmarshal([]byte(text), &all) != nil {
			return nil
		}
	case strings.HasPrefix(text, `{"query":`):
		all = make([]queried, 1)
		if json.Unmarshal([]byte(text), &all[0]) != nil {
			return nil
		}
	}
	return all
}

// queries reads the results of a call one by one: files that it read in the order of its argument files, and commands.
// It returns false if the call did something else.
func (x *extractor) queries(call *conversation.Item, all []queried, by, wrote origin) bool {
	arguments := call.Arguments()
	reads := isRead(call.Tool)
	if !reads && arguments["commands"] == "" {
		return false
	}
	var files []struct {
		Path  string `json:"path"`
		First int    `json:"start_line"`
		Last  int    `json:"end_line"`
	}
	if reads && json.Unmarshal([]byte(arguments["files"]), &files) != nil {
		return false
	}
	for i := range all {
		q := &all[i]
		switch {
		case reads && q.failed():
		case reads && i < len(files):
			x.file(files[i].Path, by, q.Result, files[i].First, files[i].First > 1 || files[i].Last > 0)
		case reads:
			x.file(q.Query, by, q.Result, 0, true)
		default:
			x.shell(q.Query, arguments, by, wrote, q.Result, q.failed())
		}
	}
	return true
}
