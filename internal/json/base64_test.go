// Copyright The ctx-lsp authors. MIT licence.

package json

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"testing"
)

func TestBase64MatchesTheStandardLibrary(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for n := range 200 {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		var w Writer
		w.Base64(b)
		if want := `"` + base64.StdEncoding.EncodeToString(b) + `"`; string(w.Buf) != want {
			t.Fatalf("%x: %s, want %s", b, w.Buf, want)
		}
		v, err := Parse(w.Buf)
		if err != nil {
			t.Fatal(err)
		}
		if back, ok := v.Base64(); !ok || !bytes.Equal(back, b) {
			t.Fatalf("%x came back as %x, %v", b, back, ok)
		}
	}
	for _, text := range []string{`7`, `"QQ"`, `"Q==="`, `"===="`, `"QQ=="QQ==`, `"QQ==QQ=="`, `"QQ=Q"`, `"QQ-_"`, `"QQ\u002dQ"`, `"QQ\n=="`} {
		if v, err := Parse([]byte(text)); err == nil {
			if b, ok := v.Base64(); ok {
				t.Errorf("%s was read as %x", text, b)
			}
		}
	}
}

// A front end passes a ledger through its own JSON reader and writer, which may write the same string with escapes.
func TestBase64IsReadWithEscapes(t *testing.T) {
	for text, want := range map[string][]byte{
		`"\/\/\/\/"`: {0xff, 0xff, 0xff}, `"QQ\u0041Q"`: {0x41, 0, 0x10}, `"\u0051Q=\u003D"`: {0x41},
	} {
		v, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if b, ok := v.Base64(); !ok || !bytes.Equal(b, want) {
			t.Errorf("%s was read as %x, %v; want %x", text, b, ok, want)
		}
	}
}
