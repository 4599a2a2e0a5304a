// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	ownjson "github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// maxConfiguration bounds a file of settings; a longer file is not read.
const maxConfiguration = 16 << 20

// An MCPServer is an MCP server as an agent's configuration describes it.
type MCPServer struct {
	Name  string
	Agent string // the agent whose configuration names the server
	File  string // the file of that configuration
	Off   bool   // it is configured, and switched off
	// FromWorkspace is set if File belongs to the workspace, so that its author may have chosen the program to start.
	FromWorkspace bool

	Command string
	Args    []string
	Env     map[string]string // may hold secrets: never printed
	Dir     string

	URL     string
	Headers map[string]string // may hold secrets: never printed

	// The command and the address as the configuration has them, with variables not yet replaced.
	shown        []string
	shownAddress string
	variables    []string // these have their values in the address and its headers
}

// Start returns the command or address for display. Variables keep their names, because their values may be secret, and
// an address has neither user nor query.
func (s *MCPServer) Start() string {
	if s.URL != "" {
		return address(cmp.Or(s.shownAddress, s.URL))
	}
	if s.shown != nil {
		return strings.Join(s.shown, " ")
	}
	return strings.Join(append([]string{s.Command}, s.Args...), " ")
}

// address returns an address without its user, query and fragment. It may contain variables, which url.Parse refuses.
func address(text string) string {
	if end := strings.IndexAny(text, "?#"); end >= 0 {
		text = text[:end]
	}
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	host, path, slash := strings.Cut(rest, "/")
	if slash {
		path = "/" + path
	}
	return scheme + "://" + host[strings.LastIndexByte(host, '@')+1:] + path
}

// Variable reports whether the address contains variables, whose values an error of the network would repeat.
func (s *MCPServer) Variable() bool { return strings.Contains(s.shownAddress, "{") }

// Takes lists the environment variables whose values an address gets in its URL and its headers.
func (s *MCPServer) Takes() []string { return s.variables }

// A configuration is a server in the words of any agent.
type configuration struct {
	Command     words             `json:"command"`
	Args        []string          `json:"args"`
	Env         map[string]string `json:"env"`
	Environment map[string]string `json:"environment"`
	Cwd         string            `json:"cwd"`
	URL         string            `json:"url"`
	HTTPURL     string            `json:"httpUrl"`
	Headers     map[string]string `json:"headers"`
	Disabled    bool              `json:"disabled"`
	Enabled     *bool             `json:"enabled"`
}

// words are a command, or a command and its arguments.
type words []string

func (w *words) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*w = words{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(w))
}

// MCPServers lists by name the servers that agents are configured with for a workspace. Files that cannot be read are
// returned in unread. Files of agents that the environment does not allow are not opened.
func MCPServers(e dirs.Environment, workspace string) (servers []MCPServer, unread []string) {
	home, getenv := e.Home, e.Getenv
	for _, a := range All() {
		if !e.Allows(a.ID) {
			continue
		}
		of, failed := configuredFor(a, home, workspace, getenv)
		servers, unread = append(servers, of...), append(unread, failed...)
	}
	slices.SortFunc(servers, func(a, b MCPServer) int {
		if order := strings.Compare(a.Name, b.Name); order != 0 {
			return order
		}
		return strings.Compare(a.Agent+a.File, b.Agent+b.File)
	})
	return servers, unread
}

// configuredFor lists the servers that one agent is configured with.
func configuredFor(a *Agent, home, workspace string, getenv func(string) string) (servers []MCPServer, unread []string) {
	var off []string // switched off in this workspace
	for _, at := range a.MCPFiles {
		base, rest := home, at.Path[2:]
		if at.Path[0] == '.' {
			base = workspace
		}
		if base == "" {
			continue
		}
		path := filepath.Join(base, filepath.FromSlash(rest))
		open := func() (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) }
		if at.Path[0] == '.' { // a file of the workspace, which may be third-party
			open = func() (*os.File, error) { return safefile.Open(base, rest) }
		}
		members, err := readMembers(open)
		if err != nil {
			if !os.IsNotExist(err) {
				unread = append(unread, path)
			}
			continue
		}
		found := map[string]configuration{}
		ok := addServers(members[at.Member], at.Nested, found)
		if at.Projects {
			var projects map[string]struct {
				Servers json.RawMessage `json:"mcpServers"`
				Off     []string        `json:"disabledMcpServers"`
				FileOff []string        `json:"disabledMcpjsonServers"`
			}
			if json.Unmarshal(members["projects"], &projects) == nil {
				ok = addServers(projects[workspace].Servers, false, found) && ok
				off = append(projects[workspace].Off, projects[workspace].FileOff...)
			}
		}
		if !ok {
			unread = append(unread, path)
		}
		for name, c := range found {
			if s, ok := c.server(name, workspace, getenv); ok {
				s.Agent, s.File, s.FromWorkspace = a.ID, path, at.Path[0] == '.'
				s.Off = c.Disabled || c.Enabled != nil && !*c.Enabled || slices.Contains(off, name)
				servers = append(servers, s)
			}
		}
	}
	return servers, unread
}

