// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
)

// A plain client is an editor that speaks LSP and knows nothing of ctx/: it never asks for ctx/watch. The daemon
// watches its workspace folders unasked, so that messages about levels come, prompt files are counted for the model at
// work there, and the number stands where the editor shows the progress of its servers.

// plainAfter is how long a client has to ask for ctx/watch itself. Tests wait less.
var plainAfter = 2 * time.Second

// plainLine is what stands in the progress of a plain client.
const plainLine = "{mark}{percent}[{?over} · {hint}| · {left} left]"

// lspMode is the name that Emacs' lsp-mode sends. It shows the text of a progress as a construct of the mode line,
// where a single percent sign disappears.
const lspMode = "emacs"

// progressLine is the progress in which a plain client sees its number.
type progressLine struct {
	due   atomic.Bool
	mu    sync.Mutex
	token json.RawMessage // nil while none is shown
	text  string
	deaf  bool // the client refused it
}

// noteEditor notes that the client has opened a document. Some editors do not send their name, and this identifies
// them. The document's folder is watched if the client has no workspace folder, as in Neovim for a file outside of any
// root that the configuration names.
func (c *connection) noteEditor(uri string) {
	c.mu.Lock()
	first := !c.edits
	c.edits = true
	nameless := c.client.name == ""
	rootless := len(c.client.folders) == 0 && (c.watching == nil || c.watching.unasked)
	c.mu.Unlock()
	moved := false
	if path, ok := document.Path(uri); ok && rootless {
		moved = c.openedIn(focus.Look("", filepath.Dir(path)).Workspace)
	}
	if first && nameless || moved {
		time.AfterFunc(plainAfter, c.watchIfPlain)
	}
}

// openedIn notes the folder of a document that was opened, and reports whether it was not the last one.
func (c *connection) openedIn(folder string) bool {
	if focus.Within(folder, c.server.options.Home) {
		return false // the sessions of every project are below it
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.opened) > 0 && c.opened[0] == folder {
		return false
	}
	c.opened = append([]string{folder}, slices.DeleteFunc(c.opened, func(other string) bool { return other == folder })...)
	c.opened = c.opened[:min(len(c.opened), hereAtMost)]
	return true
}

// watchIfPlain begins to watch for a client that has sent its name or opened a document, and has not sent ctx/watch.
// It watches the client's folders, or those of its documents, and begins again when these change.
func (c *connection) watchIfPlain() {
	defer c.survive("watching for a plain client")
	c.mu.Lock()
	cl := c.client
	folders := projects(cl.folders, c.server.options.Home)
	if len(cl.folders) == 0 {
		folders = slices.Clone(c.opened)
	}
	plain := (c.watching == nil || c.watching.unasked) && !c.unwatched && c.phase == phaseRunning && (cl.name != "" || c.edits) && len(folders) > 0 && c.settings.Watch
	var w *watch
	if plain {
		w = watchOf(folders)
		w.unasked, w.shows = true, besidesHome(w.workspaces, c.server.options.Home)
		c.watching, c.focus = w, &focusWatch{Workspace: folders[0], others: folders[1:]}
	}
	c.mu.Unlock()
	if !plain || c.server.options.Source == nil {
		return
	}
	select {
	case <-c.server.watcher.search(c.ctx, w).done:
	case <-time.After(firstReads):
	}
	for _, s := range c.server.all(func(s *session) bool { return s.owner == nil }) {
		_, sum := s.snapshot()
		s.watchedBy(c, w.wants(s.dir(sum)))
	}
	c.refocus()
}

// projects leaves the home directory out of an editor's folders where it has others: an editor that finds no project
// names it as the root, and every project of its person lies there.
func projects(folders []string, home string) []string {
	others := besidesHome(folders, home)
	if len(others) == 0 {
		return folders
	}
	return others
}

// foldersChanged begins to watch other folders for a plain client.
func (c *connection) foldersChanged() {
	c.mu.Lock()
	begun := c.watching != nil && c.watching.unasked
	c.mu.Unlock()
	if begun {
		go c.watchIfPlain()
	}
}

// findIn finds the session in focus in the folders of a client: the first live one, else the first.
func (c *connection) findIn(f *focusWatch) finding {
	found := c.findFocused(f, false)
	for _, folder := range f.others {
		if s := shownHere(found); s != nil {
			if _, sum := s.snapshot(); sum.live {
				break
			}
		}
		other := c.findFocused(&focusWatch{Workspace: folder}, false)
		if s := shownHere(other); s != nil {
			if _, sum := s.snapshot(); sum.live || shownHere(found) == nil {
				found = other
			}
		}
	}
	return found
}

// unasked is true while the daemon watches for a client that has not asked for it: such a client is told nothing of the
// sessions that were found, as it would not understand it. Of a session that it has opened itself it is.
func (c *connection) unasked() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.watching != nil && c.watching.unasked
}

// showQuietlySoon does so without waiting: the client is asked whether it shows a progress, and others are not to wait
// for its answer.
func (c *connection) showQuietlySoon() {
	if !c.unasked() || c.quiet.due.Swap(true) {
		return
	}
	go func() {
		defer c.survive("showing the number as progress")
		c.quiet.due.Store(false)
		c.mu.Lock()
		var f focusWatch
		if c.focus != nil {
			f = *c.focus
		}
		c.mu.Unlock()
		c.showQuietly(c.findIn(&f))
	}()
}

// showQuietly brings the progress of a plain client in line with the session in front: none for one that is idle.
func (c *connection) showQuietly(found finding) {
	text := ""
	if s := shownHere(found); s != nil && c.unasked() {
		if reading, sum := s.snapshot(); sum.live {
			if line, refused := api.NewLine(plainLine); refused == nil {
				text = line.Text(reading, nil)
			}
		}
	}
	if c.about().name == lspMode {
		text = strings.ReplaceAll(text, "%", "%%")
	}
	q := &c.quiet
	q.mu.Lock()
	defer q.mu.Unlock()
	if text == q.text || q.deaf || !c.about().progress {
		return
	}
	send := func(value map[string]any) {
		c.notify("$/progress", map[string]any{"token": q.token, "value": value})
	}
	switch {
	case text == "":
		send(map[string]any{"kind": "end"})
		q.token = nil
	case q.token == nil:
		q.token, _ = json.Marshal("ctx-" + strconv.FormatUint(progressTokens.Add(1), 10)) // a string always encodes
		ctx, cancel := context.WithTimeout(c.ctx, 10*time.Second)
		defer cancel()
		if c.ask(ctx, "window/workDoneProgress/create", map[string]any{"token": q.token}, nil) != nil {
			q.deaf, q.token = true, nil
			return
		}
		send(map[string]any{"kind": "begin", "title": "ctx", "message": text, "cancellable": false})
	default:
		send(map[string]any{"kind": "report", "message": text})
	}
	q.text = text
}
