// Copyright The ctx-lsp authors. MIT licence.

package process

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A Session is the part of a session needed to find its process. Sub-agents are left out, because their parent's
// process runs them.
type Session struct {
	ID, Agent   string
	Path        string    // the transcript file
	Dir         string    // the directory that it was started in
	Begun, Last time.Time // the times of its first and newest record; zero if unknown
	// Cleared is set if the transcript begins with the /clear that ended another session in the same process.
	Cleared bool
}

// A Proof is the reason why a process is known to run a session.
type Proof string

// The proofs, the strongest first.
const (
	BySessionFile Proof = "sessionFile" // the agent's own file about its process
	ByOpenFile    Proof = "openFile"    // the process has the transcript open
	ByCommand     Proof = "command"     // the session's id is on the process's command line
	ByStart       Proof = "start"       // no other session started in the directory since the only such process did
)

// A Holding is an agent's process and the session that it runs.
type Holding struct {
	Process Process
	Session string // "" if it is unknown or does not exist yet
	Proof   Proof
	// Candidates are the possible sessions if the session is uncertain, the likeliest first.
	Candidates []string
	// Reason is a sentence that explains why this session was chosen, or why none was.
	Reason string
	// Status and WaitingFor are the agent's own report of what it is doing.
	Status, WaitingFor string
	Updated            time.Time // the time of that report
}

// Held returns the sessions that processes run or may run.
func Held(holdings []Holding) map[string]bool {
	held := map[string]bool{}
	for i := range holdings {
		held[holdings[i].Session] = true
		for _, id := range holdings[i].Candidates {
			held[id] = true
		}
	}
	return held
}

// Resolve returns the agents' processes with their sessions.
func Resolve(processes []Process, claims []transcript.Claim, sessions []Session) []Holding {
	r := resolver{sessions: sessions, held: map[string]bool{}}
	for i := range processes {
		p := processes[i]
		claim := claimOf(&p, claims)
		if claim != nil {
			p.Agent = claim.Agent
			if p.Dir == "" {
				p.Dir = claim.Dir
			}
		}
		if p.Agent != "" {
			r.all = append(r.all, &holder{Holding: Holding{Process: p}, claim: claim})
		}
	}
	for _, h := range r.all {
		r.byClaim(h)
	}
	for _, h := range r.all {
		r.byOpenFile(h)
	}
	for _, h := range r.all {
		r.byCommand(h)
	}
	r.afterClear()
	for _, h := range r.all {
		r.byStart(h)
	}
	out := make([]Holding, len(r.all))
	for i, h := range r.all {
		out[i] = h.Holding
	}
	return out
}

// Absent reports whether no process on this machine can run a session of an agent that was started in dir. It is false
// if the system lists no processes, and for an agent whose sessions may run without a process of its own.
func Absent(processes []Process, holdings []Holding, id, dir string) bool {
	if a := agents.ByID(id); len(processes) == 0 || a == nil || !a.AlwaysProcess {
		return false
	}
	return !slices.ContainsFunc(holdings, func(h Holding) bool {
		return h.Process.Agent == id && (h.Process.Dir == "" || dir == "" || sameDir(h.Process.Dir, dir))
	})
}

// A holder is a process and the progress of the search for its session.
type holder struct {
	Holding
	claim *transcript.Claim
	done  bool
}

type resolver struct {
	sessions []Session
	all      []*holder
	held     map[string]bool // the sessions assigned by proof
}

func claimOf(p *Process, claims []transcript.Claim) *transcript.Claim {
	for i := range claims {
		if madeBy(&claims[i], p) {
			return &claims[i]
		}
	}
	return nil
}

func (r *resolver) find(id string) *Session {
	for i := range r.sessions {
		if r.sessions[i].ID == id {
			return &r.sessions[i]
		}
	}
	return nil
}

func (r *resolver) prove(h *holder, session string, proof Proof, reason string) {
	h.done, h.Session, h.Proof, h.Reason = true, session, proof, reason
	r.held[session] = true
}

func (h *holder) doubt(reason string, candidates ...string) {
	h.done, h.Session, h.Proof, h.Reason, h.Candidates = true, "", "", reason, candidates
}

// byClaim uses the file that Claude Code writes about the process.
func (r *resolver) byClaim(h *holder) {
	if h.claim == nil {
		return
	}
	h.Status, h.WaitingFor, h.Updated = h.claim.Status, h.claim.WaitingFor, h.claim.Updated
	r.prove(h, h.claim.Session, BySessionFile, fmt.Sprintf("Claude Code's own file shows that process %d runs this session.", h.Process.PID))
	if r.find(h.claim.Session) == nil {
		h.Session, h.Proof, h.Reason = "", "", fmt.Sprintf("The agent of process %d has not recorded anything yet.", h.Process.PID)
	}
}

// byOpenFile uses the transcripts that a process has open.
func (r *resolver) byOpenFile(h *holder) {
	if h.done || len(h.Process.Files) == 0 {
		return
	}
	var open []string
	for i := range r.sessions {
		s := &r.sessions[i]
		if s.Agent == h.Process.Agent && slices.Contains(h.Process.Files, s.Path) {
			open = append(open, s.ID)
		}
	}
	switch len(open) {
	case 0:
	case 1:
		r.prove(h, open[0], ByOpenFile, fmt.Sprintf("Process %d has this session's transcript open.", h.Process.PID))
	default:
		h.doubt(fmt.Sprintf("Process %d has the transcripts of %d sessions open.", h.Process.PID, len(open)), r.newestFirst(open)...)
	}
}

