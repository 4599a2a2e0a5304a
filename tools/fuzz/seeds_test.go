// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestKeptInputsAreReadForLibFuzzer checks that an input of go test means the same to libFuzzer's targets.
func TestKeptInputsAreReadForLibFuzzer(t *testing.T) {
	got, err := arguments("go test fuzz v1\n[]byte(\"a\\xff\")\nstring(\"b\\n\")\nint(-3)\nbyte('\\x07')\nbyte('\\u00ff')\nuint8(200)\nbool(true)\n")
	want := []any{[]byte("a\xff"), "b\n", -3, byte(7), byte(255), byte(200), true}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%#v, %v", got, err)
	}
	for _, text := range []string{"go test fuzz v2\nint(1)", "go test fuzz v1\nint", "go test fuzz v1\nrune('a')"} {
		if args, err := arguments(text); err == nil {
			t.Errorf("%q is read as %v", text, args)
		}
	}
}

// TestEveryKeptInputIsRead checks every input in the repository.
func TestEveryKeptInputIsRead(t *testing.T) {
	found, err := targets("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := writeSeeds(found, t.TempDir()); err != nil {
		t.Error(err)
	}
	kept, err := filepath.Glob("../../core/*/testdata/fuzz/*/*")
	if err != nil || len(kept) == 0 {
		t.Errorf("no input is kept, %v", err)
	}
}

// TestAnOverlayReplacesTesting checks that the overlay of a target contains the test files of its package, with the
// harness in place of testing.
func TestAnOverlayReplacesTesting(t *testing.T) {
	for _, each := range []target{{"core/token", "FuzzPack"}, {"core/internal/template", "FuzzParse"}, {"internal/textfiles", "FuzzGitignore"}} {
		o := overlay{root: "../..", work: t.TempDir(), module: "example.org/m", replace: map[string]string{}}
		folder, err := o.testFiles(each)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]string{"FuzzPack": "core/token/libfuzzer_outside"}[each.name]; want != "" && folder != want || want == "" && folder != each.folder {
			t.Errorf("%s is in %s", each.name, folder)
		}
		for place := range o.replace {
			if strings.HasSuffix(place, "_test.go") {
				t.Errorf("%s would be left out", place)
			}
		}
		if n := len(o.replace); n == 0 || n > 30 {
			t.Errorf("%s needs %d test files", each.name, n)
		}
	}
}

// TestATargetIsCompiledWithItsDependenciesOnly checks that other files, which may need go test's own testing.T, are
// left out.
func TestATargetIsCompiledWithItsDependenciesOnly(t *testing.T) {
	files, err := readTestFiles("../../internal/textfiles")
	if err != nil {
		t.Fatal(err)
	}
	if got := needed(files, "FuzzGitignore"); len(got) != 1 || got[0].name != "gitignore_fuzz_test.go" {
		t.Errorf("FuzzGitignore needs %d files", len(got))
	}
	files, err = readTestFiles("../../lsp")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range needed(files, "FuzzCalls") {
		names[file.name] = true
	}
	if !names["calls_fuzz_test.go"] || !names["fake_test.go"] || !names["script_test.go"] {
		t.Errorf("FuzzCalls needs %v", names)
	}
}
