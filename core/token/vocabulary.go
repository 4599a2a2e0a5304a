// Copyright The ctx-lsp authors. MIT licence.

package token

import (
	"errors"
	"strconv"

	"github.com/ctx-lsp/ctx-lsp/core/token/internal/bpe"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/packed"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/pieces"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/split"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/stringset"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/tiles"
	"github.com/ctx-lsp/ctx-lsp/core/token/internal/word"
)

// Every pack begins with PackMagic and PackVersion.
const (
	PackMagic   = "ctxvocab"
	PackVersion = 1
)

// How a pack lists its merges.
const (
	PackLevels    = bpe.InLevels
	PackUnordered = bpe.Unordered
	PackTiles     = tiles.Kind // pieces instead of merges
)

// Scanners and Normalizers are the names a pack may use for its way of splitting text, and for the normalization before
// that.
var (
	Scanners    = split.Names
	Normalizers = split.Normalizers
)

const maxControl = 255 // bytes of a control string

// A Vocabulary contains the rules of one pack: how text is split, and which tokens the pieces become. Only one
// goroutine at a time may use it and the tokenizers that share it.
type Vocabulary struct {
	name      string
	scanner   string
	plain     bool             // text is counted without a normalizer
	composer  *split.Composer  // composes text to form C first; nil if not needed
	crossings *split.Crossings // finds where text without a scanner can be cut; nil if there is a scanner
	specials  []string
	added     []string
	tokens    int
	merges    *bpe.Merges         // nil if tokens do not come from merges
	tiles     *tiles.Vocabulary   // tiles text with pieces; nil if tokens come from merges
	pieces    func() pieceCounter // returns a piece counter for a tokenizer
}

// A pieceCounter turns pieces into tokens for one tokenizer: Merger for byte-pair merges, Tiler for vocabularies that
// tile text.
type pieceCounter interface {
	// Prepare loads the memory for some new short pieces in parallel; CountPrepared then counts the i-th of them.
	Prepare(keys []pieces.Key)
	CountPrepared(i int) int64
	// Count counts a piece of any length. Invalid UTF-8 counts as U+FFFD.
	Count(piece []byte) int64
	// Ends appends the ends of a piece's tokens to dst, counted from base.
	Ends(piece []byte, base int, dst []int) []int
	// Valid returns the piece with U+FFFD in place of invalid UTF-8. The next call may overwrite it.
	Valid(piece []byte) []byte
	// Reach returns how many bytes before the end of a piece its tokens may still change if the piece continues.
	// bounded is false if all may change.
	Reach() (bytes int64, bounded bool)
}

// Name returns the vocabulary's name in the pack.
func (v *Vocabulary) Name() string { return v.name }

// Scanner returns the name of the pack's scanner.
func (v *Vocabulary) Scanner() string { return v.scanner }

// Tokens returns the number of tokens in the vocabulary, without control strings.
func (v *Vocabulary) Tokens() int { return v.tokens }

// Texts returns the bytes of each token if tokens are merged from bytes, in an order that gives the same tokens as the
// ranks of the original rank file. It returns nil for other vocabularies.
func (v *Vocabulary) Texts() []string {
	if v.merges == nil {
		return nil
	}
	return v.merges.Texts()
}

// next returns the scanner that cuts text into pieces.
func (v *Vocabulary) next() split.Scanner {
	if v.crossings != nil {
		return v.crossings.Next
	}
	return split.Find(v.scanner)
}

// Load unpacks a pack. It refuses packs that are damaged or could make counting unbounded; it cannot check whether the
// vocabulary is correct.
func Load(pack []byte) (*Vocabulary, error) {
	if len(pack) < len(PackMagic)+5 || string(pack[:len(PackMagic)]) != PackMagic {
		return nil, errors.New(`this is not a vocabulary pack: it does not begin with "` + PackMagic + `"`)
	}
	if version := pack[len(PackMagic)]; version != PackVersion {
		return nil, errors.New("the vocabulary pack has version " + strconv.Itoa(int(version)) +
			", and this program reads version " + strconv.Itoa(PackVersion) + ": make the pack again")
	}
	body, sum := pack[:len(pack)-4], pack[len(pack)-4:]
	if packed.Checksum(body) != word.Four(sum, 0) {
		return nil, errors.New("the vocabulary pack is damaged: its checksum does not match; fetch or make it again")
	}
	v := &Vocabulary{}
	r := packed.NewReader(body[len(PackMagic)+1:])
	v.read(r)
	if r.Failed != "" {
		return nil, errors.New("the vocabulary pack cannot be used: " + r.Failed)
	}
	return v, nil
}

// read reads everything after the version.
func (v *Vocabulary) read(r *packed.Reader) {
	name, scanner, normalizer := r.Text(), r.Text(), r.Text()
	v.name, v.scanner, v.plain = name, scanner, normalizer == ""
	if r.Failed == "" && !split.IsScanner(scanner) {
		r.Fail(`it splits text by "` + scanner + `", which this program does not know`)
	}
	if r.Failed == "" && !split.KnownNormalizer(normalizer) {
		r.Fail(`it wants text normalised by "` + normalizer + `", which this program does not know`)
	}
	letters := bpe.ReadAlphabet(r, normalizer)
	whole := r.Texts()
	v.specials = r.Texts()
	v.added = r.Texts()
	v.checkStrings(r)
	if r.Failed == "" && normalizer == split.Composed {
		v.composer = split.ReadComposer(r)
	}
	order := r.Count(tiles.Kind)
	if r.Failed == "" && (order == tiles.Kind) != (scanner == split.Marked && v.composer != nil) {
		r.Fail("its way of splitting text does not go with what it makes of the parts")
	}
	if r.Failed != "" {
		return
	}
	if order == tiles.Kind {
		v.tiles = tiles.Read(r, v.composer)
		v.tokens, v.pieces = v.tiles.Tokens(), nil
		return
	}
	if scanner == split.Unsplit {
		v.crossings = split.NewCrossings(normalizer == split.Underlined)
	}
	v.merges = bpe.Read(r, order, letters, whole, v.crossings)
	v.tokens, v.pieces = v.merges.Tokens(), func() pieceCounter { return bpe.NewMerger(v.merges) }
}

// checkStrings refuses control strings that would be slow to search for.
func (v *Vocabulary) checkStrings(r *packed.Reader) {
	controls := append(v.specials[:len(v.specials):len(v.specials)], v.added...)
	for _, text := range controls {
		if len(text) > maxControl {
			r.Fail("one of its control strings is longer than " + strconv.Itoa(maxControl) + " bytes")
			return
		}
	}
	if stringset.New(controls).TooAlike() {
		r.Fail(packed.TooAlike)
	}
}
