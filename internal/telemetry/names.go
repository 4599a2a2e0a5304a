// Copyright The ctx-lsp authors. MIT licence.

package telemetry

import (
	"regexp"
	"sync"

	"github.com/ctx-lsp/ctx-lsp/core/model"
)

// Bounds of what is told apart. Each series costs whoever stores it, and models are named in transcripts, which anybody
// may have written.
const (
	maxAgents   = 48
	maxSeries   = 96 // pairs of an agent and a model
	maxProjects = 100
)

// other stands for names that are not told apart.
const other = "other"

// names bounds which agents and models are told apart: the first that come.
type names struct {
	agents map[string]bool
	series map[[2]string]bool
}

func newNames() names { return names{map[string]bool{}, map[[2]string]bool{}} }

// harmless is a name that cannot be a path: it begins with a letter or a digit and has one slash at most. It is
// compiled when it is needed, because it would take half a millisecond of the start of every command.
var harmless = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,63}(/[A-Za-z0-9][A-Za-z0-9._:@+-]{0,63})?$`)
})

// drive is how a path of Windows begins.
var drive = regexp.MustCompile(`^[A-Za-z]:`)

func clean(name string) string {
	if harmless().MatchString(name) && !drive.MatchString(name) {
		return name
	}
	return other
}

// of returns the names under which a session is measured. A model that is known is called as its maker does; a name
// that may be a path is not told.
func (n names) of(agent, used string) (string, string) {
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
