// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/token"
)

// FuzzPack loads any bytes as a vocabulary, with the right checksum, and counts with every vocabulary that loads.
func FuzzPack(f *testing.F) {
	for _, rest := range []string{
		"\x01\x01x\x05o200k\x00\x00\x00\x00\x00\x00\x00",
		"\x01\x01x\x05o200k\x00\x00\x00\x00\x00\x01\x01\x01\x00\x61\x62\x00",
		"\x01\x01x\x04p50k\x00\x00\x00\x01\x05<|x|>\x00\x00\x00\x00",
		"\x01\x01x\x05o200k\x00\x00\x00\x00\x00\x00\x01\x01\x01\x02\x80\x02\x00",
		"\x01\x01x\x05o200k\x00\x01\x05\x01\x02ab\x00\x00\x00\x00\x00",
	} {
		f.Add([]byte(token.PackMagic + rest))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := token.Load(sealed(body))
		if err != nil {
			return
		}
		counter := token.New(token.Encoding{}, v)
		for _, text := range []string{"", "a", "hello  world\n\t", "日本語 123456", "\xff\xfe", string(body[:min(len(body), 64)])} {
			// A normalizer may turn one character into several.
			if n := counter.Count([]byte(text)); n < 0 || n > int64(32*len(text)) || n == 0 && text == "a" {
				t.Errorf("%q has %d tokens", text, n)
			}
		}
	})
}
