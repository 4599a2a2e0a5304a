// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// The agents whose files may be read are those that the user has chosen and the administrator allows. Files of other
// agents are not opened. A choice that cannot be read allows no agent, because reading too much cannot be undone.

// Words for all agents and for none in a list.
const (
	allAgents = "all"
	noAgents  = "none"
)

// allowedAgents describes which agents may be read.
type allowedAgents struct {
	user, administrator agentChoice
	flag                string // the value of --agents that this was made for
	problems            []string
}

// An agentChoice is a list of agents, and its source.
type agentChoice struct {
	all    bool
	ids    []string
	source string // a flag, a variable or a file; "" for the default
}

func (c agentChoice) has(id string) bool { return c.all || slices.Contains(c.ids, id) }

func (a *allowedAgents) has(id string) bool { return a.user.has(id) && a.administrator.has(id) }

// refusedBy returns the source of the choice that excludes an agent, or "" if it is allowed.
func (a *allowedAgents) refusedBy(id string) string {
	switch {
	case !a.administrator.has(id):
		return a.administrator.source
	case !a.user.has(id):
		return a.user.source
	}
	return ""
}

// allowed returns which agents may be read. The result is cached for the process.
func (env *environment) allowed() *allowedAgents {
	if env.mayRead != nil && env.mayRead.flag == env.agents {
		return env.mayRead
	}
	a := &allowedAgents{user: agentChoice{all: true}, administrator: agentChoice{all: true}, flag: env.agents}
	env.mayRead = a
	a.readPolicy(policyFile())
	s := env.settings()
	switch variable := env.Getenv("CTX_AGENTS"); {
	case env.agents != "":
		a.user = a.choose("--agents", strings.Split(env.agents, ","))
	case variable != "":
		a.user = a.choose("CTX_AGENTS", strings.Split(variable, ","))
	case s.broken, s.wrong["agents"]:
		a.user = agentChoice{source: s.path}
		a.problems = append(a.problems, s.path+" cannot be read completely, so no agent is read until it is corrected")
	case s.values["agents"] != nil:
		a.user = a.choose(s.path, s.values["agents"])
	}
	return a
}

// choose reads a list of ids. It reports unknown ones and leaves them out.
func (a *allowedAgents) choose(source string, ids []string) agentChoice {
	c := agentChoice{source: source}
	for _, id := range ids {
		switch id = strings.TrimSpace(id); {
		case id == allAgents:
			c.all = true
		case id == "", id == noAgents:
		case agents.ByID(id) == nil:
			a.problems = append(a.problems, fmt.Sprintf("%s contains an unknown agent %q%s", source, id, suggestion(id, agentIDs())))
		default:
			c.ids = append(c.ids, id)
		}
	}
	return c
}

func agentIDs() []string {
	var ids []string
	for _, a := range agents.All() {
		ids = append(ids, a.ID)
	}
	return ids
}

// readPolicy reads the administrator's file, {"agents": "all"} or {"agents": ["claude-code"]}. Without the file every
// agent is allowed.
func (a *allowedAgents) readPolicy(path string) {
	if path == "" {
		return
	}
	text, err := readSmall(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var policy struct {
		Agents json.RawMessage `json:"agents"`
	}
	if err == nil {
		err = json.Unmarshal(text, &policy)
	}
	var ids []string
	switch one := ""; {
	case err != nil:
	case policy.Agents == nil:
		return
	case json.Unmarshal(policy.Agents, &one) == nil && one != "":
		ids = []string{one}
	default:
		err = json.Unmarshal(policy.Agents, &ids)
	}
	if err != nil {
		a.administrator = agentChoice{source: path}
		a.problems = append(a.problems, fmt.Sprintf("%s cannot be read, so no agent is read: %s", path, plainError(err)))
		return
	}
	a.administrator = a.choose(path, ids)
}

// readSmall reads a regular file of at most [safefile.MaxSmall] bytes.
func readSmall(path string) ([]byte, error) {
	f, err := safefile.File(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, ok := safefile.SmallText(f)
	if !ok {
		return nil, fmt.Errorf("%s is too large", path)
	}
	return text, nil
}

// refuses returns an error if a file named by the user belongs to an agent that may not be read. It does not open the
// file.
func (env *environment) refuses(path string) error {
	a := env.allowed()
	if a.user.all && a.administrator.all {
		return nil
	}
	path = dirs.Comparable(path)
	host := env.host()
	for _, each := range agents.All() {
		home, _ := each.Home.In(host)
		if home == "" || home == host.Home || a.has(each.ID) {
			continue
		}
		for _, name := range dirs.PathNames(home) {
			if path == name || strings.HasPrefix(path, name+"/") {
				return env.refusal(each.ID)
			}
		}
	}
	return nil
}

// errNotAllowed is the error for agents that are not read.
var errNotAllowed = errors.New("this agent's sessions are not read")

// refusal returns the error for an agent that may not be read, or nil.
func (env *environment) refusal(id string) error {
	source := env.allowed().refusedBy(id)
	if source == "" {
		return nil
	}
	return fmt.Errorf("%w: %s excludes %s", errNotAllowed, source, agentName(id))
}

// notRead lists the agents that may not be read, by name.
func (a *allowedAgents) notRead() (names []string) {
	for _, each := range agents.All() {
		if !a.has(each.ID) {
			names = append(names, agentName(each.ID))
		}
	}
	return names
}

// sources lists what restricts the agents.
func (a *allowedAgents) sources() (sources []string) {
	for _, c := range []agentChoice{a.administrator, a.user} {
		if !c.all {
			sources = append(sources, c.source)
		}
	}
	return sources
}

// administratorsFile is the name of the administrator's file below the system's directory for settings.
var administratorsFile = filepath.Join("ctx-lsp", "policy.json")

// policyFile returns the path of the administrator's file. No variable changes it. Tests replace it.
var policyFile = func() string {
	dir := systemSettings()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, administratorsFile)
}
