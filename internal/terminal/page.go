// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// Page returns everything about one live session, as lines: the bar, when it compacts, the contents of the window, the
// usage chart, the largest items by name and the other facts of the panel.
func Page(r *api.Reading, h *api.HistoryAnswer, now time.Time, s Style) []string {
	o := newOverlay(r, now, s, 120)
	o.named()
	o.bar()
	o.until()
	o.line("")
	o.next()
	o.barRows(o.view.rows("contents"))
	if h != nil && len(h.Points) > 0 {
		o.line("")
		o.heading("Course")
		chart := s
		chart.Width = o.width
		_ = Chart(&o.out, h, chart) // writing to a strings.Builder cannot fail
	}
	if largest := o.view.rows("largest"); len(largest) > 0 {
		o.line("")
		o.heading("Largest in the conversation")
		o.barRows(largest)
	}
	o.line("")
	o.facts(append(nextSections, "largest")...)
	return strings.Split(strings.TrimRight(o.out.String(), "\n"), "\n")
}

func (o *overlay) heading(text string) { o.line(o.s.paint(accent, text)) }
