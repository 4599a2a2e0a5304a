// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/document"
	"github.com/ctx-lsp/ctx-lsp/internal/wire"
)

// Settings are the user's settings, as defined by the schema of the protocol.
type Settings = api.Settings

func defaultSettings() Settings {
	s := Settings{PromptFiles: document.DefaultSettings(), Watch: true}
	s.Notify.Level = "none"
	return s
}

// defaults returns the settings of a client that sends none: the user's own, merged over the built-in ones. Problems in
// the user's own are reported by the command line.
func (s *Server) defaults() Settings {
	settings, _ := readSettings(defaultSettings(), s.options.Defaults)
	return settings
}

// readSettings merges the settings that a client sent over the given ones: the defaults, or those from initialize. It
// ignores invalid values, and returns a message for each.
func readSettings(settings Settings, raw json.RawMessage) (Settings, []string) {
	var problems []string
	if len(raw) == 0 || string(raw) == "null" {
		return settings, nil
	}
	if inner := wire.MemberOf(raw, "ctx"); inner != nil && inner[0] == '{' {
		raw = inner // some clients wrap the section in an object with its name
	}
	ok := wire.EachMember(raw, func(m wire.Member) bool {
		var err error
		switch m.Name {
		case "model":
			err = json.Unmarshal(m.Value, &settings.Model)
		case "agent":
			err = json.Unmarshal(m.Value, &settings.Agent)
		case "watch":
			err = json.Unmarshal(m.Value, &settings.Watch)
		case "notify":
			err = json.Unmarshal(m.Value, &settings.Notify)
		case "promptFiles":
			err = json.Unmarshal(m.Value, &settings.PromptFiles)
		case "sight":
			err = json.Unmarshal(m.Value, &settings.Sight)
		case "globalStorage":
			err = json.Unmarshal(m.Value, &settings.GlobalStorage)
		}
		if err != nil {
			name, problem := misfit("ctx."+m.Name, err)
			problems = append(problems, "One setting is ignored; the others apply: "+name+" "+problem+".")
		}
		return true
	})
	if !ok {
		return settings, []string{"The settings are ignored, because they are not an object."}
	}
	if _, known := core.LevelOf(settings.Notify.Level); !known && settings.Notify.Level != "none" {
		problems = append(problems, fmt.Sprintf("The setting ctx.notify.level is ignored: %q is not one of none, soon, now, over.", settings.Notify.Level))
		settings.Notify.Level = "none"
	}
	return settings, problems
}

// alsoIn adds the folders that an editor's extensions store sessions in. Once added, a folder stays, because the result
// of workspace/configuration contains only the user's settings, not the editor's storage folders.
func (c *connection) alsoIn(folders []string) {
	if c.server.options.Source == nil {
		return
	}
	var paths []string
	for _, folder := range folders {
		if path, ok := document.Path(folder); ok {
			folder = path
		}
		paths = append(paths, folder)
	}
	if c.server.options.Source.AddStorage(paths...) {
		c.server.watcher.want()
	}
}

// applySettings applies new settings, and refreshes everything that depends on them.
func (c *connection) applySettings(raw json.RawMessage) {
	c.mu.Lock()
	initial := c.initial
	c.mu.Unlock()
	settings, problems := readSettings(initial, raw)
	for _, problem := range problems {
		c.logMessage(messageWarning, problem)
	}
	c.alsoIn(settings.GlobalStorage)
	c.mu.Lock()
	same := reflect.DeepEqual(c.settings, settings)
	c.settings = settings
	c.mu.Unlock()
	if !same {
		c.documents.settingsChanged()
	}
}

// pulling is the state of requesting the settings: one request runs at a time, and is repeated if the settings changed
// in the meantime.
type pulling struct{ now, again bool }

// pullSettings requests the settings from a client that supports it.
func (c *connection) pullSettings(ctx context.Context) {
	c.mu.Lock()
	able, busy := c.client.configuration, c.pulling.now
	c.pulling.again = busy
	c.pulling.now = c.pulling.now || able
	c.mu.Unlock()
	if !able || busy {
		return
	}
	for {
		c.pullOnce(ctx)
		c.mu.Lock()
		again := c.pulling.again && ctx.Err() == nil
		c.pulling = pulling{now: again}
		c.mu.Unlock()
		if !again {
			return
		}
	}
}

func (c *connection) pullOnce(ctx context.Context) {
	var sections []json.RawMessage
	err := c.sendRequest(ctx, "workspace/configuration", map[string]any{"items": []map[string]any{{"section": "ctx"}}}, &sections)
	if err != nil || len(sections) == 0 || string(sections[0]) == "null" {
		return // keep the settings from initialize
	}
	c.applySettings(sections[0])
}

func (c *connection) didChangeConfiguration(r *request) ([]byte, *api.Error) {
	if c.about().configuration {
		go func() {
			defer c.survive("requesting the settings")
			c.pullSettings(c.ctx)
		}()
		return nil, nil
	}
	if settings := r.fields.Get("settings"); settings != nil && string(settings) != "null" {
		c.applySettings(settings)
	}
	return nil, nil
}

func (c *connection) didChangeWorkspaceFolders(r *request) ([]byte, *api.Error) {
	var p struct {
		Event struct {
			Added, Removed []struct {
				URI string `json:"uri"`
			}
		} `json:"event"`
	}
	if err := r.decode(&p); err != nil {
		return nil, err
	}
	c.mu.Lock()
	var kept []string
	removed := map[string]bool{}
	for _, folder := range p.Event.Removed {
		if path, ok := document.Path(folder.URI); ok {
			removed[path] = true
		}
	}
	for _, folder := range c.client.folders {
		if !removed[folder] {
			kept = append(kept, folder)
		}
	}
	for _, folder := range p.Event.Added {
		if path, ok := document.Path(folder.URI); ok {
			kept = append(kept, path)
		}
	}
	c.client.folders = kept
	c.mu.Unlock()
	c.documents.filesChanged()
	c.foldersChanged()
	return nil, nil
}

func (c *connection) setTrace(value string) {
	if value = strings.ToLower(value); value == "off" || value == "messages" || value == "verbose" {
		c.mu.Lock()
		c.trace = value
		c.mu.Unlock()
	}
}
