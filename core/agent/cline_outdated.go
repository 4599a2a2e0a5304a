// Copyright The ctx-lsp authors. MIT licence.

package agent

import (
	"slices"
	"strings"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent/internal/reader"
	"github.com/ctx-lsp/ctx-lsp/core/internal/codec"
	"github.com/ctx-lsp/ctx-lsp/core/internal/fnv"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// Cline replaces files that it has read again later with a note, once that frees clineOutdated bytes. Its record keeps
// them. Read from the shipped program, version 3.0.65: MessageBuilder, commitOutdatedRewrites.
const (
	clineOutdated = 65_536
	// clineNote is the remaining size of a replaced file: its name and the note.
	clineNote = 40
	maxReads  = 1024
)

// outdatedReads contains the files in results of Cline's tool to read files.
type outdatedReads struct {
	reads []clineRead
	// replacing is set from a replacement until the model responds: it includes results that are recorded after it.
	replacing bool
}

// A clineRead is one file in a result.
type clineRead struct {
	call      uint64 // the call that read it
	path, key uint64 // hashes of the file's name, and of the name with the range of lines
	item      int32
	bytes     int32
	replaced  bool
}

// read stores the files of a result; item is its index.
func (o *outdatedReads) read(tool string, call uint64, item int, content json.Value) {
	if tool != "read_files" && tool != "read" || call == 0 || content.Kind() != json.Array {
		return
	}
	if len(o.reads) == maxReads {
		o.reads = slices.DeleteFunc(o.reads, func(r clineRead) bool { return r.replaced })
	}
	for e := content.Elements(); e.Next() && len(o.reads) < maxReads; {
		path, lines := readLocator(e.Value)
		if path == "" {
			continue
		}
		read := clineRead{call: call, path: fnv.Hash([]byte(path)), item: int32(item), bytes: int32(len(appendSent(nil, e.Value, true)))}
		read.key = read.path
		if lines != "" {
			read.key = fnv.Hash([]byte(path + ":" + lines))
		}
		o.reads = append(o.reads, read)
	}
}

// readLocator returns the file of an entry and its range of lines, "" for the whole file.
func readLocator(entry json.Value) (path, lines string) {
	for _, name := range []string{"path", "file_path", "filePath"} {
		if reader.HasText(entry.Get(name)) {
			from, to := entry.Get("start_line"), entry.Get("end_line")
			if from.Kind() == json.Number || to.Kind() == json.Number {
				lines = string(from.Raw()) + "-" + string(to.Raw())
			}
			return entry.Get(name).String(), lines
		}
	}
	path = entry.Get("query").String()
	if at := strings.LastIndexByte(path, ':'); at > 0 {
		from, to, ok := strings.Cut(path[at+1:], "-")
		if ok && isDigits(from) && (to == "EOF" || isDigits(to)) {
			return path[:at], path[at+1:]
		}
	}
	return path, ""
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// outdated reports whether another call was the last to read the same lines, or the whole file.
func (o *outdatedReads) outdated(read *clineRead) bool {
	whole := o.last(read.path)
	return whole != 0 && whole != read.call || o.last(read.key) != read.call
}

// last returns the call that was the last to read a file or some of its lines, 0 if unknown.
func (o *outdatedReads) last(key uint64) uint64 {
	for i := len(o.reads) - 1; i >= 0; i-- {
		if o.reads[i].key == key {
			return o.reads[i].call
		}
	}
	return 0
}

// replace emits the replacements that the next request makes.
func (o *outdatedReads) replace(emit func(core.Event)) {
	pending := make([]int, 0, len(o.reads))
	size := int32(0)
	for i := range o.reads {
		if !o.reads[i].replaced && o.outdated(&o.reads[i]) {
			pending = append(pending, i)
			size += o.reads[i].bytes
		}
	}
	if len(pending) == 0 || size < clineOutdated && !o.replacing {
		return
	}
	o.replacing = true
	for _, i := range pending {
		o.reads[i].replaced = true
	}
	for n, i := range pending {
		if n > 0 && o.reads[pending[n-1]].item == o.reads[i].item {
			continue
		}
		item := reader.NewItem(core.ToolResults)
		item.Tokens = o.left(o.reads[i].item)
		emit(core.Replaced{Index: int(o.reads[i].item), Item: item, Reason: phrase.LeavesStub.Text()})
	}
}

// left returns the size of a result as it is sent: remaining files have about four bytes per token.
func (o *outdatedReads) left(item int32) (tokens int64) {
	for _, read := range o.reads {
		switch {
		case read.item != item:
		case read.replaced:
			tokens += clineNote
		default:
			tokens += int64(read.bytes) / 4
		}
	}
	return tokens
}

func (o *outdatedReads) walk(c *codec.Codec) {
	codec.List(c, "reads", &o.reads, maxReads, func(r *clineRead, c *codec.Codec) {
		c.Hash("call", &r.call)
		c.Hash("path", &r.path)
		c.Hash("key", &r.key)
		codec.Within(c, "item", &r.item, 0, core.MaxItems)
		codec.Within(c, "bytes", &r.bytes, 0, 1<<30)
		c.Bools("replaced", &r.replaced)
	})
	c.Bools("replacing", &o.replacing)
}
