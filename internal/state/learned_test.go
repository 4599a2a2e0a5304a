// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestCorrectionsSurvive(t *testing.T) {
	s := OpenLearned(filepath.Join(t.TempDir(), "not", "there", "yet"))
	if got, err := s.Load(); got != nil || err != nil {
		t.Fatalf("an empty store gives %q, %v", got, err)
	}
	err := s.Update(context.Background(), func(old []byte) ([]byte, error) { return []byte(`{"a":1}`), nil })
	if err != nil {
		t.Fatal(err)
	}
	if got, err := OpenLearned(filepath.Dir(s.Path())).Load(); string(got) != `{"a":1}` || err != nil {
		t.Fatalf("another program reads %q, %v", got, err)
	}
	// On Windows, permission bits do not exist; there the user's profile directory keeps other users out.
	if info, _ := os.Stat(s.Path()); runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read it: %v", info.Mode())
	}
	if had, err := s.Forget(); !had || err != nil {
		t.Errorf("forget says %v, %v", had, err)
	}
	if had, err := s.Forget(); had || err != nil {
		t.Errorf("forgetting nothing says %v, %v", had, err)
	}
	left, _ := os.ReadDir(filepath.Dir(s.Path()))
	if len(left) > 1 || len(left) == 1 && left[0].Name() != "learned.json.lock" {
		t.Errorf("forget leaves %v", left)
	}
}

// TestWritersDoNotLoseEachOthersNumbers checks that no update is lost when several writers add at the same time: each
// sees what the previous one wrote.
func TestWritersDoNotLoseEachOthersNumbers(t *testing.T) {
	usual := learnedLockWait
	defer func() { learnedLockWait = usual }()
	learnedLockWait = time.Minute // eight writers under Wine need longer than usual
	dir := t.TempDir()
	const writers, each = 8, 8 // a busy disk takes 20 ms for each
	var wait sync.WaitGroup
	for range writers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			s := OpenLearned(dir)
			for range each {
				if err := s.Update(context.Background(), increment); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wait.Wait()
	got, err := OpenLearned(dir).Load()
	if want := `{"n":` + strconv.Itoa(writers*each) + `}`; err != nil || string(got) != want {
		t.Errorf("after %d additions: %s, %v", writers*each, got, err)
	}
}

func increment(old []byte) ([]byte, error) {
	n := 0
	if old != nil {
		var err error
		if n, err = strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(string(old), `{"n":`), "}")); err != nil {
			return nil, err
		}
	}
	return []byte(`{"n":` + strconv.Itoa(n+1) + `}`), nil
}

