// Copyright The ctx-lsp authors. MIT licence.

package token

import "testing"

func TestAVocabularyNamesTheFirstEncodingThatItServes(t *testing.T) {
	for name, want := range map[string]string{
		"o200k": "o200k_base", "o200k_harmony": "o200k_harmony", "cl100k": "cl100k_base", "p50k": "p50k_base",
		"r50k": "r50k_base", "gpt2": "gpt2",
	} {
		if e, ok := Find(name); !ok || e.Name != want {
			t.Errorf("Find(%q) is %q, %t; want %q", name, e.Name, ok, want)
		}
	}
	if e, ok := Find("o200"); ok {
		t.Errorf("Find of an unknown name is %q", e.Name)
	}
}

func TestNamesAreFound(t *testing.T) {
	names := Names()
	if len(names) != len(encodings) {
		t.Fatalf("there are %d names of %d encodings", len(names), len(encodings))
	}
	for _, name := range names {
		if e, ok := Find(name); !ok || e.Name != name {
			t.Errorf("%q finds %q, %t", name, e.Name, ok)
		}
	}
}
