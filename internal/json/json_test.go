// Copyright The ctx-lsp authors. MIT licence.

package json

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAcceptsExactlyTheStandard(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, ` [ 1 , 2 ] `, `{"a":{"b":[true,false,null]}}`, `"x"`, `-0.5e+10`, `0`, `"\u00e9\ud83d\ude00\n"`,
		``, `{`, `[1,]`, `{"a"}`, `{"a":}`, `{a:1}`, `01`, `1.`, `.5`, `-`, `1e`, `nul`, `tru`, `"abc`, `"\x"`, `"\u12"`, "\"\n\"", `1 2`, `[1 2]`, `{"a":1,}`, `]`, `[}`, `NaN`, `Infinity`, "\ufeff{}",
	} {
		_, err := Parse([]byte(text))
		if want := stdjson.Valid([]byte(text)); (err == nil) != want {
			t.Errorf("%q: accepted %v, encoding/json says %v (%v)", text, err == nil, want, err)
		}
	}
}

func FuzzAgainstEncodingJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,2.5,-3e4,"x\u00e9\ud800y",true,null],"b":{}}`))
	f.Add([]byte(`"\\\"\u0000\ud83d\ude00é漢"`))
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := Parse(text)
		if !utf8.Valid(text) {
			return // encoding/json replaces bytes that Parse refuses
		}
		var want any
		wantErr := stdjson.Unmarshal(text, &want)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("error is no SyntaxError: %v", err)
			}
			if !syntax.TooLarge && stdjson.Valid(text) {
				t.Fatalf("refused valid JSON %q: %v", text, err)
			}
			return
		}
		if !stdjson.Valid(text) {
			t.Fatalf("accepted invalid JSON %q", text)
		}
		if wantErr == nil {
			compare(t, v, want)
		}
	})
}

func compare(t *testing.T, v Value, want any) {
	switch want := want.(type) {
	case nil:
		if v.Kind() != Null {
			t.Fatalf("%q is not null", v.Raw())
		}
	case bool:
		if v.Kind() != Bool || v.Bool() != want {
			t.Fatalf("%q is not %v", v.Raw(), want)
		}
	case string:
		if v.String() != want {
			t.Fatalf("%q decodes to %q, encoding/json has %q", v.Raw(), v.String(), want)
		}
		var again string
		if err := stdjson.Unmarshal(AppendString(nil, want), &again); err != nil || again != want {
			t.Fatalf("%q is written as %q", want, AppendString(nil, want))
		}
	case float64:
		if n, fault := v.Int64(); fault == NumberOK && n > -1<<53 && n < 1<<53 && float64(n) != want {
			t.Fatalf("%q reads as %d", v.Raw(), n)
		}
	case []any:
		if v.Len() != len(want) {
			t.Fatalf("%q has %d elements, not %d", v.Raw(), len(want), v.Len())
		}
		i := 0
		for e := v.Elements(); e.Next(); i++ {
			compare(t, e.Value, want[i])
		}
	case map[string]any:
		for k, w := range want {
			compare(t, v.Get(k), w)
		}
	}
}

func TestErrorsNameTheExceededBound(t *testing.T) {
	deep := []byte(strings.Repeat("[", 10000))
	many := append(append([]byte("["), bytes.Repeat([]byte("0,"), MaxValues)...), '0', ']')
	for name, text := range map[string][]byte{"deep": deep, "many": many} {
		_, err := Parse(text)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !syntax.TooLarge {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, text := range []string{"\"\xff\"", "\"12345678\xc3\"", "{\"\x80\":1}"} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%q accepted though it is not UTF-8", text)
		}
	}
}

func TestWholeNumbers(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  int64
		fault NumberFault
	}{
		{"0", 0, NumberOK},
		{"-0", 0, NumberOK},
		{"5.0", 5, NumberOK},
		{"5e3", 5000, NumberOK},
		{"5000e-3", 5, NumberOK},
		{"5.5", 0, NotWhole},
		{"1e-1", 0, NotWhole},
		{"9223372036854775807", 1<<63 - 1, NumberOK},
		{"9223372036854775808", 0, OutOfRange},
		{"-9223372036854775808", -1 << 63, NumberOK},
		{"1e400", 0, OutOfRange},
		{"0e99999999", 0, NumberOK},
		{"1e99999999", 0, OutOfRange},
		{"123456789012345678901234567890", 0, OutOfRange},
		{`"5"`, 0, NotANumber},
		{"null", 0, NotANumber},
	} {
		v, err := Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if n, fault := v.Int64(); n != c.want || fault != c.fault {
			t.Errorf("%s reads as %d (fault %d), want %d (%d)", c.text, n, fault, c.want, c.fault)
		}
	}
}

func TestPathsThroughMissingValuesAreMissing(t *testing.T) {
	v, _ := Parse([]byte(`{"a":{"b":1},"a":{"b":2}}`))
	if n, _ := v.Path("a", "b").Int64(); n != 2 {
		t.Errorf("of equal keys the last counts, got %d", n)
	}
	missing := v.Path("x", "y", "z")
	if missing.Exists() || missing.String() != "" || missing.Len() != 0 || missing.Get("q").Exists() {
		t.Error("a missing value answered something")
	}
}

func BenchmarkParse(b *testing.B) {
	line := []byte(`{"type":"assistant","message":{"id":"msg_1","content":[{"type":"text","text":"` + strings.Repeat("some words of prose ", 200) + `"}],"usage":{"input_tokens":3,"output_tokens":11}},"n":[1,2,3,4.5]}`)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	var d Document
	for b.Loop() {
		if _, err := d.Parse(line); err != nil {
			b.Fatal(err)
		}
	}
}

// TestGetComparesKeysAsTheyAreMeant gets fields with keys that contain escapes, or text that looks like escapes.
func TestGetComparesKeysAsTheyAreMeant(t *testing.T) {
	v, err := Parse([]byte(`{"ab":1,"a\u0063":2,"a\\n":3,"\n":4,"":5,"é":6}`))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]int64{"ab": 1, "ac": 2, `a\n`: 3, "\n": 4, "": 5, "é": 6} {
		if n, fault := v.Get(key).Int64(); n != want || fault != NumberOK {
			t.Errorf("%q is %d, %v", key, n, fault)
		}
	}
	for _, key := range []string{`a\u0063`, `\n`, "a", "abc", "n"} {
		if v.Get(key).Exists() {
			t.Errorf("%q is there", key)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	v, err := Parse([]byte(`{"parentUuid":"a","isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s","version":"2.1.120","gitBranch":"main",
		"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"x"}]},"uuid":"u","timestamp":"t"}`))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		v.Get("uuid")
	}
}

// TestANameThatIsThereTwiceIsFound checks that a repeated name is found among few and among many, however it is
// written, and that the same name in another object is a different one.
func TestANameThatIsThereTwiceIsFound(t *testing.T) {
	many := ""
	for i := range 100 {
		many += `"n` + strconv.Itoa(i) + `":{"n1":0},`
	}
	for text, name := range map[string]string{
		`{}`:                              "",
		`{"a":1,"b":{"a":2}}`:             "",
		`{"a":1,"b":2,"a":3}`:             "a",
		`{"a":1,"\u0061":2}`:              "a",
		`{` + many + `"last":0}`:          "",
		`{` + many + `"n99":0}`:           "n99",
		`{` + many + `"\u006e16":0}`:      "n16",
		`{"x":0,"x":0,` + many + `"y":0}`: "x",
		`[1,1]`:                           "",
	} {
		v, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		f, found := v.Twice()
		if found != (name != "") || found && f.Key.String() != name {
			t.Errorf("%.40s: %v", text, found)
		}
	}
}
