// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
)

// HookMarks remember, for each session, the highest level that a hook has reported, so that each level is reported
// once.
type HookMarks struct{ notes Notes }

// hookMark is the content of a session's mark.
type hookMark struct {
	Level       api.Level `json:"level"`
	Compactions int64     `json:"compactions"`
}

const (
	maxMarks  = 256                 // sessions with a mark
	keptMarks = 30 * 24 * time.Hour // how long a mark is kept
)

var levelOrder = map[api.Level]int{"ok": 0, "soon": 1, "now": 2, "over": 3}

// AtLeast reports whether a level is at least another one.
func AtLeast(level, other api.Level) bool { return levelOrder[level] >= levelOrder[other] }

// HookMarksIn returns the marks in a state directory. Without a directory every level is new.
func HookMarksIn(stateDir string) HookMarks { return HookMarks{NotesIn(stateDir, "hooks")} }

// Reached reports whether a session has reached a level of at least from that was not reported since its last
// compaction, and remembers that level. With an error, the level may be reported again.
func (m HookMarks) Reached(session string, level, from api.Level, compactions int64) (reached bool, err error) {
	path := m.notes.Path(session)
	var reported hookMark
	if m.notes.Folder != "" {
		if text, err := os.ReadFile(path); err == nil {
			_ = json.Unmarshal(text, &reported) // a damaged mark is treated as missing
		}
	}
	if reported.Compactions != compactions {
		reported = hookMark{Level: "ok", Compactions: compactions}
	}
	if levelOrder[level] <= levelOrder[reported.Level] || levelOrder[level] < levelOrder[from] {
		return false, nil
	}
	if m.notes.Folder == "" {
		return true, nil
	}
	text, _ := json.Marshal(hookMark{level, compactions}) // two plain fields can always be encoded
	if err = os.MkdirAll(m.notes.Folder, 0o700); err == nil {
		forgetOldMarks(filepath.Dir(path), time.Now())
		err = os.WriteFile(path, text, 0o600)
	}
	m.notes.Prune(maxMarks)
	return true, err
}

// forgetOldMarks removes the marks of sessions without a report for a month. If a wrong clock causes a mark to be
// removed too early, a level is reported twice.
func forgetOldMarks(dir string, now time.Time) {
	entries, _ := os.ReadDir(dir) // without the directory there is nothing to remove
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > keptMarks {
			os.Remove(filepath.Join(dir, entry.Name()))
		}
	}
}
