// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-lsp/ctx-lsp/core/token"
	"github.com/ctx-lsp/ctx-lsp/internal/rusage"
)

// madeUp reads one of the small vocabularies made up for tests.
func madeUp(t testing.TB, file string) *Tiles {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "vocabularies", file))
	if err != nil {
		t.Fatal(err)
	}
	tiles, err := ParseTiles(text)
	if err != nil {
		t.Fatal(err)
	}
	return tiles
}

func tokenizerOf(t testing.TB, pack []byte) *token.Tokenizer {
	t.Helper()
	v, err := token.Load(pack)
	if err != nil {
		t.Fatal(err)
	}
	return token.New(token.Encoding{Name: "tiles", Vocabulary: "tiles"}, v)
}

// The count of the small vocabulary can be checked by hand.
func TestTilesAreTheFewestPieces(t *testing.T) {
	counting := tokenizerOf(t, madeUp(t, "pieces_v3.json").Pack("tiles"))
	for text, want := range map[string]int64{
		"":                     0,
		"the":                  1, // ⟨bow⟩the⟨eow⟩
		"The":                  1, // ⟨shift⟩⟨bow⟩the⟨eow⟩
		"the world":            2, // the blank disappears into the marks
		"NASA":                 1, // ⟨caps⟩⟨bow⟩nasa⟨eow⟩
		"NAS":                  5, // three capitals do not make ⟨caps⟩: ⟨bow⟩ N A S ⟨eow⟩
		"counting":             5, // ⟨bow⟩co u n t ing⟨eow⟩
		"it's":                 2, // 's⟨eow⟩ attaches to the word before it
		"it 5":                 3, // the blank stays, because a digit takes no mark
		"the,":                 2,
		"the, world":           3, // ,⟨eow⟩
		"the  world":           3, // two blanks are a separate piece
		"\u201c":               counting.Count([]byte(`"`)),
		"e\u0301":              counting.Count([]byte("é")),
		"a\x01b\ue000c":        counting.Count([]byte("abc")),
		"\xff":                 counting.Count([]byte("\ufffd")),
		"中文":                   2,
		"\u0416":               5, // ⟨shift⟩ ⟨bow⟩ two bytes ⟨eow⟩
		"\U0001F600":           2, // f09f98 and a byte
		"....":                 1,
		"............":         2,
		"1230000100":           4,
		"\n\n\n\n\n\n":         2,
		strings.Repeat("x", 7): 9,
	} {
		if got := counting.Count([]byte(text)); got != want {
			t.Errorf("%q: %d tokens, not %d", text, got, want)
		}
	}
}

// parts are the building blocks of random texts: everything that the rules distinguish.
var parts = strings.Split("a|the|The|WORLD|NASA|iPhone|it|s|ll|'|'s|'ll|'S| | |  |\n|\t|1|123|5|٣|²|³|½|३|५|①|Ⓐ|ⓐ|Ⅷ|ᛮ|中|文|。|？|"+
	"、|〜|é|e\u0301|\u0323|\u0308|ไ|่|ำ|ํ|า|क|्|़|ः|❤|\ufe0f|😀|\u200d|\u200b|\ufeff|\u00a0|\u2009|“|’|«|—|…|(|)|;|==|\"|!|.|,|-|"+
	"İ|ẞ|Σ|ς|ℳ|ǅ|Ǆ|ϴ|Θ|ܑ|ܰ|݀|ܫ|Ა|Ᲊ|한|ᄒ|ᅡ|ᆫ|カ|ー|々|\ue000|\x00|\x01|\r\n|\x7f|\ufdd0|\ufffd|\u0378|𝟙|𑁆|\u0345|Ꭰ|ﬁ|ª|か|\u3099|"+
	"\u06dd|۞|ۚ|\xff|привет|Ελλάδα", "|")

