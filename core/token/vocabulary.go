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

// PackMagic and PackVersion begin every pack.
const (
	PackMagic   = "ctxvocab"
	PackVersion = 1
)

// How a pack lists its merges.
const (
	PackLevels    = bpe.InLevels
	PackUnordered = bpe.Unordered
	PackTiles     = tiles.Kind // no merges, but pieces
)

// Scanners and Normalizers are the names that a pack may give for its way of splitting text, and for what is done to
// the text before.
var (
	Scanners    = split.Names
	Normalizers = split.Normalizers
)

const maxControl = 255 // bytes of a control string

// A Vocabulary is what one pack says of turning text into tokens: how text is split, and what its pieces become. It,
// and all tokenizers that share it, belong to one goroutine at a time.
type Vocabulary struct {
	name      string
	scanner   string
	plain     bool             // text is counted as it is, without a normalizer
	composer  *split.Composer  // brings text into form C first; nil if that is not asked for
	crossings *split.Crossings // where text that no scanner splits comes apart; nil if a scanner does
	specials  []string
	added     []string
	tokens    int
	merges    *bpe.Merges         // nil if pieces of another kind make the tokens
	tiles     *tiles.Vocabulary   // what tiles text with pieces; nil if merges do
	pieces    func() pieceCounter // makes what one tokenizer counts pieces with
}

// A pieceCounter turns pieces into tokens for one tokenizer. Byte-pair merges (Merger) are one kind; another kind of
// vocabulary has its own beside it.
type pieceCounter interface {
	// Prepare asks for the memory of some new short pieces, so that it comes side by side; CountPrepared then counts
	// the i-th of them.
	Prepare(keys []pieces.Key)
	CountPrepared(i int) int64
	// Count counts a piece of any length. What is not UTF-8 counts as U+FFFD.
	Count(piece []byte) int64
	// Ends appends the ends of a piece's tokens to dst, counted from base.
	Ends(piece []byte, base int, dst []int) []int
	// Valid is a piece with U+FFFD in place of what is not UTF-8. It may be overwritten by the next call.
	Valid(piece []byte) []byte
	// Reach is how many bytes before the end of a piece its tokens may still change when the piece goes on; bounded is
	// false if any may.
	Reach() (bytes int64, bounded bool)
	// Warm touches the memory that a long text will need.
	Warm()
}

// Name returns what the pack calls itself.
func (v *Vocabulary) Name() string { return v.name }

// Scanner returns the name of the pack's way of splitting text.
func (v *Vocabulary) Scanner() string { return v.scanner }

// Tokens returns how many tokens the vocabulary has, control strings aside.
func (v *Vocabulary) Tokens() int { return v.tokens }

// Texts returns the bytes of each token of a vocabulary whose tokens are merged from bytes, in an order that gives the
// same tokens as the ranks of its rank file; nil for any other vocabulary.
func (v *Vocabulary) Texts() []string {
	if v.merges == nil {
		return nil
	}
	return v.merges.Texts()
}

// next is the scanner that cuts text into pieces.
func (v *Vocabulary) next() split.Scanner {
	if v.crossings != nil {
		return v.crossings.Next
	}
	return split.Find(v.scanner)
}

// Load unpacks a pack. A pack that is damaged, or that could make counting unbounded, is refused; whether it is a good
// vocabulary is for its makers to see.
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

// read reads all that is behind the version.
func (v *Vocabulary) read(r *packed.Reader) {
	name, scanner, normalizer := r.Text(), r.Text(), r.Text()
	v.name, v.scanner, v.plain = name, scanner, normalizer == ""
	if r.Failed == "" && !split.Known(scanner) {
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

// checkStrings refuses control strings with which looking for them could take long.
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
