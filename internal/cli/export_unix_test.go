// Copyright The ctx-lsp authors. MIT licence.

//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
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

// A tableState is what a reader of a directory sees.
type tableState struct {
	files map[string]string // what is in the files that are not hidden, besides the journal and the lock
	rows  []string          // of all files, sorted
	half  []string          // the files that are being written
}

func tableOf(t *testing.T, folder string) tableState {
	t.Helper()
	state := tableState{files: map[string]string{}}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		switch name := entry.Name(); {
		case strings.HasPrefix(name, "_ctx-export"):
		case strings.HasPrefix(name, "."):
			state.half = append(state.half, name)
		default:
			text, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			state.files[name] = string(text)
			rows := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
			for _, row := range rows[1:] { // after the header
				state.rows = append(state.rows, exportedAt.ReplaceAllString(row, "at some time"))
			}
		}
	}
	slices.Sort(state.rows)
	return state
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

// TestAKilledExportIsContinued kills exports at random moments. A killed export leaves no incomplete file under
// a final name, earlier files stay as they are, and the next export writes exactly the missing rows.
func TestAKilledExportIsContinued(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	from, few, whole, folder := manyRecorded(t, 25), recorded(t), t.TempDir(), t.TempDir()
	exportInto(t, whole, from)
	exportInto(t, whole, few)
	want := tableOf(t, whole)
	exportInto(t, folder, few)
	first := tableOf(t, folder)
	size := int64(0) // of a whole run's file
	for _, text := range want.files {
		size = max(size, int64(len(text)))
	}
	const tries = 200
	for killed, try := 0, 1; killed < 4; try++ {
		if try > tries {
			t.Fatalf("of %d exports %d were killed while they wrote", tries, killed)
		}
		enough := random.Int64N(size)
		export := exec.Command("ctx-lsp", "export", "--key=k", "--format=csv", "--out="+folder, from)
		if err := export.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- export.Wait() }()
		// It is stopped while the size of its file is read, so that it can write little more before it is killed.
		for len(ended) == 0 {
			_ = export.Process.Signal(syscall.SIGSTOP)
			if unnamed(folder) > enough {
				break
			}
			_ = export.Process.Signal(syscall.SIGCONT)
			time.Sleep(time.Millisecond)
		}
		_ = export.Process.Kill() // it may have ended
		if <-ended == nil {
			folder = t.TempDir()
			exportInto(t, folder, few)
			first = tableOf(t, folder)
			continue
		}
		got := tableOf(t, folder)
		if !maps.Equal(got.files, first.files) {
			// It was killed after its file was complete.
			if !slices.Equal(got.rows, want.rows) {
				t.Fatalf("of %d rows, %d have their name", len(want.rows), len(got.rows))
			}
			folder = t.TempDir()
			exportInto(t, folder, few)
			first = tableOf(t, folder)
			continue
		}
		if len(got.half) > 0 {
			killed++
		}
	}
	exportInto(t, folder, from)
	got := tableOf(t, folder)
	if !slices.Equal(got.rows, want.rows) || len(got.half) > 0 || len(got.files) != 2 {
		t.Errorf("in the end there are %d rows of %d in %d files, and half-written ones: %v", len(got.rows), len(want.rows), len(got.files), got.half)
	}
	for name, text := range first.files {
		if got.files[name] != text {
			t.Errorf("%s has changed", name)
		}
	}
}

// unnamed returns the size of the file that is being written.
func unnamed(folder string) int64 {
	size := int64(-1)
	parts, _ := filepath.Glob(filepath.Join(folder, ".*.part")) // the pattern is valid
	for _, part := range parts {
		if info, err := os.Stat(part); err == nil {
			size = max(size, info.Size())
		}
	}
	return size
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
	want, got := tableOf(t, whole), tableOf(t, folder)
	if !slices.Equal(got.rows, want.rows) || len(want.rows) == 0 || len(want.files) != 1 {
		t.Errorf("three shards are %d rows, and one run %d in %d files", len(got.rows), len(want.rows), len(want.files))
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
	columns, known := -1, map[string]string{}
	for range 10 {
		exportInto(t, folder, from)
		got := tableOf(t, folder)
		for name, text := range known {
			if got.files[name] != text {
				t.Errorf("%s has changed", name)
			}
		}
		known = got.files
		for _, row := range got.rows {
			if columns < 0 {
				columns = strings.Count(row, ",")
			}
			if strings.Count(row, ",") < columns { // the servers are JSON and may have more
				t.Errorf("half a row: %s", row)
			}
		}
		if len(got.half) > 0 {
			t.Errorf("half-written files are left: %v", got.half)
		}
	}
	writer.Wait()
	exportInto(t, folder, from)
	whole := t.TempDir()
	exportInto(t, whole, from)
	want, got := tableOf(t, whole), tableOf(t, folder)
	if !slices.Equal(got.rows, want.rows) || len(want.rows) == 0 {
		t.Errorf("in the end the table is\n%s\nand a new one\n%s", strings.Join(got.rows, "\n"), strings.Join(want.rows, "\n"))
	}
}
