// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// SessionRow is one line of the list of sessions.
type SessionRow struct {
	ID        string
	Agent     string
	Model     string
	Workspace string
	Host      string // the program that runs it for its agent; "" if none
	Label     string
	Title     string
	Percent   string // the printed text, with its mark
	Used      string
	Limit     string
	Level     api.Level
	Modified  time.Time
	Back      *api.Back // the cost of coming back; nil if unknown
	Depth     int       // 0 for a session, 1 for its sub-agent, and so on
	Problem   string
}

// Sessions prints a list of sessions, sub-agents below their parents. Each has its id, title and directory.
func Sessions(w io.Writer, rows []SessionRow, now time.Time, s Style) error {
	cells := make([][]string, 0, len(rows)+1)
	cache := ""
	for i := range rows {
		if rows[i].Back != nil {
			cache = "CACHE"
		}
	}
	cells = append(cells, []string{"USED", "TOKENS", "LEVEL", "AGE", cache, "AGENT", "SESSION"})
	short := shortIDs(rows)
	for i, r := range rows {
		tokens := ""
		if r.Used != "" {
			tokens = r.Used + " of " + r.Limit
		}
		name := short[i]
		if r.Depth > 0 {
			if r.Label != "" {
				name = r.Label
			}
			name = strings.Repeat("  ", r.Depth-1) + s.either("└ ", "`- ") + name
		}
		cells = append(cells, []string{r.Percent, tokens, string(r.Level), Age(now.Sub(r.Modified)), CacheState(r.Back, now), s.Clean(agentName(r.Agent)), s.Clean(name)})
	}
	columns := sessionColumns(cells, s.Width)
	var b strings.Builder
	for i, row := range cells {
		line := ""
		for at, columns := range columns {
			switch {
			case columns == 0:
			case at == 0 || at == 3: // numbers
				line += padLeft(row[at], columns) + "  "
			default:
				line += padRight(row[at], columns) + "  "
			}
		}
		rest := max(8, s.Width-width(line))
		name := s.cut(row[6], rest)
		color := plain
		if i == 0 {
			color = faint
		} else if level := rows[i-1].Level; level != "ok" && level != "" {
			color = levelColor(level)
		}
		rest -= width(name)
		line = s.paint(color, line+name)
		if i > 0 {
			line += s.about(&rows[i-1], rest)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sessionColumns returns the widths of the columns before the name; 0 for one that does not fit. The columns least
// useful at a glance are dropped first.
func sessionColumns(cells [][]string, room int) []int {
	columns := make([]int, 6)
	for _, row := range cells {
		for i := range columns {
			columns[i] = max(columns[i], width(row[i]))
		}
	}
	const least, enough = 20, 32 // columns of an id and some of a title; and some of a directory as well
	sameAgent := len(cells) > 2 && !slices.ContainsFunc(cells[2:], func(row []string) bool { return row[5] != cells[1][5] })
	for _, drop := range []int{5, 1, 4, 2} {
		taken := 0
		for _, n := range columns {
			taken += n + 2*min(n, 1)
		}
		if room-taken >= enough || room-taken >= least && (drop != 5 || !sameAgent) {
			break
		}
		columns[drop] = 0
	}
	return columns
}

// about returns the title and location of a session, or why it cannot be read, shortened to the given number of
// columns.
func (s Style) about(r *SessionRow, room int) string {
	const least = 9 // columns; fewer are of no use
	if r.Problem != "" {
		if room-2 < least {
			return ""
		}
		return "  " + s.paint(faint, s.cut(s.Clean(r.Problem), room-2))
	}
	text := ""
	if r.Title != "" && room-2 >= least {
		columns := room - 2
		if r.Host != "" {
			columns = max(columns-width("  in "+r.Host)-least-2, least) // its host matters more than a title's end
		}
		// A directory's own name is worth more than the end of a title: it identifies the session's project.
		if folder := width(s.Clean(lastElement(r.Workspace))); folder > 0 && r.Host == "" && columns-folder-4 >= 2*least {
			columns -= folder + 4 // including the cut mark
		}
		title := s.cut(s.Clean(r.Title), columns)
		text, room = "  "+title, room-2-width(title)
	}
	if in := "in " + r.Host; r.Host != "" && room-2-width(in) >= least {
		text, room = text+"  "+s.paint(faint, s.Clean(in)), room-2-width(in)
	}
	if r.Workspace != "" && room-2 >= least {
		text += "  " + s.paint(faint, s.cutLeft(s.Clean(r.Workspace), room-2))
	}
	return text
}

// Age formats a duration in its largest unit: 5m. A negative one is "now".
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return "now"
	case d < time.Minute:
		return itoa(int64(d/time.Second)) + "s"
	case d < time.Hour:
		return itoa(int64(d/time.Minute)) + "m"
	case d < 48*time.Hour:
		return itoa(int64(d/time.Hour)) + "h"
	}
	return itoa(int64(d/(24*time.Hour))) + "d"
}

// shortIDs returns the unique beginnings of the ids; commands accept the beginning of an id.
func shortIDs(rows []SessionRow) []string {
	const least = 8
	short := make([]string, len(rows))
	for i, r := range rows {
		length := least
		for j, other := range rows {
			for i != j && other.Depth == 0 && other.ID != r.ID && length < len(r.ID) && strings.HasPrefix(other.ID, r.ID[:length]) {
				length++
			}
		}
		if r.Depth > 0 { // a sub-agent's id begins with its parent's
			length = len(r.ID)
			if slash := strings.LastIndexByte(r.ID, '/'); slash >= 0 {
				short[i] = r.ID[slash+1:]
				continue
			}
		}
		short[i] = r.ID[:min(length, len(r.ID))]
	}
	return short
}
