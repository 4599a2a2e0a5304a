// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"crypto/md5" // Kimi CLI names folders by it; it protects nothing
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/internal/configfile"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/safefile"
)

// eachFolder calls see for every folder in a folder. That the first cannot be read is an error.
func eachFolder(parent string, see func(path, name string)) error {
	list, err := os.ReadDir(parent)
	if err != nil {
		return err
	}
	for _, entry := range list {
		if isFolder(parent, entry) {
			see(filepath.Join(parent, entry.Name()), entry.Name())
		}
	}
	return nil
}

// seeFile makes a candidate of a file, if it is there.
func seeFile(c candidate, see func(candidate)) bool {
	info, err := os.Stat(c.path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	c.info = info
	see(c)
	return true
}

// listKimiCode: sessions/wd_<directory>/<session>/agents/<agent>/wire.jsonl. The agent of the session is "main".
func listKimiCode(root Root, see func(candidate)) error {
	return eachFolder(root.Path, func(project, _ string) {
		_ = eachFolder(project, func(session, id string) {
			_ = eachFolder(filepath.Join(session, "agents"), func(folder, name string) {
				c := candidate{agent: root.Agent, path: filepath.Join(folder, "wire.jsonl")}
				c.id, c.parent = kimiCodeID(id, name)
				c.alone = c.parent == ""
				seeFile(c, see)
			})
		})
	})
}

// kimiCodeID names what an agent of a session of Kimi Code has written.
func kimiCodeID(session, agent string) (id, parent string) {
	if agent == "main" {
		return session, ""
	}
	return session + "/" + agent, session
}

// listKimiCLI: sessions/<MD5 of the directory>/<session>/wire.jsonl. A list beside has the directories.
func listKimiCLI(root Root, see func(candidate)) error {
	directories := map[string]string{}
	if text, ok := safefile.Small(filepath.Join(filepath.Dir(root.Path), "kimi.json")); ok {
		if v, err := json.Parse(text); err == nil {
			for e := v.Get("work_dirs").Elements(); e.Next(); {
				path := e.Value.Get("path").String()
				sum := md5.Sum([]byte(path))
				directories[hex.EncodeToString(sum[:])] = path
			}
		}
	}
	return eachFolder(root.Path, func(project, name string) {
		workspace := directories[name[strings.LastIndexByte(name, '_')+1:]]
		_ = eachFolder(project, func(session, id string) {
			seeFile(candidate{agent: root.Agent, path: filepath.Join(session, "wire.jsonl"), id: id, alone: true, workspace: workspace}, see)
		})
	})
}

// listGrok: sessions/<directory, as in an address>/<session>/chat_history.jsonl.
func listGrok(root Root, see func(candidate)) error {
	return eachFolder(root.Path, func(project, name string) {
		workspace, err := url.PathUnescape(name)
		if err != nil {
			workspace = ""
		}
		_ = eachFolder(project, func(session, id string) {
			seeFile(candidate{agent: root.Agent, path: filepath.Join(session, "chat_history.jsonl"), kind: kindBeside, id: id, workspace: workspace}, see)
		})
	})
}

// listDSH: sessions/--<directory>--/<session>/session.jsonl, newer ones compressed and with a number of the format.
func listDSH(root Root, see func(candidate)) error {
	return eachFolder(root.Path, func(project, _ string) {
		_ = eachFolder(project, func(session, id string) {
			list := entries(session)
			for i := len(list) - 1; i >= 0; i-- { // the newest format counts
				name := list[i].Name()
				c := candidate{agent: root.Agent, path: filepath.Join(session, name), id: id}
				stem, plain := strings.CutSuffix(name, ".jsonl")
				if !plain {
					if stem, plain = strings.CutSuffix(strings.TrimSuffix(name, "d"), ".jsonl.zst"); !plain {
						continue
					}
					c.kind = kindZstd
				}
				if (stem == "session" || strings.HasPrefix(stem, "session.v")) && seeFile(c, see) {
					return
				}
			}
		})
	})
}

// listVibe: logs/session/<session>/messages.jsonl, sub-agents in the folder "agents" of their session.
func listVibe(root Root, see func(candidate)) error {
	return eachFolder(root.Path, func(session, name string) {
		seeFile(candidate{agent: root.Agent, path: filepath.Join(session, "messages.jsonl"), kind: kindBeside, alone: true}, see)
		_ = eachFolder(filepath.Join(session, "agents"), func(folder, child string) {
			parent := name
			if v, ok := configfile.ReadJSON(filepath.Join(session, "meta.json")); ok {
				id := ""
				if setText(&id, v.Get("session_id")); id != "" {
					parent = id
				}
			}
			seeFile(candidate{agent: root.Agent, path: filepath.Join(folder, "messages.jsonl"), kind: kindBeside, id: parent + "/" + child, parent: parent}, see)
		})
	})
}

// listDroid: sessions/<directory>/<session>.jsonl, with <session>.settings.json beside; older ones lie flat.
func listDroid(root Root, see func(candidate)) error {
	droids := func(folder string) {
		for _, entry := range entries(folder) {
			if stem, ok := strings.CutSuffix(entry.Name(), ".jsonl"); ok && !entry.IsDir() {
				seeFile(candidate{agent: root.Agent, path: filepath.Join(folder, entry.Name()), kind: kindBeside, id: stem, alone: true}, see)
			}
		}
	}
	err := eachFolder(root.Path, func(folder, _ string) { droids(folder) })
	droids(root.Path)
	return err
}

// listKiroLines: sessions/cli/<session>.jsonl, with <session>.json beside.
func listKiroLines(root Root, see func(candidate)) error {
	list, err := os.ReadDir(root.Path)
	for _, entry := range list {
		if stem, ok := strings.CutSuffix(entry.Name(), ".jsonl"); ok && !entry.IsDir() {
			seeFile(candidate{agent: root.Agent, path: filepath.Join(root.Path, entry.Name()), kind: kindBeside, id: stem, alone: true}, see)
		}
	}
	return err
}

// listKiroEditor: sessions/<hash of the directory>/sess_<session>/messages.jsonl, with session.json beside.
func listKiroEditor(root Root, see func(candidate)) error {
	return eachFolder(root.Path, func(project, name string) {
		if name == "cli" {
			return
		}
		_ = eachFolder(project, func(session, id string) {
			if strings.HasPrefix(id, "sess_") {
				seeFile(candidate{agent: root.Agent, path: filepath.Join(session, "messages.jsonl"), kind: kindBeside, id: id, alone: true}, see)
			}
		})
	})
}

// listKiroDocuments: workspace-sessions/<directory in base64>/<session>.json, beside the list of them.
func listKiroDocuments(root Root, see func(candidate)) error {
	return eachFolder(root.Path, func(project, _ string) {
		for _, entry := range entries(project) {
			if stem, ok := strings.CutSuffix(entry.Name(), ".json"); ok && stem != "sessions" && !entry.IsDir() {
				seeFile(candidate{agent: root.Agent, path: filepath.Join(project, entry.Name()), kind: kindStore, id: stem, alone: true}, see)
			}
		}
	})
}

// listContinue: sessions/<session>.json, beside the list of them.
func listContinue(root Root, see func(candidate)) error {
	list, err := os.ReadDir(root.Path)
	for _, entry := range list {
		if stem, ok := strings.CutSuffix(entry.Name(), ".json"); ok && stem != "sessions" && !entry.IsDir() {
			seeFile(candidate{agent: root.Agent, path: filepath.Join(root.Path, entry.Name()), kind: kindDocument, id: stem, alone: true}, see)
		}
	}
	return err
}
