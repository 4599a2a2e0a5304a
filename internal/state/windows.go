// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"encoding/json"
	"os"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// Only the status line program receives an agent's message with the window of the session's model. It keeps that number
// for all front ends: a small file for each session in the state directory, without text.

const (
	// maxReportedWindows is the maximum number of these files.
	maxReportedWindows = 256
	// reportedAgain is how old a file may be before its time is renewed.
	reportedAgain = time.Hour
)

// A ReportedWindow is a window that an agent has reported outside its records.
type ReportedWindow struct {
	Window int64     `json:"window"`
	Model  string    `json:"model"`            // the agent's own spelling
	Prompt int64     `json:"prompt,omitempty"` // the tokens of the last request, 0 if the agent reports none
	At     time.Time `json:"at"`
}

// ReportedWindows is the directory with the windows that agents have reported.
type ReportedWindows struct{ Notes }

// ReportedWindowsIn returns the windows below a state directory. If dir is empty, nothing is kept.
func ReportedWindowsIn(dir string) ReportedWindows { return ReportedWindows{NotesIn(dir, "windows")} }

func (w ReportedWindows) pathOf(agent, session string) string { return w.Path(agent + " " + session) }

// Of returns what the agent of a session has reported last, nil if nothing.
func (w ReportedWindows) Of(s transcript.Session) *ReportedWindow {
	if w.Folder == "" || s.ID == "" {
		return nil
	}
	var reported ReportedWindow
	text, err := os.ReadFile(w.pathOf(s.Agent, s.ID))
	if err != nil || len(text) > 4<<10 || json.Unmarshal(text, &reported) != nil || reported.Window <= 0 {
		return nil
	}
	return &reported
}

// Changed returns the time of the last change in the directory; zero if there is none.
func (w ReportedWindows) Changed() time.Time {
	if w.Folder == "" {
		return time.Time{}
	}
	info, err := os.Stat(w.Folder)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Keep saves what the agent of a session reports, unless the same was saved within the last hour and the session has
// not been written since.
func (w ReportedWindows) Keep(s transcript.Session, window int64, model string, prompt int64, now time.Time) {
	if w.Folder == "" || s.ID == "" || window <= 0 {
		return
	}
	if old := w.Of(s); old != nil && old.Window == window && old.Model == model && old.Prompt == prompt && now.Sub(old.At) < reportedAgain && !s.Modified.After(old.At) {
		return
	}
	text, err := json.Marshal(ReportedWindow{Window: window, Model: model[:min(len(model), 200)], Prompt: prompt, At: now.UTC()})
	if err != nil {
		return
	}
	w.Write(w.pathOf(s.Agent, s.ID), text)
	w.Prune(maxReportedWindows)
}
