// Copyright The ctx-lsp authors. MIT licence.

package json

import (
	stdjson "encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAMemberIsFoundWithoutReadingTheOthers compares Member with the full parser for random objects.
func TestAMemberIsFoundWithoutReadingTheOthers(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	blank := func() string { return []string{"", " ", "\n\t", "\r\n  "}[r.IntN(4)] }
	var value func(depth int) string
	value = func(depth int) string {
		kind := r.IntN(6)
		if depth == 0 {
			kind = r.IntN(4)
		}
		switch kind {
		case 0:
			return []string{"null", "true", "-12.5e3", "0"}[r.IntN(4)]
		case 1, 2, 3:
			return []string{`""`, `"a\"]},{"`, `"\\"`, `"\\\\\""`, `"é: ,"`}[r.IntN(5)]
		case 4:
			return "[" + blank() + value(depth-1) + blank() + "," + value(depth-1) + "]"
		}
		return "{" + blank() + `"id"` + blank() + ":" + value(depth-1) + "}"
	}
	for range 3000 {
		var members []string
		for _, name := range []string{"a", "id", "b"}[:r.IntN(4)] {
			members = append(members, blank()+`"`+name+`"`+blank()+":"+blank()+value(3)+blank())
		}
		text := blank() + "{" + strings.Join(members, ",") + blank() + "}" + blank()
		if !stdjson.Valid([]byte(text)) {
			t.Fatalf("the test made %q, which is no JSON", text)
		}
		whole, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"id", "b", "none"} {
			want := whole.Get(name)
			got, ok := Member([]byte(text), name)
			if ok != want.Exists() || ok && string(got) != string(want.Raw()) {
				t.Fatalf("%s of %q: %q, %v; want %q", name, text, got, ok, want.Raw())
			}
		}
	}
}

// FuzzMember checks that Member neither panics nor returns anything that is not in the text.
func FuzzMember(f *testing.F) {
	for _, text := range []string{`{"id":"a"}`, `{"x":[{"id":1}],"id" : {}}`, `{"id":"a\`, `{"`, `{"a":}`, `{"a":1]`, `{"a"::}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if value, ok := Member([]byte(text), "id"); ok && !strings.Contains(text, string(value)) {
			t.Errorf("%q is not in %q", value, text)
		}
		SkipValue([]byte(text), 0)
	})
}
