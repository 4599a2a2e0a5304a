// Copyright The ctx-lsp authors. MIT licence.

package process

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// A Claim is what Claude Code writes about each of its processes, in sessions/PID.json of its folder. It names the
// session that the process began or resumed with; a /clear begins another session and leaves the file as it was.
type Claim struct {
	Agent      string
	PID        int
	Session    string
	Dir        string
	Started    time.Time
	Updated    time.Time // when the file was last written
	Status     string    // busy, idle or waiting; "" in versions that do not write it
	WaitingFor string
}

// maxClaim is how long such a file may be; real ones have less than 1 KB.
const maxClaim = 64 << 10

// Claims reads these files of every agent that writes them.
func Claims(e dirs.Environment) (claims []Claim) {
	for _, a := range agents.All() {
		if a.Claims {
			home, _ := a.Home.In(e)
			claims = append(claims, claimsIn(home, a.ID)...)
		}
	}
	return claims
}

// claimsIn reads these files in an agent's own folder.
func claimsIn(home, id string) []Claim {
	folder := filepath.Join(home, "sessions")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var claims []Claim
	for _, entry := range entries {
		stem, ok := strings.CutSuffix(entry.Name(), ".json")
		pid, err := strconv.Atoi(stem)
		if !ok || err != nil || pid <= 0 || !entry.Type().IsRegular() {
			continue
		}
		if claim, ok := readClaim(filepath.Join(folder, entry.Name()), pid); ok {
			claim.Agent = id
			claims = append(claims, claim)
		}
	}
	return claims
}

func readClaim(path string, pid int) (Claim, bool) {
	f, err := os.Open(path)
	if err != nil {
		return Claim{}, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() > maxClaim {
		return Claim{}, false
	}
	text, err := io.ReadAll(io.LimitReader(f, maxClaim))
	if err != nil {
		return Claim{}, false
	}
	var written struct {
		PID        int     `json:"pid"`
		SessionID  string  `json:"sessionId"`
		CWD        string  `json:"cwd"`
		StartedAt  float64 `json:"startedAt"`
		UpdatedAt  float64 `json:"updatedAt"`
		Status     string  `json:"status"`
		WaitingFor string  `json:"waitingFor"`
	}
	// A file that is half written is read the next time.
	if json.Unmarshal(text, &written) != nil || written.PID != pid || written.SessionID == "" {
		return Claim{}, false
	}
	claim := Claim{
		PID: pid, Session: written.SessionID, Dir: written.CWD, Status: written.Status, WaitingFor: written.WaitingFor,
		Started: milliseconds(written.StartedAt), Updated: info.ModTime(),
	}
	if at := milliseconds(written.UpdatedAt); at.After(claim.Updated) {
		claim.Updated = at
	}
	return claim, true
}

func milliseconds(n float64) time.Time {
	if n <= 0 || n > 1<<52 {
		return time.Time{}
	}
	return time.UnixMilli(int64(n))
}

// slack is how far apart two clocks may date one event: the clocks of a file, a process and a record.
const slack = 2 * time.Second

// launch is how long a program may take from its start until it writes its claim.
const launch = 2 * time.Minute

// isOf says whether a claim was made by this process, and not by an ended one that had the same number.
func (c *Claim) isOf(p *Process) bool {
	if c.PID != p.PID {
		return false
	}
	if p.Started.IsZero() || c.Started.IsZero() {
		return p.Agent == c.Agent
	}
	if p.Started.After(c.Started.Add(slack)) {
		return false
	}
	return p.Agent == c.Agent || c.Started.Sub(p.Started) < launch
}
