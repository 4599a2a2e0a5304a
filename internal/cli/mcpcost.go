// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/mcp"
	"github.com/ctx-lsp/ctx-lsp/internal/terminal"
)

// mcpCost is the cost of a server's tools.
type mcpCost struct {
	Schema string `json:"schema"` // ctx.mcp-cost/1
	Server string `json:"server"`
	Start  string `json:"start"` // the command that was started, or the address that was called
	Model  string `json:"model"`
	Tokens int64  `json:"tokens"`
	Basis  string `json:"basis"`
	// Calls is how often the current session has called the tools; null without a session.
	Calls     *int64        `json:"calls"`
	Tools     []mcpToolCost `json:"tools"`
	SwitchOff string        `json:"switchOff,omitempty"`
}

type mcpToolCost struct {
	Name   string `json:"name"`
	Tokens int64  `json:"tokens"`
	Calls  *int64 `json:"calls"`
}

func mcpCostCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "mcp-cost [SERVER | -- COMMAND [ARGUMENT ...]]",
		Short: "show what the tools of an MCP server cost in every request",
		Example: `  ctx-lsp mcp-cost                      list the configured servers; starts none
  ctx-lsp mcp-cost github               start this server, or connect to its address, and count its tools
  ctx-lsp mcp-cost -- npx -y @modelcontextprotocol/server-everything
                                        the same for a command that is not configured
  ctx-lsp mcp-cost github --json        as JSON, schema ctx.mcp-cost/1
  ctx-lsp mcp-cost github --yes         without a question, also if only this workspace defines the server`,
		Long: `A server is started only if it is named. The command line is printed to standard error before it runs; then the server
lists its tools and is stopped. Agents that load tools on demand send less than this. If only a file of the workspace
defines the server, its command or address is shown first, and nothing is started or called without your consent.`,
	}
	fs := c.Flags()
	agentID := fs.String("agent", "", "use this agent's server, by the agent's `ID`, if several agents have one of that name")
	model := fs.String("model", "claude-sonnet-5", "count for this `MODEL`")
	patience := fs.Duration("timeout", 20*time.Second, "stop waiting for the server after this `TIME`, at most 10m")
	yes := fs.Bool("yes", false, "start or call a server that only the workspace defines without asking")
	asJSON := jsonFlag(fs, "print JSON")
	colorFlag(fs)
	c.RunE = does(func(ctx context.Context, args []string) int {
		var ad []string
		if at := fs.ArgsLenAtDash(); at >= 0 {
			args, ad = args[:at], args[at:]
		}
		var err error
		switch {
		case len(args) > 1 || len(args) == 1 && len(ad) > 0:
			err = errors.New("expected one server, or a command after --")
		case *patience <= 0 || *patience > 10*time.Minute:
			err = errors.New("--timeout must be at most 10m")
		}
		if err != nil {
			return env.usageError("mcp-cost", err)
		}
		servers, unread := agents.MCPServers(env.host(), env.workspace())
		for _, path := range unread {
			env.errorf("%s was not read completely: it is not plain JSON, it is too large, or one of its entries is not a server", path)
		}
		if len(args) == 0 && len(ad) == 0 {
			return env.listServers(servers, *asJSON)
		}
		server := agents.MCPServer{Dir: env.Dir}
		if len(ad) > 0 {
			server.Name, server.Command, server.Args = ad[0], ad[0], ad[1:]
		} else if server, err = chooseServer(servers, args[0], *agentID); err != nil {
			return env.fail(err)
		}
		if server.FromWorkspace && !*yes {
			if code := env.agreed(&server); code != exitOK {
				return code
			}
		}
		cost, err := env.costOf(ctx, &server, *model, *patience)
		if err != nil {
			return env.fail(fmt.Errorf("the MCP server %q: %w", server.Name, err))
		}
		if *asJSON {
			return env.printJSON(cost)
		}
		env.printCost(cost)
		return exitOK
	})
	return c
}

