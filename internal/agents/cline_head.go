// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// taskOf returns the document of shown messages next to a file of a task; ok is false if the file does not belong to a
// task.
func taskOf(path string) (shown string, ok bool) {
	switch filepath.Base(path) {
	case ShownFile:
		return path, true
	case SentFile:
		shown = filepath.Join(filepath.Dir(path), ShownFile)
		info, err := os.Stat(shown)
		return shown, err == nil && info.Mode().IsRegular()
	}
	return path, false
}

// taskHeadOf finds out in which directory a task was started.
func taskHeadOf(s *transcript.Session) {
	folder := filepath.Dir(s.Path)
	if s.ID == "" {
		s.ID = filepath.Base(folder)
	}
	if v, ok := configfile.ReadJSON(filepath.Join(folder, "history_item.json")); ok {
		transcript.SetText(&s.Workspace, v.Get("workspace"))
		transcript.SetText(&s.Parent, v.Get("parentTaskId"))
	}
	if s.Workspace == "" {
		s.Workspace = TaskWorkspaces(filepath.Dir(folder))[filepath.Base(folder)]
	}
	if s.Workspace == "" {
		s.Workspace = workspaceInPrompt(filepath.Join(folder, SentFile))
	}
}

// promptRead is how many bytes of the sent messages are searched for the directory.
const promptRead = 128 << 10

// workspaceInPrompt returns the directory in the first prompt: "# Current Working Directory (/w) Files".
func workspaceInPrompt(path string) string {
	f, err := safefile.File(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text := transcript.ReadSome(f, nil, 0, promptRead)
	for _, sign := range []string{"# Current Workspace Directory (", "# Current Working Directory ("} {
		_, rest, _ := bytes.Cut(text, []byte(sign))
		if end := bytes.Index(rest, []byte(") Files")); end > 0 && end < 4096 {
			if v, err := json.Parse([]byte(`"` + string(rest[:end]) + `"`)); err == nil && filepath.IsAbs(v.String()) {
				return v.String()
			}
		}
	}
	return ""
}

// taskState returns when one of the documents of a task last changed.
func taskState(path string) (state transcript.State) {
	for _, name := range []string{path, filepath.Join(filepath.Dir(path), SentFile)} {
		if info, err := os.Stat(name); err == nil {
			state.Size += info.Size()
			if info.ModTime().After(state.Modified) {
				state.Modified = info.ModTime()
			}
		} else if name == path {
			return transcript.State{}
		}
	}
	return state
}
