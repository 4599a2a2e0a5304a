// Copyright The ctx-lsp authors. MIT licence.

package split

// nextDeepSeek splits in three steps, each applied to the remaining text of the previous one: numbers by
//
//	\p{N}{1,3}
//
// then Chinese and kana by
//
//	[一-龥぀-ゟ゠-ヿ]+
//
// then the remaining stretches by
//
//	[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|
//	 ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// Unmatched text stays together.
func nextDeepSeek(p []byte, i int) int {
	switch class, size := stretch(p, i); {
	case class != 0:
	case isEastAsian(p, i):
		for i += size; i < len(p) && isEastAsian(p, i); i += size {
			_, size = Decode(p, i)
		}
		return i
	default:
		return runUpTo(p, i, SetNumbers, 3)
	}
	if end := matchDeepSeek(p, i); end > i {
		return end
	}
	for i < len(p) {
		class, size := stretch(p, i)
		if class == 0 || matchDeepSeek(p, i) > i {
			break
		}
		i += size
	}
	return i
}

func isEastAsian(p []byte, i int) bool {
	c, _ := DecodeRune(p, i)
	return c >= 0x4E00 && c <= 0x9FA5 || c >= 0x3040 && c <= 0x30FF
}

// stretch decodes like Decode within a stretch: at the end of the stretch or the text, the class is 0.
func stretch(p []byte, i int) (class uint32, size int) {
	if i >= len(p) {
		return 0, 0
	}
	class, size = Decode(p, i)
	if class&SetNumbers != 0 || size == 3 && isEastAsian(p, i) {
		return 0, size
	}
	return class, size
}

func runInStretch(p []byte, i int, set uint32) int {
	for {
		class, size := stretch(p, i)
		if class&set == 0 {
			return i
		}
		i += size
	}
}

// matchDeepSeek implements the pattern of the third step. It returns the end of the match at i, or i if there is none.
func matchDeepSeek(p []byte, i int) int {
	const word = SetLetters | SetMarks
	class, size := stretch(p, i)
	next, _ := stretch(p, i+size)
	if class == classOther && p[i] < 0x80 && i+1 < len(p) && isASCIILetter(p[i+1]) {
		for i += 2; i < len(p) && isASCIILetter(p[i]); i++ {
		}
		return i
	}
	switch {
	case class&word != 0:
		return runInStretch(p, i, word)
	case class&(SetSymbols|ClassNewline) == 0 && next&word != 0:
		return runInStretch(p, i+size, word)
	case class&SetSymbols != 0 || p[i] == ' ' && next&SetSymbols != 0:
		end := runInStretch(p, i+size, SetSymbols)
		for end < len(p) && (p[end] == '\n' || p[end] == '\r') {
			end++
		}
		return end
	case class&SetSpaces != 0:
		end := runInStretch(p, i, SetSpaces)
		if class, _ := stretch(p, end); class == 0 {
			return spaces(p[:end], i)
		}
		return spaces(p, i)
	}
	return i
}

func isASCIILetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
