// Copyright The ctx-lsp authors. MIT licence.

package top

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// Details are the contents of a session's page.
type Details struct {
	Reading *api.Reading
	History *api.HistoryAnswer
}

// Shown selects what a key shows about a session.
type Shown int

// The texts that a key can show. Fits needs the path of the file to check.
const (
	Transcript Shown = iota
	Handover
	Fits
)

// Noted is the message that puts a sentence into the last line.
type Noted string

// Then is the message with a command that runs after the previous one.
type Then tea.Cmd

// A Screen is the state of the screen: bubbletea passes it keys and times, and shows the result of View.
type Screen struct {
	Board *Board
	Style terminal.Style
	// Details reads one session for its page.
	Details func(id string) (*Details, error)
	Now     func() time.Time
	// Empty explains what to do if there is no session.
	Empty string
	// Searching reports whether sessions are still being searched; nil if not.
	Searching func() bool
	// Page is the id of the session whose page is shown; "" for the table. Alone is set if there is no table to return
	// to.
	Page  string
	Alone bool
	// Show returns a command that shows something about a session in place of the screen, or nil.
	Show  func(what Shown, session, argument string) tea.Cmd
	Order Order // the order of the table

	height    int
	list      []terminal.Live // the sessions in the order of the table
	total     int
	idle      int
	chosen    string // the id of the session under the cursor
	moved     bool   // the user has moved the cursor; otherwise it is on the first session
	from      int    // the first visible row
	filter    string
	filtering bool // a filter is being typed
	help      bool
	asking    bool   // the user is typing the path of a file to check
	path      string // the path
	note      string // a sentence for the last line, until the next key
	seen      int64  // how many of the board's changes are on the screen

	page        []string // the lines of the page
	pageSeen    int64
	minute      int64 // when the screen was last drawn, because its statements about the cache depend on the time
	scroll      int
	pageProblem string
}

// tick makes the screen poll the board.
type tick struct{}

// The screen polls the board a few times a second, or once a second if there are many sessions: faster updates could
// not be read, and drawing costs CPU time.
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

// refresh polls the board. If anyway is set, it lists the sessions even if nothing has changed.
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

// sort lists the sessions that match the filter.
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

// at returns the index of the session under the cursor; -1 if there is none.
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

// draw rebuilds the lines of the page.
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
			d.Reading.Activity = "idle" // the records alone do not show that it is idle
		}
		m.page = terminal.Page(d.Reading, d.History, m.Now(), m.Style)
	}
	m.scroll = min(m.scroll, m.lastScroll())
}

func (m *Screen) lastScroll() int { return max(0, len(m.page)-(m.height-1)) }
