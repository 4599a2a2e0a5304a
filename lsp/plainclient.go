// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/focus"
)

// A plain client is an editor that speaks LSP but not the ctx/ methods: it never sends ctx/watch. The daemon watches
// its workspace folders without being asked. So the client gets messages about levels, its prompt files are counted for
// the model in use there, and the number appears where the editor shows progress.

// plainAfter is how long to wait for ctx/watch before treating a client as plain. Tests use less.
const plainAfter = 2 * time.Second

// plainLine is the template of a plain client's progress text.
const plainLine = "{mark}{percent}[{?over} · {hint}| · {left} left]"

// lspMode is the name that Emacs' lsp-mode sends. It inserts progress text into the mode line, where a single percent
// sign disappears.
const lspMode = "emacs"

// progressLine is the progress that shows the number in a plain client.
type progressLine struct {
	mu    sync.Mutex
	token json.RawMessage // nil if none is shown
	text  string
	deaf  bool // the client has refused to show progress
}

// noteEditor records that the client has opened a document, which identifies editors that do not send their name. If
// the client has no workspace folder, the document's folder is watched. Neovim does that for a file outside any root
// that its configuration names.
func (c *connection) noteEditor(uri string) {
	c.mu.Lock()
	first := !c.edits
	c.edits = true
	nameless := c.client.name == ""
	rootless := len(c.client.folders) == 0 && (c.watching == nil || c.watching.unasked)
	c.mu.Unlock()
	path, ok := document.Path(uri)
	moved := ok && rootless && c.openedIn(focus.Look("", filepath.Dir(path)).Workspace)
	if first && nameless || moved {
		time.AfterFunc(c.server.plainAfter, c.watchIfPlain)
	}
}

// openedIn records the folder of a document that was opened, and reports whether it differs from the last one.
func (c *connection) openedIn(folder string) bool {
	if focus.Within(folder, c.server.options.Home) {
		return false // it contains the sessions of every project
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

// watchIfPlain starts a watch for a client that has sent its name or opened a document, but not ctx/watch. It watches
// the client's folders, or those of its documents, and starts again when these change.
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

// projects removes the home directory from an editor's folders if there are others: editors that find no project use it
// as the root, and it contains all of the user's projects.
func projects(folders []string, home string) []string {
	others := besidesHome(folders, home)
	if len(others) == 0 {
		return folders
	}
	return others
}

// foldersChanged restarts the watch of a plain client for its new folders.
func (c *connection) foldersChanged() {
	c.mu.Lock()
	begun := c.watching != nil && c.watching.unasked
	c.mu.Unlock()
	if begun {
		go c.watchIfPlain()
	}
}

// findIn finds the focused session in the folders of a client: the first live one, otherwise the first.
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

// unasked reports whether the daemon watches for a client that has not sent ctx/watch. Such a client is not notified of
// found sessions, because it would not understand that, only of those that it has opened itself.
func (c *connection) unasked() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.watching != nil && c.watching.unasked
}

// showQuietlySoon calls showQuietly in the background, because that sends a request to the client, and nothing else
// should wait for the response.
func (c *connection) showQuietlySoon() {
	if !c.unasked() {
		return
	}
	go func() {
		defer c.survive("showing the number as progress")
		c.mu.Lock()
		var f focusWatch
		if c.focus != nil {
			f = *c.focus
		}
		c.mu.Unlock()
		c.showQuietly(c.findIn(&f))
	}()
}

// showQuietly updates the progress of a plain client for the focused session. An idle session has none.
func (c *connection) showQuietly(found finding) {
	text := ""
	if s := shownHere(found); s != nil && c.unasked() {
		if reading, sum := s.snapshot(); sum.live {
			var r api.Reading
			if line, refused := api.NewLine(plainLine); refused == nil && r.GlanceAt(reading) {
				text = line.Text(&r, nil)
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
		q.token = newToken()
		ctx, cancel := context.WithTimeout(c.ctx, 10*time.Second)
		defer cancel()
		if c.sendRequest(ctx, "window/workDoneProgress/create", map[string]any{"token": q.token}, nil) != nil {
			q.deaf, q.token = true, nil
			return
		}
		send(map[string]any{"kind": "begin", "title": "ctx", "message": text, "cancellable": false})
	default:
		send(map[string]any{"kind": "report", "message": text})
	}
	q.text = text
}