func randomText(r *rand.Rand) string {
	var text strings.Builder
	for range r.IntN(14) {
		switch r.IntN(12) {
		case 0:
			text.WriteRune(rune(r.IntN(0x3400)))
		case 1: // golang.org/x/text composes characters above as if they were their lowest 16 bits
			text.WriteRune(rune(r.IntN(0x10000)))
		default:
			text.WriteString(parts[r.IntN(len(parts))])
		}
	}
	return text.String()
}

// The count piece by piece, with a cache and in bytes, equals the count of the whole stream by the plain rules.
func TestTilesCountAsThePlainRulesSay(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, file := range []string{"pieces_v3.json", "pieces_v4_7.json"} {
		tiles := madeUp(t, file)
		packs, err := tiles.Claude()
		if err != nil {
			t.Fatal(err)
		}
		for i, pack := range packs {
			if i > 0 {
				tiles.Overhead, tiles.OpenFrame, tiles.LineTail = 6, false, false
			}
			plain, counting := newPlainTiles(tiles), tokenizerOf(t, pack.Pack)
			for range 20_000 {
				text := randomText(r)
				if got, want := counting.Count([]byte(text)), plain.count(text); got != want {
					t.Fatalf("%s: %+q has %d tokens, and by the plain rules %d: %+q", pack.Name, text, got, want, plain.stream(plain.normal(text), false))
				}
				if got, want := counting.CountMessage([]byte(text)), plain.message(text); got != want {
					t.Fatalf("%s: %+q is a message of %d tokens, and by the plain rules of %d", pack.Name, text, got, want)
				}
			}
		}
	}
}

// TestAMarkStaysWithItsCharacter checks the order of marks of several classes: no mark moves past a character. It also
// keeps the plain rules free of their library's bug.
func TestAMarkStaysWithItsCharacter(t *testing.T) {
	packs, err := madeUp(t, "pieces_v3.json").Claude()
	if err != nil {
		t.Fatal(err)
	}
	counting := tokenizerOf(t, packs[0].Pack)
	for text, same := range map[string]string{
		"e\u0308":                 "\u00eb",
		"e\U00011046\u0308":       "\u00eb\U00011046",
		"e\u315d\U00011046\u0308": "e\u315d\U00011046\u0308",
		"\u0308\u3099\u2000":      "\u3099\u0308\u2002", // a separate space, after marks that swap positions
		"\u0301\u0323\u2001 x":    "\u0323\u0301\u2003 x",
	} {
		if got := composed(text); got != same {
			t.Errorf("%+q is composed to %+q, not to %+q", text, got, same)
		}
		if got, want := counting.Count([]byte(text)), counting.Count([]byte(same)); got != want {
			t.Errorf("%+q has %d tokens, and composed %d", text, got, want)
		}
	}
	if got, want := counting.Count([]byte("\u0308\u3099\u2000")), counting.Count([]byte("\u3099\u0308 ")); got != want {
		t.Errorf("a space of its own has %d tokens behind marks, and a blank %d", got, want)
	}
	if got, bare := counting.Count([]byte("Th\u315d\U00011046\u0308")), counting.Count([]byte("Th\u315d\U00011046")); got == bare {
		t.Error("a mark has no tokens where nothing takes it in")
	}
}

// Numbers of several kinds together take no mark before them, but the mark at the end of a message's frame may be part
// of a piece with the first of them. In random texts this occurs once in several hundred thousand.
func TestAMessageThatBeginsWithNumbersOfSeveralKinds(t *testing.T) {
	for _, file := range []string{"pieces_v3.json", "pieces_v4_7.json"} {
		tiles := madeUp(t, file)
		packs, err := tiles.Claude()
		if err != nil {
			t.Fatal(err)
		}
		plain, counting := newPlainTiles(tiles), tokenizerOf(t, packs[0].Pack)
		for _, text := range []string{"\u0967\u0d5a\"\ufffd", "\u0967\u00b2x", "\u0d5a\u0967", "\u0967", "12\u0967", "", "'s", "\u6587\u0967"} {
			if got, want := counting.CountMessage([]byte(text)), plain.message(text); got != want {
				t.Errorf("%s: %+q is a message of %d tokens, and by the plain rules of %d", file, text, got, want)
			}
		}
	}
}

