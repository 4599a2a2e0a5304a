// Copyright The ctx-lsp authors. MIT licence.

package allowance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// Told keeps what the program of a status line was told, so that the daemon of the editors can show it too: a file in
// the cache for each agent, with the limits of its account and until when the cache of each session is warm.
type Told struct {
	Folder string // empty keeps nothing
}

// toldFile is the file of one agent.
type toldFile struct {
	Account api.Allowance `json:"account"`
	Caches  []toldCache   `json:"caches"` // the newest last
}

type toldCache struct {
	Session string   `json:"session"`
	Until   api.Time `json:"until"`
}

const (
	maxCaches   = 64
	maxToldFile = 64 << 10
)

// In is what is told, in the cache directory of ctx-lsp.
func In(cacheDir string) Told {
	if cacheDir == "" {
		return Told{}
	}
	return Told{filepath.Join(cacheDir, "allowance")}
}

func (t Told) path(agent string) string { return filepath.Join(t.Folder, filepath.Base(agent)+".json") }

func (t Told) read(agent string) (f toldFile, ok bool) {
	if t.Folder == "" || agent == "" {
		return f, false
	}
	info, err := os.Stat(t.path(agent))
	if err != nil || info.Size() > maxToldFile {
		return f, false
	}
	text, err := os.ReadFile(t.path(agent))
	return f, err == nil && json.Unmarshal(text, &f) == nil
}

// Keep notes what an agent has told of its account and of one session. What cannot be kept is not, because a status
// line has better things to do.
func (t Told) Keep(agent, session string, a *api.Allowance) {
	if t.Folder == "" || agent == "" || a == nil {
		return
	}
	f, _ := t.read(agent)
	if len(a.Windows) > 0 {
		f.Account = api.Allowance{Windows: a.Windows, At: a.At}
	}
	if a.CacheUntil != nil && session != "" {
		f.Caches = slices.DeleteFunc(f.Caches, func(c toldCache) bool { return c.Session == session })
		f.Caches = append(f.Caches, toldCache{session, *a.CacheUntil})
		f.Caches = f.Caches[max(0, len(f.Caches)-maxCaches):]
	}
	text, err := json.Marshal(f)
	if err != nil || os.MkdirAll(t.Folder, 0o700) != nil {
		return
	}
	_ = safefile.Replace(t.path(agent), text)
}

// Of is what an agent has told of its account and of one session; nil where it has told nothing.
func (t Told) Of(agent, session string) *api.Allowance {
	f, ok := t.read(agent)
	if !ok {
		return nil
	}
	a := f.Account
	if a.Windows == nil {
		a.Windows = []api.AllowanceWindow{}
	}
	for _, c := range f.Caches {
		if c.Session == session {
			a.CacheUntil = &c.Until
		}
	}
	return known(&a)
}
