// Copyright The ctx-lsp authors. MIT licence.

package agents

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
	"github.com/ctx-lsp/ctx-lsp/internal/sqlite"
	"github.com/ctx-lsp/ctx-lsp/internal/transcript"
)

// A Host is a program that runs sessions of agents in processes of its own, with or without a window. The sessions are
// where their agents keep them; the host has a store of its own next to them, which names those that it runs. A host is
// no agent: all that is known of one is its row.
type Host struct {
	Name string
	// Stores returns its possible stores: directories with a subdirectory for each session, named by an id.
	Stores func(dirs.Environment) []string
	// Secrets is the part of a path below which it keeps its secrets for control. No such file is opened.
	Secrets string
	// Find returns the data that it keeps of an agent's session, whose id is the name of a subdirectory of a store.
	Find func(ctx context.Context, store, name string) (hosted, error)
	// Holds returns the data that it keeps of the session in a file, for a host with its own directories of sessions.
	Holds func(path string) (hosted, bool)
}

// A hosted is the data that a host keeps of a session that it runs.
type hosted struct {
	database string // "" if it does not run that session
	title    string // its name there, if the user or a model gave it one
	folder   string // the user's folder, if the host made a checkout of it for the session; "" otherwise
}

var hosts = []*Host{
	{Name: "VS Code Agent Host", Stores: editorHostStores, Secrets: "/agent-host/local-endpoint/", Find: findEditorHosted},
	{Name: "Claude Desktop", Holds: findCowork},
}

// IsHostSecret reports whether a file may contain secrets that control a host.
func IsHostSecret(path string) bool {
	return slices.ContainsFunc(hosts, func(h *Host) bool { return h.Secrets != "" && strings.Contains(filepath.ToSlash(path), h.Secrets) })
}

// Hosting is the locations of the hosts' stores on this machine, as found by one search.
type Hosting struct {
	stores  []hostStore
	wsl     bool // this is a distribution of WSL
	windows bool
}

type hostStore struct {
	host   *Host
	folder string
	names  map[string]bool
}

// FindHosting looks for the stores of hosts. It reads the names of their directories, and opens no files.
func FindHosting(e dirs.Environment) *Hosting {
	h := &Hosting{wsl: e.OS == "linux" && e.Getenv("WSL_DISTRO_NAME") != "", windows: e.OS == "windows"}
	for _, host := range hosts {
		if host.Stores == nil {
			continue
		}
		for _, folder := range host.Stores(e) {
			list, err := os.ReadDir(folder)
			if err != nil || len(list) == 0 {
				continue
			}
			names := make(map[string]bool, min(len(list), mostSessions))
			for _, entry := range list[:min(len(list), mostSessions)] {
				if entry.IsDir() {
					names[entry.Name()] = true
				}
			}
			h.stores = append(h.stores, hostStore{host, folder, names})
		}
	}
	return h
}

// Place sets the host of a session that a host runs, by the host's own store. A sub-agent runs where its parent does.
func (h *Hosting) Place(s *transcript.Session) {
	if h == nil {
		return
	}
	if h.wsl || h.windows {
		placeOther(s, h.windows)
	}
	for _, host := range hosts {
		if host.Holds == nil {
			continue
		}
		if found, ok := host.Holds(s.Path); ok {
			s.Host = host.Name
			placeIn(s, found)
			return
		}
	}
	id, _, _ := strings.Cut(s.ID, "/")
	name := hostedName(id)
	for _, store := range h.stores {
		if !store.names[name] {
			continue
		}
		found := store.find(name)
		if found.database == "" {
			continue
		}
		s.Host, s.HostStore = store.host.Name, found.database
		placeIn(s, found)
		return
	}
}

// placeIn sets the title and the directory that a host keeps of a session.
func placeIn(s *transcript.Session, found hosted) {
	if s.Parent == "" {
		s.HostTitle = found.title
	}
	if found.folder != "" && found.folder != s.Workspace {
		s.Workspace, s.Checkout = found.folder, s.Workspace
	}
}

// hostedAnswers caches the data of stores about sessions, because the same sessions are placed repeatedly.
var hostedAnswers = struct {
	sync.Mutex
	of map[string]hostedAnswer
}{of: map[string]hostedAnswer{}}

type hostedAnswer struct {
	own, database fileState // the state of both databases when they were read
	hosted        hosted
}

