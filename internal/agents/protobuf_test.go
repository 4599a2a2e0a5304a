// Copyright The ctx-lsp authors. MIT licence.

package agents

import "testing"

// 1{2: "hello", 3: 150}, 4: 7, 1{2: "again"}, 5: fixed, 6: fixed
var message = protoMessage("\x0a\x0a\x12\x05hello\x18\x96\x01\x20\x07\x0a\x07\x12\x05again\x2d\x01\x02\x03\x04\x31\x01\x02\x03\x04\x05\x06\x07\x08")

func TestProtoMessage(t *testing.T) {
	if got := message.Text(1, 2); got != "again" {
		t.Errorf("of two fields with one number %q counts", got)
	}
	all := ""
	message.Each(1, func(m protoMessage) { all += m.Text(2) + " " })
	if all != "hello again " {
		t.Errorf("each: %q", all)
	}
	if n, ok := message.Number(4); n != 7 || !ok {
		t.Error(n, ok)
	}
	for _, path := range [][]uint64{{1, 3}, {9}, {1, 2, 3}, {5}, {6}, {4, 1}, {1}} {
		if n, ok := message.Number(path...); ok {
			t.Errorf("%v is %d", path, n)
		}
	}
	if m := message.Get(4); m != nil {
		t.Errorf("a number is taken for the text %q", m)
	}
	if got := protoMessage("\x0a\x03ab").Get(1); got != nil {
		t.Errorf("torn: %q", got)
	}
	if got := protoMessage("\x08\x01\x0b\x0a\x01a").Text(1); got != "" {
		t.Errorf("behind a group: %q", got)
	}
}

// FuzzMessage reads anything: it ends, and gives only what is inside.
func FuzzMessage(f *testing.F) {
	f.Add([]byte(message))
	f.Add([]byte("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, fields := protoMessage(text), 0
		for number := range uint64(20) {
			m.Each(number, func(inner protoMessage) {
				fields++
				if len(inner) > len(text) {
					t.Error("a field is longer than its message")
				}
				_, _ = inner.Number(number)
				_ = inner.Text(number, 1)
			})
			_, _ = m.Number(number)
		}
		if fields > len(text) {
			t.Errorf("%d fields in %d bytes", fields, len(text))
		}
	})
}
