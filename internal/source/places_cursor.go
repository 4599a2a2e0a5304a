// Copyright The ctx-lsp authors. MIT licence.

package source

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// listCursorChats: chats/<hash of the directory>/<chat>/store.db.
func listCursorChats(root Root, see func(candidate)) error {
	return eachFolder(root.Path, func(project, _ string) {
		_ = eachFolder(project, func(chat, id string) {
			seeDatabase(candidate{agent: root.Agent, path: filepath.Join(chat, "store.db"), kind: kindStore, id: id, alone: true}, see)
		})
	})
}

// listCursorTexts: projects/<directory>/agent-transcripts/<session>/<session>.jsonl, sub-agents in the folder
// "subagents" of their session; older ones lie flat.
func listCursorTexts(root Root, see func(candidate)) error {
	folders := map[string][]os.DirEntry{}
	return eachFolder(root.Path, func(project, slug string) {
		transcripts := filepath.Join(project, "agent-transcripts")
		list := entries(transcripts)
		if len(list) == 0 {
			return
		}
		workspace := folderBySlug(slug, folders)
		text := func(folder, name, id, parent string) {
			seeFile(candidate{agent: root.Agent, path: filepath.Join(folder, name), id: id, parent: parent, alone: parent == "", workspace: workspace, mirror: true}, see)
		}
		for _, entry := range list {
			name := entry.Name()
			if id, flat := strings.CutSuffix(name, ".jsonl"); flat {
				text(transcripts, name, id, "")
				continue
			}
			folder := filepath.Join(transcripts, name)
			text(folder, name+".jsonl", name, "")
			for _, child := range entries(filepath.Join(folder, "subagents")) {
				if id, ok := strings.CutSuffix(child.Name(), ".jsonl"); ok {
					text(filepath.Join(folder, "subagents"), child.Name(), id, name)
				}
			}
		}
	})
}

// folderBySlug is the folder from whose path Cursor has made a name, with a hyphen for all that is no letter and no
// digit. Many paths have the same name, so the folders of this machine are asked; "" where none is it.
func folderBySlug(slug string, known map[string][]os.DirEntry) string {
	top := "/"
	if runtime.GOOS == "windows" {
		if len(slug) < 3 || slug[1] != '-' {
			return ""
		}
		top, slug = slug[:1]+`:\`, slug[2:]
	}
	var find func(folder, slug string, depth int) string
	find = func(folder, slug string, depth int) string {
		list, seen := known[folder]
		if !seen {
			list = entries(folder)
			known[folder] = list
		}
		for _, entry := range list {
			name := slugOf(entry.Name())
			if !entry.IsDir() || name == "" || depth > 32 {
				continue
			}
			path := filepath.Join(folder, entry.Name())
			if name == slug {
				return path
			}
			if rest, below := strings.CutPrefix(slug, name+"-"); below {
				if found := find(path, rest, depth+1); found != "" {
					return found
				}
			}
		}
		return ""
	}
	return find(top, strings.Trim(slug, "-"), 0)
}

func slugOf(name string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '-'
	}, name), "-")
}

// withoutMirrors leaves out what an agent writes beside a session that is found itself.
func withoutMirrors(piles []pile) {
	type name struct{ agent, id string }
	mirrored := map[string]bool{} // the agents that have mirrors
	each := func(of *pile, do func(*candidate)) {
		for _, piece := range of.pieces {
			for i := range piece {
				do(&piece[i])
			}
		}
	}
	for i := range piles {
		if piles[i].n > 0 && piles[i].pieces[0][0].mirror { // a place has nothing else then
			mirrored[piles[i].pieces[0][0].agent] = true
		}
	}
	if len(mirrored) == 0 {
		return
	}
	told := map[name]bool{}
	for i := range piles {
		each(&piles[i], func(c *candidate) {
			if !c.mirror && mirrored[c.agent] {
				told[name{c.agent, c.id}] = true
			}
		})
	}
	for i := range piles {
		if piles[i].n == 0 || !piles[i].pieces[0][0].mirror {
			continue
		}
		var kept pile
		each(&piles[i], func(c *candidate) {
			if !told[name{c.agent, c.id}] {
				kept.add(*c)
			}
		})
		piles[i] = kept
	}
}