// workspace returns the root of the repository that contains the working directory, otherwise that directory.
func (env *environment) workspace() string {
	if root := repository(env.Dir); root != "" {
		return root
	}
	return env.Dir
}

func (env *environment) listServers(servers []agents.MCPServer, asJSON bool) int {
	type entry struct {
		Name  string `json:"name"`
		Agent string `json:"agent"`
		File  string `json:"file"`
		Start string `json:"start"`
	}
	list := struct {
		Schema  string  `json:"schema"`
		Servers []entry `json:"servers"`
	}{"ctx.mcp-servers/1", []entry{}}
	for i := range servers {
		s := &servers[i]
		list.Servers = append(list.Servers, entry{s.Name, s.Agent, s.File, s.Start()})
	}
	if asJSON {
		return env.printJSON(list)
	}
	for _, s := range list.Servers {
		fmt.Fprintf(env.Stdout, "%s\n  %s, %s\n  %s\n", terminal.Name(s.Name), s.Agent, terminal.Name(s.File), terminal.Name(s.Start))
	}
	if len(list.Servers) == 0 {
		fmt.Fprintln(env.Stdout, "No agent has an MCP server configured here: neither the agents' own settings nor this workspace's name one. ctx-lsp status shows the servers of a session, which may come from an account, a plugin or another workspace.")
	}
	return exitOK
}

func chooseServer(servers []agents.MCPServer, name, of string) (agents.MCPServer, error) {
	var named []agents.MCPServer
	var names []string
	for _, s := range servers {
		names = append(names, s.Name)
		if s.Name == name && (of == "" || s.Agent == of) {
			named = append(named, s)
		}
	}
	// The user's own definition comes first, because only the user can have chosen its command and variables.
	slices.SortStableFunc(named, func(a, b agents.MCPServer) int {
		switch {
		case a.FromWorkspace == b.FromWorkspace:
			return 0
		case b.FromWorkspace:
			return -1
		}
		return 1
	})
	switch {
	case len(named) == 0:
		return agents.MCPServer{}, fmt.Errorf("no agent has an MCP server called %q configured here%s", name, cmp.Or(suggestion(name, names), "; ctx-lsp mcp-cost lists the configured servers"))
	case len(named) > 1 && of == "":
		for _, s := range named[1:] {
			if s.Start() != named[0].Start() {
				return agents.MCPServer{}, fmt.Errorf("%s and %s have different servers called %q; choose one with --agent", named[0].Agent, s.Agent, name)
			}
		}
	}
	return named[0], nil
}

// agreed shows a server that only the workspace defines, and prompts for consent to start or call it. The result is an
// exit code: exitOK if the user agrees.
func (env *environment) agreed(s *agents.MCPServer) int {
	does, verb := "would be started", "Start it"
	if s.URL != "" {
		does, verb = "would be called", "Call it"
	}
	env.errorf("only %s defines the MCP server %q; it %s as:", s.File, s.Name, does)
	fmt.Fprintf(env.Stderr, "  %s\n", terminal.Name(s.Start()))
	if taken := s.Takes(); len(taken) > 0 {
		fmt.Fprintf(env.Stderr, "  with the values of these environment variables: %s\n", terminal.Name(strings.Join(taken, ", ")))
	}
	if !env.StdinTerminal {
		return env.usageError("mcp-cost", errors.New("standard input is not a terminal, so this cannot be confirmed; use --yes to accept it"))
	}
	if !env.confirmed(verb + "? [y/N] ") {
		env.errorf("nothing was started or called")
		return exitError
	}
	return exitOK
}

