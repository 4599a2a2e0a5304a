// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// recentFiles is how many of the files that were last worked on are attached
// again after a compaction.
const recentFiles = 5

// recent remembers these files, the newest first, and where in the conversation
// their text stands.
type recent struct {
	path  [recentFiles]uint64
	index [recentFiles]int
	n     int
}

// touch puts a file first. Without an index the file keeps the known one, if
// there is one.
func (r *recent) touch(path uint64, index int) {
	if path == 0 {
		return
	}
	place := r.n
	for i := 0; i < r.n; i++ {
		if r.path[i] == path {
			place = i
		}
	}
	switch {
	case place < r.n:
		if index < 0 {
			index = r.index[place]
		}
	case r.n < recentFiles:
		r.n++
	default:
		place = recentFiles - 1
	}
	copy(r.path[1:place+1], r.path[:place])
	copy(r.index[1:place+1], r.index[:place])
	r.path[0], r.index[0] = path, index
}

// indices returns where the texts stand.
func (r *recent) indices() []int { return append([]int(nil), r.index[:r.n]...) }

// cut forgets the places from an item on, which were removed.
func (r *recent) cut(from int) {
	for i := range r.index {
		if r.index[i] >= from {
			r.index[i] = -1
		}
	}
}

// moved forgets all places, because they have changed.
func (r *recent) moved() {
	for i := range r.index {
		r.index[i] = -1
	}
}

func (r *recent) walk(c *codec.Codec) {
	codec.Within(c, "n", &r.n, 0, recentFiles)
	for i := range r.path {
		c.Hash("path", &r.path[i])
		codec.Within(c, "index", &r.index[i], -1, core.MaxItems)
	}
}
