// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"strconv"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func value(t *testing.T, text string) json.Value {
	t.Helper()
	v, err := json.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTimesAsAgentsWriteThem(t *testing.T) {
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC).UnixMilli()
	for text, want := range map[string]int64{
		`"2026-03-02T12:00:00Z"`: noon, `"2026-03-02T12:00:00.250Z"`: noon + 250, `"2026-03-02T12:00:00.2509999Z"`: noon + 250,
		`"2026-03-02T14:00:00+02:00"`: noon, `"2026-03-02T06:30:00-05:30"`: noon, `"2026-03-02 12:00:00"`: noon,
		`1772452800`: noon, `1772452800000`: noon, `1772452800.5`: noon + 500,
	} {
		if got, ok := ParseTime(value(t, text)); !ok || got != want {
			t.Errorf("%s is %d, %v; want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{`""`, `"yesterday"`, `"2026-13-02T12:00:00Z"`, `"2026-03-02T25:00:00Z"`, `"2026-03-02T12:00:00+99:00"`, `"2026-03-02T12:00:00 "`, `"9999-01-01T00:00:00Z"`, `0`, `-5`, `1e30`, `null`, `{}`} {
		if got, ok := ParseTime(value(t, text)); ok {
			t.Errorf("%s is taken for %d", text, got)
		}
	}
	for year := 1970; year <= 2200; year++ {
		for _, day := range []struct{ m, d int }{{1, 1}, {2, 28}, {3, 1}, {12, 31}} {
			want := time.Date(year, time.Month(day.m), day.d, 0, 0, 0, 0, time.UTC).Unix() / 86400
			if got := daysSince1970(int64(year), int64(day.m), int64(day.d)); got != want {
				t.Fatalf("%d-%d-%d is day %d, not %d", year, day.m, day.d, got, want)
			}
		}
	}
}

func TestVersionsInOrder(t *testing.T) {
	ordered := []string{"1", "1.0.1", "1.0.1.5", "1.2", "1.10", "2.0.76", "2.1.9", "2.1.20", "2.1.100", "10"}
	for i := 1; i < len(ordered); i++ {
		if ParseVersion(ordered[i-1]) >= ParseVersion(ordered[i]) {
			t.Errorf("%s does not come before %s", ordered[i-1], ordered[i])
		}
	}
	for _, same := range []string{"v2.1.20", "2.1.20-beta.1", "2.1.20+build"} {
		if ParseVersion(same) != ParseVersion("2.1.20") {
			t.Errorf("%s is not 2.1.20", same)
		}
	}
	for _, none := range []string{"", "latest", "v", ".5"} {
		if v := ParseVersion(none); v != 0 || !v.AtLeast("99") {
			t.Errorf("%q is taken for a version", none)
		}
	}
}

// TestSizesOfImages: the heads of images as the formats define them.
func TestSizesOfImages(t *testing.T) {
	for name, c := range map[string]struct {
		head string
		w, h int64
	}{
		"png":     {"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x05\xa0\x00\x00\x03\x84", 1440, 900},
		"gif":     {"GIF89a\x40\x01\xf0\x00", 320, 240},
		"jpeg":    {"\xff\xd8\xff\xe0\x00\x04xx\xff\xc4\x00\x03x\xff\xc2\x00\x11\x08\x01\xe0\x02\x80", 640, 480},
		"webp x":  {"RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x7f\x02\x00\xdf\x01\x00", 640, 480},
		"webp":    {"RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x80\x02\xe0\x01", 640, 480},
		"webp l":  {"RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f\x7f\xc2\x77\x00\x00\x00\x00\x00\x00", 640, 480},
		"nothing": {"hello", 0, 0},
		"cut":     {"\x89PNG\r\n\x1a\n", 0, 0},
	} {
		if w, h := sizeOf([]byte(c.head)); w != c.w || h != c.h {
			t.Errorf("%s: %d x %d, want %d x %d", name, w, h, c.w, c.h)
		}
	}
	const png = "iVBORw0KGgoAAAANSUhEUgAABaAAAAOE"
	if kind, w, h := DataURL(value(t, `"data:image/png;base64,`+png+`"`)); kind != "image/png" || w != 1440 || h != 900 {
		t.Errorf("%s, %d x %d", kind, w, h)
	}
	if w, h := ImageSize(value(t, strconv.Quote(png))); w != 1440 || h != 900 {
		t.Errorf("%d x %d", w, h)
	}
	for _, other := range []string{`"https://example.org/a.png"`, `"data:"`, `7`, `""`} {
		if _, w, h := DataURL(value(t, other)); w != 0 || h != 0 {
			t.Errorf("%s has a size", other)
		}
	}
}

func TestTheLastFilesStayInOrder(t *testing.T) {
	var r RecentFiles
	for path := uint64(1); path <= 7; path++ {
		r.Touch(path, int(path)*10)
	}
	r.Touch(5, -1) // edited: its text is still where it was read
	r.Touch(4, 99)
	r.Touch(0, 1)
	want := [recentFiles]int{99, 50, 70, 60, 30}
	for i, index := range r.Indices() {
		if index != want[i] {
			t.Fatalf("%v, want %v", r.Indices(), want)
		}
	}
	r.Cut(60)
	if got := r.Indices(); got[0] != -1 || got[1] != 50 || got[2] != -1 {
		t.Errorf("after a cut: %v", got)
	}
}
