// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestEachVariantFitsTheCore checks that each substitution still applies once, and leaves a file that parses.
func TestEachVariantFitsTheCore(t *testing.T) {
	names := map[string]bool{}
	for _, v := range variants {
		text, err := v.changed("../..")
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), v.file, text, 0); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		if names[v.name] {
			t.Errorf("%s is there twice", v.name)
		}
		names[v.name] = true
	}
}

func TestARowComparesWithTheUnchangedCore(t *testing.T) {
	read := func(text string) map[request]step {
		steps, err := readSteps(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return steps
	}
	base := read(`{"file":"a","call":1,"predicted":90,"low":80,"high":95,"actual":100}
{"file":"a","call":1,"predicted":100,"low":90,"high":110,"actual":100}
{"file":"b","call":2,"predicted":10,"low":5,"high":20,"actual":12}
a summary
`)
	of := read(`{"file":"a","call":1,"predicted":95,"low":80,"high":100,"actual":100}
{"file":"a","call":1,"predicted":100,"low":90,"high":110,"actual":100}
{"file":"b","call":2,"predicted":42,"low":40,"high":50,"actual":12}
`)
	r := compare(base, of)
	if want := "3 | 2 | 1 | 1 | 5 | 30 | 30 | 11.67 | 66.67"; r.String() != want {
		t.Errorf("the row is %s, want %s", &r, want)
	}
	if same := compare(base, base); same.changed != 0 || same.predictions != 3 {
		t.Errorf("the unchanged core differs from itself: %s", &same)
	}
	if _, err := choose("nothing of that name"); err == nil {
		t.Error("an unknown variant was accepted")
	}
}
