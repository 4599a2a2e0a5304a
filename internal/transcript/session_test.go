// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// TestASessionOwnsItsFiles checks which changes on disk may be changes of a session.
func TestASessionOwnsItsFiles(t *testing.T) {
	for form, owned := range map[Form]string{
		Lines: "/a/s", Compressed: "/a/s", Document: "/a/s", Folder: "/a/s",
		Database: "/a/s /a/s-wal", Store: "/a/s /a/s-wal",
		Task: "/a/s /a/other /a/s-wal", WithSidecars: "/a/s /a/other /a/s-wal",
	} {
		s := Session{Path: "/a/s", Form: form}
		var got []string
		for _, path := range []string{"/a/s", "/a/other", "/a/s-wal", "/b/s", "/a"} {
			if s.Owns(path) {
				got = append(got, path)
			}
		}
		if strings.Join(got, " ") != owned {
			t.Errorf("a session of form %d owns %q, want %q", form, got, owned)
		}
	}
}

// TestTheStartOfASessionIsReadOnce checks the times that records have, and that the first one stays.
func TestTheStartOfASessionIsReadOnce(t *testing.T) {
	at := time.UnixMilli(1_700_000_000_123).UTC()
	for text, want := range map[string]time.Time{
		`"2023-11-14T22:13:20.123Z"`: at, `"2023-11-14T23:13:20.123+01:00"`: at, `1700000000123`: at, `1`: time.UnixMilli(1).UTC(),
		`0`: {}, `-5`: {}, `"yesterday"`: {}, `null`: {}, `true`: {}, `1.5e400`: {},
	} {
		v, err := json.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var s Session
		if SetStart(&s, v); !s.Started.Equal(want) {
			t.Errorf("%s is read as %v", text, s.Started)
		}
		s.Started = time.Unix(5, 0)
		if SetStart(&s, v); !s.Started.Equal(time.Unix(5, 0)) {
			t.Errorf("%s changes a known start to %v", text, s.Started)
		}
	}
	for n, known := range map[int64]bool{-1: false, 0: false, 1: true, 1 << 43: true, 1<<43 + 1: false} {
		if at := Milliseconds(n); at.IsZero() == known || known && at.UnixMilli() != n {
			t.Errorf("%d milliseconds are %v", n, at)
		}
	}
}

// TestAKnownTextIsNotReplaced checks that a field is set from the first text that is not too long.
func TestAKnownTextIsNotReplaced(t *testing.T) {
	for text, want := range map[string]string{
		`"b"`: "b", `7`: "", `""`: "", `"` + strings.Repeat("x", 4095) + `"`: strings.Repeat("x", 4095), `"` + strings.Repeat("x", 4096) + `"`: "",
	} {
		v, err := json.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		empty, known := "", "a"
		SetText(&empty, v)
		SetText(&known, v)
		if empty != want || known != "a" {
			t.Errorf("%.20s: %.20q and %q", text, empty, known)
		}
	}
}

// TestTheEndsOfATextAreTrimmed checks white space and zero bytes, and the first line of a text.
func TestTheEndsOfATextAreTrimmed(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " \t\r\n\x00": "", "\x00 a b\x00\n": "a b", "a": "a", "\va": "\va", " ": "", "\x00": "",
	} {
		if got := string(TrimSpace([]byte(text))); got != want {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	for text, want := range map[string]string{"": "", "a": "a", "a\nb\nc": "a", "\n": ""} {
		if got := string(FirstLine([]byte(text))); got != want {
			t.Errorf("the first line of %q is %q", text, got)
		}
	}
}

// TestMillisecondsOutOfRangeAreNoTime checks the first and the last time.
func TestMillisecondsOutOfRangeAreNoTime(t *testing.T) {
	for n, want := range map[int64]int64{1: 1, 1 << 43: 1 << 43, 0: 0, -1: 0, 1<<43 + 1: 0} {
		got := int64(0)
		if at := Milliseconds(n); !at.IsZero() {
			got = at.UnixMilli()
		}
		if got != want {
			t.Errorf("%d is at %d", n, got)
		}
	}
}

// TestALongTextOfBase64IsAPicture checks which texts are base64, and how much of a long one stays.
func TestALongTextOfBase64IsAPicture(t *testing.T) {
	for c := range byte(128) {
		letter := c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if want := letter || strings.IndexByte("+/=-_", c) >= 0; isBase64([]byte{'A', c, 'A'}) != want {
			t.Errorf("%q is base64: %v", c, !want)
		}
	}
	for text, want := range map[string]bool{
		"": true, "data:image/png;base64,AAAA": true, "data:,A": true, "data:image/png": false, "date:x,AAAA": false, ",AAAA": false, "data:,A,": false,
		"data:" + strings.Repeat(";", 94) + ",A": true, "data:" + strings.Repeat(";", 95) + ",A": false,
	} {
		if isBase64([]byte(text)) != want {
			t.Errorf("%.40s is base64: %v", text, !want)
		}
	}
	long := strings.Repeat("A", longText)
	short := `"` + long[:pictureHead] + `"`
	for record, want := range map[string]string{
		`{"a":"` + long + `"}`: `{"a":"` + long + `"}`, `{"a":"` + long + `A","b":1}`: `{"a":` + short + `,"b":1}`, `{"a":"` + long + ` "}`: `{"a":"` + long + ` "}`, `["` + long + `A","` + long + `A"]`: `[` + short + `,` + short + `]`,
		`"` + long + `A"`: short, `{"a":"` + long + `A`: `{"a":"` + long + `A`, `{"a`: `{"a`, `7`: `7`, ``: ``, `"x"`: `"x"`,
	} {
		if got := string(withoutPictures([]byte(record))); got != want {
			t.Errorf("%.20s with %d bytes becomes %.20s with %d bytes, want %d", record, len(record), got, len(got), len(want))
		}
	}
}

// TestTheFirstMillisecondIsATime checks numbers as the beginning of a session.
func TestTheFirstMillisecondIsATime(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "0": 0, "-1": 0, "1.5": 0, "true": 0} {
		v, err := json.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var s Session
		got := int64(0)
		if SetStart(&s, v); !s.Started.IsZero() {
			got = s.Started.UnixMilli()
		}
		if got != want {
			t.Errorf("%s is at %d", text, got)
		}
	}
}

// TestAFaultIsAnError checks that a panic while a file is read becomes an error, and that any other error stays.
func TestAFaultIsAnError(t *testing.T) {
	own := errors.New("own")
	for want, read := range map[string]func() error{
		"reading it failed with an internal error: a fault": func() (err error) { defer Survive(&err); panic("a fault") },
		"own":   func() (err error) { defer Survive(&err); return own },
		"<nil>": func() (err error) { defer Survive(&err); return nil },
	} {
		if got := fmt.Sprint(read()); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if !IsAbsent(fs.ErrNotExist) || IsAbsent(own) {
		t.Error("a file that does not exist is not known by its error")
	}
}
