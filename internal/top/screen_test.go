// Copyright The ctx-lsp authors. MIT licence.

package top

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/mattn/go-runewidth"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal/terminaltest"
)

var update = flag.Bool("update", false, "write the screens anew")

var noon = time.UnixMilli(1_790_000_000_000)

// reading returns a short Reading with the fields that the screen shows.
func reading(id, agent, title string, used, threshold, calls int64, ago time.Duration, activity string) []byte {
	left := threshold - used
	level := "ok"
	switch {
	case left <= 0:
		level = "over"
	case left < 10_000:
		level = "soon"
	}
	asked := noon.Add(-ago).UnixMilli()
	last := `{"trigger":"auto","text":{"text":"Compacted automatically at 167,389 tokens, as predicted: the compaction threshold was 167,000. It left 30,100 and freed 137,289."}}`
	back := fmt.Sprintf(`"cache":{"back":{"warmUntil":%[1]d,"coldFrom":%[2]d,"warnFrom":%[3]d,"cause":"time","life":3600000,"anew":%[4]d,"kept":4000,"text":{"text":"the next prompt rewrites %[5]dk to the cache"},"compactsAt":null,"firstText":{"text":"after /compact, it writes 19k"}}},
`,
		asked+55*60_000, asked+60*60_000, asked+44*60_000, used, used/1000)
	of := func(part, whole int64) string { return api.ShareOf(part, &whole).String() }
	return []byte(fmt.Sprintf(`{"schema":"ctx.reading/3","session":%q,"agent":%q,"model":"claude-opus-4-6","workspace":"/w/shop","title":%q,"mode":"hybrid","basis":"measured+estimated",
"activity":%q,"used":%d,"range":{"low":%d,"high":%d},"limit":200000,"percent":%s,"breakdown":[{"kind":"system","label":{"text":"System prompt"},"tokens":4000,"share":2,"bar":%s,"basis":"estimated"},{"kind":"messages","label":{"text":"Messages"},"tokens":%d,"share":%s,"bar":100,"basis":"derived"}],
"compaction":{"rule":"claude-code 2.1.20+","threshold":%d,"thresholdShare":%s,"left":%d,"leftShare":%s,"level":%q,"buffer":%d,"callsLeft":{"low":%d,"likely":%d,"high":%d},"last":%s},
"lastRequest":{"in":%d,"out":300,"carry":300,"carryBasis":"measured"},"leaving":{"tokens":0,"reasons":[]},"new":{"tokens":100,"items":1,"basis":"estimated"},
"accuracy":{"last":null,"ratio":1,"steps":0},
%s"advice":[{"action":"clear","label":{"text":"Drop old tool results"},"tokens":30000,"basis":"measured","how":{"text":"/compact"}}],
"asOf":%d,"display":{"mark":"~","percent":"%d%%","left":"%d.%dk","limit":"200k","used":"%dk","thresholdPercent":"50%%"}}`,
		id, agent, title, activity, used, used-60, used+60, of(used, 200_000), of(4000, used-4000), used-4000, of(used-4000, 200_000),
		threshold, of(threshold, 200_000), left, of(max(left, 0), 200_000), level, 200_000-threshold, calls/2, calls, calls*2, last,
		used-400, back, asked, used/2000, max(left, 0)/1000, max(left, 0)%1000/100, used/1000))
}