func TestABrokenFileIsTreatedAsMissing(t *testing.T) {
	for name, text := range map[string]string{
		"empty":       "",
		"truncated":   `{"schema":"ctx.learned/1","learned":{"a"`,
		"wrong type":  `{"schema":"ctx.learned/1","learned":[1]}`,
		"other JSON":  `[1,2,3]`,
		"other build": `{"schema":"ctx.learned/2","learned":{"a":1}}`,
		"no schema":   `{"learned":{"a":1}}`,
		"large":       `{"schema":"ctx.learned/1","learned":{"a":"` + strings.Repeat("a", MaxLearnedBytes) + `"}}`,
		"not UTF-8":   "{\"schema\":\"ctx.learned/1\",\"learned\":{\"\xff\":1}}",
		"deep nested": strings.Repeat("[", 100000),
	} {
		s := OpenLearned(t.TempDir())
		if err := os.WriteFile(s.Path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Load(); got != nil && name != "not UTF-8" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if err := s.Update(context.Background(), func([]byte) ([]byte, error) { return []byte(`{}`), nil }); err != nil {
			t.Errorf("%s: it is not replaced: %v", name, err)
		}
	}
}

func TestALargeResultIsRefusedAndTheOldOneStays(t *testing.T) {
	s := OpenLearned(t.TempDir())
	s.Update(context.Background(), func([]byte) ([]byte, error) { return []byte(`{"a":1}`), nil })
	err := s.Update(context.Background(), func([]byte) ([]byte, error) {
		return []byte(`{"a":"` + strings.Repeat("a", MaxLearnedBytes) + `"}`), nil
	})
	if err == nil {
		t.Error("it was written")
	}
	if got, _ := s.Load(); string(got) != `{"a":1}` {
		t.Errorf("the old one became %s", got)
	}
}

func TestProgramsThatLearnAtOnceKeepBothCorrections(t *testing.T) {
	dir := t.TempDir()
	keep := func(numbers string) {
		t.Helper()
		if err := OpenLearned(dir).Keep(context.Background(), []byte(numbers)); err != nil {
			t.Fatal(err)
		}
	}
	keep(`{"lessons":[{"key":"a","at":1,"steps":1},{"key":"b","at":2}]}`)
	keep(`{"lessons":[{"key":"a","at":5,"steps":9}]}`)
	keep(`{"lessons":[{"key":"a","at":3,"steps":4},{"key":"c","at":4}]}`) // it began before the one with 9 steps ended
	got, err := OpenLearned(dir).Load()
	want := `{"lessons":[{"key":"b","at":2},{"key":"c","at":4},{"key":"a","at":5,"steps":9}]}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	var many strings.Builder
	for i := range 2 * maxLessons {
		many.WriteString(`,{"key":"k` + strconv.Itoa(i) + `","at":` + strconv.Itoa(100+i) + `}`)
	}
	keep(`{"lessons":[` + many.String()[1:] + `]}`)
	got, _ = OpenLearned(dir).Load()
	if n := strings.Count(string(got), `"key"`); n != maxLessons || !strings.Contains(string(got), `"k1023"`) || strings.Contains(string(got), `"k511"`) {
		t.Errorf("%d lessons are kept: %.80s", n, got)
	}
}

func TestLearnedLimitsAreForgottenAfterNinetyDays(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	at := func(days int) string { return strconv.FormatInt(now.AddDate(0, 0, -days).UnixMilli(), 10) }
	keep := func(numbers string) {
		t.Helper()
		if err := OpenLearned(dir).Keep(context.Background(), []byte(numbers)); err != nil {
			t.Fatal(err)
		}
	}
	keep(`{"lessons":[{"key":"a","at":` + at(91) + `}],"limits":[{"key":"c","at":` + at(89) + `},{"key":"d","at":` + at(91) + `}]}`)
	keep(`{"limits":[{"key":"e","at":` + at(0) + `}]}`)
	got, err := OpenLearned(dir).Load()
	want := `{"lessons":[{"key":"a","at":` + at(91) + `}],"limits":[{"key":"c","at":` + at(89) + `},{"key":"e","at":` + at(0) + `}]}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	if err := OpenLearned(dir).KeepCorrections(context.Background(), []byte(`{"lessons":[],"limits":[{"key":"f","at":`+at(0)+`}]}`)); err != nil {
		t.Fatal(err)
	}
	if got, _ := OpenLearned(dir).Load(); string(got) != want {
		t.Errorf("with corrections alone %s; want %s", got, want)
	}
	later, err := OpenLearned(dir).LoadAt(now.AddDate(0, 0, 2))
	if want := `{"lessons":[{"key":"a","at":` + at(91) + `}],"limits":[{"key":"e","at":` + at(0) + `}]}`; err != nil || string(later) != want {
		t.Errorf("two days later %s, %v; want %s", later, err, want)
	}
	if info, err := os.Stat(OpenLearned(dir).Path()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v, %v", info.Mode(), err)
	}
}

func TestTheOldestCorrectionsAreDroppedForLargeOnes(t *testing.T) {
	dir, now := t.TempDir(), time.Now().UnixMilli()
	lesson := func(i int) string {
		return `{"key":"` + strconv.Itoa(i) + `","at":` + strconv.FormatInt(now+int64(i), 10) + `,"tools":"` + strings.Repeat("x", 3000) + `"}`
	}
	for from := 0; from < maxLessons; from += 64 {
		var lessons []string
		for i := range 64 {
			lessons = append(lessons, lesson(from+i))
		}
		all := strings.Join(lessons, ",")
		if err := OpenLearned(dir).Keep(context.Background(), []byte(`{"lessons":[`+all+`],"limits":[`+all+`]}`)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := OpenLearned(dir).Load()
	if err != nil || len(got) > MaxLearnedBytes || len(got) < MaxLearnedBytes*9/10 {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	if newest := lesson(maxLessons - 1); strings.Count(string(got), newest) != 2 {
		t.Errorf("the newest lesson is not in both lists")
	}
	if strings.Contains(string(got), lesson(0)) {
		t.Errorf("the oldest lesson is kept")
	}
}
