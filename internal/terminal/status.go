// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// screenLines is the maximum number of lines that Status writes at 80 columns and more.
const screenLines = 24

// Status writes the short form of a Reading's panel on one screen: a sentence, the window's bar, when it compacts, the
// cache, the largest parts, the free space and a few facts. which distinguishes the session from others, such as "the
// newest of 4 here"; it may be empty.
func Status(w io.Writer, r *api.Reading, which string, now time.Time, s Style) error {
	o := newOverlay(r, now, s, 100)
	o.view.short = true
	o.headline(which)
	o.state()
	o.bar()
	o.line("")
	o.next()
	o.barRows(o.view.rows("parts"))
	o.line("")
	o.facts(nextSections...)
	o.line(s.Faint(s.cut("ctx-lsp status --all shows every row and fact.", o.width)))
	_, err := io.WriteString(w, o.out.String())
	return err
}

// headline writes one sentence: which session, how full it is, and how long until it compacts.
func (o *overlay) headline(which string) {
	model := o.s.cut(o.view.valueOf("session", "model"), o.width/3)
	name := o.s.cut(o.view.valueOf("session", "name"), o.width*3/5-width(model)) // so that it has two lines at 80 columns
	text := name + ", " + model + ": " + o.view.valueOf("window", "full")
	if until := o.view.valueOf("window", "until"); until != "" {
		text += ", " + until
	}
	if which != "" {
		text += o.s.Between() + which
	}
	for _, line := range wrap(text, o.width) {
		o.line(o.s.paint(strong, line))
	}
}

// state writes one line with the agent, the session's title, its activity and its age.
func (o *overlay) state() {
	parts := o.activity()
	if agent := o.view.valueOf("session", "agent"); agent != "" {
		parts = slices.Insert(parts, 0, agent)
	}
	if title := o.view.valueOf("session", "title"); title != "" {
		room := o.width - width(strings.Join(parts, o.s.Between())) - width(o.s.Between())
		if room >= 12 {
			parts = slices.Insert(parts, min(1, len(parts)), o.s.cut(title, room))
		}
	}
	if len(parts) > 0 {
		o.line(o.s.Faint(o.s.cut(strings.Join(parts, o.s.Between()), o.width)))
	}
}
