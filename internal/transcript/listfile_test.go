// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
)

const listMagic = "ctx list\n"

// TestAListIsReadAsItWasWritten checks numbers, texts, repeated texts, sessions and times, and that a list that is
// damaged anywhere reads as an empty one.
func TestAListIsReadAsItWasWritten(t *testing.T) {
	sessions := []Session{
		{ID: "a", Key: "a", Workspace: "/w", Version: "1", Started: time.Unix(0, 1), Modified: time.Unix(0, -2)},
		{ID: "b", Key: "k", Workspace: "/w", Parent: "a", Label: "explore", Version: "1"},
	}
	w := &ListWriter{To: []byte(listMagic)}
	w.Count(300)
	w.Plain("plain")
	w.To = append(w.To, "raw"...)
	for i := range sessions {
		w.Session(&sessions[i])
	}
	file := w.End()
	if again := len(w.To); again > 80 {
		t.Errorf("%d bytes: a repeated text is stored again", again)
	}
	long := strings.Repeat("x", 100)
	alone := &ListWriter{}
	if alone.Session(&Session{ID: long, Key: long}); len(alone.To) > 150 {
		t.Errorf("%d bytes: a key that is the id is stored", len(alone.To))
	}
	alone.Session(&Session{Workspace: "/" + long})
	if alone.Session(&Session{Workspace: "/" + long}); len(alone.To) > 300 {
		t.Errorf("%d bytes: a repeated directory is stored again", len(alone.To))
	}
	r := ReadList(file, listMagic)
	if n, text, raw := r.Count(), r.Plain(), r.Bytes(3); n != 300 || text != "plain" || raw != "raw" || !r.Good {
		t.Errorf("%d, %q, %q", n, text, raw)
	}
	for i := range sessions {
		var got Session
		if r.Session(&got); got != sessions[i] {
			t.Errorf("session %d came back as %+v", i, got)
		}
	}
	if !r.Good || r.At != r.End {
		t.Errorf("good: %v, read up to %d of %d", r.Good, r.At, r.End)
	}
	for i := range file {
		damaged := slices.Clone(file)
		damaged[i] ^= 0x55
		for _, bad := range [][]byte{damaged, file[:i]} {
			if r := ReadList(bad, listMagic); r.Good || r.Count() != 0 || r.Plain() != "" || r.Text() != "" || r.Bytes(0) != "" {
				t.Fatalf("a list that is damaged at %d is read", i)
			}
		}
	}
	if r := ReadList((&ListWriter{To: []byte(listMagic)}).End(), listMagic); !r.Good || r.At != r.End {
		t.Error("an empty list is not read")
	}
}

// TestAListThatContradictsItselfIsNotGood checks lists whose checksum is right and whose numbers are not, such as those
// of another program.
func TestAListThatContradictsItselfIsNotGood(t *testing.T) {
	number := func(n uint64) []byte { return binary.AppendUvarint(nil, n) }
	for name, c := range map[string]struct {
		list []byte
		read func(r *listReader) bool // whether nothing was read
	}{
		"a text that is longer":   {append(number(4), "abc"...), func(r *listReader) bool { return r.Plain() == "" }},
		"a text of endless bytes": {number(1 << 63), func(r *listReader) bool { return r.Plain() == "" }},
		"more bytes":              {[]byte("abc"), func(r *listReader) bool { return r.Bytes(4) == "" }},
		"a repeated text":         {number(1), func(r *listReader) bool { return r.Text() == "" }},
		"a number without an end": {[]byte{0x80}, func(r *listReader) bool { return r.Count() == 0 && r.At == len(listMagic) }},
		"no number":               {nil, func(r *listReader) bool { return r.Number() == 0 && r.Text() == "" }},
	} {
		w := &ListWriter{To: append([]byte(listMagic), c.list...)}
		r := ReadList(w.End(), listMagic)
		if !r.Good || !c.read(r) || r.Good {
			t.Errorf("%s: it is read, or good", name)
		}
		if r.Bytes(0) != "" || r.Text() != "" || r.Good {
			t.Errorf("%s: it becomes good", name)
		}
	}
	for _, text := range []string{"", "abc"} { // the last text of a list
		w := &ListWriter{To: []byte(listMagic)}
		w.Plain(text)
		r := ReadList(w.End(), listMagic)
		if got := r.Plain(); got != text || !r.Good || r.At != r.End {
			t.Errorf("the last text is %q, want %q", got, text)
		}
	}
	whole := &ListWriter{To: []byte(listMagic)}
	whole.Text("abc")
	whole.Text("abc")
	r := ReadList(whole.End(), listMagic)
	if a, b := r.Text(), r.Text(); a != "abc" || b != "abc" || !r.Good {
		t.Errorf("a whole list: %q, %q", a, b)
	}
}

// TestAListFileIsARegularFile checks that a list is written below directories that only this user can read, and that
// nothing but a regular file of a bounded size is read.
func TestAListFileIsARegularFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "cache", "list")
	WriteList(path, []byte("text"))
	if got := ListFile(path); string(got) != "text" {
		t.Errorf("it contains %q", got)
	}
	WriteList(path, make([]byte, maxList+1))
	if got := ListFile(path); string(got) != "text" {
		t.Errorf("a list that is too long was written: %d bytes", len(got))
	}
	if ListFile(dir) != nil || ListFile(path+".gone") != nil {
		t.Error("there is a list without a file")
	}
	WriteList(filepath.Join(path, "below"), []byte("text")) // a file is not a directory
	dirstest.Write(t, path, "")
	for size, read := range map[int64]bool{maxList: true, maxList + 1: false} {
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		if got := ListFile(path); (got != nil) != read {
			t.Errorf("of %d bytes, %d are read", size, len(got))
		}
	}
}
