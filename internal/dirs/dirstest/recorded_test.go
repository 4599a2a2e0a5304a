// Copyright The ctx-lsp authors. MIT licence.

package dirstest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestEveryFormOfADateIsMoved checks that all dates of a recording move by the same time, in every form, and that no
// other number does.
func TestEveryFormOfADateIsMoved(t *testing.T) {
	text := strings.Join([]string{
		`{"timestamp":"2026-03-02T09:00:00.123Z","resets_at":1790000000}`,
		`"2026-03-02T10:00:00+01:00" "2026-03-02 08:59:58" "2026-03-02T08:59:58.123456"`,
		`1772442000 1772442000123 1772442000123456 1772442000.5 "session-1772442000123.json" 2026-03-02T09-00-00-123Z`,
		`"day":"2026-03-02","model":"gpt-4o-2026-03-02","tokens":177244200,"id":"x1772442000" session-2026-03-02T09-00-12cd`,
	}, "\n")
	by := 270*24*time.Hour + 5*time.Hour + 3*time.Minute + 4*time.Second // to 27 November, 14:03:04
	want := strings.Join([]string{
		`{"timestamp":"2026-11-27T14:03:04.123Z","resets_at":1813346184}`,
		`"2026-11-27T15:03:04+01:00" "2026-11-27 14:03:02" "2026-11-27T14:03:02.123456"`,
		`1795788184 1795788184123 1795788184123456 1795788184.5 "session-1795788184123.json" 2026-11-27T14-03-04-123Z`,
		`"day":"2026-11-27","model":"gpt-4o-2026-03-02","tokens":177244200,"id":"x1772442000" session-2026-11-27T14-03-12cd`,
	}, "\n")
	if got := moveDates(text, newestDate(text), by); got != want {
		t.Errorf("the dates become\n%s\nwant\n%s", got, want)
	}
	if last := newestDate(text); last.Unix() != 1772442000 {
		t.Errorf("the newest date is %v", last)
	}
}

// TestADatedRecordingIsRefused checks that a recording enters a home through Place with a recent newest record, and
// that RefuseUnmoved names a copy that did not.
func TestADatedRecordingIsRefused(t *testing.T) {
	home := t.TempDir()
	const record = `{"timestamp":"2026-03-02T09:00:00.000Z"}`
	const name = ".agent/2026/03/02/s-2026-03-02T09-00-00.jsonl"
	placed := Place(t, home, Recording{name: record}, time.Minute)[name]
	Place(t, home, Recording{".agent/old.jsonl": record}, 72*time.Hour) // old on purpose
	text, err := os.ReadFile(placed)
	if err != nil {
		t.Fatal(err)
	}
	at := newestDate(string(text))
	if age := time.Since(at); age < time.Minute || age > 2*time.Minute {
		t.Errorf("the newest record is %v old", age)
	}
	if want := at.UTC().Format("2006/01/02/s-2006-01-02T15-04-05.jsonl"); !strings.HasSuffix(filepath.ToSlash(placed), want) {
		t.Errorf("the file is %s, want …%s", placed, want)
	}
	Write(t, filepath.Join(home, "written.jsonl"), `{"timestamp":"`+time.Now().UTC().Format(time.RFC3339)+`"}`)
	if why := unmoved(home); why != "" {
		t.Error(why)
	}
	Write(t, filepath.Join(home, "copied.jsonl"), record)
	if why := unmoved(home); !strings.Contains(why, "copied.jsonl has no record after 2026-03-02T09:00:00Z") {
		t.Errorf("a copy is refused with %q", why)
	}
}
