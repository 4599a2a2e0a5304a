// Copyright The ctx-lsp authors. MIT licence.

package statusline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
)

// A Setting is the place where an agent stores the command of its status line. Only the command is changed, and the
// change can be undone.
type Setting struct {
	Agent  string
	File   string   // the path that the agent uses
	Target string   // the file that it links to, otherwise the same
	Member []string // the path of the setting in the file
	Text   []byte   // the content of the file
	Exists bool

	host dirs.Environment
	mode fs.FileMode
}

// maxSettings is the size limit of the settings file.
const maxSettings = 4 << 20

// SettingOf reads the setting of an agent on this machine.
func SettingOf(host dirs.Environment, id string) (*Setting, error) {
	line := agents.ByID(id).StatusLine
	s := &Setting{Agent: id, Member: line.Member, File: line.File(host, agents.HomeOf(host, id)), host: host}
	return s, s.read()
}

// read reads the file, through a link if it is one.
func (s *Setting) read() error {
	s.Target, s.Text, s.Exists, s.mode = s.File, nil, false, 0o600
	if target, err := filepath.EvalSymlinks(s.File); err == nil {
		s.Target = target
	} else if _, err := os.Lstat(s.File); err == nil {
		return fmt.Errorf("%s is a link to a file that does not exist", s.File)
	}
	info, err := os.Stat(s.Target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", s.Target)
	case info.Size() > maxSettings:
		return fmt.Errorf("%s has %d MB, too much for a settings file", s.Target, info.Size()/1_000_000)
	}
	if s.Text, err = os.ReadFile(s.Target); err != nil {
		return err
	}
	s.Exists, s.mode = true, info.Mode().Perm()
	return nil
}

// Linked reports whether the file itself is a link, so that the user can be warned. Links among its parent directories
// are ignored, because macOS has one for /tmp.
func (s *Setting) Linked() bool {
	info, err := os.Lstat(s.File)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// Problems lists the reasons why a user in a directory would not see the line.
func (s *Setting) Problems(dir string) []string {
	if problems := agents.ByID(s.Agent).StatusLine.Problems; problems != nil {
		return problems(s.Text, s.Target, dir)
	}
	return nil
}

// Set returns the changes that make a command the agent's status line; none if it already is.
func (s *Setting) Set(command string) ([]configfile.Change, error) {
	if _, err := configfile.Value(s.Text, s.Member...); err != nil {
		return nil, err
	}
	return configfile.Set(s.Text, s.Member, []configfile.Member{configfile.Text("type", "command"), configfile.Text("command", command)})
}

// Undo returns the changes that restore the previous status line.
func (s *Setting) Undo() ([]configfile.Change, error) {
	now, err := configfile.Value(s.Text, s.Member...)
	if err != nil {
		return nil, err
	}
	kept, ok := s.kept()
	switch {
	case now == nil:
		return nil, errors.New("there is no status line to undo")
	case ok && configfile.Same([]byte(kept.After), now):
		var before []byte
		if kept.Before != nil {
			before = []byte(*kept.Before)
		}
		return configfile.Restore(s.Text, before, s.Member...)
	case !ok && bytes.Contains(now, []byte("ctx-lsp statusline")):
		return configfile.Restore(s.Text, nil, s.Member...) // it was written by hand
	}
	return nil, errors.New("the current status line was not written by --setup, so it was not changed")
}

// Write makes the changes of Set in the file, completely or not at all, and saves what Undo needs. It writes nothing if
// the file has changed since it was read.
func (s *Setting) Write(changes []configfile.Change) error {
	before, err := configfile.Value(s.Text, s.Member...)
	if err != nil {
		return err
	}
	text := configfile.Apply(s.Text, changes)
	after, err := configfile.Value(text, s.Member...)
	if err == nil {
		err = s.keep(before, after)
	}
	if err == nil {
		err = s.replace(text)
	}
	return err
}

// WriteUndo makes the changes of Undo in the file, like Write. It removes a file that Write created if the
// file has no other setting.
func (s *Setting) WriteUndo(changes []configfile.Change) error {
	text := configfile.Apply(s.Text, changes)
	kept, _ := s.kept()
	if err := s.replace(text); err != nil {
		return err
	}
	if kept.Created && configfile.Same(text, []byte("{}")) {
		if err := os.Remove(s.Target); err != nil {
			return err
		}
	}
	os.Remove(s.notes().Path(s.File))
	return nil
}

// replace replaces the content of the file, unless the file has changed since it was read.
func (s *Setting) replace(text []byte) error {
	shown := *s
	if err := s.read(); err != nil {
		return err
	}
	if s.Exists != shown.Exists || s.Target != shown.Target || !bytes.Equal(s.Text, shown.Text) {
		return fmt.Errorf("%s was changed in the meantime; nothing was written; try again", s.File)
	}
	folder := filepath.Dir(s.Target)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	err := safefile.Replace(s.Target, text, func(f *os.File) error {
		return cmp.Or(f.Chmod(s.mode), safefile.KeepOwner(f, s.Target), f.Sync())
	})
	return cmp.Or(err, safefile.SyncFolder(folder))
}

// keptSetting is saved to undo a setup: the value that it wrote, and the previous one.
type keptSetting struct {
	File   string  `json:"file"`
	Before *string `json:"before"` // the JSON in the file; null for a new setting
	After  string  `json:"after"`
	// Created is set if the setup created the file.
	Created bool `json:"created,omitempty"`
}

func (s *Setting) notes() state.Notes { return state.NotesIn(s.host.StateDir(), "statusline-setup") }

func (s *Setting) kept() (keptSetting, bool) {
	notes := s.notes()
	var kept keptSetting
	text, err := os.ReadFile(notes.Path(s.File))
	return kept, notes.Folder != "" && err == nil && json.Unmarshal(text, &kept) == nil && kept.File == s.File
}

// keep saves what is needed to undo a change. A second setup keeps the value from before the first.
func (s *Setting) keep(before, after []byte) error {
	keep := keptSetting{File: s.File, After: string(after), Created: !s.Exists}
	if before != nil {
		text := string(before)
		keep.Before = &text
	}
	if kept, ok := s.kept(); ok && configfile.Same([]byte(kept.After), before) {
		keep.Before, keep.Created = kept.Before, kept.Created
	}
	text, err := json.Marshal(keep)
	if err != nil {
		return err
	}
	notes := s.notes()
	notes.Write(notes.Path(s.File), text)
	if kept, ok := s.kept(); !ok || kept.After != keep.After {
		return errors.New("the previous setting cannot be saved for --undo, so nothing was changed")
	}
	return nil
}
