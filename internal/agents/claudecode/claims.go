// Copyright The ctx-lsp authors. MIT licence.

package claudecode

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// maxClaim is the maximum size of such a file; real ones have less than 1 KB.
const maxClaim = 64 << 10

// Claims reads what Claude Code writes about its processes, in sessions/PID.json of its own folder. A /clear begins
// another session and leaves the file as it was.
func Claims(home string) []transcript.Claim {
	folder := filepath.Join(home, "sessions")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var claims []transcript.Claim
	for _, entry := range entries {
		stem, ok := strings.CutSuffix(entry.Name(), ".json")
		pid, err := strconv.Atoi(stem)
		if !ok || err != nil || pid <= 0 || !entry.Type().IsRegular() {
			continue
		}
		if claim, ok := readClaim(filepath.Join(folder, entry.Name()), pid); ok {
			claims = append(claims, claim)
		}
	}
	return claims
}

func readClaim(path string, pid int) (transcript.Claim, bool) {
	f, err := os.Open(path)
	if err != nil {
		return transcript.Claim{}, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() > maxClaim {
		return transcript.Claim{}, false
	}
	text, err := io.ReadAll(io.LimitReader(f, maxClaim))
	if err != nil {
		return transcript.Claim{}, false
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
	// A partly written file is read the next time.
	if json.Unmarshal(text, &written) != nil || written.PID != pid || written.SessionID == "" {
		return transcript.Claim{}, false
	}
	claim := transcript.Claim{
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
