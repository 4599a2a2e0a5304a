// Copyright The ctx-lsp authors. MIT licence.

package follow

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/promptload"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A Machine is the machine that sessions are read on. Its feeds include data that the records of a session do not
// contain: the agent's settings, the window that it has reported, and the files that it sends without a record.
type Machine struct {
	Host      dirs.Environment
	HidePaths bool    // paths are shortened to their last element
	Windows   Windows // nil for none
}

// Feed prepares to read a session from its beginning.
func (m *Machine) Feed(s transcript.Session, call client.Call) *Feed {
	f := NewFeed(s, call)
	m.Prepare(f)
	return f
}

// RecentFeed prepares to read a session from its last compaction, which is faster and less exact.
func (m *Machine) RecentFeed(s transcript.Session, call client.Call) (*Feed, error) {
	f, err := NewRecentFeed(s, call)
	if err == nil {
		m.Prepare(f)
	}
	return f, err
}

// Prepare sets a feed's fields for this machine.
func (m *Machine) Prepare(f *Feed) {
	f.HidePaths, f.Windows = m.HidePaths, m.Windows
	f.Changed = m.Changed
	f.Settings, f.Files = agents.SettingsOf(m.Host, f.Session), agents.FilesOf(m.Host, f.Session)
}

// Read reads a session and its sub-agents, with the files that the agent loads automatically, and returns the Reading.
// failed is called for each sub-agent that cannot be read.
func (m *Machine) Read(ctx context.Context, call client.Call, s transcript.Session, children []transcript.Session, failed func(transcript.Session, error)) ([]byte, error) {
	feed := m.Feed(s, call)
	feed.Loads = m.Loads
	reading, err := feed.Read(ctx)
	if err != nil {
		return nil, err
	}
	if reading == nil {
		return nil, fmt.Errorf("%s contains no record", s.Path)
	}
	if s.Agent == "" {
		if doc, err := json.Parse(reading); err == nil && doc.Get("agent").Is("generic") {
			return nil, fmt.Errorf("%s contains no record of a supported coding agent", s.Path)
		}
	}
	for i := range children { // each comes after its parent
		child := NewFeed(children[i], call)
		child.Parent, child.HidePaths = children[i].Parent, m.HidePaths
		if _, err := child.Read(ctx); err != nil {
			failed(children[i], err)
		}
	}
	if len(children) > 0 {
		return call.Reading(ctx, &api.ReadingParams{ID: feed.ID}).JSON()
	}
	return reading, nil
}

// Loads finds the files that the agent of a session loads automatically.
func (m *Machine) Loads(s transcript.Session, hidePaths bool) *promptload.Loaded {
	return agents.Loads(m.Host, s, m.servers(s), hidePaths)
}

// servers returns the names of the servers that the agent of a session is configured with.
func (m *Machine) servers(s transcript.Session) (names []string) {
	if !dirs.Local(s.Workspace) {
		return nil
	}
	servers, _ := agents.MCPServers(m.Host, s.Workspace)
	for i := range servers {
		if servers[i].Agent == s.Agent && !servers[i].Off && !slices.Contains(names, servers[i].Name) {
			names = append(names, servers[i].Name)
		}
	}
	return append(names, agents.ServersIn(m.Host, s)...)
}

// Changed returns when files were changed since the session started that its agent reads again without recording it,
// and the servers that are configured now; nil if none was changed.
func (m *Machine) Changed(s transcript.Session) *promptload.Loaded {
	servers, memory := agents.FilesChanged(m.Host, s)
	if servers.IsZero() && memory.IsZero() {
		return nil
	}
	changed := &promptload.Loaded{ServersChanged: servers, MemoryChanged: memory}
	if !servers.IsZero() {
		changed.Servers = append([]string{}, m.servers(s)...) // not nil: that none is left is known, too
	}
	return changed
}