// costOf lists a server's tools and counts each of them.
func (env *environment) costOf(ctx context.Context, s *agents.MCPServer, model string, patience time.Duration) (*mcpCost, error) {
	verb := "starting"
	if s.URL != "" {
		verb = "calling"
	}
	fmt.Fprintf(env.Stderr, "ctx-lsp: %s %s\n", verb, terminal.Name(s.Start()))
	tools, err := mcp.Tools(ctx, s, currentVersion().Version, patience)
	if err != nil {
		return nil, err
	}
	e, err := nativeEngine(env, 1)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	cost := &mcpCost{Schema: "ctx.mcp-cost/1", Server: s.Name, Start: s.Start(), Model: model, Basis: "counted", Tools: []mcpToolCost{}}
	called := env.callsOf(ctx, e, s.Name)
	for i := range tools {
		t := &tools[i]
		n, basis, err := countText(ctx, e, t.Text(), model)
		if err != nil {
			return nil, err
		}
		if basis != "counted" {
			cost.Basis = basis
		}
		at := mcpToolCost{Name: t.Name, Tokens: n}
		if called != nil {
			calls := called[t.Name]
			at.Calls = &calls
			if cost.Calls == nil {
				cost.Calls = new(int64)
			}
			*cost.Calls += calls
		}
		cost.Tokens += n
		cost.Tools = append(cost.Tools, at)
	}
	slices.SortStableFunc(cost.Tools, func(a, b mcpToolCost) int { return cmp.Compare(b.Tokens, a.Tokens) })
	if entry, ok := agent.Find(s.Agent); ok {
		cost.SwitchOff = core.ServerOff(entry.MCPOff, s.Name)
	}
	return cost, nil
}

// countText counts one text for a model.
func countText(ctx context.Context, e engine.Engine, text, model string) (int64, string, error) {
	one := api.Body(text)
	counted, err := client.Call(e.Call).Count(ctx, &api.CountParams{Text: &one, Model: model}).Read()
	if err != nil {
		return 0, "", err
	}
	return counted.Tokens, string(counted.Basis), nil
}

// callsOf returns how often the current session has called each tool of the server; nil without a session.
func (env *environment) callsOf(ctx context.Context, e engine.Engine, server string) map[string]int64 {
	s, _, err := chooseSession(ctx, env, "")
	if err != nil {
		return nil
	}
	reading, err := readSession(ctx, env, e, s, nil)
	if err != nil {
		return nil
	}
	r, err := terminal.Parse(reading)
	if err != nil {
		return nil
	}
	most := int64(1000)
	items, err := client.Call(e.Call).Items(ctx, &api.ItemsParams{ID: r.Session, Top: &most}).Read()
	if err != nil {
		return nil
	}
	calls := map[string]int64{}
	for _, item := range items.Items {
		if tool, ok := strings.CutPrefix(item.Label.Text, "mcp:"+server+" "); ok && item.What == "mcp" {
			calls[tool] += item.Times
		}
	}
	return calls
}

func (env *environment) printCost(c *mcpCost) {
	mark := ""
	if c.Basis != "counted" {
		mark = "~"
	}
	never := 0
	for _, t := range c.Tools {
		if t.Calls != nil && *t.Calls == 0 {
			never++
		}
	}
	text := fmt.Sprintf("%d tools of %s", len(c.Tools), terminal.Name(c.Server))
	if c.Calls != nil && never > 0 {
		text += fmt.Sprintf(", %d never called in the current session", never)
	}
	fmt.Fprintf(env.Stdout, "%s: %s%s tokens in every request, counted for %s\n", text, mark, terminal.Digits(c.Tokens), terminal.Name(c.Model))
	for _, t := range c.Tools {
		calls := ""
		if t.Calls != nil && *t.Calls > 0 {
			calls = fmt.Sprintf("  called %d×", *t.Calls)
		}
		fmt.Fprintf(env.Stdout, "  %8s  %s%s\n", mark+terminal.Digits(t.Tokens), terminal.Name(t.Name), calls)
	}
	if c.SwitchOff != "" {
		fmt.Fprintf(env.Stdout, "To turn it off: %s\n", terminal.Name(c.SwitchOff))
	}
}
