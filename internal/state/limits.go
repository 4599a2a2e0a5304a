// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Limits keeps what the status line program received, so that the editors' daemon can show it too: a file for each
// agent in the cache directory, with the limits of its account and until when the cache of each session is warm.
type Limits struct {
	Folder string // empty keeps nothing
}

// limitsFile is the content of an agent's file.
type limitsFile struct {
	Account api.Allowance `json:"account"`
	Caches  []warmCache   `json:"caches"` // the newest last
}

type warmCache struct {
	Session string          `json:"session"`
	Until   *api.Time       `json:"until"`
	Account *api.AgentCache `json:"account,omitempty"`
}

const (
	maxCaches     = 64
	maxLimitsFile = 64 << 10
)

// LimitsIn returns the limits kept in the cache directory of ctx-lsp. With an empty directory nothing is kept.
func LimitsIn(cacheDir string) Limits {
	if cacheDir == "" {
		return Limits{}
	}
	return Limits{filepath.Join(cacheDir, "allowance")}
}

func (l Limits) path(agent string) string {
	return filepath.Join(l.Folder, filepath.Base(agent)+".json")
}

func (l Limits) read(agent string) (f limitsFile, ok bool) {
	if l.Folder == "" || agent == "" {
		return f, false
	}
	info, err := os.Stat(l.path(agent))
	if err != nil || info.Size() > maxLimitsFile {
		return f, false
	}
	text, err := os.ReadFile(l.path(agent))
	return f, err == nil && json.Unmarshal(text, &f) == nil
}

// Keep records what an agent has reported about its account and one session. Errors are ignored: they must not disturb
// the status line.
func (l Limits) Keep(agent, session string, a *api.Allowance) {
	if l.Folder == "" || agent == "" || a == nil {
		return
	}
	f, _ := l.read(agent)
	if len(a.Windows) > 0 {
		f.Account = api.Allowance{Windows: a.Windows, At: a.At}
	}
	if (a.CacheUntil != nil || a.Cache != nil) && session != "" {
		f.Caches = slices.DeleteFunc(f.Caches, func(c warmCache) bool { return c.Session == session })
		f.Caches = append(f.Caches, warmCache{session, a.CacheUntil, a.Cache})
		f.Caches = f.Caches[max(0, len(f.Caches)-maxCaches):]
	}
	text, err := json.Marshal(f)
	if err != nil || os.MkdirAll(l.Folder, 0o700) != nil {
		return
	}
	_ = safefile.Replace(l.path(agent), text)
}

// Of returns what an agent has reported about its account and one session; nil if it has reported nothing.
func (l Limits) Of(agent, session string) *api.Allowance {
	f, ok := l.read(agent)
	if !ok {
		return nil
	}
	a := f.Account
	if a.Windows == nil {
		a.Windows = []api.AllowanceWindow{}
	}
	for _, c := range f.Caches {
		if c.Session == session {
			a.CacheUntil, a.Cache = c.Until, c.Account
		}
	}
	if len(a.Windows) == 0 && a.CacheUntil == nil && a.Cache == nil {
		return nil
	}
	return &a
}
