// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"context"
	"hash/maphash"
	"os"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// documentTail reads a JSON document that its agent rewrites as a whole, and returns the pieces that have changed since
// the last time.
type documentTail struct {
	path  string
	info  os.FileInfo
	given []uint64 // a hash of every returned piece
	size  int64

	pending Queue // pieces not returned yet
}

func (t *documentTail) Position() int64 { return t.size }

func (t *documentTail) Next(ctx context.Context, b *Batch) error {
	return t.pending.Next(ctx, b, t.reread)
}

// reread reads the document if it has changed, and queues the pieces that are new or have changed.
func (t *documentTail) reread(ctx context.Context, b *Batch) error {
	info, err := os.Stat(t.path)
	if err != nil {
		return err
	}
	if t.info != nil && info.Size() == t.info.Size() && !ChangedTime(t.info, info) && os.SameFile(info, t.info) {
		return nil
	}
	text, err := ReadDocument(t.path, info)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	pieces, whole := SplitDocument(text)
	if !whole && t.info != nil {
		// The document was read while it was being written: its previous contents stay valid, and the next change
		// brings the rest.
		return nil
	}
	t.info, t.size = info, int64(len(text))

	hashes := make([]uint64, len(pieces))
	for i, p := range pieces {
		hashes[i] = maphash.Bytes(HashSeed, p)
	}
	if t.replaced(hashes, pieces) {
		t.given, b.Reset = nil, true
	}
	for i, p := range pieces {
		if i >= len(t.given) || t.given[i] != hashes[i] {
			t.pending = append(t.pending, p)
		}
	}
	t.given = hashes
	return nil
}

// replaced reports whether the pieces are more than additions to those returned before: some were removed, or one
// changed and has no id to replace it by.
func (t *documentTail) replaced(hashes []uint64, pieces [][]byte) bool {
	if len(t.given) == 0 {
		return false
	}
	if len(hashes) < len(t.given) {
		return true
	}
	for i := range t.given {
		if i > 0 && hashes[i] != t.given[i] && !hasID(pieces[i]) {
			return true
		}
	}
	return false
}

// hasID reports whether a message has an id, at its top level or in its info.
func hasID(piece []byte) bool {
	v, err := json.Parse(piece)
	return err == nil && (v.Get("id").Kind() == json.String || v.Path("info", "id").Kind() == json.String)
}

// SplitDocument cuts a document into its top-level object without the messages, followed by each message. An array is
// cut into its elements. If the document ends too early, it returns the complete messages, and whole is false.
func SplitDocument(text []byte) (pieces [][]byte, whole bool) {
	text = TrimSpace(text)
	if len(text) == 0 {
		return nil, false
	}
	if text[0] == '[' {
		elements, end := elements(text)
		return elements, end == len(text)
	}
	if text[0] != '{' {
		return nil, false
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			end := json.StringEnd(text, i)
			if end < 0 {
				return nil, false
			}
			if depth == 1 && isMessages(text[i:end]) {
				if value := bytes.TrimLeft(text[end:], " \t\r\n:"); bytes.HasPrefix(value, []byte("[")) {
					return cutMessages(text, len(text)-len(value))
				}
			}
			i = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return [][]byte{text[:i+1]}, i+1 == len(text)
			}
		}
	}
	return nil, false
}

// isMessages reports whether key, with its quotes, is that of a document's messages. Continue uses "history".
func isMessages(key []byte) bool { return string(key) == `"messages"` || string(key) == `"history"` }

// cutMessages separates the messages from a document whose array of messages begins at text[at].
func cutMessages(text []byte, at int) (pieces [][]byte, whole bool) {
	messages, end := elements(text[at:])
	header := append(bytes.Clone(text[:at]), '[', ']')
	if end >= 0 {
		rest := text[at+end:]
		if joined := append(bytes.Clone(header), rest...); json.ContainerEnd(joined) == len(joined) {
			header, whole = joined, true
		}
	}
	if !whole {
		header = append(header, '}')
	}
	return append([][]byte{header}, messages...), whole
}

// elements returns the complete objects and arrays in the array at the start of text, and the end of that array, or -1
// if it does not end.
func elements(text []byte) (values [][]byte, end int) {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case ']':
			return values, i + 1
		case '{', '[':
			n := json.ContainerEnd(text[i:])
			if n < 0 {
				return values, -1
			}
			values = append(values, text[i:i+n])
			i += n - 1
		case '"':
			end := json.StringEnd(text, i)
			if end < 0 {
				return values, -1
			}
			i = end - 1
		}
	}
	return values, -1
}
