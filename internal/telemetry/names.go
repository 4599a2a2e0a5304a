// Copyright The ctx-lsp authors. MIT licence.

package telemetry

import (
	"regexp"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/core/model"
)

// Limits for the number of distinct names. Each series costs those who store it, and models are named in transcripts,
// which may come from anyone.
const (
	maxAgents   = 48
	maxSeries   = 96 // pairs of an agent and a model
	maxProjects = 100
)

// other replaces names beyond the limits.
const other = "other"

// names limits the agents and models that are distinguished: the first ones seen.
type names struct {
	agents map[string]bool
	series map[[2]string]bool
}

func newNames() names { return names{map[string]bool{}, map[[2]string]bool{}} }

// harmless matches a name that cannot be a path: it begins with a letter or a digit and has at most one slash. It is
// compiled on first use, because it would add half a millisecond to the start of every command.
var harmless = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,63}(/[A-Za-z0-9][A-Za-z0-9._:@+-]{0,63})?$`)
})

// drive matches the start of a Windows path.
var drive = regexp.MustCompile(`^[A-Za-z]:`)

func clean(name string) string {
	if harmless().MatchString(name) && !drive.MatchString(name) {
		return name
	}
	return other
}

// forSession returns the names to measure a session under. A known model gets its maker's name; a name that may be a
// path becomes other.
func (n names) forSession(agent, used string) (string, string) {
	agent = clean(agent)
	if m, ok := model.Find(used, "", ""); ok {
		used = m.ID
	} else {
		used = clean(used)
	}
	if !n.agents[agent] {
		if len(n.agents) >= maxAgents {
			agent = other
		} else {
			n.agents[agent] = true
		}
	}
	pair := [2]string{agent, used}
	if !n.series[pair] && used != other {
		if len(n.series) >= maxSeries {
			return agent, other
		}
		n.series[pair] = true
	}
	return agent, used
}