// screen returns a screen of a few sessions, with the size of a terminal.
func screen(width, height int, style terminal.Style) *Screen {
	b := NewBoard(15*time.Minute, time.Minute)
	put := func(id, agent, title string, used, threshold, calls int64, ago time.Duration, activity string) {
		b.Update(id, id, agent, "", noon, reading(id, agent, title, used, threshold, calls, ago, activity))
	}
	put("0197f1c2-1111", "claude-code", "Mend the parser of dates", 161_885, 167_000, 9, 4*time.Second, "working")
	put("0197f1c3-2222", "codex", "", 90_000, 180_000, 70, 3*time.Minute, "waiting")
	put("0197f1c4-3333", "claude-code", "A very long title of a session that nobody can read whole in a table", 168_000, 167_000, 0, time.Minute, "working")
	put("0297f1c5-4444", "opencode", "Größe 図表", 20_000, 180_000, 400, 20*time.Hour, "waiting")
	m := &Screen{
		Board: b, Style: style, Now: func() time.Time { return noon }, Empty: "No agent has worked here.",
		Details: func(id string) (*Details, error) {
			for _, e := range b.sessions {
				if e.live.ID == id {
					r, err := terminal.Parse(e.reading)
					h := &api.HistoryAnswer{Threshold: r.Compaction.Threshold, Limit: r.Limit}
					for call := int64(1); call <= 40; call++ {
						h.Points = append(h.Points, api.HistoryPoint{Call: call, Used: r.Used * call / 40})
					}
					r.Largest = []api.LargeItem{
						{Label: api.Text{Text: "Read src/api.go"}, Times: 4, Tokens: 12_000, Share: api.ShareOf(12_000, r.Limit), Bar: 100_00, Basis: "estimated"},
						{Label: api.Text{Text: "Bash npm test"}, Times: 1, Tokens: 3_000, Share: api.ShareOf(3_000, r.Limit), Bar: 25_00, Basis: "measured"},
					}
					terminaltest.WithPanel(r)
					return &Details{Reading: r, History: h}, err
				}
			}
			return nil, errors.New("it is gone")
		},
	}
	m.Init()
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return m
}