// A text written in parts, or changed in the middle, has the same count as the whole text.
func TestTilesCountTheSameInParts(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	counting := tokenizerOf(t, madeUp(t, "pieces_v3.json").Pack("tiles"))
	for range 100 {
		counter, text := counting.NewCounter(), []byte{}
		for range 60 {
			part := []byte(strings.Repeat(randomText(r)+"the world, (it)\n", r.IntN(20)))
			at := r.IntN(len(text) + 1)
			counter.Replace(at, at, part)
			text = append(text[:at], append(part, text[at:]...)...)
		}
		if got, want := counter.Tokens(), counting.Count(text); got != want {
			t.Fatalf("a text that grew has %d tokens, and whole %d", got, want)
		}
		stream := counting.NewStream()
		for rest := text; len(rest) > 0; {
			n := min(len(rest), 1+r.IntN(1<<16))
			_, _ = stream.Write(rest[:n])
			rest = rest[n:]
		}
		if got, want := stream.Tokens(), counting.Count(text); got != want {
			t.Fatalf("a text that passed by has %d tokens, and whole %d", got, want)
		}
	}
}

// A megabyte that would send careless code into quadratic time is counted in time, and long runs of one character are
// counted like the plain rules do.
func TestHostileTilesAreCountedInTime(t *testing.T) {
	tiles := madeUp(t, "pieces_v3.json")
	counting := map[string]*token.Tokenizer{"made up": tokenizerOf(t, tiles.Pack("tiles"))}
	if os.Getenv("CTX_VOCABULARIES") != "" {
		counting["v3"], counting["v5"] = claude(t, "v3"), claude(t, "v5")
	}
	r := rand.New(rand.NewPCG(1, 1))
	marks, letters := make([]rune, 1<<19), make([]byte, 1<<20)
	for i := range marks {
		marks[i] = 0x300 + rune(r.IntN(0x60))
	}
	for i := range letters {
		letters[i] = 'A' + byte(r.IntN(26))
	}
	for name, text := range map[string]string{
		"one letter":       strings.Repeat("a", 1<<20),
		"capitals":         strings.Repeat("A", 1<<20),
		"random capitals":  string(letters),
		"one mark":         strings.Repeat("\u0301", 1<<19),
		"random marks":     string(marks),
		"two marks":        strings.Repeat("\u0301\u0323", 1<<18),
		"unassigned":       strings.Repeat("\u0378", 1<<19),
		"unassigned, rare": strings.Repeat("\U000E1000", 1<<18),
		"points":           strings.Repeat(".", 1<<20),
		"points, blank":    " " + strings.Repeat(".", 1<<20) + " x",
		"spaces":           strings.Repeat(" ", 1<<20),
		"lines":            strings.Repeat("\n", 1<<20),
		"quotes":           strings.Repeat("'", 1<<20),
		"contractions":     strings.Repeat("'s", 1<<19),
		"han":              strings.Repeat("中", 350_000),
		"jamo":             strings.Repeat("\u1112\u1161\u11ab", 1<<20/9),
		"line ends":        strings.Repeat("\r\n", 1<<19),
		"broken":           strings.Repeat("\xff", 1<<20),
		"camel":            strings.Repeat("aBcD", 1<<18),
	} {
		for vocabulary, c := range counting {
			best := rusage.Least(3, 60*time.Millisecond, func() {
				c.Forget()
				if n := c.Count([]byte(text)); n <= 0 || n > 4*int64(len(text)) {
					t.Fatalf("%s: %d tokens", name, n)
				}
			})
			t.Logf("%-8s %-16s %6.1f ms", vocabulary, name, best.Seconds()*1e3)
			if best > 500*time.Millisecond { // five times the limit on a quiet machine
				t.Errorf("%s of %s used %v", name, vocabulary, best)
			}
		}
	}
	plain := newPlainTiles(tiles)
	for _, long := range []string{strings.Repeat(".", 40_001) + "x", strings.Repeat("\u0416", 3_001), "(" + strings.Repeat("-", 9_999)} {
		if got, want := counting["made up"].Count([]byte(long)), plain.count(long); got != want {
			t.Errorf("%.8s…: %d tokens, and by the plain rules %d", long, got, want)
		}
	}
}

