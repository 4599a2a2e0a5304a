// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/dirs"
)

// addPi adds the folders of Pi and of the programs that are made from it.
func addPi(e dirs.Environment, add func(id, what, path, from string, list lister)) {
	home, from := e.Variable("PI_CODING_AGENT_DIR"), "PI_CODING_AGENT_DIR"
	if home == "" {
		home, from = e.Join(e.Home, ".pi", "agent"), ""
	}
	add(agent.Pi, "", e.Join(home, "sessions"), from, listPi)
	if v := e.Folder("PI_CODING_AGENT_SESSION_DIR"); v != "" {
		add(agent.Pi, "moved", v, "PI_CODING_AGENT_SESSION_DIR", listPi)
	}
	add(agent.OMP, "", e.Join(e.Home, ".omp", "agent", "sessions"), "", listPi)
	add(agent.Prime, "", e.Join(e.Home, ".prime", "agent", "sessions"), "", listPi)

	// OpenClaw has had other names, and keeps their folders where they are.
	if v := e.Folder("OPENCLAW_STATE_DIR"); v != "" {
		add(agent.OpenClaw, "", e.Join(v, "agents"), "OPENCLAW_STATE_DIR", listOpenClaw)
		return
	}
	add(agent.OpenClaw, "", e.Join(e.Home, ".openclaw", "agents"), "", listOpenClaw)
	for _, former := range []string{"clawdbot", "moltbot", "moldbot"} {
		add(agent.OpenClaw, former, e.Join(e.Home, "."+former, "agents"), "", listOpenClaw)
	}
}

// listPi: sessions/--<directory>--/<time>_<session>.jsonl, or the files alone where a setting has moved them.
func listPi(root Root, see func(candidate)) error {
	folders, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	seePi(root, root.Path, folders, see)
	for _, folder := range folders {
		if isFolder(root.Path, folder) {
			path := filepath.Join(root.Path, folder.Name())
			seePi(root, path, entries(path), see)
		}
	}
	return nil
}

// listOpenClaw: agents/<agent>/sessions/<session>.jsonl.
func listOpenClaw(root Root, see func(candidate)) error {
	folders, err := os.ReadDir(root.Path)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if isFolder(root.Path, folder) {
			path := filepath.Join(root.Path, folder.Name(), "sessions")
			seePi(root, path, entries(path), see)
		}
	}
	return nil
}

func seePi(root Root, folder string, files []os.DirEntry, see func(candidate)) {
	for _, file := range files {
		stem, ok := strings.CutSuffix(file.Name(), ".jsonl")
		if !ok {
			continue
		}
		if c, ok := look(root.Agent, folder, file, kindLines); ok {
			if _, id, dated := strings.Cut(stem, "_"); dated {
				stem = id
			}
			c.id, c.alone = stem, true
			see(c)
		}
	}
}
