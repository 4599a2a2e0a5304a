// Copyright The ctx-lsp authors. MIT licence.

package top

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// keysHelp lists the keys and their explanations.
var keysHelp = [][2]string{
	{"up, down, j, k", "choose a session; on its page, scroll"},
	{"page up, page down, home, end", "further"},
	{"enter, right", "open the page of the session"},
	{"esc, left, backspace", "back to the table; clear the filter"},
	{"tab, shift+tab", "on a page: the next or previous session"},
	{"y", "copy the session's id"},
	{"o, n", "show its transcript or a handover note"},
	{"f", "check whether a file fits into it"},
	{"/", "filter by agent, title, folder, model or id"},
	{"s, S", "sort: compaction, fullness, age, agent, cold"},
	{"?", "these keys"},
	{"q, ctrl+c", "quit"},
}

// key handles one key.
func (m *Screen) key(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	switch name {
	case "ctrl+c":
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	}
	m.note = ""
	if m.filtering {
		m.typed(name, msg.Text)
		return nil
	}
	if m.asking {
		return m.typedPath(name, msg.Text)
	}
	if m.help {
		m.help = false
		if name == "q" {
			return tea.Quit
		}
		return nil
	}
	switch name {
	case "q":
		return tea.Quit
	case "?":
		m.help = true
		return nil
	}
	if done, command := m.sessionKey(name); done {
		return command
	}
	if m.Page != "" {
		return m.pageKey(name)
	}
	m.tableKey(name)
	return nil
}

// front returns the engine's id of the session under the cursor, or of the page; "" without a session.
func (m *Screen) front() string {
	if m.Page != "" {
		return m.Page
	}
	return m.chosen
}

// sessionKey handles the keys that act on a session, on its page and in the table.
func (m *Screen) sessionKey(name string) (done bool, command tea.Cmd) {
	id := m.front()
	if id == "" {
		return false, nil
	}
	switch name {
	case "y":
		own := m.Board.Session(id)
		return true, tea.Batch(tea.SetClipboard(own), func() tea.Msg { return Noted("sent " + own + " to the clipboard") })
	case "o":
		return true, m.show(Transcript, "")
	case "n":
		return true, m.show(Handover, "")
	case "f":
		m.asking, m.path = m.Show != nil, ""
		return true, nil
	}
	return false, nil
}

func (m *Screen) show(what Shown, argument string) tea.Cmd {
	if m.Show == nil {
		return nil
	}
	return m.Show(what, m.Board.Session(m.front()), argument)
}

// typedPath handles a key while a path is being typed.
func (m *Screen) typedPath(name, text string) tea.Cmd {
	switch name {
	case "enter":
		m.asking = false
		if m.path != "" {
			return m.show(Fits, m.path)
		}
	case "esc":
		m.asking = false
	case "backspace":
		_, size := utf8.DecodeLastRuneInString(m.path)
		m.path = m.path[:len(m.path)-size]
	case "ctrl+u":
		m.path = ""
	default:
		m.path += m.Style.Clean(text)
	}
	return nil
}

// typed handles a key while a filter is being typed.
func (m *Screen) typed(name, text string) {
	switch name {
	case "enter":
		m.filtering = false
	case "esc":
		m.filtering = false
		m.setFilter("")
	case "backspace":
		_, size := utf8.DecodeLastRuneInString(m.filter)
		m.setFilter(m.filter[:len(m.filter)-size])
	case "ctrl+u":
		m.setFilter("")
	case "up":
		m.move(-1)
	case "down":
		m.move(1)
	default:
		if text != "" {
			m.setFilter(m.filter + m.Style.Clean(text))
		}
	}
}

func (m *Screen) tableKey(name string) {
	switch name {
	case "up", "k":
		m.move(-1)
	case "down", "j":
		m.move(1)
	case "pgup":
		m.move(-m.tableRows())
	case "pgdown", "space":
		m.move(m.tableRows())
	case "home", "g":
		m.move(-len(m.list))
	case "end", "G":
		m.move(len(m.list))
	case "enter", "right", "l":
		if m.chosen != "" {
			m.open(m.chosen)
		}
	case "/":
		m.filtering = true
	case "esc":
		m.setFilter("")
	case "s":
		m.Order = (m.Order + 1) % orders
		m.sort()
	case "S":
		m.Order = (m.Order + orders - 1) % orders
		m.sort()
	}
}

func (m *Screen) pageKey(name string) tea.Cmd {
	by := 0
	switch name {
	case "up", "k":
		by = -1
	case "down", "j":
		by = 1
	case "pgup":
		by = -(m.height - 2)
	case "pgdown", "space":
		by = m.height - 2
	case "home", "g":
		by = -len(m.page)
	case "end", "G":
		by = len(m.page)
	case "tab", "shift+tab":
		if !m.Alone {
			m.move(map[string]int{"tab": 1, "shift+tab": -1}[name])
			m.open(m.chosen)
		}
	case "esc", "left", "backspace", "h":
		if m.Alone {
			return tea.Quit
		}
		m.Page = ""
	}
	m.scroll = min(max(m.scroll+by, 0), m.lastScroll())
	return nil
}
