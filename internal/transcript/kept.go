// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
)

// Kept is a session as it may be saved in a file: its path and the metadata found with it. It contains none of the
// conversation but the name that the host gave the session.
type Kept struct {
	ID        string    `json:"id"`
	Agent     string    `json:"agent"`
	Path      string    `json:"path"`
	Key       string    `json:"key,omitempty"`
	Workspace string    `json:"workspace,omitempty"`
	Parent    string    `json:"parent,omitempty"`
	Version   string    `json:"version,omitempty"`
	Started   time.Time `json:"started"`
	Modified  time.Time `json:"modified"`
	Kind      uint8     `json:"kind"`
	Host      string    `json:"host,omitempty"`
	HostStore string    `json:"hostStore,omitempty"`
	HostTitle string    `json:"hostTitle,omitempty"`
	Checkout  string    `json:"checkout,omitempty"`
}

// Session returns the session with its current size and time. It fails if the file no longer exists.
func (k *Kept) Session() (Session, error) {
	info, err := os.Stat(k.Path)
	if err != nil {
		return Session{}, err
	}
	s := Session{
		ID: k.ID, Agent: k.Agent, Path: k.Path, Key: k.Key, Workspace: k.Workspace, Parent: k.Parent, Version: k.Version,
		Started: k.Started, Modified: info.ModTime(), Size: info.Size(), Form: Form(k.Kind), Host: k.Host, HostStore: k.HostStore, HostTitle: k.HostTitle, Checkout: k.Checkout,
	}
	if s.Form > WithSidecars {
		return Session{}, errors.New("the session was saved by another version")
	}
	if s.Form == Database || s.Form == Store {
		s.Size = 0
		if changed, _, err := sqlite.Time(k.Path); err == nil {
			s.Modified = changed
		}
		if folder := filepath.Dir(k.Path); filepath.Base(folder) == k.ID {
			if changed := changedInside(folder); changed.After(s.Modified) {
				s.Modified = changed
			}
		}
	}
	return s, nil
}

// maxInside bounds the entries of a session's folder that are checked.
const maxInside = 64

// changedInside returns when a folder inside a session's folder was last changed: some agents write each event into a
// file of its own.
func changedInside(folder string) (changed time.Time) {
	dir, err := os.Open(folder)
	if err != nil {
		return changed
	}
	defer dir.Close()
	entries, _ := dir.ReadDir(maxInside)
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		if info, err := entry.Info(); err == nil && info.ModTime().After(changed) {
			changed = info.ModTime()
		}
	}
	return changed
}