type fileState struct {
	changed time.Time
	size    int64
}

func stateOfDatabase(path string) (s fileState) {
	if path != "" {
		s.changed, s.size, _ = sqlite.Time(path)
	}
	return s
}

// mostAnswers bounds how many of them are remembered.
const mostAnswers = 4096

func (s *hostStore) find(name string) hosted {
	path := filepath.Join(s.folder, name, hostedDatabase)
	own := stateOfDatabase(path)
	if own == (fileState{}) {
		return hosted{}
	}
	hostedAnswers.Lock()
	known, ok := hostedAnswers.of[path]
	hostedAnswers.Unlock()
	if ok && known.own == own && known.database == stateOfDatabase(known.hosted.database) {
		return known.hosted
	}
	ctx, cancel := context.WithTimeout(context.Background(), transcript.DatabasePatience)
	defer cancel()
	found, err := s.host.Find(ctx, s.folder, name)
	if err != nil {
		return known.hosted // it is read again next time
	}
	hostedAnswers.Lock()
	if len(hostedAnswers.of) >= mostAnswers {
		clear(hostedAnswers.of)
	}
	hostedAnswers.of[path] = hostedAnswer{own, stateOfDatabase(found.database), found}
	hostedAnswers.Unlock()
	return found
}

// VS Code's Agent Host has a folder for each session below the folder of user data, next to User. The database in it
// has the requests. Another folder has the id of the agent's own session, and its database names the host's session.
// Both are missing if the host only lists the session of an agent.

// hostedDatabase is the database in such a folder.
const hostedDatabase = "session.db"

// editorHostStores returns the locations of these directories in every editor.
func editorHostStores(e dirs.Environment) (stores []string) {
	for _, storage := range storages(e) {
		stores = append(stores, e.Join(e.Above(e.Above(storage.path)), "agentSessionData"))
	}
	return stores
}

// hostedName returns the name of a directory for an id: other characters become hyphens.
func hostedName(id string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '_' || r == '.' || r == '-') {
			return r
		}
		return '-'
	}, id)
}

func findEditorHosted(ctx context.Context, store, name string) (found hosted, err error) {
	known, err := hostedMetadata(ctx, filepath.Join(store, name, hostedDatabase))
	if err != nil {
		return hosted{}, err
	}
	if chat := known["peerChatBacking"]; chat != "" {
		if name = hostedName(sessionOfChat(chat)); !within(name) {
			return hosted{}, nil
		}
		if known, err = hostedMetadata(ctx, filepath.Join(store, name, hostedDatabase)); err != nil {
			return hosted{}, err
		}
	} else if known["defaultChatProviderData"] == "" { // otherwise agent and host use the same id
		return hosted{}, nil
	}
	return hosted{filepath.Join(store, name, hostedDatabase), known["customTitle"], pathOf(known["copilot.worktree.repositoryRoot"])}, nil
}

// hostedMetadata returns the data about its session in a database of the host; nil if the database is missing.
func hostedMetadata(ctx context.Context, path string) (known map[string]string, err error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	known = map[string]string{}
	return known, opened(ctx, path, func(q *query) error {
		has, err := q.columns("session_metadata")
		if err != nil || !has["key"] || !has["value"] {
			return err
		}
		return q.each(`SELECT key, value FROM session_metadata WHERE key IN ('peerChatBacking', 'defaultChatProviderData', 'copilot.worktree.repositoryRoot', 'customTitle') AND length(value)<8192`, nil, func(r row) bool {
			known[r.text(0)] = r.text(1)
			return true
		})
	})
}

// sessionOfChat returns the id of the host's session in the URI of a chat: ahp-chat://<chat>/<URI of the session,
// base64>. Without an authority the id is the path of that URI.
func sessionOfChat(chat string) string {
	rest, ok := strings.CutPrefix(chat, "ahp-chat://")
	_, encoded, found := strings.Cut(rest, "/")
	if !ok || !found || len(encoded) > 4096 {
		return ""
	}
	uri, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(encoded, "="))
	if err != nil {
		return ""
	}
	_, path, ok := strings.Cut(string(uri), ":")
	if !ok {
		return ""
	}
	if named, ok := strings.CutPrefix(path, "//"); ok {
		authority, id, _ := strings.Cut(named, "/")
		if authority != "" {
			return authority + "-" + id
		}
		return id
	}
	return strings.TrimPrefix(path, "/")
}