// press sends keys by their names, or text.
func press(m *Screen, keys ...string) {
	special := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "pgdown": tea.KeyPgDown, "end": tea.KeyEnd, "tab": tea.KeyTab, "backspace": tea.KeyBackspace, "home": tea.KeyHome}
	for _, key := range keys {
		if code, is := special[key]; is {
			m.Update(tea.KeyPressMsg{Code: code})
			continue
		}
		for _, r := range key {
			m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
}

func shown(m *Screen) string {
	lines := m.lines()
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestScreensLookAsTheyAreKept compares whole screens with the files in testdata. Run it with -update after an intended
// change, and check the difference.
func TestScreensLookAsTheyAreKept(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int
		ascii         bool
		keys          []string
	}{
		{name: "table-80x24", width: 80, height: 24},
		{name: "table-40x12", width: 40, height: 12},
		{name: "table-120x30", width: 120, height: 30},
		{name: "table-ascii", width: 80, height: 24, ascii: true},
		{name: "page-80x24", width: 80, height: 24, keys: []string{"down", "enter"}},
		{name: "page-end-80x24", width: 80, height: 24, keys: []string{"down", "enter", "end"}},
		{name: "page-40x12", width: 40, height: 12, keys: []string{"down", "enter"}},
		{name: "filter-80x24", width: 80, height: 24, keys: []string{"/", "claude dates"}},
		{name: "keys-80x24", width: 80, height: 24, keys: []string{"?"}},
		{name: "sorted-80x24", width: 80, height: 24, keys: []string{"sss"}},
		{name: "cold-80x24", width: 80, height: 24, keys: []string{"ssss"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := screen(c.width, c.height, terminal.Style{Unicode: !c.ascii})
			press(m, c.keys...)
			got := shown(m)
			path := filepath.Join("testdata", c.name+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the screen is\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestTheCacheIsCountedDown checks that the table and the page follow the clock, although no record arrives.
func TestTheCacheIsCountedDown(t *testing.T) {
	now := noon
	m := screen(100, 30, terminal.Style{Unicode: true})
	m.Now = func() time.Time { return now }
	press(m, "ssss")
	row := func() string {
		for _, line := range m.lines() {
			if strings.Contains(line, "Mend the parser") {
				return strings.TrimRight(line, " ")
			}
		}
		return ""
	}
	press(m, "home", "enter")
	cache := func() string {
		m.Update(tick{})
		text := strings.Join(m.page, " ")
		_, after, _ := strings.Cut(text, "Cache")
		return strings.Join(strings.Fields(after), " ")
	}
	for _, c := range []struct {
		after     time.Duration
		row, page string
	}{
		{-2 * time.Hour, "may", "may be cold: the next"}, // the clock has jumped back before the last request
		{0, "55m", "cold in 55 min; then the next prompt rewrites 161k to the cache; after /compact, it writes 19k."},
		{43 * time.Minute, "12m", "cold in 12 min; then"},
		{53 * time.Minute, "2m", "cold in 2 min; then"},
		{56 * time.Minute, "may", "may be cold: the next"},
		{10 * time.Hour, "cold", "cold: the next prompt rewrites 161k to the cache; after"}, // the machine slept
	} {
		now = noon.Add(c.after)
		if got := cache(); !strings.HasPrefix(got, c.page) {
			t.Errorf("after %s the page says %q, want %q", c.after, got, c.page)
		}
		press(m, "esc")
		if got := row(); !strings.HasSuffix(got, "  "+c.row) {
			t.Errorf("after %s the row is %q, want %q", c.after, got, c.row)
		}
		for m.chosen != "0197f1c2-1111" {
			press(m, "down")
			if m.at() == len(m.list)-1 && m.chosen != "0197f1c2-1111" {
				press(m, "home")
			}
		}
		press(m, "enter")
	}
}

// TestEveryScreenFits checks that no line is wider than the screen, and that there are as many lines as it has rows,
// whatever keys are pressed.
func TestEveryScreenFits(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 12}, {24, 5}, {20, 4}, {31, 9}, {200, 60}, {1, 1}} {
		for _, keys := range [][]string{nil, {"enter"}, {"enter", "end"}, {"?"}, {"/", "nobody has this"}, {"down", "down", "enter", "pgdown", "pgdown"}} {
			m := screen(size[0], size[1], terminal.Style{Unicode: true})
			press(m, keys...)
			lines := m.lines()
			if len(lines) != max(size[1], 2) && size[1] > 1 {
				t.Errorf("at %v after %q there are %d lines", size, keys, len(lines))
			}
			for _, line := range lines {
				if n := runewidth.StringWidth(line); n > max(size[0], 9) {
					t.Errorf("at %v after %q a line has %d columns: %q", size, keys, n, line)
				}
			}
		}
	}
}

// TestTheNextToCompactIsFirst checks the order of the table, with idle sessions last.
func TestTheNextToCompactIsFirst(t *testing.T) {
	m := screen(80, 24, terminal.Style{Unicode: true})
	var order []string
	for _, l := range m.list {
		order = append(order, l.ID[:8])
	}
	if got := strings.Join(order, " "); got != "0197f1c4 0197f1c2 0197f1c3 0297f1c5" {
		t.Errorf("the order is %s", got)
	}
	if !m.list[3].Idle || m.list[2].Idle {
		t.Error("a session of yesterday is idle, and one of three minutes ago is not")
	}
	m.Board.Held(map[string]bool{"0297f1c5-4444": true}, nil)
	m.Update(tick{})
	if m.list[3].Idle {
		t.Error("a session that a process holds is not idle, however old its last record is")
	}
}

// TestAWorkingSessionThatNothingRunsIsIdle checks that a session stops working once no process can run it and its last
// record is no longer recent.
func TestAWorkingSessionThatNothingRunsIsIdle(t *testing.T) {
	m := screen(80, 24, terminal.Style{Unicode: true})
	m.Board.Update("0397f1c6-5555", "0397f1c6-5555", "codex", "", noon, reading("0397f1c6-5555", "codex", "", 60_000, 180_000, 70, 3*time.Minute, "working"))
	idle := func(absent map[string]bool) (ids []string) {
		m.Board.Held(nil, absent)
		m.Update(tick{})
		for _, l := range m.list {
			if l.Idle {
				ids = append(ids, l.ID[:8])
			}
		}
		return ids
	}
	if got := strings.Join(idle(nil), " "); got != "0297f1c5" {
		t.Errorf("idle are %s", got)
	}
	// One is waiting, and one has a record that is four seconds old.
	if got := strings.Join(idle(map[string]bool{"0397f1c6-5555": true, "0197f1c3-2222": true, "0197f1c2-1111": true}), " "); got != "0397f1c6 0297f1c5" && got != "0297f1c5 0397f1c6" {
		t.Errorf("idle are %s", got)
	}
}

// TestTheCursorStaysOnItsSession checks that the cursor follows its session when the table is sorted, and that Enter
// opens that session.
func TestTheCursorStaysOnItsSession(t *testing.T) {
	m := screen(80, 24, terminal.Style{Unicode: true})
	press(m, "down", "down")
	if m.chosen != "0197f1c3-2222" {
		t.Fatalf("the cursor is on %s", m.chosen)
	}
	m.Board.Update("0197f1c3-2222", "0197f1c3-2222", "codex", "", noon, reading("0197f1c3-2222", "codex", "", 185_000, 180_000, 0, 0, "working"))
	m.Update(tick{})
	if m.list[0].ID != "0197f1c3-2222" || m.chosen != "0197f1c3-2222" {
		t.Errorf("the first is %s and the cursor is on %s", m.list[0].ID, m.chosen)
	}
	press(m, "enter")
	if !strings.Contains(shown(m), "Codex") || m.Page != "0197f1c3-2222" {
		t.Errorf("the page is of %s:\n%s", m.Page, shown(m))
	}
	press(m, "esc")
	if m.Page != "" {
		t.Error("Esc does not go back to the table")
	}
}

// TestAPageFollowsItsSession checks that a page shows changes and keeps its scroll position.
func TestAPageFollowsItsSession(t *testing.T) {
	m := screen(80, 24, terminal.Style{Unicode: true})
	press(m, "enter", "down", "down")
	before := m.scroll
	m.Board.Update("0197f1c4-3333", "0197f1c4-3333", "claude-code", "", noon, reading("0197f1c4-3333", "claude-code", "Another title", 30_000, 167_000, 90, 0, "working"))
	m.Update(tick{})
	if m.scroll != before || before != 2 {
		t.Errorf("the page was scrolled from %d to %d", before, m.scroll)
	}
	press(m, "home")
	if got := shown(m); !strings.Contains(got, "Another title") || !strings.Contains(got, "about 90 requests until it compacts") {
		t.Errorf("the page is\n%s", got)
	}
}

// TestAFilterIsTypedKeptAndDropped checks that each word of a filter is searched for, and that keys are letters while
// one is typed.
func TestAFilterIsTypedKeptAndDropped(t *testing.T) {
	m := screen(80, 24, terminal.Style{Unicode: true})
	press(m, "/", "codeq", "backspace", "x")
	if m.filter != "codex" || len(m.list) != 1 || m.list[0].Agent != "codex" {
		t.Fatalf("filter %q shows %d sessions", m.filter, len(m.list))
	}
	press(m, "enter")
	if m.filtering || m.filter != "codex" {
		t.Error("Enter keeps the filter")
	}
	press(m, "esc")
	if m.filter != "" || len(m.list) != 4 {
		t.Errorf("Esc drops the filter, and %d sessions are shown", len(m.list))
	}
}

// TestResizingRedraws checks that a resized terminal is redrawn, also while a page is shown.
func TestResizingRedraws(t *testing.T) {
	m := screen(80, 24, terminal.Style{Unicode: true})
	press(m, "enter", "end")
	_, command := m.Update(tea.WindowSizeMsg{Width: 40, Height: 12})
	if command == nil || command() != tea.ClearScreen() {
		t.Error("a resize does not clear the screen, so that text beyond the old width stays when it grows")
	}
	for _, line := range m.lines() {
		if runewidth.StringWidth(line) > 40 {
			t.Errorf("after a resize a line has %d columns: %q", runewidth.StringWidth(line), line)
		}
	}
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 200})
	if m.scroll != 0 {
		t.Errorf("a page that fits is scrolled by %d", m.scroll)
	}
}

// TestTitlesCannotSteerTheScreen checks that text of transcripts cannot contain control sequences.
func TestTitlesCannotSteerTheScreen(t *testing.T) {
	m := screen(80, 24, terminal.Style{Unicode: true})
	m.Board.Update("evil", "evil", "claude-code", "", noon, reading("evil", "claude-code", "a\x1b[2J\u202eb", 166_000, 167_000, 1, 0, "working"))
	m.Update(tick{})
	press(m, "?", "?", "home", "down", "enter")
	for _, r := range shown(m) {
		if r == 0x1b || r == 0x202e {
			t.Fatalf("the screen has %U", r)
		}
	}
}

// TestQuitQuits checks that the screen can be left from the table and from a page.
func TestQuitQuits(t *testing.T) {
	for _, keys := range [][]string{nil, {"enter"}, {"?"}} {
		m := screen(80, 24, terminal.Style{Unicode: true})
		press(m, keys...)
		_, cmd := m.Update(tea.KeyPressMsg{Code: 'q', Text: "q"})
		if cmd == nil {
			t.Errorf("after %q, q does not quit", keys)
		} else if _, quits := cmd().(tea.QuitMsg); !quits {
			t.Errorf("after %q, q does not quit", keys)
		}
	}
}

// TestASearchIsShownInPlaceOfNoSession checks that the screen does not report an empty list before the search has
// ended.
func TestASearchIsShownInPlaceOfNoSession(t *testing.T) {
	searching := true
	m := &Screen{
		Board: NewBoard(15*time.Minute, time.Minute), Now: func() time.Time { return noon }, Empty: "No agent has worked here.",
		Searching: func() bool { return searching }, Style: terminal.Style{Width: 60},
	}
	m.Init()
	m.Update(tea.WindowSizeMsg{Width: 60, Height: 10})
	if text := shown(m); !strings.Contains(text, "Searching for sessions…") || strings.Contains(text, m.Empty) {
		t.Errorf("while searching: %s", text)
	}
	searching = false
	found := 1
	m.Board.Expect(func() int { return found })
	if text := shown(m); strings.Contains(text, "Searching") || strings.Contains(text, m.Empty) || !strings.Contains(text, "reading 1 more") {
		t.Errorf("while reading: %s", text)
	}
	found = 0
	if text := shown(m); strings.Contains(text, "Searching") || !strings.Contains(text, m.Empty) {
		t.Errorf("afterwards: %s", text)
	}
}

// TestASessionKeepsTheFolderInWhichItWasStarted checks that a session is not renamed if its agent changes directory.
func TestASessionKeepsTheFolderInWhichItWasStarted(t *testing.T) {
	b := NewBoard(time.Hour, time.Hour)
	inner := bytes.Replace(reading("s", "claude-code", "", 30_000, 167_000, 90, 0, "working"), []byte(`"/w/shop"`), []byte(`"/w/cli/src-tauri"`), 1)
	b.Update("s", "s", "claude-code", "/w/cli", noon, inner)
	if got := b.Sessions(noon)[0]; got.Workspace != "/w/cli" {
		t.Errorf("the session is listed in %s", got.Workspace)
	}
	b.Update("s", "s", "claude-code", "", noon, inner)
	if got := b.Sessions(noon)[0]; got.Workspace != "/w/cli/src-tauri" {
		t.Errorf("a session whose start is unknown is listed in %s", got.Workspace)
	}
}

// TestKeysThatShowSomethingOfASession checks the keys that copy a session's id and show its transcript, a handover note
// and whether a file fits, in the table and on its page.
func TestKeysThatShowSomethingOfASession(t *testing.T) {
	m := screen(80, 24, terminal.Style{Unicode: true})
	var shown []string
	m.Show = func(what Shown, session, argument string) tea.Cmd {
		shown = append(shown, fmt.Sprint(what, " ", session, " ", argument))
		return nil
	}
	id := m.front()
	for _, page := range []bool{false, true} {
		if page {
			press(m, "enter")
		}
		shown = nil
		press(m, "o", "n", "f", "a", ".", "m", "x", "backspace", "d")
		if last := m.lines()[23]; !strings.Contains(last, "file that may fit: a.md_") {
			t.Errorf("the last line is %q", last)
		}
		press(m, "enter", "f", "b", "esc", "f", "enter")
		if want := []string{"0 " + id + " ", "1 " + id + " ", "2 " + id + " a.md"}; !slices.Equal(shown, want) {
			t.Errorf("on a page %v: shown is %q, want %q", page, shown, want)
		}
		_, command := m.Update(tea.KeyPressMsg{Code: 'y', Text: "y"})
		var noted bool
		for _, each := range command().(tea.BatchMsg) {
			switch msg := each().(type) {
			case Noted:
				m.Update(msg)
				noted = true
			default:
				if fmt.Sprint(msg) != id {
					t.Errorf("%v is copied instead of %s", msg, id)
				}
			}
		}
		if last := m.lines()[23]; !noted || !strings.Contains(last, "sent "+id+" to the clipboard") {
			t.Errorf("after copying, the last line is %q", last)
		}
		if press(m, "down"); strings.Contains(m.lines()[23], "clipboard") {
			t.Error("the note stays after the next key")
		}
		press(m, "up")
	}
}
