// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Server is an MCP server: how many tokens its tools use in every request, as far as known, and how often they are
// called.
type Server struct {
	Name string
	// Tools is how many tools are known by name. Listed says that these are all; otherwise only the tools that were
	// called are known. Deferred is how many of them the agent lists by name only, and loads when the model asks.
	Tools, Deferred int64
	Listed          bool
	// NeverCalled is how many tools were never called, Unknown unless all are known.
	NeverCalled int64
	// Calls is the number of calls that are still in the conversation, and called is the number of tools that were ever
	// called.
	Calls, called int64
	// Tokens is the size of the tools in every request, or Unknown.
	Tokens int64
	Basis  Basis
	// Off is the command that switches the server off, "" if unknown.
	Off string
	// Text contains all of this as a message.
	Text Text
}

// serversShown is the largest number of servers in a Reading.
const serversShown = 32

type (
	// ServersConfigured names all MCP servers in the agent's configuration.
	ServersConfigured struct{ Names []string }

	// ToolsListed names tools that the agent from now on lists without loading them, and tools that it no longer lists.
	ToolsListed struct{ Added, Removed []string }

	// ServersChanged names servers whose tools, which every request contains, the next one has or no longer has.
	ServersChanged struct{ Came, Left []string }
)

func (ServersConfigured) event() {}
func (ToolsListed) event()       {}
func (ServersChanged) event()    {}

// servers are the MCP servers as shown by the names of tools. They are recounted if there are new names.
type servers struct {
	counted bool
	labels  int // how many names of the conversation were counted
	list    []knownServer
}

type knownServer struct {
	name                    string
	tools, deferred, called int64
	listed                  bool
	labels                  []uint16 // label numbers of the called tools in the conversation
}

// Names of servers and tools are stored as parts of the prefix without a size. They are distinguished by their source:
// FromFiles for configured servers, FromTable for listed tools, and FromEarlier for tools that were called before the
// conversation was cleared or compacted.

// nameServers stores names as parts without a size.
func (s *Session) nameServers(source PrefixSource, names []string) {
	room := prefixToolsKept
	for i := range s.prefix.parts {
		if part := &s.prefix.parts[i]; part.kind == MCPTools && part.source == source {
			room--
		}
	}
	for _, name := range names {
		if name = oneLine(name, maxPartLabel); name != "" && room > 0 {
			s.prefix.parts = append(s.prefix.parts, prefixPart{label: Named(name), kind: MCPTools, source: source, basis: Counted})
			room--
		}
	}
	s.servers.counted = false
}

// keepCalled stores which tools of servers were called. It must be called before the conversation drops its names.
func (s *Session) keepCalled() {
	var names []string
	kept := map[string]bool{}
	for i := range s.prefix.parts {
		if part := &s.prefix.parts[i]; part.source == FromEarlier && part.tokens == 0 {
			kept[part.label.Name] = true
		}
	}
	for i := range s.conversation.labels.list {
		label := &s.conversation.labels.list[i]
		if label.what != OfServer {
			continue
		}
		name := "mcp__" + label.tool.Name + "__" + label.subject
		if !kept[name] {
			names = append(names, name)
		}
	}
	s.nameServers(FromEarlier, names)
}

// serversConfigured reports whether the agent's settings were read and contain a server.
func (s *Session) serversConfigured() bool {
	return slices.ContainsFunc(s.prefix.parts, func(part prefixPart) bool {
		return part.kind == MCPTools && part.source == FromFiles && part.tokens == 0
	})
}

func (s *Session) applyServersConfigured(e ServersConfigured) {
	s.prefix.forget(MCPTools, FromFiles, false)
	s.nameServers(FromFiles, e.Names[:min(len(e.Names), 2*serversShown)])
}

// applyToolsListed adds and removes names of tools. Names of built-in tools belong to no server and are left out.
func (s *Session) applyToolsListed(e ToolsListed) {
	changed := map[string]bool{}
	for _, name := range e.Removed {
		changed[name] = true
	}
	var added []string
	for _, name := range e.Added {
		if _, _, ok := ServerTool(name); ok {
			changed[name] = true
			added = append(added, name)
		}
	}
	kept := s.prefix.parts[:0]
	for _, part := range s.prefix.parts {
		if part.kind != MCPTools || part.source != FromTable || !changed[part.label.Name] {
			kept = append(kept, part)
		}
	}
	s.prefix.parts = kept
	s.nameServers(FromTable, added)
}

