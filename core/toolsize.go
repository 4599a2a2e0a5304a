// Copyright The ctx-lsp authors. MIT licence.

package core

import (
	"slices"

	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
)

// ToolSize is the size of a tool's definition, by a fingerprint of its name.
type ToolSize struct {
	Name   uint64
	Tokens int64
}

// toolSizesKept is how many sizes a session and a lesson keep; the oldest are dropped first.
const toolSizesKept = 64

// toolSizes are sizes of definitions that no text shows until they were sent: the first request after such a definition
// was loaded measures it. Later sessions of the workspace start with them.
type toolSizes struct {
	known []ToolSize
	// assumed are definitions that no request has measured yet.
	assumed []assumedTool
}

type assumedTool struct {
	ToolSize
	item int
}

func (t *toolSizes) find(name uint64) int {
	return slices.IndexFunc(t.known, func(k ToolSize) bool { return k.Name == name })
}

// remember stores the size of a tool as the newest.
func (t *toolSizes) remember(size ToolSize) {
	if i := t.find(size.Name); i >= 0 {
		t.known = slices.Delete(t.known, i, i+1)
	}
	t.known = append(t.known, size)
	t.known = slices.Delete(t.known, 0, max(len(t.known)-toolSizesKept, 0))
}

// fill returns an item with the known size of its tool, if its own is assumed.
func (t *toolSizes) fill(it *Item) *Item {
	if !it.Assumed {
		return it
	}
	if i := t.find(fnv.Hash(it.Name)); i >= 0 {
		filled := *it
		filled.Tokens, filled.Assumed = t.known[i].Tokens, false
		return &filled
	}
	return it
}

// appended records an item of assumed size.
func (t *toolSizes) appended(it *Item, index int) {
	if it.Assumed && len(t.assumed) < toolSizesKept {
		t.assumed = append(t.assumed, assumedTool{ToolSize{fnv.Hash(it.Name), it.Tokens}, index})
	}
}

// defined stores the size of a definition that was recorded after all.
func (t *toolSizes) defined(it *Item, tokens int64) {
	if !it.Hidden || it.Kind != Tools && it.Kind != MCPTools || it.Name == "" {
		return
	}
	name := fnv.Hash(it.Name)
	t.assumed = slices.DeleteFunc(t.assumed, func(a assumedTool) bool { return a.Name == name })
	t.remember(ToolSize{name, tokens})
}

// cut drops assumed definitions from an item on.
func (t *toolSizes) cut(from int) {
	t.assumed = slices.DeleteFunc(t.assumed, func(a assumedTool) bool { return a.item >= from })
}

// doubt returns by how much assumed sizes may be off together: a single one by all of it, several by less, because
// their errors differ.
func (t *toolSizes) doubt() int64 {
	n := int64(len(t.assumed))
	if n == 0 {
		return 0
	}
	return t.assumedTokens() * (n + 1) / (2 * n)
}

func (t *toolSizes) assumedTokens() (sum int64) {
	for _, a := range t.assumed {
		sum += a.Tokens
	}
	return sum
}

// Bounds of the size of one definition.
const (
	definitionLeast = 20
	definitionMost  = 30_000
)

// measured learns the assumed sizes from the error of the request that contained them, each by its share.
func (t *toolSizes) measured(missing int64) {
	sum := t.assumedTokens()
	for _, a := range t.assumed {
		share := mulDiv(max(missing, -missing), a.Tokens, max(sum, 1))
		if missing < 0 {
			share = -share
		}
		t.remember(ToolSize{a.Name, min(max(a.Tokens+share, definitionLeast), definitionMost)})
	}
}

// sent drops the assumed definitions before an item, because a request has contained them.
func (t *toolSizes) sent(through int) {
	t.assumed = slices.DeleteFunc(t.assumed, func(a assumedTool) bool { return a.item < through })
}

// LearnTools adopts the sizes of definitions from an earlier session of the workspace.
func (s *Session) LearnTools(l *Lesson) {
	if l.Session == fnv.Hash(s.ID) {
		return
	}
	for _, size := range l.Tools {
		if s.toolSizes.find(size.Name) < 0 || s.residual.first.in == Unknown {
			s.toolSizes.remember(size)
		}
	}
}

// mergeTools adds the sizes of a newer lesson.
func mergeTools(old, newer []ToolSize) []ToolSize {
	t := toolSizes{known: slices.Clone(old)}
	for _, size := range newer {
		t.remember(size)
	}
	return t.known
}

func (t *toolSizes) walk(c *codec.Codec) {
	size := func(tool *ToolSize, c *codec.Codec) {
		c.Hash("Name", &tool.Name)
		codec.Within(c, "Tokens", &tool.Tokens, 0, MaxTokens)
	}
	codec.List(c, "known", &t.known, toolSizesKept, size)
	codec.List(c, "assumed", &t.assumed, toolSizesKept, func(tool *assumedTool, c *codec.Codec) {
		size(&tool.ToolSize, c)
		codec.Within(c, "item", &tool.item, 0, MaxItems)
	})
}
