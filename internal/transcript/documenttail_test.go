// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

// TestOnlyAnIdReplacesAMessage checks a document that is rewritten: a message with an id replaces the earlier one, the
// part outside the messages replaces itself, and anything else that changes voids what was read.
func TestOnlyAnIdReplacesAMessage(t *testing.T) {
	first := `{"info":{"id":"s"},"messages":[{"role":"user"},{"id":"a","n":1},{"info":{"id":"b"},"n":1}]}`
	for name, c := range map[string]struct {
		text  string
		want  []string
		reset bool
	}{
		"the same":               {first, nil, false},
		"one more":               {strings.Replace(first, `]}`, `,{"n":4}]}`, 1), []string{`{"n":4}`}, false},
		"the head":               {strings.Replace(first, `"id":"s"`, `"id":"t"`, 1), []string{`{"info":{"id":"t"},"messages":[]}`}, false},
		"a message with an id":   {strings.Replace(first, `"a","n":1`, `"a","n":2`, 1), []string{`{"id":"a","n":2}`}, false},
		"one with an id inside":  {strings.Replace(first, `},"n":1`, `},"n":2`, 1), []string{`{"info":{"id":"b"},"n":2}`}, false},
		"one with another id":    {strings.Replace(first, `"id":"a"`, `"id":"c"`, 1), []string{`{"id":"c","n":1}`}, false},
		"one without an id":      {strings.Replace(first, `"user"`, `"assistant"`, 1), nil, true},
		"an id that is a number": {strings.Replace(first, `{"id":"a","n":1}`, `{"id":7}`, 1), nil, true},
		"one less":               {strings.Replace(first, `{"role":"user"},`, "", 1), nil, true},
	} {
		path := filepath.Join(t.TempDir(), "s.json")
		dirstest.Write(t, path, first)
		tail := Open(Session{Path: path, Form: Document})
		all, _ := drainTail(t, tail)
		dirstest.Expect(t, name+", at first", all, `{"info":{"id":"s"},"messages":[]}`, `{"role":"user"}`, `{"id":"a","n":1}`, `{"info":{"id":"b"},"n":1}`)
		dirstest.Write(t, path, c.text)
		if err := os.Chtimes(path, dirstest.FileTime, dirstest.FileTime); err != nil {
			t.Fatal(err)
		}
		got, reset := drainTail(t, tail)
		if reset != c.reset {
			t.Errorf("%s: reset %v", name, reset)
		}
		if c.reset { // everything is returned again
			pieces, _ := SplitDocument([]byte(c.text))
			for _, piece := range pieces {
				c.want = append(c.want, string(piece))
			}
		}
		dirstest.Expect(t, name, got, c.want...)
		if tail.Position() != int64(len(c.text)) {
			t.Errorf("%s: position %d of %d", name, tail.Position(), len(c.text))
		}
	}
}

// TestAChangedFileIsRead checks that a document or a compressed transcript is read again if it is another file, or has
// another length or age, even if nothing else shows it.
func TestAChangedFileIsRead(t *testing.T) {
	for form, pack := range map[Form]func(record string) string{
		Document:   func(record string) string { return "[" + record + "]" },
		Compressed: func(record string) string { return packed(t, record+"\n")["zstd"] },
	} {
		for name, change := range map[string]struct {
			record string
			file   string // written and renamed to the transcript
			later  time.Duration
			want   bool
		}{
			"nothing":      {`{"id":"1","n":2}`, "", 0, false},
			"another file": {`{"id":"1","n":2}`, ".new", 0, true},
			"its length":   {`{"id":"1","n":"a longer one"}`, "", 0, true},
			"its age":      {`{"id":"1","n":2}`, "", time.Second, true},
		} {
			path := filepath.Join(t.TempDir(), "s")
			dirstest.Write(t, path, pack(`{"id":"1","n":1}`))
			if err := os.Chtimes(path, dirstest.FileTime, dirstest.FileTime); err != nil {
				t.Fatal(err)
			}
			tail := Open(Session{Path: path, Form: form})
			drainTail(t, tail)
			at := dirstest.FileTime.Add(change.later)
			dirstest.Write(t, path+change.file, pack(change.record))
			if err := errors.Join(os.Chtimes(path+change.file, at, at), os.Rename(path+change.file, path)); err != nil {
				t.Fatal(err)
			}
			got, _ := drainTail(t, tail)
			var want []string
			if change.want {
				want = []string{change.record}
			}
			dirstest.Expect(t, fmt.Sprintf("form %d, changed is %s", form, name), got, want...)
		}
	}
}

