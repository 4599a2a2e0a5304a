// Copyright The ctx-lsp authors. MIT licence.

package token_test

import (
	"encoding/binary"
	"hash/crc32"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/assets"
	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
	"github.com/ctx-lsp/ctx-lsp/internal/vocabulary"
)

func sealed(body []byte) []byte {
	return binary.LittleEndian.AppendUint32(body[:len(body):len(body)], crc32.ChecksumIEEE(body))
}

func TestDamagedPacksAreRefusedWithASentence(t *testing.T) {
	whole, _ := assets.Pack("r50k")
	flipped := append([]byte(nil), whole...)
	flipped[len(flipped)/2] ^= 4
	newer := append([]byte(nil), whole...)
	newer[len(token.PackMagic)] = 9
	for name, c := range map[string]struct {
		pack []byte
		want string
	}{
		"empty":        {nil, "does not begin with"},
		"other file":   {[]byte("PK\x03\x04 something else entirely"), "does not begin with"},
		"cut off":      {whole[:len(whole)/2], "checksum"},
		"a bit":        {flipped, "checksum"},
		"newer":        {newer, "version 9"},
		"no contents":  {sealed([]byte(token.PackMagic + "\x01")), "ends in the middle"},
		"no merges":    {sealed([]byte(token.PackMagic + "\x01\x01x\x05o200k\x00\x00\x00\x00\x00")), "ends in the middle"},
		"bad scanner":  {sealed([]byte(token.PackMagic + "\x01\x01x\x03abc\x00\x00\x00\x00\x00")), "does not know"},
		"bad normal":   {sealed([]byte(token.PackMagic + "\x01\x01x\x05o200k\x03abc\x00\x00\x00\x00")), `normalised by "abc", which`},
		"tiles":        {sealed(append([]byte(token.PackMagic+"\x01\x01x\x05o200k\x00\x00\x00\x00\x00"), token.PackTiles)), "does not go with"},
		"huge count":   {sealed([]byte(token.PackMagic + "\x01\x01x\x05o200k\x00\x00\x00\x00\x00\x00\xff\xff\xff\x7f\x01")), "no more than"},
		"more merges":  {sealed([]byte(token.PackMagic + "\x01\x01x\x05o200k\x00\x00\x00\x00\x00\x00\x90\x4e\x01\x90\x4e\x01\x00\x00")), "more merges than it holds"},
		"later part":   {sealed([]byte(token.PackMagic + "\x01\x01x\x05o200k\x00\x00\x00\x00\x00\x00\x01\x01\x01\x02\x80\x02\x00")), "comes after it"},
		"behind end":   {sealed(append(append([]byte(nil), whole[:len(whole)-4]...), 0)), "more merges than it says"},
		"self product": {sealed([]byte(token.PackMagic + "\x01\x01x\x05o200k\x00\x00\x00\x00\x00\x01\x01\x01\x00\x80\x02\x00\x00")), "out of bounds"},
	} {
		v, err := token.Load(c.pack)
		if err == nil || v != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want a sentence with %q", name, err, c.want)
		}
	}
}

