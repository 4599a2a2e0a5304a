// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// A Part is the data of one session in a summary. Percentiles cannot be merged, so a summary for a merge contains the
// data they are computed from.
type Part struct {
	Agent   string        `json:"agent"`
	Steps   []follow.Step `json:"steps,omitempty"`
	Picture *Picture      `json:"picture,omitempty"`
}

// A Summary is the accuracy of the predictions for several sessions. It does not depend on their order.
type Summary struct {
	groups  *groups
	further *ahead
	rows    pictures
	keeps   bool // keep the parts, for a merge
	parts   []Part
}

// NewSummary returns an empty summary. It can be merged later only if keeps is set.
func NewSummary(keeps bool) *Summary {
	return &Summary{groups: newGroups(), further: newAhead(), keeps: keeps}
}

// Add adds a session.
func (s *Summary) Add(part Part) {
	s.rows.add(part.Agent, part.Picture)
	s.further.add(part.Agent, part.Steps)
	s.groups.begun(part.Steps)
	for _, step := range part.Steps {
		s.groups.add(part.Agent, step)
	}
	if s.keeps {
		s.parts = append(s.parts, part)
	}
}

// Merge adds the summary that another run wrote to a file.
func (s *Summary) Merge(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var from struct {
		Schema string  `json:"schema"`
		Total  Quality `json:"total"`
		Parts  []Part  `json:"parts"`
	}
	if err := json.Unmarshal(text, &from); err != nil || from.Schema != "ctx.replay/1" {
		return errors.New("it is not a summary of ctx-lsp replay --json")
	}
	steps := 0
	for _, part := range from.Parts {
		steps += len(part.Steps)
		s.Add(part)
	}
	if steps != from.Total.Steps {
		return fmt.Errorf("it contains %d of its %d steps; write summaries for --merge with --json and --shard=I/N (1/1 for all)", steps, from.Total.Steps)
	}
	return nil
}

// Write writes the summary, as JSON or as tables.
func (s *Summary) Write(w io.Writer, asJSON bool, style terminal.Style) error {
	if asJSON {
		return s.groups.json(w, s.further, &s.rows, s.parts)
	}
	if err := s.groups.table(w, style); err != nil {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	if err := s.further.table(w); err != nil {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	return s.rows.table(w, style)
}