// byCommand uses the session's id on the command line of a process.
func (r *resolver) byCommand(h *holder) {
	if h.done {
		return
	}
	for i := range r.sessions {
		s := &r.sessions[i]
		if s.Agent == h.Process.Agent && len(s.ID) >= 16 && slices.ContainsFunc(h.Process.Command, func(a string) bool { return strings.HasSuffix(a, s.ID) }) {
			r.prove(h, s.ID, ByCommand, fmt.Sprintf("Process %d was started with this session's id.", h.Process.PID))
			return
		}
	}
}

// afterClear handles sessions that a /clear began in a process of Claude Code, if the process's file still names the
// previous session. It decides by the newest record, and only if one process and one session remain.
func (r *resolver) afterClear() {
	type pair struct {
		h *holder
		s *Session
	}
	var pairs []pair
	for i := range r.sessions {
		s := &r.sessions[i]
		if !agents.WritesClaims(s.Agent) || r.held[s.ID] {
			continue
		}
		for _, h := range r.all {
			if r.mayHaveCleared(h, s) {
				pairs = append(pairs, pair{h, s})
			}
		}
	}
	for _, h := range r.all {
		var newest *Session
		for _, p := range pairs {
			if p.h == h && (newest == nil || p.s.Begun.After(newest.Begun)) {
				newest = p.s
			}
		}
		if newest == nil {
			continue
		}
		rivals := 0
		for _, p := range pairs {
			if p.s == newest {
				rivals++
			}
		}
		before := h.claim.Session
		switch {
		case rivals > 1:
			h.doubt(fmt.Sprintf("%d agents run in this directory, and one of them started this session with /clear.", rivals), r.newestFirst([]string{newest.ID, before})...)
		case !newest.Cleared || h.claim.Updated.Before(newest.Begun.Add(-slack)):
			h.doubt("A newer session was started in this directory, possibly by another agent.", r.newestFirst([]string{newest.ID, before})...)
		default:
			r.prove(h, newest.ID, BySessionFile, fmt.Sprintf("Process %d started this session with /clear.", h.Process.PID))
			delete(r.held, before)
		}
	}
}

// mayHaveCleared reports whether a process of Claude Code may have left the session named in its file for s.
func (r *resolver) mayHaveCleared(h *holder, s *Session) bool {
	if h.claim == nil || s.Begun.IsZero() || !h.Process.Started.IsZero() && s.Begun.Before(h.Process.Started.Add(-slack)) {
		return false
	}
	before := r.find(h.claim.Session)
	if before == nil {
		return sameDir(h.Process.Dir, s.Dir) && (s.Cleared || h.claim.Updated.After(s.Begun))
	}
	if filepath.Dir(before.Path) != filepath.Dir(s.Path) || before.Last.After(s.Begun.Add(slack)) {
		return false
	}
	// A file not written since the other session began belongs to a process that has done nothing since.
	return !h.claim.Updated.Before(s.Begun.Add(-slack)) || h.claim.Status == ""
}

// byStart handles a process without any proof. It considers the sessions of its agent in its directory with records
// since the process began.
func (r *resolver) byStart(h *holder) {
	if h.done {
		return
	}
	p := &h.Process
	if a := agents.ByID(p.Agent); p.FilesKnown && a != nil && a.HoldsOpen {
		h.Reason = fmt.Sprintf("The agent of process %d has not recorded anything yet.", p.PID)
		return
	}
	var possible []string
	fresh := false
	for i := range r.sessions {
		s := &r.sessions[i]
		if s.Agent != p.Agent || r.held[s.ID] || p.Dir != "" && s.Dir != "" && !sameDir(p.Dir, s.Dir) {
			continue
		}
		if !p.Started.IsZero() && s.Last.Before(p.Started.Add(-slack)) {
			continue
		}
		possible = append(possible, s.ID)
		fresh = !p.Started.IsZero() && !s.Begun.IsZero() && !s.Begun.Before(p.Started.Add(-slack))
	}
	switch {
	case len(possible) == 0:
		h.Reason = fmt.Sprintf("The agent of process %d has not recorded anything yet.", p.PID)
	case len(possible) == 1 && fresh && r.rivals(h) == 0:
		r.prove(h, possible[0], ByStart, fmt.Sprintf("It is the only session started here since process %d started.", p.PID))
	case len(possible) == 1:
		h.doubt("This session continues in this directory, but nothing shows that this process runs it.", possible...)
	default:
		h.doubt(fmt.Sprintf("It could be any of %d sessions of this directory.", len(possible)), r.newestFirst(possible)...)
	}
}

// rivals returns the number of other processes of the same agent that are not known to run another session. A script
// and the program that it starts are one.
func (r *resolver) rivals(h *holder) (n int) {
	for _, other := range r.all {
		if other == h || other.Process.Agent != h.Process.Agent || other.Session != "" || other.claim != nil {
			continue
		}
		if other.Process.PID == h.Process.Parent || other.Process.Parent == h.Process.PID {
			continue
		}
		if h.Process.Dir == "" || other.Process.Dir == "" || sameDir(h.Process.Dir, other.Process.Dir) {
			n++
		}
	}
	return n
}

func (r *resolver) newestFirst(ids []string) []string {
	last := func(id string) time.Time {
		if s := r.find(id); s != nil {
			return s.Last
		}
		return time.Time{}
	}
	known := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return r.find(id) == nil })
	slices.SortStableFunc(known, func(a, b string) int { return last(b).Compare(last(a)) })
	return known
}

// sameDir reports whether two directories are the same by the rules of this system, following links on this machine. It
// is false if either is "".
func sameDir(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	return plain(a) == plain(b)
}

func plain(dir string) string {
	if dirs.Local(dir) { // checking a path on another machine may log in there
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
	}
	dir = filepath.ToSlash(filepath.Clean(dir))
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		dir = strings.ToLower(dir)
	}
	return dir
}
