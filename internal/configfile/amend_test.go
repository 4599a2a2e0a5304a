// Copyright The ctx-lsp authors. MIT licence.

package configfile

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

var wanted = []Member{Text("type", "command"), Text("command", "x --template='<{left}>'")}

// TestOnlyTheMembersChange checks that all other bytes of a settings file stay as the user wrote them.
func TestOnlyTheMembersChange(t *testing.T) {
	for name, c := range map[string]struct{ before, after, shown string }{
		"nothing":       {"", "{\n  \"a\": {\n    \"type\": \"command\",\n    \"command\": \"x --template='<{left}>'\"\n  }\n}\n", "++++++"},
		"an object":     {"{}\n", "{\n  \"a\": {\n    \"type\": \"command\",\n    \"command\": \"x --template='<{left}>'\"\n  }\n}\n", "-++++++"},
		"tabs":          {"{\n\t\"k\": 1\n}", "{\n\t\"a\": {\n\t\t\"type\": \"command\",\n\t\t\"command\": \"x --template='<{left}>'\"\n\t},\n\t\"k\": 1\n}", "++++"},
		"line ends":     {"{\r\n    \"k\": [1,\r\n 2]\r\n}\r\n", "{\r\n    \"a\": {\r\n        \"type\": \"command\",\r\n        \"command\": \"x --template='<{left}>'\"\r\n    },\r\n    \"k\": [1,\r\n 2]\r\n}\r\n", "++++"},
		"one line":      {"\ufeff{\"k\":\"}{\\\"\"}", "\ufeff{\"a\": { \"type\": \"command\", \"command\": \"x --template='<{left}>'\" }, \"k\":\"}{\\\"\"}", "-+"},
		"the command":   {"{\n  \"a\" : {\"padding\":0,\n\"command\":\"old\" , \"type\":\"command\"},\n  \"z\": 0 }", "{\n  \"a\" : {\"padding\":0,\n\"command\":\"x --template='<{left}>'\" , \"type\":\"command\"},\n  \"z\": 0 }", "-+"},
		"not an object": {"{\"a\": null,\n\"z\": 0}", "{\"a\": {\n  \"type\": \"command\",\n  \"command\": \"x --template='<{left}>'\"\n},\n\"z\": 0}", "-++++"},
		"the same":      {"{\"a\":{\"command\":\"x --template='<{left}>'\",\"type\":\"command\"}}", "{\"a\":{\"command\":\"x --template='<{left}>'\",\"type\":\"command\"}}", ""},
	} {
		changes, err := Set([]byte(c.before), []string{"a"}, wanted)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if after := string(Apply([]byte(c.before), changes)); after != c.after {
			t.Errorf("%s: %q became %q, not %q", name, c.before, after, c.after)
		}
		signs := ""
		for _, line := range Lines([]byte(c.before), changes) {
			signs += string(line.Sign)
		}
		if signs != c.shown {
			t.Errorf("%s is shown as %q, not %q", name, signs, c.shown)
		}
	}
}

// TestNoPlainJSONIsRefused checks that a file that cannot be changed safely is refused, with the line number.
func TestNoPlainJSONIsRefused(t *testing.T) {
	for text, why := range map[string]string{
		"{\n  // mine\n  \"a\": 1\n}": "line 2",
		"[1]":                         "not an object",
		"{\"a\":{},\"a\":{\"x\":1}}":  "twice",
		"{\"a\": {\"type\": 1,\n}\n}": "line 2",
		"{\"a\":1}{\"a\":2}":          "not plain JSON",
	} {
		if _, err := Set([]byte(text), []string{"a"}, wanted); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, which does not say %q", text, err, why)
		}
	}
}

// TestTheShownDiffIsWhatChanges checks that secrets in other lines, and elsewhere in the same long line, are not shown.
func TestTheShownDiffIsWhatChanges(t *testing.T) {
	key := "sk-0123456789-0123456789-0123456789"
	for _, text := range []string{
		"{\n  \"env\": {\"KEY\": \"" + key + "\"},\n  \"a\": {\"command\": \"old\", \"type\": \"command\"}\n}",
		"{\"env\": {\"KEY\": \"" + key + "\"},\"b\":0, \"a\": {\"command\": \"old\", \"type\": \"command\"}, \"c\": {\"KEY\": \"" + key + "\"}}",
		"{\"env\": {\"KEY\": \"" + key + "\"}}",
	} {
		changes, err := Set([]byte(text), []string{"a"}, wanted)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range Lines([]byte(text), changes) {
			if strings.Contains(line.Text, key) {
				t.Errorf("%q shows %q", text, line.Text)
			}
		}
	}
}

// TestSetAndTakenBack checks for any file that the members are set, that the rest keeps its meaning, and that undoing
// the change restores the file.
func TestSetAndTakenBack(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	spaces := []string{"", " ", "\n", "\n  ", "\r\n\t", "  \n\n    "}
	space := func() string { return spaces[random.IntN(len(spaces))] }
	var value func(depth int) string
	value = func(depth int) string {
		switch n := random.IntN(6); {
		case n < 2 && depth < 3:
			parts := make([]string, random.IntN(4))
			for i := range parts {
				parts[i] = space() + quoted(string(rune('b'+i))+"\"{,}") + space() + ":" + space() + value(depth+1) + space()
			}
			return "{" + strings.Join(parts, ",") + space() + "}"
		case n == 2 && depth < 3:
			return "[" + space() + value(depth+1) + space() + "," + value(depth+1) + "]"
		case n == 3:
			return `"}\\\" {:, é"`
		}
		return []string{"true", "null", "-1.5e3", "0"}[random.IntN(4)]
	}
	for range 1000 {
		object := ""
		for object == "" || object[0] != '{' {
			object = value(0)
		}
		text := []byte(object)
		path := []string{"a", "ui"}[:1+random.IntN(2)]
		before, err := Value(text, path...)
		if err != nil || before != nil {
			t.Fatalf("%q has %q: %v", text, before, err)
		}
		changes, err := Set(text, path, wanted)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		after := Apply(text, changes)
		var was, is map[string]any
		if json.Unmarshal(text, &was) != nil || json.Unmarshal(after, &is) != nil {
			t.Fatalf("%q became %q", text, after)
		}
		got, err := Value(after, path...)
		if err != nil || !Same(got, []byte(`{"type":"command","command":"x --template='<{left}>'"}`)) {
			t.Fatalf("%q became %q, which has %s: %v", text, after, got, err)
		}
		delete(is, "a")
		if a, _ := json.Marshal(was); string(a) != string(must(json.Marshal(is))) {
			t.Fatalf("%q became %q", text, after)
		}
		if again, _ := Set(after, path, wanted); len(again) > 0 {
			t.Fatalf("%q would be changed again", after)
		}
		if len(path) == 1 && len(was) > 0 {
			back, err := Restore(after, nil, path...)
			if err != nil || string(Apply(after, back)) != string(text) {
				t.Fatalf("%q became %q, and then %q: %v", text, after, Apply(after, back), err)
			}
		}
	}
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}
