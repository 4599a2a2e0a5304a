// Copyright The ctx-lsp authors. MIT licence.

package harness

import (
	"os"
	"reflect"
	"testing"
)

// TestArgumentsAreReadAsTheyAreWritten checks the format that our inputs share with OSS-Fuzz's own tools.
func TestArgumentsAreReadAsTheyAreWritten(t *testing.T) {
	for _, args := range [][]any{
		{[]byte("text")},
		{"a name", "another"},
		{byte(7), "names", []byte("state")},
		{"text", -3, 1 << 40, "with"},
		{[]byte("framing"), true},
		{[]byte("framing"), false},
	} {
		var kinds []reflect.Type
		for _, arg := range args {
			kinds = append(kinds, reflect.TypeOf(arg))
		}
		read, whole := decode(Encode(args), kinds)
		if !whole {
			t.Errorf("%v is not read again", args)
			continue
		}
		for n, arg := range args {
			if got := read[n].Interface(); !reflect.DeepEqual(got, arg) {
				t.Errorf("argument %d of %v is read as %v", n, args, got)
			}
		}
	}
	if _, whole := decode([]byte{0, 0, 0}, []reflect.Type{reflect.TypeFor[string]()}); whole {
		t.Error("three bytes are read as a text")
	}
}

// TestATargetPreparesOnceAndTakesEachInput checks that what a target opened stays open, that a skipped input is
// ignored, and that each input is cleaned up.
func TestATargetPreparesOnceAndTakesEachInput(t *testing.T) {
	defer func() { running = nil }()
	prepared, cleaned := 0, 0
	var got []string
	folder := ""
	target := func(f *F) {
		prepared++
		f.Add("a seed")
		f.Fuzz(func(t *T, text string) {
			if text == "skip" {
				t.Skip()
			}
			t.Cleanup(func() { cleaned++ })
			folder = t.TempDir()
			got = append(got, text)
		})
	}
	for _, text := range []string{"one", "skip", "two"} {
		One("tools/fuzz", "FuzzHere", target, Encode([]any{text}))
	}
	if prepared != 1 || cleaned != 2 || !reflect.DeepEqual(got, []string{"one", "two"}) {
		t.Errorf("it prepared %d times, cleaned up %d times, and took %q", prepared, cleaned, got)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Errorf("%s is still there", folder)
	}
}

// TestFailuresAreDetected checks that every way to fail is detected.
func TestFailuresAreDetected(t *testing.T) {
	for name, fails := range map[string]func(*T){
		"Error":  func(t *T) { t.Error("wrong") },
		"Errorf": func(t *T) { t.Errorf("%s", "wrong") },
		"Fatal":  func(t *T) { t.Fatal("wrong") },
		"Fail":   func(t *T) { t.Fail() },
	} {
		if call(name, fails) {
			t.Errorf("%s is no failure", name)
		}
	}
	if !call("good", func(t *T) { t.SkipNow() }) {
		t.Error("to skip is a failure")
	}
}
