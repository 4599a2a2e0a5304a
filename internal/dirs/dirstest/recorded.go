// Copyright The ctx-lsp authors. MIT licence.

package dirstest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Recording is the files of one recorded session, by their path in the folder that they enter.
//
// Recorded sessions enter a home that a daemon watches through Place. Front ends list a session as an earlier one after
// a day, so a test of a recording with its own dates would pass for a day and fail from then on.
type Recording map[string]string

// recent is how old the newest record of a session may be that did not enter through Place.
const recent = 12 * time.Hour

// entered holds the files that entered through Place or Enter.
var entered sync.Map

// Enter notes that the dates of a file are relative to the present, whatever its text.
func Enter(path string) { entered.Store(filepath.Clean(path), true) }

// Place writes a recording to a folder and returns the paths of its files by their names in the recording. All dates in
// its texts and paths, and the times of its files, are moved so that its newest record was written this long ago.
func Place(t testing.TB, folder string, r Recording, ago time.Duration) map[string]string {
	t.Helper()
	at := time.Now().Add(-ago)
	last, by, ok := r.distance(at)
	if !ok {
		t.Fatalf("the recording has no date: %v", r)
	}
	paths := map[string]string{}
	for name, text := range r {
		path := filepath.Join(folder, filepath.FromSlash(moveDates(name, last, by)))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		Enter(path)
		if err := os.WriteFile(path, []byte(moveDates(text, last, by)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		paths[name] = path
	}
	return paths
}

// Mover returns a function that moves all dates of a text as Place would move those of the recording.
func (r Recording) Mover(t testing.TB, ago time.Duration) func(text string) string {
	t.Helper()
	last, by, ok := r.distance(time.Now().Add(-ago))
	if !ok {
		t.Fatalf("the recording has no date: %v", r)
	}
	return func(text string) string { return moveDates(text, last, by) }
}

// distance returns the newest record's time and how long it is before at, in whole seconds, so that every form of one
// date stays that of one date. It returns false for a recording without dates.
func (r Recording) distance(at time.Time) (last time.Time, by time.Duration, ok bool) {
	for _, text := range r {
		if newest := newestDate(text); newest.After(last) {
			last = newest
		}
	}
	return last, at.Sub(last).Truncate(time.Second), !last.IsZero()
}

// RefuseUnmoved fails the test if a file in the folder is a recorded session that did not enter through Place.
func RefuseUnmoved(t testing.TB, folder string) {
	t.Helper()
	if why := unmoved(folder); why != "" {
		t.Fatal(why)
	}
}

// unmoved returns a message about the first file for which RefuseUnmoved fails, or "".
func unmoved(folder string) (why string) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // a file that is gone has no dates
		}
		if _, is := entered.Load(path); is {
			return nil
		}
		text, err := os.ReadFile(path) //nolint:gosec // the home of a test
		if err != nil || bytes.HasPrefix(text, []byte("\x00asm")) {
			return nil //nolint:nilerr // as above
		}
		last := newestDate(string(text))
		if last.IsZero() || time.Since(last) <= recent {
			return nil
		}
		why = path + " has no record after " + last.UTC().Format(time.RFC3339) +
			": a recorded session enters through dirstest.Place, which moves its dates"
		return filepath.SkipAll
	})
	return why
}

// Every form in which recordings have dates: ISO 8601 with "T" or a space, with ":" or in file names "-" within the
// time, with or without seconds, fraction and zone; a day alone, also as folders; and seconds, milliseconds,
// microseconds or nanoseconds since 1970.
var (
	writtenDate = regexp.MustCompile(`20[2-9]\d([-/])\d\d[-/]\d\d([T ]\d\d([:-])\d\d(?:[:-]\d\d)?)?`)
	countedDate = regexp.MustCompile(`\b1[6-9]\d{8}(?:\d{3}|\d{6}|\d{9})?\b`)
	zoneOfDate  = regexp.MustCompile(`^(?:\.\d{1,9}|-\d{3}Z)?([+-])(\d\d):(\d\d)`)
	// futureDate matches the end of a text before a date that is no record's time.
	futureDate = regexp.MustCompile(`(?i)(?:reset|expir|until)\w*["']?\s*[:=,]\s*["']?$`)
)

// newestDate returns the newest date of a text that is not in the future by its name, or the zero Time.
func newestDate(text string) (last time.Time) {
	eachDate(text, func(at time.Time, future, _ bool) time.Time {
		if !future && at.After(last) {
			last = at
		}
		return at
	})
	return last
}

// moveDates moves the dates of a text as the newest record is moved. A day alone is moved like the record's day, so
// that a folder stays that of its day.
func moveDates(text string, last time.Time, by time.Duration) string {
	return eachDate(text, func(at time.Time, _, day bool) time.Time {
		if day {
			at = at.Add(last.Sub(last.Truncate(24 * time.Hour)))
		}
		return at.Add(by)
	})
}

// eachDate calls of with each date of a text, and returns the text with the dates that it returns. Fractions of a
// second stay. A day alone is at its midnight, which day says.
func eachDate(text string, of func(at time.Time, future, day bool) time.Time) string {
	text = replaceEach(writtenDate, text, func(date, before, after string) string {
		layout := strings.NewReplacer("/", date[4:5], "-", date[4:5]).Replace("2006-01-02")
		id := "" // digits after the minutes that begin an id
		if n := len(layout) + len("T15:04"); len(date) > n && after != "" && isLetterOrDigit(after[0]) && after[0] != 'Z' {
			date, id = date[:n], date[n:]
		}
		switch rest := date[len(layout):]; {
		case rest == "":
			if before != "" && strings.ContainsAny(before[len(before)-1:], "-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
				return date // part of a model's name, for example
			}
		default:
			layout += rest[:1] + "15" + rest[3:4] + "04"
			if len(rest) > len("T15:04") {
				layout += rest[3:4] + "05"
			}
		}
		at, err := time.Parse(layout, date)
		if err != nil {
			return date + id
		}
		var east time.Duration
		if zone := zoneOfDate.FindStringSubmatch(after); zone != nil && len(date) > len("2006-01-02") {
			hours, _ := strconv.Atoi(zone[2])
			minutes, _ := strconv.Atoi(zone[3])
			if east = time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute; zone[1] == "-" {
				east = -east
			}
		}
		return of(at.Add(-east), futureDate.MatchString(before), layout == "2006-01-02" || layout == "2006/01/02").Add(east).UTC().Format(layout) + id
	})
	return replaceEach(countedDate, text, func(number, before, _ string) string {
		if strings.HasSuffix(before, ".") {
			return number // a fraction
		}
		seconds, _ := strconv.ParseInt(number[:10], 10, 64)
		return strconv.FormatInt(of(time.Unix(seconds, 0), futureDate.MatchString(before), false).Unix(), 10) + number[10:]
	})
}

// replaceEach replaces each match of a pattern by the result of with, which is called with up to 40 bytes before and
// after it.
func replaceEach(pattern *regexp.Regexp, text string, with func(match, before, after string) string) string {
	var b strings.Builder
	end := 0
	for _, at := range pattern.FindAllStringIndex(text, -1) {
		b.WriteString(text[end:at[0]])
		end = at[1]
		b.WriteString(with(text[at[0]:at[1]], text[max(0, at[0]-40):at[0]], text[at[1]:min(len(text), at[1]+40)]))
	}
	return b.String() + text[end:]
}

func isLetterOrDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
