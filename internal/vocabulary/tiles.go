// Copyright The ctx-lsp authors. MIT licence.

package vocabulary

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ctx-lsp/ctx-lsp/core/token"
)

// Tiles is a vocabulary of pieces of a marked stream, as published by ctok for Claude.
type Tiles struct {
	Family     string // the name in the file: v3, v4.7
	FoldQuotes bool
	CapsMin    int
	Overhead   int  // the tokens of a message's frame
	OpenFrame  bool // the frame ends with a begin mark
	LineTail   bool // the frame continues with line breaks
	Pieces     []string
}

// A NamedPack is a pack and its name in the store.
type NamedPack struct {
	Name string
	Pack []byte
}

// Claude returns the packs for all families of Claude that use these pieces, under their names in core/model. Families
// may share their pieces and differ in the frame of a message.
func (t *Tiles) Claude() ([]NamedPack, error) {
	switch t.Family {
	case "v3":
		return []NamedPack{{"claude-v3", t.Pack("claude-v3")}}, nil
	case "v4.7":
		newer := *t
		newer.Overhead, newer.OpenFrame, newer.LineTail = 6, false, false
		return []NamedPack{{"claude-v47", t.Pack("claude-v47")}, {"claude-v5", newer.Pack("claude-v5")}}, nil
	}
	return nil, fmt.Errorf("its family is %q; expected v3 or v4.7", t.Family)
}

// tilesFile holds the fields of the published JSON that are used here.
type tilesFile struct {
	Meta struct {
		Family     string  `json:"family"`
		Overhead   *int    `json:"message_overhead"`
		FoldQuotes *bool   `json:"fold_quotes"`
		CapsMin    *int    `json:"allcaps_min"`
		OpenFrame  *bool   `json:"frame_bow"`
		Tail       *string `json:"frame_tail"`
	} `json:"meta"`
	Tokens map[string]map[string]json.RawMessage `json:"tokens"`
}

const (
	groupBytes        = "bytes_fallback"
	groupContractions = "contractions"
	longestPiece      = 255
	mostPieces        = 1 << 16
)

// IsTiles reports whether a JSON file contains groups of pieces and is not a tokenizer.json.
func IsTiles(file []byte) bool {
	var f struct {
		Meta   json.RawMessage `json:"meta"`
		Tokens json.RawMessage `json:"tokens"`
		Model  json.RawMessage `json:"model"`
	}
	return json.Unmarshal(file, &f) == nil && f.Meta != nil && f.Tokens != nil && f.Model == nil
}

// ParseTiles reads the published JSON. It returns an error for a file that cannot be counted exactly.
func ParseTiles(file []byte) (*Tiles, error) {
	var f tilesFile
	if err := json.Unmarshal(file, &f); err != nil {
		return nil, fmt.Errorf("it is not a file of pieces: %w", err)
	}
	m := &f.Meta
	if m.Family == "" || m.Overhead == nil || m.FoldQuotes == nil || len(f.Tokens) == 0 {
		return nil, errors.New("it is not a file of pieces: its meta must have family, message_overhead and fold_quotes, and its tokens groups")
	}
	t := &Tiles{Family: m.Family, FoldQuotes: *m.FoldQuotes, Overhead: *m.Overhead, OpenFrame: true, LineTail: true}
	if m.CapsMin != nil {
		t.CapsMin = *m.CapsMin
	}
	if m.OpenFrame != nil {
		t.OpenFrame = *m.OpenFrame
	}
	if m.Tail != nil {
		switch *m.Tail {
		case "ladder":
		case "free":
			t.LineTail = false
		default:
			return nil, fmt.Errorf("its meta ends messages with the unknown text %q", *m.Tail)
		}
	}
	if t.Overhead < 0 || t.Overhead > 1000 || t.CapsMin < 0 || t.CapsMin > longestPiece {
		return nil, errors.New("its meta has an invalid message_overhead or allcaps_min")
	}
	present := map[string]bool{}
	for group, pieces := range f.Tokens {
		for piece := range pieces {
			bytes, err := pieceBytes(group, piece)
			if err != nil {
				return nil, fmt.Errorf("its piece %q of %s %w", piece, group, err)
			}
			present[bytes] = true
			if group == groupContractions {
				present[bytes+string([]byte{token.MarkEnd})] = true
			}
		}
	}
	for piece := range present {
		t.Pieces = append(t.Pieces, piece)
	}
	if len(t.Pieces) > mostPieces {
		return nil, fmt.Errorf("it has more than %d pieces", mostPieces)
	}
	slices.Sort(t.Pieces)
	return t, nil
}

// pieceBytes returns a piece with one byte for each of its marks. It refuses a piece that crosses a point where text is
// cut.
func pieceBytes(group, piece string) (string, error) {
	if group == groupBytes {
		return bytePrefix(piece)
	}
	var out []byte
	for i := 0; i < len(piece); {
		if strings.HasPrefix(piece[i:], "⟨") {
			name, _, found := strings.Cut(piece[i+len("⟨"):], "⟩")
			b, known := atom(name)
			if !found || !known {
				return "", errors.New("has an unknown mark")
			}
			out = append(out, b)
			i += len("⟨") + len(name) + len("⟩")
			continue
		}
		_, size := utf8.DecodeRuneInString(piece[i:])
		out = append(out, piece[i:i+size]...)
		i += size
	}
	if len(out) == 0 || len(out) > longestPiece {
		return "", fmt.Errorf("is empty or longer than %d bytes", longestPiece)
	}
	return string(out), staysInside(out)
}

