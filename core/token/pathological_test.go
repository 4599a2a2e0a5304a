// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
)

// hostile returns texts of about a megabyte that would take a careless tokenizer quadratic time.
func hostile() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 1))
	letters := make([]byte, 1<<20)
	random := make([]byte, 1<<20)
	for i := range letters {
		letters[i] = 'a' + byte(r.IntN(26))
		random[i] = byte(r.IntN(256))
	}
	return map[string][]byte{
		"one letter":     bytes.Repeat([]byte("a"), 1<<20),
		"capitals":       bytes.Repeat([]byte("A"), 1<<20),
		"camel":          bytes.Repeat([]byte("AbA"), 1<<20/3),
		"spaces":         append(bytes.Repeat([]byte(" "), 1<<20), 'x'),
		"newlines":       bytes.Repeat([]byte("\n"), 1<<20),
		"mixed spaces":   append(bytes.Repeat([]byte("\n \r\n\t"), 1<<20/5), 'x'),
		"equals":         bytes.Repeat([]byte("="), 1<<20),
		"brackets":       bytes.Repeat([]byte("[{"), 1<<19),
		"digits":         bytes.Repeat([]byte("7"), 1<<20),
		"quotes":         bytes.Repeat([]byte("'"), 1<<20),
		"han":            bytes.Repeat([]byte("中"), 350_000),
		"han, capital":   bytes.Repeat([]byte("中A"), 1<<18),
		"marks":          bytes.Repeat([]byte("\u0301"), 1<<19),
		"line ends":      bytes.Repeat([]byte("\r\n"), 1<<19),
		"byte order":     bytes.Repeat([]byte("\ufeff"), 350_000),
		"next line":      bytes.Repeat([]byte("\u0085"), 1<<19),
		"property":       bytes.Repeat([]byte("hasOwnProperty__proto__"), 1<<20/23),
		"no-break":       bytes.Repeat([]byte("\u00a0"), 1<<19),
		"zero":           make([]byte, 1<<20),
		"random letters": letters,
		"random bytes":   random,
		"cut characters": bytes.Repeat([]byte("\xe4\xb8"), 1<<19),
		"emoji":          bytes.Repeat([]byte("👩‍👩‍👧"), 1<<16),
	}
}

// quiet is the CPU time that each text may take on an idle machine.
const quiet = 100 * time.Millisecond

func TestHostileTextsAreCountedInTime(t *testing.T) {
	for _, encoding := range published {
		counting := open(t, encoding)
		for name, text := range hostile() {
			best := rusage.Least(5, 60*time.Millisecond, func() {
				counting.Forget()
				if n := counting.Count(text); n <= 0 || n > 3*int64(len(text)) {
					t.Fatalf("%s of %s: %d tokens", encoding, name, n)
				}
			})
			t.Logf("%-12s %-15s %6.1f ms", encoding, name, best.Seconds()*1e3)
			if best > 5*quiet { // caches of a busy machine are slow, but quadratic time would be hours
				t.Errorf("%s of %s used %v, five times what it may on a quiet machine", encoding, name, best)
			}
		}
	}
}
