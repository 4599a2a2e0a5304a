// Copyright The ctx-lsp authors. MIT licence.

package phrase

import (
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func TestAPhraseReadsInEnglish(t *testing.T) {
	for _, c := range []struct {
		text Text
		want string
	}{
		{System.Text(), "System prompt"},
		{Named("System prompt"), "System prompt"},
		{Expected.Text(Tools.Arg()), "Tools, expected"},
		{Other.Text(Name("{0:text}")), "other {0:text}"}, // a value is not searched for placeholders
		{ToolsOf.Text(Count(1234), Name("x")), "1,234 tools of x"},
		{Count(-100).texts(), "-100"},
		{Count(-1000).texts(), "-1,000"},
		{Sequence.Text(Name("- "), ThisFile.Arg(), Name("\n")), "- this file\n"},
		{Text{}, ""},
	} {
		if got := c.text.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// texts returns a text that is one value.
func (a Arg) texts() Text { return Sequence.Text(a) }

// sample returns the phrase with values that it takes.
func sample(id ID) Text {
	var args []Arg
	for text := id.English(); ; {
		_, at, kind, after, ok := placeholder(text)
		if !ok {
			return id.Text(args...)
		}
		for len(args) <= at {
			args = append(args, Arg{})
		}
		switch text = after; kind {
		case "count":
			args[at] = Count(12)
		case "text":
			args[at] = Tools.Arg()
		default:
			args[at] = Name("a name")
		}
	}
}

// Each entry has an id of its own, and values of the types that its placeholders name.
func TestTheListIsInOrder(t *testing.T) {
	ids := map[string]bool{}
	for _, id := range All() {
		if ids[id.Name()] {
			t.Errorf("%s is there twice", id.Name())
		}
		ids[id.Name()] = true
		if found, ok := Find(id.Name()); !ok || found != id {
			t.Errorf("%s is not found", id.Name())
		}
		s := sample(id)
		if !id.Takes(s.Phrase.Args) || strings.ContainsAny(s.String(), "{}") {
			t.Errorf("%s does not take %+v: %s", id.Name(), s.Phrase.Args, s)
		}
		if n := len(s.Phrase.Args); n > 0 && (id.Takes(s.Phrase.Args[:n-1]) || id.Takes(append(s.Phrase.Args[:n:n], Count(1)))) {
			t.Errorf("%s takes another number of values", id.Name())
		}
	}
	if _, ok := Find("syste"); ok {
		t.Error("a part of an id is found")
	}
	if ToolsOf.Takes([]Arg{Name("1"), Name("x")}) || ToolsOf.Takes([]Arg{Count(1), Count(2)}) || ToolsOf.Takes([]Arg{Count(1), Tools.Arg()}) {
		t.Error("a value of another type is taken")
	}
}

// Each text survives being saved, and each text of a phrase stays a third-party text if it is one.
func TestTextsAreSavedWithTheirPhrase(t *testing.T) {
	texts := []Text{{}, Named("{}"), Named(`{"id":"system"}`), Named("="), Named("=x"), Named("\xff")}
	for _, id := range All() {
		texts = append(texts, sample(id), Named(sample(id).String()), Named(string(id)))
	}
	for _, text := range texts {
		saved := text.Saved()
		if got, ok := Restore(saved); !ok || !got.Equal(text) {
			t.Errorf("%q is restored as %+v", saved, got)
		}
	}
	deep := strings.Repeat(`{"id":"other","args":[`, mostDepth) + `{"id":"tools"}` + strings.Repeat("]}", mostDepth)
	for _, damaged := range []string{"{", `{"id":"nothing"}`, `{"id":"other"}`, `{"id":"other","args":[1]}`, `{"id":"scaled","args":[1.5]}`, `{"id":"system","args":["x"]}`, `[]`, deep} {
		if damaged == "[]" {
			if v, err := json.Parse([]byte(damaged)); err != nil {
				t.Fatal(err)
			} else if _, ok := Read(v); ok {
				t.Error("an array is read as a text")
			}
			continue
		}
		if _, ok := Restore(damaged); ok {
			t.Errorf("%s is restored", damaged)
		}
	}
}
