// Copyright The ctx-lsp authors. MIT licence.

// Package split cuts text into pieces, which merging never crosses, according to the published patterns of vendors. It
// does not depend on a vocabulary. It also contains the classes of characters.
package split

import "slices"

// A Scanner splits text into the pieces that merging never crosses. It implements one of the regular expressions that
// vendors publish, with the same result for every text, in time linear in the length of the text.
//
// It returns the end of the piece that begins at i; i must be before the end of p.
type Scanner func(p []byte, i int) (end int)

// Names lists the scanners that a pack can use.
var Names = []string{"o200k", "cl100k", "gpt2", "qwen2", "deepseek", "kimi", Unsplit}

// Marked is the scanner of packs with tiles, which convert text to a marked stream.
const Marked = "marked"

// IsScanner reports whether name is a scanner that a pack can use.
func IsScanner(name string) bool { return name == Marked || slices.Contains(Names, name) }

// Find returns the scanner with this name; nil for Unsplit, Marked and unknown names.
func Find(name string) Scanner {
	switch name {
	case "o200k":
		return nextO200k
	case "cl100k":
		return nextCl100k
	case "gpt2":
		return nextGPT2
	case "qwen2":
		return nextQwen2
	case "deepseek":
		return nextDeepSeek
	case "kimi":
		return nextKimi
	}
	return nil
}

// runUpTo returns the index after at most n characters whose classes are in set.
func runUpTo(p []byte, i int, set uint32, n int) int {
	for ; n > 0 && i < len(p); n-- {
		class, size := Decode(p, i)
		if class&set == 0 {
			break
		}
		i += size
	}
	return i
}

// spaces implements `\s*[\r ]+|\s+(?!\S)|\s+` at a space. It returns the end of the last newline of the run; if there
// is none, the start of the last space, which then begins the next word.
func spaces(p []byte, i int) int {
	begin, last, newline := i, i, -1
	for i < len(p) {
		class, size := Decode(p, i)
		if class&SetSpaces == 0 {
			break
		}
		last = i
		i += size
		if class == ClassNewline {
			newline = i
		}
	}
	switch {
	case newline >= 0:
		return newline
	case i < len(p) && last > begin:
		return last
	}
	return i
}

// blanks implements `\s+(?!\S)|\s+` at a space: newlines are treated like other spaces.
func blanks(p []byte, i int) int {
	begin, last := i, i
	for i < len(p) {
		class, size := Decode(p, i)
		if class&SetSpaces == 0 {
			break
		}
		last = i
		i += size
	}
	if i < len(p) && last > begin {
		return last
	}
	return i
}

// contraction returns the end of a match of `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`, or i without one.
func contraction(p []byte, i int) int {
	if i+1 >= len(p) || p[i] != '\'' {
		return i
	}
	return contracted(p, i)
}

// contracted does the same as contraction for an apostrophe that is not the last byte. A pattern that ignores case
// matches the long s, U+017F, as an s.
func contracted(p []byte, i int) int {
	switch p[i+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	case 'r', 'v':
		if i+2 < len(p) && p[i+2]|0x20 == 'e' {
			return i + 3
		}
	case 'l':
		if i+2 < len(p) && p[i+2]|0x20 == 'l' {
			return i + 3
		}
	}
	if p[i+1] == 0xC5 && i+2 < len(p) && p[i+2] == 0xBF {
		return i + 3
	}
	return i
}

const (
	// A word of o200k consists of capitals, then small letters; characters without case belong to both.
	setCapitals = ClassUpper | classCaseless | classHanLetter | SetMarks
	setSmall    = ClassLower | classCaseless | classHanLetter | SetMarks
)

// nextO200k splits like
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func nextO200k(p []byte, i int) int {
	return nextCased(p, i, setCapitals, setSmall, true)
}

