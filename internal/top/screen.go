// Copyright The ctx-lsp authors. MIT licence.

package top

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// A Details is what the page of one session shows.
type Details struct {
	Reading *api.Reading
	History *api.HistoryAnswer
	Largest []api.LargeItem
}

// Shown is what a key shows of a session.
type Shown int

// The things that a key shows. Fits takes the path of the file that is checked.
const (
	Transcript Shown = iota
	Handover
	Fits
)

// Noted is the message with a sentence for the last line.
type Noted string

// Then is the message with a command that follows the one before it.
type Then tea.Cmd

// A Screen is the state of the screen: bubbletea hands it keys and times, and shows what View returns.
type Screen struct {
	Board *Board
	Style terminal.Style
	// Details reads one session for its page.
	Details func(id string) (*Details, error)
	Now     func() time.Time
	// Empty says what to do when there is no session.
	Empty string
	// Searching reports whether sessions are still being searched; nil if not.
	Searching func() bool
	// Page is the id of the session whose page is shown, "" for the table. Alone is set where there is no table to go
	// back to.
	Page  string
	Alone bool
	// Show returns the command that shows something of a session in place of the screen, or nil.
	Show  func(what Shown, session, argument string) tea.Cmd
	Order Order // the order of the table

	height    int
	list      []terminal.Live // the sessions in the order of the table
	total     int
	idle      int
	chosen    string // the id of the session under the cursor
	moved     bool   // somebody has chosen it; else it is the first
	from      int    // the first row that is shown
	filter    string
	filtering bool // a filter is being typed
	help      bool
	asking    bool   // the path of a file is being typed, which may fit
	path      string // the path
	note      string // a sentence for the last line, until the next key
	seen      int64  // how many of the board's changes are shown

	page        []string // the lines of the page
	pageSeen    int64
	minute      int64 // when the screen was drawn last: what it says of the cache depends on the time
	scroll      int
	pageProblem string
}

// tick has the screen look at the board.
type tick struct{}

// The screen looks at the board a few times a second, and where there are many sessions once: nobody reads faster, and
// drawing costs.
const (
	lookOften  = 250 * time.Millisecond
	lookSeldom = time.Second
	many       = 24 // sessions
)

func (m *Screen) next() tea.Cmd {
	every := lookOften
	if m.total > many {
		every = lookSeldom
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return tick{} })
}

// Init implements tea.Model.
func (m *Screen) Init() tea.Cmd {
	m.refresh(true)
	return m.next()
}

// Update implements tea.Model.
func (m *Screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tick:
		m.refresh(false)
		return m, m.next()
	case tea.WindowSizeMsg:
		m.Style.Width, m.height = msg.Width, msg.Height
		m.draw()
		return m, tea.ClearScreen // text beyond the old width would otherwise stay when the window grows
	case Noted:
		m.note = m.Style.Clean(string(msg))
	case Then:
		return m, tea.Cmd(msg)
	case tea.PasteMsg:
		if m.filtering {
			m.setFilter(m.filter + m.Style.Clean(msg.Content))
		}
	case tea.KeyPressMsg:
		return m, m.key(msg)
	}
	return m, nil
}

// refresh looks at the board. anyway lists the sessions even if nothing changed.
func (m *Screen) refresh(anyway bool) {
	all, one := m.Board.Changed(m.Page)
	if minute := m.Now().Unix() / 60; minute != m.minute {
		m.minute, m.pageSeen = minute, -1
		anyway = anyway || m.Order == ByCold
	}
	if all != m.seen || anyway {
		m.seen = all
		m.sort()
	}
	if m.Page != "" && one != m.pageSeen {
		m.pageSeen = one
		m.draw()
	}
}

// sort lists the sessions that the filter lets through.
func (m *Screen) sort() {
	list := m.Board.Sessions(m.Now())
	m.total, m.idle = len(list), 0
	for i := range list {
		if list[i].Idle {
			m.idle++
		}
	}
	list = slices.DeleteFunc(list, func(l terminal.Live) bool { return !matches(&l, m.filter) })
	Sort(list, m.Order, m.Now())
	m.list = list
	if !m.moved || m.at() < 0 {
		m.chosen, m.moved = "", false
		if len(list) > 0 {
			m.chosen = list[0].ID
		}
	}
}

// at is the place of the cursor in the list, -1 without one.
func (m *Screen) at() int {
	return slices.IndexFunc(m.list, func(l terminal.Live) bool { return l.ID == m.chosen })
}

func (m *Screen) move(by int) {
	if len(m.list) == 0 {
		return
	}
	m.chosen, m.moved = m.list[min(max(m.at()+by, 0), len(m.list)-1)].ID, true
}

func (m *Screen) setFilter(filter string) {
	m.filter = filter
	m.sort()
}

// open shows the page of a session.
func (m *Screen) open(id string) {
	m.Page, m.scroll = id, 0
	_, m.pageSeen = m.Board.Changed(id)
	m.draw()
}

// draw makes the lines of the page anew.
func (m *Screen) draw() {
	if m.Page == "" {
		return
	}
	d, err := m.Details(m.Page)
	m.pageProblem = ""
	switch {
	case err != nil:
		m.pageProblem = err.Error()
	case d != nil:
		if at := slices.IndexFunc(m.list, func(l terminal.Live) bool { return l.ID == m.Page && l.Idle }); at >= 0 {
			d.Reading.Activity = "idle" // the records alone do not tell it
		}
		m.page = terminal.Page(d.Reading, d.History, d.Largest, m.Now(), m.Style)
	}
	m.scroll = min(m.scroll, m.lastScroll())
}

func (m *Screen) lastScroll() int { return max(0, len(m.page)-(m.height-1)) }