// TestADocumentThatCannotBeReadSaysSo checks documents that are gone, too long, or requested by a caller that has
// ended.
func TestADocumentThatCannotBeReadSaysSo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	tail := Open(Session{Path: path, Form: Document})
	var b Batch
	if err := tail.Next(t.Context(), &b); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing document: %v", err)
	}
	dirstest.Write(t, path, `{"messages":[]}`)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := tail.Next(canceled, &b); !errors.Is(err, context.Canceled) {
		t.Errorf("after its caller has ended: %v", err)
	}
	if err := os.Truncate(path, MaxDocument+1); err != nil {
		t.Fatal(err)
	}
	if err := tail.Next(t.Context(), &b); err == nil || !strings.Contains(err.Error(), "134217728 bytes are not read") {
		t.Errorf("a document that is too long: %v", err)
	}
	if _, err := ReadDocument(path, sized{size: MaxDocument + 1}); err == nil {
		t.Error("a document of a byte too many is read")
	}
	dirstest.Write(t, path, `{"messages":[{"n":1}]}`)
	if text, err := ReadDocument(path, sized{size: MaxDocument}); err != nil || len(text) != 22 {
		t.Errorf("of the longest document %d bytes are read: %v", len(text), err)
	}
	got, reset := drainTail(t, tail)
	dirstest.Expect(t, "a document that can be read", got, `{"messages":[]}`, `{"n":1}`)
	if reset {
		t.Error("its first contents are a reset")
	}
}

// sized is the state of a file with this size.
type sized struct {
	fs.FileInfo
	size int64
}

func (s sized) Size() int64 { return s.size }
func (s sized) Sys() any    { return nil }

// TestADocumentIsWholeOnlyAtItsEnd checks, for every beginning of some documents, that the complete messages are
// returned, and that only the whole text is called whole.
func TestADocumentIsWholeOnlyAtItsEnd(t *testing.T) {
	for text, want := range map[string][]string{
		` {"a":[{"messages":[{"x":1}]}], "messages" : [ {"b":"\"]}"} , [1,{"c":2}], "a ]", 12, null,{"d":{}} ],"e":"]" }`: {
			`{"a":[{"messages":[{"x":1}]}], "messages" : [],"e":"]" }`, `{"b":"\"]}"}`, `[1,{"c":2}]`, `{"d":{}}`,
		},
		`{"history":[{"a":1}],"b":{"messages":[2]}}`:     {`{"history":[],"b":{"messages":[2]}}`, `{"a":1}`},
		`{"a":"messages","messages":{"b":[1]},"c":[[]]}`: {`{"a":"messages","messages":{"b":[1]},"c":[[]]}`},
		`[{"a":"]"},"x ]",[2],3]`:                        {`{"a":"]"}`, `[2]`},
	} {
		pieces, whole := SplitDocument([]byte(text))
		var got []string
		for _, p := range pieces {
			got = append(got, string(p))
		}
		dirstest.Expect(t, text, got, want...)
		if !whole {
			t.Errorf("%s is not whole", text)
		}
		for end := range text {
			pieces, whole := SplitDocument([]byte(text[:end]))
			if whole {
				t.Errorf("%s is whole", text[:end])
			}
			messages := pieces
			if text[0] != '[' && len(pieces) > 0 {
				messages = pieces[1:]
			}
			for i, m := range messages {
				if all := want[len(want)-messagesIn(want):]; i >= len(all) || string(m) != all[i] {
					t.Errorf("message %d of %s is %s", i, text[:end], m)
				}
			}
		}
	}
	if _, whole := SplitDocument([]byte(`{"a":1} x`)); whole {
		t.Error("a document with more after its end is whole")
	}
	if pieces, whole := SplitDocument([]byte(`[{"a":1}] x`)); whole || len(pieces) != 1 {
		t.Errorf("an array with more after its end is whole, or has %d elements", len(pieces))
	}
}

// messagesIn returns how many of the pieces are messages.
func messagesIn(pieces []string) int {
	head := slices.IndexFunc(pieces, func(p string) bool {
		return strings.Contains(p, `"messages"`) || strings.Contains(p, `"history"`)
	})
	return len(pieces) - 1 - head
}