// nextCased implements o200k's pattern with other sets of capitals and small letters. Characters in neither set begin
// no word.
func nextCased(p []byte, i int, capitals, small uint32, slash bool) int {
	if p[i] == ' ' && i+1 < len(p) && p[i+1] >= 0x80 {
		if class, _ := Decode(p, i+1); class&(capitals|small) != 0 {
			return wordCased(p, i+1, class, capitals, small)
		}
	}
	class, size := Decode(p, i)
	switch {
	case class&(capitals|small) != 0:
		return wordCased(p, i, class, capitals, small)
	case class&SetNumbers != 0:
		return runUpTo(p, i+size, SetNumbers, 2)
	case class == ClassNewline:
		return spaces(p, i)
	}
	after := i + size
	if after < len(p) {
		next, _ := Decode(p, after)
		if next&(capitals|small) != 0 {
			return wordCased(p, after, next, capitals, small)
		}
		if class == ClassSpace && (p[i] != ' ' || next&setOther == 0) {
			return spaces(p, i)
		}
	} else if class == ClassSpace {
		return after
	}
	end := endOf(p, after, setOther)
	for end < len(p) && (p[end] == '\n' || p[end] == '\r' || p[end] == '/' && slash) {
		end++
	}
	return end
}

// wordCased implements the body of both word patterns, at a letter or mark of this class. If no small letter follows
// the capitals, it backtracks to the last character without case, which can match as the small letter.
func wordCased(p []byte, i int, class, capitals, small uint32) int {
	caseless := -1
	for {
		switch {
		case class == ClassLower:
			i, _ = runOf(p, i, small)
			return contraction(p, i)
		case class == ClassUpper:
			i, class = runOf(p, i, ClassUpper)
		case class&capitals != 0:
			i, class = runOf(p, i, capitals&^ClassUpper)
			caseless = i
		case caseless >= 0:
			return contraction(p, caseless)
		default:
			return contraction(p, i)
		}
	}
}

// nextCl100k splits like
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|
//	 ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func nextCl100k(p []byte, i int) int { return nextLetters(p, i, 3) }

// nextLetters implements cl100k's pattern with numbers of at most this many digits.
func nextLetters(p []byte, i int, digits int) int {
	class, size := Decode(p, i)
	switch {
	case class&SetLetters != 0:
		return endOf(p, i+size, SetLetters)
	case class&SetNumbers != 0:
		return runUpTo(p, i+size, SetNumbers, digits-1)
	case class == ClassNewline:
		return spaces(p, i)
	}
	if end := contraction(p, i); end > i {
		return end
	}
	after := i + size
	if after < len(p) {
		next, n := Decode(p, after)
		if next&SetLetters != 0 {
			return endOf(p, after+n, SetLetters)
		}
		if class == ClassSpace && (p[i] != ' ' || next&setOther == 0) {
			return spaces(p, i)
		}
	} else if class == ClassSpace {
		return after
	}
	end := endOf(p, after, setOther)
	for end < len(p) && (p[end] == '\n' || p[end] == '\r') {
		end++
	}
	return end
}

// nextQwen2 splits like cl100k's pattern, but with each digit on its own.
func nextQwen2(p []byte, i int) int { return nextLetters(p, i, 1) }

// nextKimi splits like
//
//	[\p{Han}]+|
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func nextKimi(p []byte, i int) int {
	if class, size := Decode(p, i); class&SetHan != 0 {
		return endOf(p, i+size, SetHan)
	}
	return nextCased(p, i, ClassUpper|classCaseless|classMark, ClassLower|classCaseless|classMark, false)
}

// nextGPT2 splits like
//
//	'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func nextGPT2(p []byte, i int) int {
	if p[i] == '\'' && i+1 < len(p) {
		switch p[i+1] {
		case 's', 'd', 'm', 't':
			return i + 2
		case 'l':
			if i+2 < len(p) && p[i+2] == 'l' {
				return i + 3
			}
		case 'v', 'r':
			if i+2 < len(p) && p[i+2] == 'e' {
				return i + 3
			}
		}
	}
	class, size := Decode(p, i)
	if class&SetSpaces != 0 {
		if p[i] != ' ' || i+1 == len(p) {
			return blanks(p, i)
		}
		next, n := Decode(p, i+1)
		if next&SetSpaces != 0 {
			return blanks(p, i)
		}
		class, size = next, n+1
	}
	switch {
	case class&SetLetters != 0:
		return endOf(p, i+size, SetLetters)
	case class&SetNumbers != 0:
		return endOf(p, i+size, SetNumbers)
	}
	return endOf(p, i+size, setOther)
}