// atom returns the byte for a name in brackets: a mark, or a byte of text.
func atom(name string) (byte, bool) {
	switch name {
	case "bow":
		return token.MarkBegin, true
	case "eow":
		return token.MarkEnd, true
	case "shift":
		return token.MarkShift, true
	case "caps":
		return token.MarkCaps, true
	}
	digits, found := strings.CutPrefix(name, "0x")
	n, err := strconv.ParseUint(digits, 16, 8)
	return byte(n), found && err == nil && len(digits) == 2 && n < token.MarkBegin
}

// bytePrefix reads the first bytes of an incomplete character.
func bytePrefix(piece string) (string, error) {
	var out []byte
	for i := 0; i+2 <= len(piece); i += 2 {
		n, err := strconv.ParseUint(piece[i:i+2], 16, 8)
		if err != nil {
			return "", errors.New("is not written in hexadecimal digits")
		}
		out = append(out, byte(n))
	}
	if len(out) == 0 || len(piece)%2 != 0 || out[0] < 0xC2 || out[0] > 0xF4 || utf8.FullRune(out) {
		return "", errors.New("does not start with the first byte of a character")
	}
	return string(out), nil
}

// The kinds of characters that decide where text is cut.
const (
	ofSpace  = 1 << iota // white space
	ofWord               // letters and marks of words
	ofDigits             // digits
	ofOther              // punctuation, signs and numbers
	ofAlone              // characters that are tiled separately
)

// staysInside refuses a piece that would reach from one part of the text into another, because the two are counted
// separately.
func staysInside(piece []byte) error {
	groups, characters, begun, ended := 0, 0, false, false
	for i := 0; i < len(piece); {
		if ended {
			return errors.New("continues after an end mark")
		}
		if b := piece[i]; b >= token.MarkBegin {
			i++
			switch b {
			case token.MarkEnd:
				ended = true
			case token.MarkBegin:
				if characters > 0 || begun {
					return errors.New("has a begin mark that is not at its beginning")
				}
				begun = true
			default:
				if i > 1 {
					return errors.New("has a mark of capitals that is not at its beginning")
				}
			}
			continue
		}
		c, size := utf8.DecodeRune(piece[i:])
		if c == utf8.RuneError && size < 3 {
			return errors.New("is not UTF-8")
		}
		group := partOf(c)
		if group == ofWord && groups == ofOther && characters == 1 && piece[0] == '\'' {
			groups = 0 // the groups of a contraction
		}
		groups |= group
		characters++
		i += size
	}
	switch {
	case groups&(groups-1) != 0:
		return errors.New("joins text that is counted separately")
	case groups == ofAlone && (characters > 1 || begun || ended):
		return errors.New("joins characters that are tiled separately")
	case groups == ofSpace && (begun || ended):
		return errors.New("has marks at white space")
	}
	return nil
}

func partOf(c rune) int {
	if c >= classedEndsAt {
		return ofAlone
	}
	switch markClass(c) &^ token.MarkSymbol {
	case token.MarkSpace, token.MarkBlank:
		return ofSpace
	case token.MarkDigit, token.MarkOtherDigit:
		return ofDigits
	case token.MarkPunct, token.MarkSign, token.MarkDecimal, token.MarkNumber:
		return ofOther
	case token.MarkAlone, token.MarkSelector:
		return ofAlone
	}
	return ofWord
}

// Pack returns the pieces as a pack with a name.
func (t *Tiles) Pack(name string) []byte {
	out := append([]byte(token.PackMagic), token.PackVersion)
	for _, text := range []string{name, token.ScannerMarked, "nfc"} {
		out = appendString(out, []byte(text))
	}
	out = append(out, 0, 0, 0, 0) // the numbers of characters, and of whole, control and added strings
	out = appendComposition(out)
	flags := byte(0)
	for i, set := range []bool{t.FoldQuotes, t.OpenFrame, t.LineTail} {
		if set {
			flags |= 1 << i
		}
	}
	out = append(out, token.PackTiles, flags)
	out = binary.AppendUvarint(out, uint64(t.CapsMin))
	out = binary.AppendUvarint(out, uint64(t.Overhead))
	out = appendMarks(out)
	out = binary.AppendUvarint(out, uint64(len(contractions)))
	for _, suffix := range contractions {
		out = appendString(out, []byte(suffix))
	}
	out = binary.AppendUvarint(out, uint64(len(t.Pieces)))
	var shared, more, text []byte
	last := ""
	for _, piece := range t.Pieces {
		n := 0
		for n < len(piece) && n < len(last) && piece[n] == last[n] {
			n++
		}
		shared, more, text = append(shared, byte(n)), append(more, byte(len(piece)-n)), append(text, piece[n:]...)
		last = piece
	}
	out = append(append(append(out, shared...), more...), text...)
	return binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}
