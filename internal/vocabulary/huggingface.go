// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// tokenizerFile holds the fields of a tokenizer.json that affect the number of tokens.
type tokenizerFile struct {
	AddedTokens []struct {
		Content    string `json:"content"`
		SingleWord bool   `json:"single_word"`
		LStrip     bool   `json:"lstrip"`
		RStrip     bool   `json:"rstrip"`
		Normalized bool   `json:"normalized"`
		Special    bool   `json:"special"`
	} `json:"added_tokens"`
	Normalizer   *step `json:"normalizer"`
	PreTokenizer *step `json:"pre_tokenizer"`
	Model        struct {
		Type         string            `json:"type"`
		Dropout      *float64          `json:"dropout"`
		Subword      *string           `json:"continuing_subword_prefix"`
		Suffix       *string           `json:"end_of_word_suffix"`
		FuseUnknown  bool              `json:"fuse_unk"`
		ByteFallback bool              `json:"byte_fallback"`
		IgnoreMerges bool              `json:"ignore_merges"`
		Vocab        map[string]uint32 `json:"vocab"`
		Merges       []json.RawMessage `json:"merges"`
	} `json:"model"`
}

// A step is a normalizer or a pre-tokenizer.
type step struct {
	Type          string `json:"type"`
	Normalizers   []step `json:"normalizers"`
	PreTokenizers []step `json:"pretokenizers"`
	Pattern       struct {
		Regex  string `json:"Regex"`
		String string `json:"String"`
	} `json:"pattern"`
	Content        string `json:"content"`
	Behavior       string `json:"behavior"`
	Invert         bool   `json:"invert"`
	AddPrefixSpace bool   `json:"add_prefix_space"`
	UseRegex       *bool  `json:"use_regex"`
}

// flat returns the steps of a sequence and of the sequences within it.
func (s *step) flat() []step {
	if s == nil {
		return nil
	}
	if s.Type != "Sequence" {
		return []step{*s}
	}
	var all []step
	for _, part := range append(s.Normalizers, s.PreTokenizers...) {
		all = append(all, part.flat()...)
	}
	return all
}

