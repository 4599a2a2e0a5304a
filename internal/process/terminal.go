// Copyright The ctx-lsp authors. MIT licence.

package process

import "fmt"

// InTerminal returns the agent that the user sees in a terminal: among the processes below root, the nearest one,
// because agents further down were started by an agent. Of several agents at that level it returns the one in the
// foreground; if that is unknown, it returns a Holding without a session and with all their sessions as candidates. It
// returns false if no agent runs there.
func InTerminal(root int, processes []Process, holdings []Holding) (Holding, bool) {
	children := map[int][]int{}
	for i := range processes {
		children[processes[i].Parent] = append(children[processes[i].Parent], processes[i].PID)
	}
	byPID := map[int]*Holding{}
	for i := range holdings {
		byPID[holdings[i].Process.PID] = &holdings[i]
	}
	visited := map[int]bool{}
	for level := []int{root}; len(level) > 0; {
		var here []*Holding
		var next []int
		for _, pid := range level {
			if visited[pid] {
				continue
			}
			visited[pid] = true
			if h := byPID[pid]; h != nil && !h.passesOn(children, byPID) {
				here = append(here, h)
				continue
			}
			next = append(next, children[pid]...)
		}
		if len(here) > 0 {
			return foremost(here), true
		}
		level = next
	}
	return Holding{}, false
}

// passesOn reports whether the process is a script that only starts the agent's actual program.
func (h *Holding) passesOn(children map[int][]int, byPID map[int]*Holding) bool {
	if h.Session != "" || len(h.Candidates) > 0 {
		return false
	}
	for _, pid := range children[h.Process.PID] {
		if child := byPID[pid]; child != nil && child.Process.Agent == h.Process.Agent {
			return true
		}
	}
	return false
}

// foremost returns the agent in the foreground. If that is unknown, the result has no session, and the sessions of all
// agents are its candidates.
func foremost(agents []*Holding) Holding {
	if len(agents) == 1 {
		return *agents[0]
	}
	var front []*Holding
	for _, h := range agents {
		if h.Process.Front {
			front = append(front, h)
		}
	}
	if len(front) == 1 {
		return *front[0]
	}
	all := Holding{Process: agents[0].Process, Reason: fmt.Sprintf("%d agents run in this terminal.", len(agents))}
	for _, h := range agents {
		if h.Session != "" {
			all.Candidates = append(all.Candidates, h.Session)
		}
		all.Candidates = append(all.Candidates, h.Candidates...)
	}
	return all
}

// Above returns the agent that runs a process: the nearest agent among the process and its ancestors. It returns false
// if there is none.
func Above(pid int, processes []Process, holdings []Holding) (Holding, bool) {
	parent := map[int]int{}
	for i := range processes {
		parent[processes[i].PID] = processes[i].Parent
	}
	for steps := 0; pid > 1 && steps < 64; steps++ {
		for _, h := range holdings {
			if h.Process.PID == pid {
				return h, true
			}
		}
		pid = parent[pid]
	}
	return Holding{}, false
}
