// Copyright The ctx-lsp authors. MIT licence.

package terminal

import (
	"io"
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
	Label     string
	Percent   string // as it is printed, with its mark
	Used      string
	Limit     string
	Level     api.Level
	Modified  time.Time
	Depth     int // 0 for a session, 1 for its sub-agent, and so on
	Problem   string
}

// Sessions prints a list of sessions, sub-agents below their parents.
func Sessions(w io.Writer, rows []SessionRow, now time.Time, s Style) error {
	columns := []int{0, 0, 0, 0, 0, 0}
	cells := make([][]string, 0, len(rows)+1)
	cells = append(cells, []string{"USED", "TOKENS", "LEVEL", "AGE", "AGENT", "SESSION"})
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
		cells = append(cells, []string{r.Percent, tokens, string(r.Level), Age(now.Sub(r.Modified)), r.Agent, s.Clean(name)})
	}
	for _, row := range cells {
		for i, cell := range row {
			columns[i] = max(columns[i], width(cell))
		}
	}
	var b strings.Builder
	for i, row := range cells {
		line := padLeft(row[0], columns[0]) + "  " + padRight(row[1], columns[1]) + "  " + padRight(row[2], columns[2]) + "  " + padLeft(row[3], columns[3]) + "  " + padRight(row[4], columns[4]) + "  "
		rest := max(8, s.Width-width(line))
		name := row[5]
		where := ""
		if i > 0 {
			where = s.Clean(rows[i-1].Workspace)
			if rows[i-1].Problem != "" {
				where = s.Clean(rows[i-1].Problem)
			}
		}
		name = s.cut(name, rest)
		color := plain
		if i == 0 {
			color = faint
		} else if level := rows[i-1].Level; level != "ok" && level != "" {
			color = levelColor(level)
		}
		line = s.paint(color, line+name)
		if room := rest - width(name) - 2; where != "" && room >= 12 {
			line += "  " + s.paint(faint, s.cutLeft(where, room))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Age says how long ago something was, in its largest unit.
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

// shortIDs are the beginnings of the ids that tell them apart; commands take
// the beginning of an id.
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
		if r.Depth > 0 { // a sub-agent's begins with its parent's
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