// applyServersChanged changes the next prompt by the tools of servers. If their size is unknown, the next prompt is
// uncertain, like after a change of the configuration.
func (s *Session) applyServersChanged(e *ServersChanged) {
	if s.anchor() == nil {
		return
	}
	p := &s.prefix
	of := func(part *prefixPart, server string) bool {
		name, _, ok := ServerTool(part.label.Name)
		return ok && part.kind == MCPTools && part.tokens > 0 && name == serverInTools(server)
	}
	unsized := false
	for _, server := range e.Left {
		before := p.total(MCPTools, FromRecord)
		p.keepFormer(MCPTools, FromRecord)
		p.parts = slices.DeleteFunc(p.parts, func(part prefixPart) bool { return part.source == FromRecord && of(&part, server) })
		left := before - p.total(MCPTools, FromRecord)
		unsized = unsized || left == 0
		s.changeTools(-left)
	}
	for _, server := range e.Came {
		came := int64(0)
		for _, part := range p.former {
			if of(&part, server) && !slices.ContainsFunc(p.parts, func(known prefixPart) bool { return known.label.Equal(part.label) }) {
				part.source = FromRecord
				p.parts = append(p.parts, part)
				came += part.tokens
			}
		}
		unsized = unsized || came == 0
		s.changeTools(came)
	}
	if s.servers.counted = false; unsized {
		s.files.servers = s.files.measured + 1
	}
}

// changeTools adds the tools of a server to the next prompt, or removes them.
func (s *Session) changeTools(tokens int64) {
	s.changes.adjust(tokens, phrase.Leaves.Text())
	s.files.tools += max(tokens, -tokens)
}

// serverInTools returns the name of a server as it is in the names of its tools.
func serverInTools(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}

// count finds the servers in the names of the prefix, the fixed rows and the conversation.
func (c *servers) count(s *Session) {
	labels := s.conversation.labels.list
	if c.counted && c.labels == len(labels) {
		return
	}
	*c = servers{counted: true, labels: len(labels), list: c.list[:0]}
	var configured []string
	for i := range s.prefix.parts {
		if part := &s.prefix.parts[i]; part.kind == MCPTools && part.source == FromFiles && part.tokens == 0 {
			configured = append(configured, part.label.Name)
			c.named(part.label.Name)
		}
	}
	known := map[uint64]bool{}
	add := func(name string, deferred bool) {
		server, tool, ok := serverOf(name, configured)
		if !ok {
			return
		}
		entry := c.named(server)
		if key := fnv.Hash(server + "\x00" + tool); entry != nil && !known[key] {
			known[key], entry.listed = true, true
			entry.tools++
			if deferred {
				entry.deferred++
			}
		}
	}
	for source := prefixSources; source > 0; source-- { // loaded tools before those that are only listed
		for i := range s.prefix.parts {
			if part := &s.prefix.parts[i]; part.kind == MCPTools && part.source == source-1 && (part.tokens > 0 || part.source != FromEarlier) {
				add(part.label.Name, part.tokens == 0)
			}
		}
	}
	for i := range s.fixed.parts[MCPTools] {
		part := &s.fixed.parts[MCPTools][i]
		add(part.label.Name, part.deferred)
	}
	called := map[uint64]bool{}
	call := func(server, tool string) *knownServer {
		entry, key := c.named(server), fnv.Hash(server+"\x00"+tool)
		if entry != nil && !called[key] {
			called[key] = true
			entry.called++
			if !known[key] {
				entry.tools++ // not listed
			}
		}
		return entry
	}
	for i := range s.prefix.parts {
		if part := &s.prefix.parts[i]; part.kind == MCPTools && part.source == FromEarlier && part.tokens == 0 {
			if server, tool, ok := ServerTool(part.label.Name); ok {
				call(server, tool)
			}
		}
	}
	for i := range labels {
		server, tool, ok := labels[i].tool.Name, labels[i].subject, labels[i].what == OfServer
		if labels[i].what == OfTool {
			server, tool, ok = serverOf(labels[i].tool.Name, configured)
		}
		if !ok {
			continue
		}
		if entry := call(server, tool); entry != nil {
			entry.labels = append(entry.labels, uint16(i+1))
		}
	}
}

// named returns the server with a name, and adds one if there is none. It returns nil if there are too many.
func (c *servers) named(name string) *knownServer {
	for i := range c.list {
		if c.list[i].name == name {
			return &c.list[i]
		}
	}
	if len(c.list) >= 2*serversShown {
		return nil
	}
	c.list = append(c.list, knownServer{name: name})
	return &c.list[len(c.list)-1]
}

// serverOf splits a tool's name into its server and the rest. The name is mcp__server__tool, or, for some agents,
// starts with the name of a configured server.
func serverOf(name string, configured []string) (server, tool string, ok bool) {
	if server, tool, ok = ServerTool(name); ok {
		return server, tool, true
	}
	bare := strings.TrimPrefix(name, "mcp_")
	for _, c := range configured {
		rest, begins := strings.CutPrefix(bare, c)
		if begins && len(rest) > 1 && (rest[0] == '_' || rest[0] == '-' || rest[0] == '.' || rest[0] == '/') && len(c) > len(server) {
			server, tool, ok = c, strings.TrimLeft(rest, "_-./"), true
		}
	}
	return server, tool, ok && tool != ""
}

