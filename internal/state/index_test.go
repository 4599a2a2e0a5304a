// Copyright The ctx-lsp authors. MIT licence.

package state

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// filledIndex writes an index with some findings, and returns its content.
func filledIndex(t *testing.T, dir string, now time.Time) []byte {
	t.Helper()
	x := OpenIndex(dir)
	for i := range 5 {
		x.Put(IndexKeyOf("k", fmt.Sprint(i)), IndexKeyOf("stamp"), fmt.Sprintf(`{"used":%d}`, 1000+i))
	}
	x.Save(now)
	content, err := os.ReadFile(filepath.Join(dir, IndexName))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// found returns how many findings of filledIndex an index has, and fails if one is different.
func found(t *testing.T, dir string) (n int) {
	t.Helper()
	x := OpenIndex(dir)
	for i := range 5 {
		value, ok := x.Get(IndexKeyOf("k", fmt.Sprint(i)), IndexKeyOf("stamp"))
		if ok {
			n++
		}
		if ok && value != fmt.Sprintf(`{"used":%d}`, 1000+i) {
			t.Errorf("finding %d is %q", i, value)
		}
	}
	return n
}

func TestAnIndexKeepsWhatItsStampsProve(t *testing.T) {
	dir, now := filepath.Join(t.TempDir(), "state"), time.Now()
	filledIndex(t, dir, now)
	if n := found(t, dir); n != 5 {
		t.Errorf("%d of 5 findings are kept", n)
	}
	if _, ok := OpenIndex(dir).Get(IndexKeyOf("k", "1"), IndexKeyOf("another stamp")); ok {
		t.Error("a finding with another stamp is used")
	}
	if _, ok := OpenIndex(dir).Get(IndexKeyOf("k1"), IndexKeyOf("stamp")); ok {
		t.Error("names are joined, so that two subjects have one key")
	}
	info, err := os.Stat(filepath.Join(dir, IndexName))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("its mode is %v: %v", info.Mode(), err)
	}
}

// TestADamagedIndexIsEmpty checks every byte of an index, and every length.
func TestADamagedIndexIsEmpty(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	good := filledIndex(t, dir, now)
	write := func(content []byte) {
		if err := os.WriteFile(filepath.Join(dir, IndexName), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for at := range good {
		for _, flip := range []byte{1, 0x80, 0xFF} {
			bad := slices.Clone(good)
			bad[at] ^= flip
			write(bad)
			if n := found(t, dir); n != 0 {
				t.Errorf("with byte %d changed by %#x it has %d findings", at, flip, n)
			}
		}
		write(good[:at])
		if n := found(t, dir); n != 0 {
			t.Errorf("cut after %d bytes it has %d findings", at, n)
		}
	}
	for name, content := range map[string][]byte{
		"longer":          append(slices.Clone(good), 0),
		"another version": bytes.Replace(good, []byte("index 1"), []byte("index 2"), 1),
		"something else":  []byte(`{"schema":"ctx.learned/1"}`),
		"empty":           {},
	} {
		write(content)
		if n := found(t, dir); n != 0 {
			t.Errorf("%s: %d findings", name, n)
		}
	}
	filledIndex(t, dir, now)
	if n := found(t, dir); n != 5 {
		t.Errorf("after damage %d of 5 findings are kept", n)
	}
}

// TestTwoProgramsWriteOneIndex checks that an index with several writers is never damaged, and that one after the other
// lose nothing.
func TestTwoProgramsWriteOneIndex(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	const writers, rounds = 4, 20
	var wait sync.WaitGroup
	for w := range writers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for round := range rounds {
				x := OpenIndex(dir)
				for _, name := range []string{"shared", fmt.Sprint(w)} {
					if value, ok := x.Get(IndexKeyOf(name), IndexKeyOf(fmt.Sprint(round))); ok && value != fmt.Sprintf("%s %d", name, round) {
						t.Errorf("%s in round %d is %q", name, round, value)
					}
					x.Put(IndexKeyOf(name), IndexKeyOf(fmt.Sprint(round)), fmt.Sprintf("%s %d", name, round))
				}
				x.Save(now)
			}
		}()
	}
	wait.Wait()
	if content, err := os.ReadFile(filepath.Join(dir, IndexName)); err != nil || len(readIndex(content)) == 0 {
		t.Errorf("the index of all is damaged: %v", err)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 1 {
		t.Errorf("%d files are left", len(entries))
	}

	a, b := OpenIndex(dir), OpenIndex(dir)
	a.Get(IndexKeyOf("x"), IndexKeyOf()) // both have read it
	b.Get(IndexKeyOf("x"), IndexKeyOf())
	a.Put(IndexKeyOf("a"), IndexKeyOf(), "of a")
	b.Put(IndexKeyOf("b"), IndexKeyOf(), "of b")
	a.Save(now)
	b.Save(now)
	for _, name := range []string{"a", "b"} {
		if value, ok := OpenIndex(dir).Get(IndexKeyOf(name), IndexKeyOf()); !ok || value != "of "+name {
			t.Errorf("the finding of %s is %q", name, value)
		}
	}
}

func TestAnIndexForgetsWhatIsNotUsed(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	filledIndex(t, dir, now.Add(-maxAge-time.Hour))
	x := OpenIndex(dir)
	if _, ok := x.Get(IndexKeyOf("k", "3"), IndexKeyOf("stamp")); !ok {
		t.Fatal("the finding is missing")
	}
	x.Put(IndexKeyOf("new"), IndexKeyOf(), "new")
	x.Save(now)
	if n := found(t, dir); n != 1 {
		t.Errorf("%d findings are kept, want the one that was used", n)
	}

	many := map[IndexKey]finding{}
	for i := range maxIndexed + 10 {
		many[IndexKeyOf(fmt.Sprint(i))] = finding{used: now.Unix() - int64(i), value: "x"}
	}
	kept := readIndex(appendIndex(nil, many, now))
	if _, newest := kept[IndexKeyOf("0")]; len(kept) != maxIndexed || !newest {
		t.Errorf("%d findings are kept, with the newest: %v", len(kept), newest)
	}
}

// TestWithoutAPlaceForItAnIndexIsEmpty checks that a command without a state directory, or with one that cannot be
// written, works without the index.
func TestWithoutAPlaceForItAnIndexIsEmpty(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", filepath.Join(file, "below")} {
		x := OpenIndex(dir)
		x.Put(IndexKeyOf("a"), IndexKeyOf(), "value")
		x.Save(time.Now())
		if value, ok := OpenIndex(dir).Get(IndexKeyOf("a"), IndexKeyOf()); ok {
			t.Errorf("in %q it keeps %q", dir, value)
		}
	}
}
