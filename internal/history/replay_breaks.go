// Copyright The ctx-lsp authors. MIT licence.

package history

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/follow"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// A Break is a request of a session that did not find in the cache what the previous request had left there.
type Break struct {
	File    string `json:"file"`
	Session string `json:"session,omitempty"`
	api.CacheBreak
}

// Breaks collects the cache breaks of sessions.
type Breaks struct {
	list     []Break
	requests int64
	seen     map[string]bool // ids of responses: a session that continues another one repeats its records
}

// NewBreaks returns an empty collection.
func NewBreaks() *Breaks { return &Breaks{seen: map[string]bool{}} }

// Add adds the breaks of one transcript.
func (b *Breaks) Add(file, session string, steps []follow.Step) {
	for i := range steps {
		b.requests++
		found := steps[i].Break
		if found == nil || found.Request != "" && b.seen[found.Request] {
			continue
		}
		b.seen[found.Request] = true
		each := Break{File: file, CacheBreak: *found}
		if steps[i].Session != session {
			each.Session = steps[i].Session // a sub-agent's
		}
		b.list = append(b.list, each)
	}
}

// JSON writes one object a line for each break.
func (b *Breaks) JSON(w io.Writer) error {
	out := json.NewEncoder(w)
	for i := range b.list {
		if err := out.Encode(&b.list[i]); err != nil {
			return err
		}
	}
	return nil
}

// Table writes the breaks by cause, the most expensive first.
func (b *Breaks) Table(w io.Writer, style terminal.Style) error {
	type row struct {
		cause                            string
		count, recorded, written, unread int64
	}
	rows := map[string]*row{}
	sum := row{cause: "all"}
	for i := range b.list {
		each := &b.list[i]
		r := rows[each.Cause]
		if r == nil {
			r = &row{cause: each.Cause}
			rows[each.Cause] = r
		}
		for _, to := range []*row{r, &sum} {
			to.count++
			if each.Unread {
				to.unread += each.Written
			} else {
				to.written += each.Written
			}
			if each.Recorded {
				to.recorded++
			}
		}
	}
	var order []*row
	for _, r := range rows {
		order = append(order, r)
	}
	slices.SortFunc(order, func(x, y *row) int {
		return cmp.Or(cmp.Compare(y.written+y.unread, x.written+x.unread), strings.Compare(x.cause, y.cause))
	})
	if _, err := fmt.Fprintf(w, "%s of %s requests did not find in the cache what the previous one had left there:\n\n",
		terminal.Digits(sum.count), terminal.Digits(b.requests)); err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, style.Clean("cause\tbreaks\trecorded\ttokens written again\tnot read, no writes reported\t"))
	for _, r := range append(order, &sum) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t\n", r.cause, terminal.Digits(r.count), terminal.Digits(r.recorded), terminal.Digits(r.written), terminal.Digits(r.unread))
	}
	return t.Flush()
}