// Loading a pack must end whatever bytes it contains, and every vocabulary that loads must be able to count.
func TestHostilePacksDoNoHarm(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	small := func(loose bool) []byte {
		s := &vocabulary.Source{Name: "x", Scanner: "gpt2", Merges: []vocabulary.Merge{{Left: 'a', Right: 'b'}, {Left: 256, Right: 'c'}, {Left: ' ', Right: ' '}}}
		if loose {
			s.Loose = []vocabulary.Loose{{Left: 256, Right: 'c', Result: 257}, {Left: 'a', Right: 'b', Result: 256}}
			s.Products = 2
		}
		file, err := s.Pack()
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	text := []byte("abc abcabc   \n中文 ab\xff")
	loaded := 0
	for i := range 5_000 {
		file := append([]byte(nil), small(i%2 == 0)...)
		file = file[:len(file)-4]
		for range 1 + r.IntN(3) {
			at := len(token.PackMagic) + 1 + r.IntN(len(file)-len(token.PackMagic)-1)
			switch r.IntN(3) {
			case 0:
				file[at] = byte(r.IntN(256))
			case 1:
				file[at] ^= 1 << r.IntN(8)
			default:
				file = append(file[:at], file[min(len(file), at+1):]...)
			}
		}
		v, err := token.Load(sealed(file))
		if err != nil {
			continue
		}
		loaded++
		if n := token.New(token.Encoding{}, v).Count(text); n <= 0 || n > int64(3*len(text)) {
			t.Fatalf("%q: %d tokens", file, n)
		}
	}
	t.Logf("%d packs could be loaded", loaded)
}

// tokenizerOf returns a tokenizer for a vocabulary made by hand.
func tokenizerOf(t *testing.T, s *vocabulary.Source) *token.Tokenizer {
	t.Helper()
	file, err := s.Pack()
	if err != nil {
		t.Fatal(err)
	}
	v, err := token.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return token.New(token.Encoding{}, v)
}

func TestLooseMergesAreDoneToTheLetter(t *testing.T) {
	// "ab" has a higher priority, but "bc" makes "abc" as soon as it can, although that merge is later in the file than
	// its result.
	s := &vocabulary.Source{Name: "x", Scanner: "gpt2", Products: 3, Loose: []vocabulary.Loose{
		{Left: 'a', Right: 257, Result: 258}, // a+bc
		{Left: 'b', Right: 'c', Result: 257},
		{Left: 'a', Right: 'b', Result: 256},
	}}
	counting := tokenizerOf(t, s)
	for text, want := range map[string]int64{"abc": 1, "ab": 1, "abab": 2, "abcab": 2, "bca": 2, strings.Repeat("abc", 100): 100, strings.Repeat("ab", 100): 100} {
		if got := counting.CountString(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// A pack with tokens chosen to have the same position in the table would need quadratic time.
func TestPacksThatAreMadeToBeSlowAreRefused(t *testing.T) {
	s := &vocabulary.Source{Name: "x", Scanner: "gpt2"}
	pairs := make([]string, 1<<12)
	for i := range pairs {
		a, b := byte(i>>6)+'0', byte(i&63)+'0'
		pairs[i] = string([]byte{a, b})
		s.Merges = append(s.Merges, vocabulary.Merge{Left: uint32(a), Right: uint32(b)})
	}
	const alike = 2_000
	for i := 0; len(s.Merges) < len(pairs)+alike && i < 1<<24; i++ {
		if left, right := i>>12, i&(1<<12-1); hashOf(pairs[left]+pairs[right])>>52 == 7 {
			s.Merges = append(s.Merges, vocabulary.Merge{Left: 256 + uint32(left), Right: 256 + uint32(right)})
		}
	}
	if len(s.Merges) < len(pairs)+alike {
		t.Fatalf("only %d merges are alike", len(s.Merges)-len(pairs))
	}
	file, err := s.Pack()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := token.Load(file); err == nil || !strings.Contains(err.Error(), "the same hash") {
		t.Errorf("%v, want that tokens have the same hash", err)
	}
}

// The sizes that a pack states must not decide how much time or memory it takes.
func TestStringsAndCharactersThatAreMadeToBeSlowAreRefused(t *testing.T) {
	const scatter = 0x9E3779B97F4A7C15
	var alike []rune
	for c := rune(0x100); len(alike) < 5_000 && c < 0x110000; c++ {
		if uint32(uint64(c)*scatter>>32)&(1<<13-1) < 1<<8 && (c < 0xD800 || c > 0xDFFF) {
			alike = append(alike, c)
		}
	}
	var same [][]byte
	for i := 0; len(same) < 1100; i++ { // their hashes end with the same bits
		text := []byte("<|" + strconv.Itoa(i) + "|>")
		h := fnv.New32a()
		_, _ = h.Write(text)
		if h.Sum32()%(1<<12) == 7 {
			same = append(same, text)
		}
	}
	for name, c := range map[string]struct {
		source vocabulary.Source
		want   string
	}{
		"alike controls": {vocabulary.Source{Specials: same[:1000], Added: same[1000:]}, "the same hash"},
		"characters":     {vocabulary.Source{Characters: alike}, "the same hash"},
		"controls":       {vocabulary.Source{Specials: [][]byte{[]byte(strings.Repeat("a", 256))}}, "longer than 255"},
	} {
		c.source.Name, c.source.Scanner = "x", "gpt2"
		file, err := c.source.Pack()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := token.Load(file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want a sentence with %q", name, err, c.want)
		}
	}
	huge := sealed([]byte(token.PackMagic + "\x01\x01x\x05o200k\x00\x80\x80\x44"))
	if _, err := token.Load(huge); err == nil || !strings.Contains(err.Error(), "no more than") {
		t.Errorf("a pack of a few bytes with all of Unicode: %v", err)
	}
	s := &vocabulary.Source{Name: "x", Scanner: "gpt2"}
	for n := 1; n <= 254; n++ {
		s.Added = append(s.Added, []byte(strings.Repeat("a", n)+"b"))
	}
	counting := tokenizerOf(t, s)
	used := rusage.Of(func() {
		if got := counting.Count([]byte(strings.Repeat("a", 1<<18) + "b")); got <= 0 {
			t.Errorf("%d tokens", got)
		}
	})
	if used > 5*time.Second {
		t.Errorf("256 KB used %v", used)
	}
}

// Merging would make such a token later than its rank, which a pack cannot represent.
func TestRankFilesWithTokensBeforeTheirPartsAreRefused(t *testing.T) {
	ranks := vocabulary.Ranks{"abc": 256, "ab": 257}
	for b := range 256 {
		ranks[string([]byte{byte(b)})] = uint32(b)
	}
	if _, err := ranks.Source("x", "gpt2"); err == nil || !strings.Contains(err.Error(), "before its parts") {
		t.Errorf("%v, want that a token comes before its parts", err)
	}
	ranks["abc"] = 258
	if _, err := ranks.Source("x", "gpt2"); err != nil {
		t.Error(err)
	}
}

// hashOf returns the hash that the bytes of a token are looked up by, in the high bits.
func hashOf(text string) uint64 { return pieces.KeyOf([]byte(text), 0, len(text)).Digest() }
