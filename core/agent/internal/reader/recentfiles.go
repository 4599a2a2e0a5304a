// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
)

// recentFiles is how many of the last used files are attached again after a compaction.
const recentFiles = 5

// RecentFiles contains these files, the newest first, with the index of each one's text in the conversation.
type RecentFiles struct {
	path  [recentFiles]uint64
	index [recentFiles]int
	n     int
}

// Touch moves a file to the front. Without an index, the file keeps the known one, if there is one.
func (r *RecentFiles) Touch(path uint64, index int) {
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

// Indices returns the indices of the texts.
func (r *RecentFiles) Indices() []int { return append([]int(nil), r.index[:r.n]...) }

// Cut drops the indices from an item on, because these items were removed.
func (r *RecentFiles) Cut(from int) {
	for i := range r.index {
		if r.index[i] >= from {
			r.index[i] = -1
		}
	}
}

// Forget drops all indices, because they have changed.
func (r *RecentFiles) Forget() {
	for i := range r.index {
		r.index[i] = -1
	}
}

// Walk saves or restores the files.
func (r *RecentFiles) Walk(c *codec.Codec) {
	codec.Within(c, "n", &r.n, 0, recentFiles)
	for i := range r.path {
		c.Hash("path", &r.path[i])
		codec.Within(c, "index", &r.index[i], -1, core.MaxItems)
	}
}
