// Copyright The ctx-lsp authors. MIT licence.

package sight

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Share is a file of the session with the tokens that its lines take in the next request.
type Share struct {
	Path   string `json:"path"`
	Tokens int64  `json:"tokens"`
	Lines  int    `json:"lines"`
	// Shares has the percentage of the file's lines in each state, in hundredths.
	Shares map[State]int64 `json:"shares"`
}

// Counter counts the tokens of texts.
type Counter interface {
	Count(ctx context.Context, texts []string) ([]int64, error)
}

// Files returns the files of the session, those with the most tokens first. Files that cannot be read are left out.
func (s *Session) Files(ctx context.Context, counter Counter) ([]Share, error) {
	list := []Share{}
	var texts []string
	for _, path := range s.Paths() {
		content, ok := s.files.Read(path)
		if !ok || ctx.Err() != nil {
			continue
		}
		f := s.Of(path, content)
		share := Share{Path: path, Lines: f.Lines, Shares: map[State]int64{}}
		for _, state := range States {
			share.Shares[state] = 0
		}
		for state, n := range f.Count() {
			share.Shares[state] = (int64(n)*10_000 + int64(f.Lines)/2) / int64(max(f.Lines, 1))
		}
		list = append(list, share)
		texts = append(texts, s.sent(path))
	}
	counts, err := counter.Count(ctx, texts)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Tokens = counts[i]
	}
	slices.SortStableFunc(list, func(a, b Share) int { return int(b.Tokens - a.Tokens) })
	return list, ctx.Err()
}

// sent returns the lines of a file in the next request, as often as they are there.
func (s *Session) sent(path string) string {
	var text strings.Builder
	for i := range s.steps[path] {
		st := &s.steps[path][i]
		switch {
		case !s.live(st.by):
		case st.edit != nil:
			text.WriteString(st.edit.old)
			text.WriteString(st.edit.new)
		case st.block.lines == nil:
			text.WriteString(st.text)
		default:
			for _, line := range st.block.lines {
				text.WriteString(line)
				text.WriteByte('\n')
			}
		}
	}
	return text.String()
}

// WriteFiles prints the files with their shares.
func WriteFiles(w io.Writer, list []Share, digits func(int64) string, name func(string) string) {
	fmt.Fprintf(w, "%9s", "tokens")
	for _, state := range States {
		fmt.Fprintf(w, "  %10s", state)
	}
	fmt.Fprintln(w, "  file")
	for _, f := range list {
		fmt.Fprintf(w, "%9s", digits(f.Tokens))
		for _, state := range States {
			share := "-"
			if n := f.Shares[state]; n > 0 {
				share = fmt.Sprintf("%d%%", (n+50)/100)
			}
			fmt.Fprintf(w, "  %10s", share)
		}
		fmt.Fprintf(w, "  %s\n", name(f.Path))
	}
}