func readMembers(open func() (*os.File, error)) (map[string]json.RawMessage, error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxConfiguration {
		return nil, os.ErrInvalid
	}
	text, err := io.ReadAll(io.LimitReader(f, maxConfiguration))
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	if !json.Valid(text) { // settings may contain comments
		text = ownjson.WithoutComments(text)
	}
	err = json.Unmarshal(text, &members)
	return members, err
}

// addServers adds the servers of a member to into. It returns false if there is a member that cannot be read. If nested
// is set, a member "servers" in it may contain servers, too, unless it describes one server of this name.
func addServers(member json.RawMessage, nested bool, into map[string]configuration) bool {
	if member == nil {
		return true
	}
	var each map[string]json.RawMessage
	if json.Unmarshal(member, &each) != nil {
		return false
	}
	whole := true
	for name, text := range each {
		if nested && name == "servers" && json.Unmarshal(text, &map[string]map[string]any{}) == nil {
			whole = addServers(text, false, into) && whole
			continue
		}
		var c configuration
		if json.Unmarshal(text, &c) != nil {
			whole = false
			continue
		}
		into[name] = c
	}
	return whole
}

// server returns the server that a configuration describes; ok is false if it has neither a command nor an address.
func (c *configuration) server(name, workspace string, getenv func(string) string) (s MCPServer, ok bool) {
	s = MCPServer{Name: name, Args: c.Args, Dir: c.Cwd, URL: c.URL, Env: map[string]string{}, Headers: map[string]string{}}
	if c.HTTPURL != "" {
		s.URL = c.HTTPURL
	}
	if len(c.Command) > 0 {
		s.Command, s.Args = c.Command[0], append(slices.Clone(c.Command[1:]), c.Args...)
	}
	if s.Dir == "" || !filepath.IsAbs(s.Dir) {
		s.Dir = filepath.Join(workspace, s.Dir)
	}
	s.shown, s.shownAddress = append([]string{s.Command}, s.Args...), s.URL
	expand := func(text string) string { return expanded(text, workspace, getenv) }
	if s.URL != "" {
		noting := func(name string) string {
			value := getenv(name)
			if value != "" && !slices.Contains(s.variables, name) {
				s.variables = append(s.variables, name)
			}
			return value
		}
		for _, text := range append(slices.Collect(maps.Values(c.Headers)), s.URL) {
			expanded(text, workspace, noting)
		}
		slices.Sort(s.variables)
	}
	s.Command, s.URL = expand(s.Command), expand(s.URL)
	s.Args = slices.Clone(s.Args)
	for i := range s.Args {
		s.Args[i] = expand(s.Args[i])
	}
	for _, from := range []map[string]string{c.Env, c.Environment} {
		for name, value := range from {
			s.Env[name] = expand(value)
		}
	}
	for name, value := range c.Headers {
		s.Headers[name] = expand(value)
	}
	return s, s.Command != "" || strings.HasPrefix(s.URL, "http://") || strings.HasPrefix(s.URL, "https://")
}

// expanded replaces variables by their values: ${NAME}, ${NAME:-else}, ${env:NAME}, {env:NAME} and ${workspaceFolder}.
func expanded(text, workspace string, getenv func(string) string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !ok || !closed {
			return out.String() + text
		}
		before, dollar := strings.CutSuffix(before, "$")
		bare, env := strings.CutPrefix(name, "env:")
		bare, otherwise, _ := strings.Cut(bare, ":-")
		out.WriteString(before)
		switch {
		case !dollar && !env:
			out.WriteString("{" + name + "}")
		case bare == "workspaceFolder":
			out.WriteString(workspace)
		case getenv(bare) != "":
			out.WriteString(getenv(bare))
		default:
			out.WriteString(otherwise)
		}
		text = after
	}
}
