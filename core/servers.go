// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"cmp"
	"slices"
	"strings"
)

// Server is an MCP server: what its tools take in every request, as far as
// that is known, and how often they are called.
type Server struct {
	Name string
	// Tools are how many are known by name, and Listed says whether these are
	// all: else only those are known that were called. Of them Deferred are
	// listed by name, and loaded when they are asked for.
	Tools, Deferred int64
	Listed          bool
	// NeverCalled is Unknown where not all tools are known.
	NeverCalled int64
	// Calls are those that are still in the conversation.
	Calls int64
	// Tokens are in every request; Unknown where nothing tells.
	Tokens int64
	Basis  Basis
	// Off is what switches it off, "" where that is not known, and Text all of
	// this in a sentence.
	Off, Text string
}

// serversShown bounds the servers of a Reading.
const serversShown = 32

type (
	// ServersConfigured names the MCP servers that the agent is configured
	// with, all of them.
	ServersConfigured struct{ Names []string }

	// ToolsListed names tools that are listed and not loaded from now on, and
	// those that no longer are.
	ToolsListed struct{ Come, Gone []string }
)

func (ServersConfigured) event() {}
func (ToolsListed) event()       {}

// servers is what is known of the MCP servers without a look at the rows. It
// is counted anew when names have come.
type servers struct {
	counted bool
	labels  int // how many names of the conversation are counted
	list    []knownServer
}

type knownServer struct {
	name                    string
	tools, deferred, called int64
	listed                  bool
	labels                  []uint16 // of its tools that were called
}

// The names without a size stand among the parts of the prefix: servers that
// the agent is configured with as told by files, tools that are listed as of a
// table, and those that were called before the conversation was begun anew as
// of an earlier one.

// nameServers keeps names without a size.
func (s *Session) nameServers(source PrefixSource, names []string) {
	room := prefixToolsKept
	for i := range s.prefix.parts {
		if part := &s.prefix.parts[i]; part.kind == MCPTools && part.source == source {
			room--
		}
	}
	for _, name := range names {
		if name = oneLine(name, maxPartLabel); name != "" && room > 0 {
			s.prefix.parts = append(s.prefix.parts, prefixPart{label: name, kind: MCPTools, source: source, basis: Counted})
			room--
		}
	}
	s.servers.counted = false
}

// keepCalled remembers which tools of servers were called, before the names of
// the conversation are forgotten.
func (s *Session) keepCalled() {
	var names []string
	kept := map[string]bool{}
	for i := range s.prefix.parts {
		if part := &s.prefix.parts[i]; part.source == FromEarlier && part.tokens == 0 {
			kept[part.label] = true
		}
	}
	for i := range s.conversation.labels.list {
		at := &s.conversation.labels.list[i]
		if at.what != OfServer {
			continue
		}
		name := "mcp__" + at.tool + "__" + at.subject
		if !kept[name] {
			names = append(names, name)
		}
	}
	s.nameServers(FromEarlier, names)
}

func (s *Session) applyServersConfigured(e ServersConfigured) {
	s.prefix.forget(MCPTools, FromFiles, false)
	s.nameServers(FromFiles, e.Names[:min(len(e.Names), 2*serversShown)])
}

// applyToolsListed takes in what a listing adds and takes away. The names of
// tools that are built in are none of a server's.
func (s *Session) applyToolsListed(e ToolsListed) {
	told := map[string]bool{}
	for _, name := range e.Gone {
		told[name] = true
	}
	var come []string
	for _, name := range e.Come {
		if _, _, ok := ServerTool(name); ok {
			told[name] = true
			come = append(come, name)
		}
	}
	kept := s.prefix.parts[:0]
	for _, part := range s.prefix.parts {
		if part.kind != MCPTools || part.source != FromTable || !told[part.label] {
			kept = append(kept, part)
		}
	}
	s.prefix.parts = kept
	s.nameServers(FromTable, come)
}

// count looks for servers in all that has a name.
func (c *servers) count(s *Session) {
	labels := s.conversation.labels.list
	if c.counted && c.labels == len(labels) {
		return
	}
	*c = servers{counted: true, labels: len(labels), list: c.list[:0]}
	var configured []string
	for i := range s.prefix.parts {
		if part := &s.prefix.parts[i]; part.kind == MCPTools && part.source == FromFiles && part.tokens == 0 {
			configured = append(configured, part.label)
			c.at(part.label)
		}
	}
	known := map[uint64]bool{}
	add := func(name string, deferred bool) {
		server, tool, ok := serverOf(name, configured)
		if !ok {
			return
		}
		at := c.at(server)
		if key := hash(server + "\x00" + tool); at != nil && !known[key] {
			known[key], at.listed = true, true
			at.tools++
			if deferred {
				at.deferred++
			}
		}
	}
	for source := prefixSources; source > 0; source-- { // what is loaded before what is only listed
		for i := range s.prefix.parts {
			if part := &s.prefix.parts[i]; part.kind == MCPTools && part.source == source-1 && (part.tokens > 0 || part.source != FromEarlier) {
				add(part.label, part.tokens == 0)
			}
		}
	}
	for i := range s.fixed.parts[MCPTools] {
		part := &s.fixed.parts[MCPTools][i]
		add(part.label, part.deferred)
	}
	was := map[uint64]bool{} // called, and counted so
	call := func(server, tool string) *knownServer {
		at, key := c.at(server), hash(server+"\x00"+tool)
		if at != nil && !was[key] {
			was[key] = true
			at.called++
			if !known[key] {
				at.tools++ // of those that nothing lists
			}
		}
		return at
	}
	for i := range s.prefix.parts {
		if part := &s.prefix.parts[i]; part.kind == MCPTools && part.source == FromEarlier && part.tokens == 0 {
			if server, tool, ok := ServerTool(part.label); ok {
				call(server, tool)
			}
		}
	}
	for i := range labels {
		server, tool, ok := labels[i].tool, labels[i].subject, labels[i].what == OfServer
		if labels[i].what == OfTool {
			server, tool, ok = serverOf(labels[i].tool, configured)
		}
		if !ok {
			continue
		}
		if at := call(server, tool); at != nil {
			at.labels = append(at.labels, uint16(i+1))
		}
	}
}

