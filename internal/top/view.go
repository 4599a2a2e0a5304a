// Copyright The ctx-lsp authors. MIT licence.

package top

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// View implements tea.Model.
func (m *Screen) View() tea.View {
	v := tea.NewView(strings.Join(m.lines(), "\n"))
	v.AltScreen = true
	v.WindowTitle = "ctx-lsp top"
	return v
}

// lines returns the lines of the whole screen.
func (m *Screen) lines() []string {
	if m.height <= 0 || m.Style.Width <= 0 {
		return nil // the size comes with the first message
	}
	if m.Style.Width < 24 || m.height < 5 {
		return m.fit([]string{"too small"}, "")
	}
	switch {
	case m.help:
		return m.fit(m.helpLines(), "press any key to return")
	case m.Page != "":
		return m.pageLines()
	}
	return m.tableLines()
}

// fit pads or cuts the lines to the height of the screen. The last line lists the keys.
func (m *Screen) fit(lines []string, keys string) []string {
	room := max(m.height-1, 1)
	lines = lines[:min(len(lines), room)]
	for len(lines) < room {
		lines = append(lines, "")
	}
	switch {
	case m.asking:
		keys = "file that may fit: " + m.path + "_   enter checks it, esc ends"
	case m.note != "":
		keys = m.note
	}
	return append(lines, m.Style.Faint(m.Style.Cut(keys, m.Style.Width)))
}

// the lines around the rows: two lines of heading, the column names and the keys
const around = 4

func (m *Screen) tableRows() int { return max(m.height-around, 1) }

func (m *Screen) tableLines() []string {
	s := m.Style
	lines := []string{m.count()}
	if len(m.list) == 0 {
		text := m.Empty
		if m.filter != "" {
			text = "No session matches."
		} else if m.total > 0 || m.Board.Waiting() > 0 {
			text = ""
		} else if m.Searching != nil && m.Searching() {
			text = "Searching for sessions…"
		}
		lines = append(lines, "")
		return m.fit(append(lines, terminal.Wrap(text, s.Width)...), m.tableKeys())
	}
	next := m.list[0]
	if m.Order != ByCompaction || m.filter != "" {
		next = m.nextOfAll()
	}
	headline := ""
	if !next.Idle {
		headline = s.Level(next.Level, s.Cut(next.Headline(s), s.Width))
	}
	table := terminal.NewLiveTable(s)
	table.Cold = m.Order == ByCold
	lines = append(lines, headline, table.Head())
	rows := m.tableRows()
	at := max(m.at(), 0)
	m.from = min(max(m.from, at-rows+1, 0), at)
	m.from = max(0, min(m.from, len(m.list)-rows))
	now := m.Now()
	for i := m.from; i < min(m.from+rows, len(m.list)); i++ {
		lines = append(lines, table.Row(&m.list[i], m.list[i].ID == m.chosen, now))
	}
	return m.fit(lines, m.tableKeys())
}

// nextOfAll returns the session that compacts next, whatever the order of the table.
func (m *Screen) nextOfAll() terminal.Live {
	all := m.Board.Sessions(m.Now())
	Sort(all, ByCompaction, m.Now())
	return all[0]
}

// count returns the number of sessions and the sort order as a text.
func (m *Screen) count() string {
	s := m.Style
	live := m.total - m.idle
	text := terminal.Digits(int64(live)) + " live"
	if m.idle > 0 {
		text += ", " + terminal.Digits(int64(m.idle)) + " idle"
	}
	if m.filter != "" || m.filtering {
		text += s.Between() + terminal.Digits(int64(len(m.list))) + " shown"
	}
	text += s.Between() + "by " + m.Order.String()
	if waiting := m.Board.Waiting(); waiting > 0 {
		text += s.Between() + "reading " + terminal.Digits(int64(waiting)) + " more"
	}
	return s.Strong("ctx-lsp top") + s.Cut(s.Between()+text, s.Width-len("ctx-lsp top"))
}

func (m *Screen) tableKeys() string {
	switch {
	case m.filtering:
		return "filter: " + m.filter + "_   enter keeps it, esc clears it"
	case m.filter != "":
		return "filter: " + m.filter + "   / changes it, esc clears it"
	case m.Style.Width < 60:
		return "enter open  / filter  s sort  ? keys"
	}
	return "up/down choose   enter open   y copy id   / filter   s sort   ? keys   q quit"
}

func (m *Screen) pageLines() []string {
	back := "esc back   tab next   "
	if m.Alone {
		back = ""
	}
	if m.pageProblem != "" {
		return m.fit(terminal.Wrap(m.Style.Clean(m.pageProblem), m.Style.Width), back+"q quit")
	}
	keys := "up/down scroll   " + back + "? keys   q quit"
	if m.Style.Width < 60 {
		keys = strings.TrimSuffix(back, "tab next   ") + "? keys"
	}
	if more := len(m.page) - m.scroll - (m.height - 1); more > 0 {
		keys = terminal.Digits(int64(more)) + " more lines   " + keys
	}
	return m.fit(m.page[min(m.scroll, len(m.page)):], keys)
}

func (m *Screen) helpLines() []string {
	lines := []string{m.Style.Strong("Keys"), ""}
	wide := 0
	for _, k := range keysHelp {
		wide = max(wide, len(k[0]))
	}
	for _, k := range keysHelp {
		if m.Style.Width < 76 {
			lines = append(lines, m.Style.Cut(k[0]+": "+k[1], m.Style.Width))
			continue
		}
		lines = append(lines, "  "+k[0]+strings.Repeat(" ", wide+2-len(k[0]))+k[1])
	}
	s := m.Style
	lines = append(lines, "", s.Cut("USED of the window; LEFT until it compacts; REQUESTS until then, about.", s.Width))
	return append(lines, s.Cut(strings.Join([]string{s.Sign("working") + " working", s.Sign("waiting") + " waiting for you", s.Sign("idle") + " idle"}, s.Between()), s.Width+30))
}
