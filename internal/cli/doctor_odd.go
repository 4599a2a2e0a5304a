// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"strconv"
	"strings"
)

// An oddity is a sentence about what is odd, as an id and what stands in it, for faces that speak another language.
type oddity struct {
	ID   string   `json:"id"`
	Args []string `json:"args,omitempty"`
}

// The sentences of doctor about what is odd. A number in braces stands for what is put there.
var oddities = map[string]string{
	"noSession":       "No session was found for {0}. If an agent was used elsewhere, ctx-lsp sessions lists its sessions.",
	"sessionUnread":   "The newest session cannot be read: {0}.",
	"placeUnread":     "{0} cannot be read: {1}.",
	"placeMissing":    "{0} sets the directory of {1}'s sessions to {2}, which does not exist.",
	"futureSessions":  "{0} sessions have a time in the future; check this machine's clock.",
	"recordsUnread":   "{0} of {1} records of the session could not be read; the others were.",
	"settingsRefused": "{0} is not read: it is not a file, or a link to a file outside the workspace. {1} may still apply it.",
	"folderMissing":   "The session's working directory {0} does not exist.",
	"windowUnknown":   "The window of {0} is unknown, so its share cannot be computed.",
	"vocabularyOff":   "The vocabulary {0} is off by {1} on {2} requests of {3}: it may be another model's. ctx-lsp vocab remove {0} goes back to estimates.",
	"learnedUnused":   "Learned corrections are not used: {0}.",
	"learnedDamaged":  "{0} is damaged and is treated as empty.",
}

// strange adds a sentence about what is odd.
func (c *checkup) strange(id string, args ...string) {
	holes := make([]string, 0, 2*len(args))
	for i, arg := range args {
		holes = append(holes, "{"+strconv.Itoa(i)+"}", arg)
	}
	c.Odd = append(c.Odd, strings.NewReplacer(holes...).Replace(oddities[id]))
	c.OddSaid = append(c.OddSaid, &oddity{ID: id, Args: args})
}

// warn adds the warnings of the Reading, which travel with their own phrases.
func (c *checkup) warn(warnings []string) {
	for _, sentence := range warnings {
		c.Odd = append(c.Odd, sentence)
		c.OddSaid = append(c.OddSaid, nil)
	}
}
