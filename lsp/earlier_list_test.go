// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// TestEarlierSessionsAreListedByFolderAndNumber checks the parameters of ctx/earlier: the default and the largest
// number of sessions, and the workspace as a path and as a URI.
func TestEarlierSessionsAreListedByFolderAndNumber(t *testing.T) {
	m := newMachine(t)
	id := func(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	other := filepath.Join(m.home, "other")
	for n := range earlierAtOnce + 5 {
		folder := m.work
		if n < 3 {
			folder = other
		}
		m.session(id(n), 1, folder, time.Duration(n+30)*time.Hour, 50_000)
		m.aged(id(n), time.Duration(n+30)*time.Hour)
	}
	c := m.daemon()
	list := func(params string) api.EarlierAnswer {
		t.Helper()
		var answer api.EarlierAnswer
		if err := json.Unmarshal(c.call("ctx/earlier", params), &answer); err != nil {
			t.Fatal(err)
		}
		for i, s := range answer.Sessions {
			if s.Session != id(i) || s.Agent != "claude-code" || s.Glimpse != nil || s.Started == nil || s.Modified == 0 {
				t.Errorf("%s: session %d is %+v", params, i, s)
			}
		}
		return answer
	}
	if all := list(`{}`); len(all.Sessions) != earlierAtOnce || !all.More {
		t.Errorf("by default %d are listed, and there are more: %v", len(all.Sessions), all.More)
	}
	for limit, more := range map[int]bool{earlierAtOnce + 4: true, earlierAtOnce + 5: false, mostEarlier: false} {
		if some := list(fmt.Sprintf(`{"limit":%d}`, limit)); len(some.Sessions) != min(limit, earlierAtOnce+5) || some.More != more {
			t.Errorf("at most %d: %d are listed, and there are more: %v", limit, len(some.Sessions), some.More)
		}
	}
	for _, workspace := range []string{other, document.URI(other)} {
		if here := list(fmt.Sprintf(`{"workspace":%q}`, workspace)); len(here.Sessions) != 3 || here.More || here.Sessions[2].Workspace != other {
			t.Errorf("in %s: %+v", workspace, here)
		}
	}
	for params, field := range map[string]string{
		fmt.Sprintf(`{"limit":%d}`, mostEarlier+1): "limit", `{"limit":-1}`: "limit", `{"workspace":"relative"}`: "workspace", `{"workspace":7}`: "workspace",
	} {
		if m := c.ask("ctx/earlier", params); m.Error == nil || !strings.Contains(string(m.Error.Data), `"field":"`+field+`"`) {
			t.Errorf("%s: %+v", params, m)
		}
	}
	nowhere := start(t, newTestServer(t, Options{}))
	if got := string(nowhere.call("ctx/earlier", `{}`)); got != `{"sessions":[],"more":false}` {
		t.Errorf("without a machine: %s", got)
	}
}

// TestAReadingNamesItsFileAndTheLimitsOfItsAccount checks the members that the daemon adds to the Reading of a session
// of this machine: the transcript, and the account's limits that the status line was told.
func TestAReadingNamesItsFileAndTheLimitsOfItsAccount(t *testing.T) {
	m := newMachine(t)
	m.session(firstID, 1, m.work, time.Minute, 50_000)
	m.session(firstID+"x", 1, m.work, 2*time.Minute, 50_000)
	resets, until := api.Time(1_800_000_000_000), api.Time(1_800_000_100_000)
	limits := state.LimitsIn(filepath.Join(m.home, ".cache"))
	limits.Keep("claude-code", firstID, &api.Allowance{Windows: []api.AllowanceWindow{{Minutes: 300, Percent: 4200, Resets: &resets}}, CacheUntil: &until})
	c := m.daemon()
	var watched struct {
		Sessions []struct {
			Session, File string
			Allowance     *struct {
				Windows    []struct{ Minutes, Percent, Resets int64 }
				CacheUntil *int64
			}
		}
	}
	c.call("ctx/watch", `{}`)
	json.Unmarshal(c.call("ctx/watch", `{"mode":"provider"}`), &watched)
	if len(watched.Sessions) != 2 {
		t.Fatalf("%d sessions are watched", len(watched.Sessions))
	}
	for i, s := range watched.Sessions {
		if s.File != filepath.Join(m.home, ".claude", "projects", "w", s.Session+".jsonl") {
			t.Errorf("the file of %s is %q", s.Session, s.File)
		}
		if a := s.Allowance; a == nil || len(a.Windows) != 1 || a.Windows[0].Minutes != 300 || a.Windows[0].Percent != 42 || a.Windows[0].Resets != int64(resets) ||
			(a.CacheUntil != nil) != (i == 0) || i == 0 && *a.CacheUntil != int64(until) {
			t.Errorf("the limits of %s are %+v", s.Session, a)
		}
	}
	own := c.call("ctx/session/open", `{"id":"own"}`)
	if strings.Contains(string(own), `"file"`) || strings.Contains(string(own), `"allowance"`) {
		t.Errorf("a session without a transcript: %s", own)
	}
}

// TestListsOfAClientAreBounded checks the largest numbers of folders and terminals in one call.
func TestListsOfAClientAreBounded(t *testing.T) {
	c := newMachine(t).daemon()
	folders, pids := make([]string, maxFolders+1), make([]int, maxTerminals+1)
	for i := range folders {
		folders[i] = filepath.Join(os.TempDir(), fmt.Sprint("no folder ", i))
	}
	for i := range pids {
		pids[i] = 1_000_000 + i
	}
	for _, call := range []struct {
		method, field string
		most, more    any
	}{
		{"ctx/watch", "folders", folders[1:], folders},
		{"ctx/terminals", "pids", pids[1:], pids},
	} {
		for _, list := range []any{call.most, call.more} {
			params, _ := json.Marshal(map[string]any{call.field: list})
			m := c.ask(call.method, string(params))
			if refused := m.Error != nil && strings.Contains(string(m.Error.Data), `"field":"`+call.field+`"`); refused != (fmt.Sprint(list) == fmt.Sprint(call.more)) {
				t.Errorf("%s: %+v", call.method, m.Error)
			}
		}
	}
}

// TestTheFoldersThatAClientWorkedInAreBounded checks that a watch remembers the last few folders that ctx/focus named,
// and none that it shows, knows, or does not include.
func TestTheFoldersThatAClientWorkedInAreBounded(t *testing.T) {
	w := &watch{shows: []string{"/shown"}}
	for n := range hereAtMost + 2 {
		next := w.worksAt(fmt.Sprint("/w/", n))
		if next == nil || len(w.here()) == len(next.here()) && n < hereAtMost {
			t.Fatalf("folder %d: %+v", n, next)
		}
		w = next
	}
	if got := fmt.Sprint(w.here()); got != "[/shown /w/2 /w/3 /w/4 /w/5]" {
		t.Errorf("these folders are read first: %s", got)
	}
	w.workspaces = []string{"/w"}
	for _, folder := range []string{"/shown", "/w/5", "/elsewhere"} {
		if next := w.worksAt(folder); next != nil {
			t.Errorf("%s changes the watch to %+v", folder, next)
		}
	}
}
