// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// manyRecorded is a folder with copies of the recorded sessions, enough for an export to be met in the middle.
func manyRecorded(t *testing.T, copies int) string {
	t.Helper()
	from, folder := recorded(t), t.TempDir()
	for i := range copies {
		if err := os.CopyFS(filepath.Join(folder, fmt.Sprint(i)), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// exportedAt matches the time of an export at the end of a row.
var exportedAt = regexp.MustCompile(`(?m)[0-9T:.Z-]+$`)

// tableOf is what a reader of a folder sees: the files that are not hidden, besides the journal and the lock. half are
// those that are being written.
func tableOf(t *testing.T, folder string) (files map[string]string, half []string) {
	t.Helper()
	files = map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), "_ctx-export"):
			return err
		case strings.HasPrefix(entry.Name(), "."):
			half = append(half, path)
			return nil
		}
		text, err := os.ReadFile(path)
		below, _ := filepath.Rel(folder, path)
		files[below] = exportedAt.ReplaceAllString(string(text), "at some time")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, half
}

// exportInto exports into a folder, and wants it to succeed.
func exportInto(t *testing.T, folder, from string, more ...string) string {
	t.Helper()
	_, out, errs := runWith(t, "", append([]string{"export", "--key=k", "--format=csv", "--json", "--out=" + folder, from}, more...)...)
	if out == "" {
		t.Fatalf("export into a folder prints nothing: %s", errs)
	}
	return out
}

// TestAKilledExportIsContinued protects who reads a table while it is written, and who writes it again after
// the machine went down. Each export is killed as soon as it has added some files. One that was faster, and has ended,
// is begun anew in another folder, so that no speed of a machine decides what is tested.
func TestAKilledExportIsContinued(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	from, whole, folder := manyRecorded(t, 25), t.TempDir(), t.TempDir()
	exportInto(t, whole, from)
	want, _ := tableOf(t, whole)
	const tries = 200
	inTheMiddle, inAFile := 0, 0
	for try := 1; inTheMiddle < 4 || inAFile == 0; try++ {
		if try > tries {
			t.Fatalf("of %d exports %d were met in the middle, and %d of them in a file", tries, inTheMiddle, inAFile)
		}
		enough := written(t, folder) + 1 + random.IntN(20)
		export := exec.Command("ctx-lsp", "export", "--key=k", "--format=csv", "--out="+folder, from)
		if err := export.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- export.Wait() }()
		// It is stopped while its files are counted, so it can only add few files before it is killed.
		for len(ended) == 0 {
			_ = export.Process.Signal(syscall.SIGSTOP)
			if written(t, folder) >= enough {
				break
			}
			_ = export.Process.Signal(syscall.SIGCONT)
			time.Sleep(time.Millisecond)
		}
		_ = export.Process.Kill() // it may have ended
		killed := <-ended != nil
		got, half := tableOf(t, folder)
		for name, text := range got {
			if text != want[name] {
				t.Fatalf("%s has its name and is not whole", name)
			}
		}
		if !killed || len(got) == len(want) {
			folder = t.TempDir()
			continue
		}
		inTheMiddle++
		if len(half) > 0 {
			inAFile++
		}
	}
	exportInto(t, folder, from)
	got, half := tableOf(t, folder)
	if !maps.Equal(got, want) || len(half) > 0 {
		t.Errorf("in the end there are %d files of %d, and half-written ones: %v", len(got), len(want), half)
	}
}

// written is how many files of a table have their names.
func written(t *testing.T, folder string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "day=*", "agent=*", "[^.]*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

// TestShardsOfAnExportAreOneTable protects whoever spreads an export over machines.
func TestShardsOfAnExportAreOneTable(t *testing.T) {
	from, whole, folder := recorded(t), t.TempDir(), t.TempDir()
	once := exportInto(t, whole, from)
	var files []string
	for i := range 3 {
		files = append(files, filepath.Join(t.TempDir(), fmt.Sprint(i)))
		if err := os.WriteFile(files[i], []byte(exportInto(t, folder, from, fmt.Sprintf("--shard=%d/3", i+1))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := tableOf(t, whole)
	if got, _ := tableOf(t, folder); !maps.Equal(got, want) || len(want) == 0 {
		t.Errorf("three shards are %d files, and one run %d", len(got), len(want))
	}
	_, merged, _ := runWith(t, "", append([]string{"export", "--merge", "--json"}, files...)...)
	var a, b exportDone
	if json.Unmarshal([]byte(merged), &a) != nil || json.Unmarshal([]byte(once), &b) != nil || a != b || a.Rows == 0 {
		t.Errorf("merged, the shards are %s, and one run is %s", merged, once)
	}
	if err := os.WriteFile(files[0], []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := runWith(t, "", append([]string{"export", "--merge"}, files...)...); code != exitError || !strings.Contains(errs, "export --json") {
		t.Errorf("merging something else: exit %d, %s", code, errs)
	}
}

// TestATranscriptGrowsWhileItIsExported protects the agents that work meanwhile: only whole rows are written, and the
// next run brings the rest.
func TestATranscriptGrowsWhileItIsExported(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	text, err := os.ReadFile("../../testdata/sessions/claude-code/turns.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	from, folder := t.TempDir(), t.TempDir()
	path := filepath.Join(from, "growing.jsonl")
	first := strings.Index(string(text), "\n") + 1
	if err := os.WriteFile(path, text[:first], 0o644); err != nil {
		t.Fatal(err)
	}
	var writer sync.WaitGroup
	writer.Go(func() {
		out, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return // the test fails for want of rows
		}
		defer out.Close()
		for at := first; at < len(text); { // in pieces, many of which end within a record
			next := min(len(text), at+1+random.IntN(len(text)/12))
			_, _ = out.Write(text[at:next])
			at = next
			time.Sleep(20 * time.Millisecond)
		}
	})
	columns := -1
	for range 10 {
		exportInto(t, folder, from)
		got, half := tableOf(t, folder)
		for name, rows := range got {
			for _, row := range strings.Split(strings.TrimSuffix(rows, "\n"), "\n") {
				if columns < 0 {
					columns = strings.Count(row, ",")
				}
				if strings.Count(row, ",") < columns { // the servers are JSON and may have more
					t.Errorf("%s has half a row: %s", name, row)
				}
			}
		}
		if len(half) > 0 {
			t.Errorf("half-written files are left: %v", half)
		}
	}
	writer.Wait()
	exportInto(t, folder, from)
	whole := t.TempDir()
	exportInto(t, whole, from)
	want, _ := tableOf(t, whole)
	if got, _ := tableOf(t, folder); !maps.Equal(got, want) || len(want) == 0 {
		t.Errorf("in the end the table is %v, and a new one %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}
