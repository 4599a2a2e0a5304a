// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/token"
)

// FuzzVocabularyImports reads any file as each kind of published vocabulary. Either it is refused, or it results in a
// pack that loads and counts.
func FuzzVocabularyImports(f *testing.F) {
	var ranks strings.Builder
	for b := range 256 {
		fmt.Fprintf(&ranks, "%s %d\n", base64.StdEncoding.EncodeToString([]byte{byte(b)}), b)
	}
	ranks.WriteString("YWI= 256\nYWJj 257\n")
	f.Add([]byte(ranks.String()))
	f.Add([]byte("YWI= 1\n"))
	f.Add([]byte(`{"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"],"byte_fallback":true},"pre_tokenizer":{"type":"ByteLevel"},"normalizer":null,"added_tokens":[{"id":3,"content":"<s>","special":true}]}`))
	f.Add([]byte(`{"model":{"vocab":{"▁a":1},"merges":[["▁","a"]]},"normalizer":{"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},{"type":"Replace","pattern":{"String":" "},"content":"▁"}]}}`))
	f.Add([]byte(`{"meta":{"family":"x","message_overhead":3,"fold_quotes":true},"tokens":{"words":{"the":1}}}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		pack := func(s *Source, err error) {
			if err != nil || s.Check() != nil {
				return
			}
			packed, err := s.Pack()
			if err != nil {
				return
			}
			v, err := token.Load(packed)
			if err != nil {
				t.Fatalf("what was packed cannot be loaded: %v", err)
			}
			if n := token.New(token.Encoding{}, v).Count([]byte("hello  world 日本\xff")); n <= 0 || n > 200 {
				t.Errorf("it counts %d tokens", n)
			}
		}
		if IsTiles(file) {
			_, _ = ParseTiles(file)
		}
		pack(ParseHuggingFace(file, "x"))
		if ranks, err := ParseRanks(file); err == nil {
			pack(ranks.Source("x", "o200k"))
		}
	})
}