// readServers fills the servers of a Reading from its rows. A server's tokens are the rows of its own tools, plus its
// share of a row of unnamed tools.
func (s *Session) readServers(out *Reading) {
	list := out.Servers[:0]
	defer func() { out.Servers = list }()
	c := &s.servers
	if c.count(s); len(c.list) == 0 {
		return
	}
	for i := range c.list {
		entry := &c.list[i]
		v := Server{Name: entry.name, Tools: entry.tools, Deferred: entry.deferred, Listed: entry.listed, called: entry.called, NeverCalled: Unknown, Tokens: Unknown}
		if entry.listed {
			v.NeverCalled = max(entry.tools-entry.called, 0)
		}
		for _, label := range entry.labels {
			if int(label) < len(s.conversation.sums.byLabel) {
				v.Calls += s.conversation.sums.byLabel[label].times()
			}
		}
		list = append(list, v)
	}
	s.shareRows(out.Breakdown, list)
	slices.SortStableFunc(list, func(a, b Server) int { return cmp.Compare(b.Tokens, a.Tokens) })
	list = list[:min(len(list), serversShown)]
	for i := range list {
		list[i].Off = s.rule.Commands.serverOff(list[i].Name)
		list[i].Text = list[i].text()
	}
}

// shareRows adds the rows of tools to their servers. A row that names no server is divided among the servers of unknown
// size, by their numbers of tools.
func (s *Session) shareRows(rows []Row, list []Server) {
	unnamed, weights := int64(0), int64(0)
	for i := range rows {
		row := &rows[i]
		if row.Kind != MCPTools || row.Deferred || row.Label.Phrase.ID == phrase.Inside {
			continue
		}
		name, _, ok := ServerTool(row.Label.Name)
		if !ok {
			name = row.Label.Name
		}
		place := slices.IndexFunc(list, func(v Server) bool { return v.Name == name })
		if place < 0 {
			unnamed += row.Tokens
			continue
		}
		v := &list[place]
		v.Tokens, v.Basis = max(v.Tokens, 0)+row.Tokens, v.Basis.with(row.Basis)
	}
	for i := range list {
		if v := &list[i]; v.Tokens == Unknown && (v.Deferred == 0 || v.Deferred < v.Tools) {
			weights += max(v.Tools, 1)
		}
	}
	if unnamed == 0 || weights == 0 {
		return
	}
	for i := range list {
		if v := &list[i]; v.Tokens == Unknown && (v.Deferred == 0 || v.Deferred < v.Tools) {
			v.Tokens, v.Basis = mulDiv(unnamed, max(v.Tools, 1), weights), Estimated
		}
	}
}

// text describes the server in one sentence.
func (v *Server) text() Text {
	var text Text
	switch {
	case v.Listed && v.Tools == 1:
		text = phrase.ToolOf.Text(phrase.Name(v.Name))
	case v.Listed:
		text = phrase.ToolsOf.Text(phrase.Count(v.Tools), phrase.Name(v.Name))
	case v.Tools == 1:
		text = phrase.ToolCalled.Text(phrase.Name(v.Name))
	case v.Tools > 1:
		text = phrase.ToolsCalled.Text(phrase.Name(v.Name), phrase.Count(v.Tools))
	default:
		text = phrase.NotCalled.Text(phrase.Name(v.Name))
	}
	switch {
	case v.NeverCalled > 0 && v.NeverCalled == v.Tools:
		text = phrase.NoneCalled.Text(text.Arg())
	case v.NeverCalled > 0:
		text = phrase.NeverCalled.Text(text.Arg(), phrase.Count(v.NeverCalled))
	}
	switch {
	case v.Tokens > 0 && v.Basis == Estimated:
		text = phrase.InEveryRequest.Text(text.Arg(), phrase.Tokens("~"+Short(v.Tokens)))
	case v.Tokens > 0:
		text = phrase.InEveryRequest.Text(text.Arg(), phrase.Tokens(Short(v.Tokens)))
	case v.Deferred > 0 && v.Deferred >= v.Tools:
		text = phrase.Deferred.Text(text.Arg())
	default:
		text = phrase.SizeUnknown.Text(text.Arg())
	}
	if v.Off != "" {
		text = phrase.SwitchOff.Text(text.Arg(), phrase.Name(v.Off))
	}
	return text
}

// byServer sums the rows of tools by server if there are too many to show each.
func byServer(rows []Row, first int) []Row {
	tools := 0
	for _, row := range rows[first:] {
		if row.Kind == MCPTools {
			tools++
		}
	}
	if tools <= maxParts {
		return rows
	}
	kept := rows[:first]
	for _, row := range rows[first:] {
		if row.Kind == MCPTools {
			if server, _, ok := ServerTool(row.Label.Name); ok {
				row.Label = Named(server)
			}
			place := slices.IndexFunc(kept[first:], func(r Row) bool { return r.Kind == MCPTools && r.Label.Equal(row.Label) })
			if place >= 0 {
				entry := &kept[first+place]
				entry.Tokens, entry.Basis = entry.Tokens+row.Tokens, entry.Basis.with(row.Basis)
				continue
			}
		}
		kept = append(kept, row)
	}
	return kept
}