// at is a server by its name, a new one if it was not known; nil where there
// are too many.
func (c *servers) at(name string) *knownServer {
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

// serverOf takes the name of a tool apart: mcp__server__tool, or as some
// agents write it a name that begins with that of a server they have.
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

// readServers says of each server what its tools take, by the rows of a
// Reading: those of its own tools, and its part of what is known to be of
// tools that nobody records.
func (s *Session) readServers(out *Reading) {
	list := out.Servers[:0]
	defer func() { out.Servers = list }()
	c := &s.servers
	if c.count(s); len(c.list) == 0 {
		return
	}
	for i := range c.list {
		at := &c.list[i]
		v := Server{Name: at.name, Tools: at.tools, Deferred: at.deferred, Listed: at.listed, NeverCalled: Unknown, Tokens: Unknown}
		if at.listed {
			v.NeverCalled = max(at.tools-at.called, 0)
		}
		for _, label := range at.labels {
			if int(label) < len(s.conversation.sums.of) {
				v.Calls += s.conversation.sums.of[label].times()
			}
		}
		list = append(list, v)
	}
	s.shareRows(out.Breakdown, list)
	slices.SortStableFunc(list, func(a, b Server) int { return cmp.Compare(b.Tokens, a.Tokens) })
	list = list[:min(len(list), serversShown)]
	for i := range list {
		if s.rule.ServerOff != "" {
			list[i].Off = strings.ReplaceAll(s.rule.ServerOff, "NAME", list[i].Name)
		}
		list[i].Text = list[i].text()
	}
}

// shareRows gives each server the rows of its tools. What no tool's name
// explains is shared out among the servers of whose tools no size is known, by
// how many are known.
func (s *Session) shareRows(rows []Row, list []Server) {
	unnamed, weights := int64(0), int64(0)
	for i := range rows {
		row := &rows[i]
		if row.Kind != MCPTools || row.Deferred || row.Label == rowLabels[MCPTools]+insideTheConversation {
			continue
		}
		name, _, ok := ServerTool(row.Label)
		if !ok {
			name = row.Label
		}
		at := slices.IndexFunc(list, func(v Server) bool { return v.Name == name })
		if at < 0 {
			unnamed += row.Tokens
			continue
		}
		v := &list[at]
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

// text is all that is known of a server in a sentence.
func (v *Server) text() string {
	text := v.Name
	switch {
	case v.Listed && v.Tools == 1:
		text = "1 tool of " + v.Name
	case v.Listed:
		text = itoa(v.Tools) + " tools of " + v.Name
	case v.Tools == 1:
		text += ", 1 tool called"
	case v.Tools > 1:
		text += ", " + itoa(v.Tools) + " tools called"
	default:
		text += ", configured and not called"
	}
	switch {
	case v.NeverCalled > 0 && v.NeverCalled == v.Tools:
		text += ", none called"
	case v.NeverCalled > 0:
		text += ", " + itoa(v.NeverCalled) + " never called"
	}
	switch {
	case v.Tokens > 0:
		text += ", "
		if v.Basis == Estimated {
			text += "~"
		}
		text += Short(v.Tokens) + " in every request"
	case v.Deferred > 0 && v.Deferred >= v.Tools:
		text += ", loaded when asked for"
	default:
		text += ", their size is not known"
	}
	if v.Off != "" {
		text += ", switch off with " + v.Off
	}
	return text
}

// byServer puts the rows of tools together by server where they are too many
// to be shown each.
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
			if server, _, ok := ServerTool(row.Label); ok {
				row.Label = server
			}
			at := slices.IndexFunc(kept[first:], func(r Row) bool { return r.Kind == MCPTools && r.Label == row.Label })
			if at >= 0 {
				of := &kept[first+at]
				of.Tokens, of.Basis = of.Tokens+row.Tokens, of.Basis.with(row.Basis)
				continue
			}
		}
		kept = append(kept, row)
	}
	return kept
}