// Counting does not allocate for texts like those it has seen before.
func TestTilesAllocateNothing(t *testing.T) {
	counting := tokenizerOf(t, madeUp(t, "pieces_v3.json").Pack("tiles"))
	text := []byte(strings.Join(parts, " ") + strings.Repeat("unseen-Words of It ", 100))
	counting.Count(text)
	if n := testing.AllocsPerRun(20, func() { counting.Count(text) }); n > 0 {
		t.Errorf("a count allocates %v times", n)
	}
}

// A file that cannot be counted exactly is refused with a message.
func TestPiecesThatReachAcrossAreRefused(t *testing.T) {
	meta := `{"meta":{"family":"v3","message_overhead":7,"fold_quotes":true},"tokens":{"word_pieces":{%s:{}}}}`
	for piece, want := range map[string]string{
		`"a⟨bow⟩b"`:  "begin mark",
		`"⟨eow⟩a"`:   "after an end mark",
		`"a b"`:      "joins text that is counted separately",
		`"a1"`:       "joins text that is counted separately",
		`"中文"`:       "tiled separately",
		`"⟨bow⟩ "`:   "white space",
		`"⟨pad⟩"`:    "unknown mark",
		`""`:         "empty",
		`"⟨0xFF⟩"`:   "unknown mark",
		`"⟨0xE4⟩a"`:  "UTF-8",
		`"b⟨shift⟩"`: "mark of capitals",
	} {
		if _, err := ParseTiles([]byte(strings.Replace(meta, "%s", piece, 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, and it should say %q", piece, err, want)
		}
	}
	for _, file := range []string{`{}`, `[]`, `{"meta":{},"tokens":{}}`, strings.Replace(meta, "7", "-7", 1)} {
		if _, err := ParseTiles([]byte(file)); err == nil {
			t.Errorf("%s was taken", file)
		}
	}
	other := madeUp(t, "pieces_v3.json")
	other.Family = "v9"
	if _, err := other.Claude(); err == nil {
		t.Error("pieces of a family that nobody knows were added for Claude")
	}
}

func FuzzParseTiles(f *testing.F) {
	for _, file := range []string{"pieces_v3.json", "pieces_v4_7.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "vocabularies", file))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		tiles, err := ParseTiles(file)
		if err != nil {
			return
		}
		counting := tokenizerOf(t, tiles.Pack("fuzz"))
		text := string(file[:min(len(file), 200)])
		if got, want := counting.CountMessage([]byte(text)), newPlainTiles(tiles).message(text); got != want {
			t.Fatalf("%q: %d tokens, and by the plain rules %d", text, got, want)
		}
	})
}

// FuzzTilesPack changes packs and corrects their checksum. If such a pack loads, it counts any text without a panic.
func FuzzTilesPack(f *testing.F) {
	pack := madeUp(f, "pieces_v3.json").Pack("tiles")
	body := len(pack) - 4
	f.Add(body-1, byte(1), "the world")
	f.Add(body-2000, byte(200), "'s ² 中")
	f.Add(40, byte(7), "\u0301a")
	f.Fuzz(func(t *testing.T, at int, with byte, text string) {
		if at < 0 || at >= body {
			return
		}
		changed := bytes.Clone(pack[:body])
		changed[at] ^= with
		v, err := token.Load(binary.LittleEndian.AppendUint32(changed, crc32.ChecksumIEEE(changed)))
		if err != nil {
			return
		}
		counting := token.New(token.Encoding{Name: "tiles", Vocabulary: "tiles"}, v)
		if n := counting.CountMessage([]byte(text)) + counting.Count([]byte(text)); n < 0 || n > 8*int64(len(text))+4000 {
			t.Fatalf("%q: %d tokens", text, n)
		}
	})
}