// The regular expressions that vendors split text by, and the scanners that split it identically.
const (
	patternCl100k    = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	patternQwen2     = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	patternO200k     = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	patternNumbers   = `\p{N}{1,3}`
	patternEastAsian = `[一-龥぀-ゟ゠-ヿ]+`
	patternDeepSeek  = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"
	patternKimi      = `[\p{Han}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
)

var scannerOf = map[string]string{
	patternCl100k: "cl100k",
	patternQwen2:  "qwen2",
	patternO200k:  "o200k",
	patternKimi:   "kimi",
	patternNumbers + "\n" + patternEastAsian + "\n" + patternDeepSeek: "deepseek",
}

// ParseHuggingFace reads a tokenizer.json with byte-level BPE, or BPE of characters like SentencePiece. It returns an
// error for anything in the file that would change a count and is not supported.
func ParseHuggingFace(file []byte, name string) (*Source, error) {
	var f tokenizerFile
	if err := json.Unmarshal(file, &f); err != nil {
		return nil, fmt.Errorf("it is not a tokenizer.json: %w", err)
	}
	m := &f.Model
	switch {
	case m.Type != "BPE" && (m.Type != "" || len(m.Merges) == 0):
		return nil, fmt.Errorf("its model is of type %q, and ctx-lsp supports only BPE", m.Type)
	case m.Dropout != nil && *m.Dropout != 0:
		return nil, errors.New("it uses dropout, which makes counts random")
	case m.Subword != nil && *m.Subword != "":
		return nil, fmt.Errorf("it marks the inside of words with %q, which ctx-lsp does not support", *m.Subword)
	case m.Suffix != nil && *m.Suffix != "":
		return nil, fmt.Errorf("it marks the ends of words with %q, which ctx-lsp does not support", *m.Suffix)
	case len(m.Vocab) == 0 || len(m.Vocab) > 2_000_000 || len(m.Merges) > 2_000_000:
		return nil, errTooLarge
	}
	s := &Source{Name: name}
	byteLevel, err := s.splitting(&f)
	if err != nil {
		return nil, err
	}
	if err := s.normalizing(&f, byteLevel); err != nil {
		return nil, err
	}
	if err := s.adding(&f); err != nil {
		return nil, err
	}
	merges := make([][2]string, len(m.Merges))
	for i, raw := range m.Merges {
		if merges[i], err = parseMerge(raw); err != nil {
			return nil, fmt.Errorf("merge %d: %w", i, err)
		}
	}
	r := &rewriter{s: s, vocab: m.Vocab, merges: merges, byteLevel: byteLevel}
	return s, r.rewrite(m.IgnoreMerges, m.ByteFallback)
}

// splitting sets the scanner for the file's pre-tokenizers.
func (s *Source) splitting(f *tokenizerFile) (byteLevel bool, err error) {
	var patterns []string
	for _, p := range f.PreTokenizer.flat() {
		switch {
		case p.Type == "ByteLevel" && p.AddPrefixSpace:
			return false, errors.New("it puts a space before every text, which ctx-lsp does not support")
		case p.Type == "ByteLevel":
			byteLevel = true
			if p.UseRegex == nil || *p.UseRegex {
				if len(patterns) > 0 {
					return false, errors.New("it splits by two patterns one after the other, which ctx-lsp does not support")
				}
				s.Scanner = "gpt2"
			}
		case p.Type == "Split" && p.Pattern.Regex != "" && p.Behavior == "Isolated" && !p.Invert:
			patterns = append(patterns, p.Pattern.Regex)
		case p.Type == "Split" && p.Pattern.Regex != "" && p.Behavior == "Removed" && p.Invert:
			// Text that the pattern does not match is left out, but the pattern matches everything.
			patterns = append(patterns, p.Pattern.Regex)
		case p.Type == "Split" && p.Pattern.String == " " && p.Behavior == "MergedWithPrevious" && underlines(f):
			// Spaces no longer occur: they have been replaced by U+2581.
		default:
			return false, fmt.Errorf("it splits text by %q %s, which ctx-lsp does not support", p.Type, p.Behavior)
		}
	}
	switch {
	case s.Scanner != "":
	case len(patterns) > 0:
		if s.Scanner = scannerOf[strings.Join(patterns, "\n")]; s.Scanner == "" {
			return false, fmt.Errorf("it splits text by the unknown pattern %q", patterns)
		}
		if !byteLevel {
			return false, errors.New("it splits text by a pattern and merges characters, which ctx-lsp does not support")
		}
	case byteLevel:
		return false, errors.New("it does not split text, and merges bytes, which ctx-lsp does not support")
	default:
		s.Scanner = "none"
	}
	return byteLevel, nil
}

func underlines(f *tokenizerFile) bool {
	steps := f.Normalizer.flat()
	return len(steps) == 1 && steps[0].Type == "Replace" && steps[0].Pattern.String == " " && steps[0].Content == "▁"
}

func (s *Source) normalizing(f *tokenizerFile, byteLevel bool) error {
	for _, n := range f.Normalizer.flat() {
		switch {
		case n.Type == "NFC" && byteLevel:
			s.Normalizer = "nfc"
		case underlines(f) && !byteLevel:
			s.Normalizer = "underline"
		default:
			return fmt.Errorf("it normalizes text with %q, which ctx-lsp does not support", n.Type)
		}
	}
	return nil
}

// adding adds the strings that are always tokens, regardless of merging.
func (s *Source) adding(f *tokenizerFile) error {
	for _, t := range f.AddedTokens {
		switch {
		case t.Content == "":
			continue
		case t.Special:
			s.Specials = append(s.Specials, []byte(t.Content))
		case t.SingleWord || t.LStrip || t.RStrip:
			return fmt.Errorf("its token %q absorbs the spaces around it, which ctx-lsp does not support", t.Content)
		case t.Normalized && s.Normalizer != "":
			return fmt.Errorf("its token %q is matched after normalization, which ctx-lsp does not support", t.Content)
		default:
			s.Added = append(s.Added, []byte(t.Content))
		}
	}
	return nil
}

// parseMerge reads a merge: two strings, or one string with a space between the parts.
func parseMerge(raw json.RawMessage) (merge [2]string, err error) {
	if len(raw) > 0 && raw[0] == '[' {
		var parts []string
		if err := json.Unmarshal(raw, &parts); err != nil || len(parts) != 2 {
			return merge, errors.New("it is not a pair")
		}
		return [2]string{parts[0], parts[1]}, nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return merge, errors.New("it is neither a string nor a pair")
	}
	left, right, found := strings.Cut(text, " ")
	if !found || strings.Contains(right, " ") {
		return merge, errors.New("it is not two parts with a space between them")
	}
	return [2]string{left, right}, nil
}

// A rewriter converts a file's tokens and merges to numbered symbols.
type rewriter struct {
	s         *Source
	vocab     map[string]uint32
	merges    [][2]string
	byteLevel bool

	symbol map[string]uint32 // symbols by their text
}

func (r *rewriter) rewrite(ignoreMerges, byteFallback bool) error {
	if err := r.base(byteFallback); err != nil {
		return err
	}
	products, err := r.products()
	if err != nil {
		return err
	}
	if r.ordered(products) {
		r.s.Products = 0
	} else if err := r.loose(products); err != nil {
		return err
	}
	if ignoreMerges {
		return r.whole()
	}
	return nil
}

// base sets the symbols that merging starts from.
func (r *rewriter) base(byteFallback bool) error {
	r.symbol = make(map[string]uint32, len(r.vocab))
	if r.byteLevel {
		for b, c := range byteLetters() {
			if _, present := r.vocab[string(c)]; !present {
				return fmt.Errorf("byte 0x%02x is not a token: some text could not be counted", b)
			}
			r.symbol[string(c)] = uint32(b)
		}
		return nil
	}
	if !byteFallback {
		return errors.New("characters that are not tokens have no bytes to fall back to, which ctx-lsp does not support")
	}
	for b := range 256 {
		if _, present := r.vocab[fmt.Sprintf("<0x%02X>", b)]; !present {
			return fmt.Errorf("byte 0x%02x is not a token: some text could not be counted", b)
		}
	}
	for text := range r.vocab {
		if c, size := utf8.DecodeRuneInString(text); size == len(text) && (c != utf8.RuneError || size > 1) {
			r.s.Characters = append(r.s.Characters, c)
		}
	}
	slices.Sort(r.s.Characters)
	for i, c := range r.s.Characters {
		r.symbol[string(c)] = 256 + uint32(i)
	}
	return nil
}

// products returns the texts that merges make, shortest first, so that parts come before wholes.
func (r *rewriter) products() ([]string, error) {
	made := make(map[string]struct{}, len(r.merges))
	var products []string
	for i, m := range r.merges {
		text := m[0] + m[1]
		if _, present := r.vocab[text]; !present {
			return nil, fmt.Errorf("merge %d makes %q, which is not a token", i, text)
		}
		if _, again := made[text]; !again {
			made[text] = struct{}{}
			products = append(products, text)
		}
	}
	slices.SortStableFunc(products, func(a, b string) int { return len(a) - len(b) })
	return products, nil
}

// ordered writes the merges as a list in order, each making the next symbol, and reports whether that is possible:
// there must be one merge for each token, after those that make its parts. The result is the same if the other merges
// of a token can never happen.
func (r *rewriter) ordered(products []string) bool {
	first := uint32(256 + len(r.s.Characters))
	symbol := make(map[string]uint32, len(r.symbol)+len(products))
	for text, id := range r.symbol {
		symbol[text] = id
	}
	merges := make([]Merge, 0, len(r.merges))
	for _, m := range r.merges {
		left, knownLeft := symbol[m[0]]
		right, knownRight := symbol[m[1]]
		if _, again := symbol[m[0]+m[1]]; again || !knownLeft || !knownRight {
			return false
		}
		symbol[m[0]+m[1]] = first + uint32(len(merges))
		merges = append(merges, Merge{left, right})
	}
	if !reachable(merges, first) {
		return false
	}
	r.s.Merges = merges
	return true
}

// reachable reports whether merging the parts of every token results in that token.
func reachable(merges []Merge, first uint32) bool {
	at := make(map[Merge]uint32, len(merges))
	for i, m := range merges {
		at[m] = first + uint32(i)
	}
	for i, m := range merges {
		// Merging leaves the two parts of a token unchanged until it joins them, if each part is what merging makes of
		// its bytes, and nothing joins across the seam before.
		if !staysApart(merges, at, first, m.Left, m.Right, first+uint32(i)) {
			return false
		}
	}
	return true
}

// staysApart reports whether two tokens stay separate until the merge limit.
func staysApart(merges []Merge, at map[Merge]uint32, first, left, right, limit uint32) bool {
	for {
		if joined, ok := at[Merge{left, right}]; ok && joined < limit {
			return false
		}
		switch {
		case left >= first && left > right:
			limit, left = left, merges[left-first].Right
		case right >= first:
			limit, right = right+1, merges[right-first].Left
		case left >= first:
			limit, left = left, merges[left-first].Right
		default:
			return true
		}
	}
}

// loose writes the merges with their results, which may be in any order.
func (r *rewriter) loose(products []string) error {
	first := uint32(256 + len(r.s.Characters))
	for i, text := range products {
		if _, base := r.symbol[text]; base {
			return fmt.Errorf("a merge makes %q, which is a character", text)
		}
		r.symbol[text] = first + uint32(i)
	}
	r.s.Products = len(products)
	seen := make(map[Merge]struct{}, len(r.merges))
	for i, m := range r.merges {
		left, knownLeft := r.symbol[m[0]]
		right, knownRight := r.symbol[m[1]]
		if !knownLeft || !knownRight {
			return fmt.Errorf("merge %d joins %q and %q, but no earlier merge makes one of them", i, m[0], m[1])
		}
		pair := Merge{left, right}
		if _, again := seen[pair]; again {
			return fmt.Errorf("merge %d occurs twice", i)
		}
		seen[pair] = struct{}{}
		r.s.Loose = append(r.s.Loose, Loose{left, right, r.symbol[m[0]+m[1]]})
	}
	return nil
}

// whole collects the tokens that merging does not make from their own bytes, for files that look up pieces before
// merging.
func (r *rewriter) whole() error {
	if !r.byteLevel {
		return errors.New("it looks texts up as a whole before merging characters, which ctx-lsp does not support")
	}
	rank := make(map[[2]string]int, len(r.merges))
	for i, m := range r.merges {
		rank[m] = i
	}
	letters := byteLetters()
	byteOf := make(map[rune]byte, 256)
	for b, c := range letters {
		byteOf[c] = byte(b)
	}
	for text := range r.vocab {
		if merged(text, rank) {
			continue
		}
		var raw bytes.Buffer
		for _, c := range text {
			b, ok := byteOf[c]
			if !ok {
				raw.Reset() // a control string
				break
			}
			raw.WriteByte(b)
		}
		if raw.Len() > 0 {
			r.s.Whole = append(r.s.Whole, raw.Bytes())
		}
	}
	return nil
}

// merged reports whether merging turns a text into one token.
func merged(text string, rank map[[2]string]int) bool {
	var parts []string
	for _, c := range text {
		parts = append(parts, string(c))
	}
	for len(parts) > 1 {
		best, at := len(rank), -1
		for i := range len(parts) - 1 {
			if k, ok := rank[[2]string{parts[i], parts[i+1]}]; ok && k < best {
				best, at = k, i
			}
		}
		if at < 0 {
			return false
		}
		parts[at] += parts[at+1]
		parts = slices.Delete(parts, at+1, at+2)
	}
	return true
}

// byteLetters returns the characters that byte-level vocabularies use for bytes: printable ones represent themselves,
// the others are represented by the characters from U+0100 on, in order.
func byteLetters() (letters [256]rune) {
	next := rune(0x100)
	for b := range letters {
		if b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE {
			letters[b] = rune(b)
		} else {
			letters[b] = next
			next++
		}
	}
	return letters
}
