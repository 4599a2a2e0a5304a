// Copyright The ctx-lsp authors. MIT licence.

package split

// These are the scanners in their most readable form, one character at a time: the reference for the quicker ones.

var plainScanners = map[string]Scanner{
	"o200k":    plainNextO200k,
	"cl100k":   plainNextCl100k,
	"gpt2":     plainNextGPT2,
	"qwen2":    plainNextQwen2,
	"deepseek": plainNextDeepSeek,
	"kimi":     plainNextKimi,
}

func plainDecode(p []byte, i int) (class uint32, size int) {
	c, size := DecodeRune(p, i)
	return ClassOf(c), size
}

func plainRunOf(p []byte, i int, set uint32) int {
	for i < len(p) {
		class, size := plainDecode(p, i)
		if class&set == 0 {
			break
		}
		i += size
	}
	return i
}

func plainRunUpTo(p []byte, i int, set uint32, n int) int {
	for ; n > 0 && i < len(p); n-- {
		class, size := plainDecode(p, i)
		if class&set == 0 {
			break
		}
		i += size
	}
	return i
}

func plainSpaces(p []byte, i int) int {
	begin, last, newline := i, i, -1
	for i < len(p) {
		class, size := plainDecode(p, i)
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

func plainBlanks(p []byte, i int) int {
	begin, last := i, i
	for i < len(p) {
		class, size := plainDecode(p, i)
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

func plainContraction(p []byte, i int) int {
	if i+1 >= len(p) || p[i] != '\'' {
		return i
	}
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

func plainNextO200k(p []byte, i int) int {
	return plainNextCased(p, i, setCapitals, setSmall, true)
}

func plainNextCased(p []byte, i int, capitals, small uint32, slash bool) int {
	class, size := plainDecode(p, i)
	switch {
	case class&(capitals|small) != 0:
		return plainWordCased(p, i, capitals, small)
	case class&SetNumbers != 0:
		return plainRunUpTo(p, i+size, SetNumbers, 2)
	case class == ClassNewline:
		return plainSpaces(p, i)
	}
	after := i + size
	if after < len(p) {
		next, _ := plainDecode(p, after)
		if next&(capitals|small) != 0 {
			return plainWordCased(p, after, capitals, small)
		}
		if class == ClassSpace && (p[i] != ' ' || next&setOther == 0) {
			return plainSpaces(p, i)
		}
	} else if class == ClassSpace {
		return after
	}
	end := plainRunOf(p, after, setOther)
	for end < len(p) && (p[end] == '\n' || p[end] == '\r' || p[end] == '/' && slash) {
		end++
	}
	return end
}

func plainWordCased(p []byte, i int, capitals, small uint32) int {
	caseless := -1
	for i < len(p) {
		class, size := plainDecode(p, i)
		if class&capitals == 0 {
			if class == ClassLower {
				return plainContraction(p, plainRunOf(p, i+size, small))
			}
			break
		}
		i += size
		if class != ClassUpper {
			caseless = i
		}
	}
	if caseless >= 0 {
		i = caseless
	}
	return plainContraction(p, i)
}

func plainNextCl100k(p []byte, i int) int { return plainNextLetters(p, i, 3) }

func plainNextLetters(p []byte, i int, digits int) int {
	class, size := plainDecode(p, i)
	switch {
	case class&SetLetters != 0:
		return plainRunOf(p, i+size, SetLetters)
	case class&SetNumbers != 0:
		return plainRunUpTo(p, i+size, SetNumbers, digits-1)
	case class == ClassNewline:
		return plainSpaces(p, i)
	}
	if end := plainContraction(p, i); end > i {
		return end
	}
	after := i + size
	if after < len(p) {
		next, n := plainDecode(p, after)
		if next&SetLetters != 0 {
			return plainRunOf(p, after+n, SetLetters)
		}
		if class == ClassSpace && (p[i] != ' ' || next&setOther == 0) {
			return plainSpaces(p, i)
		}
	} else if class == ClassSpace {
		return after
	}
	end := plainRunOf(p, after, setOther)
	for end < len(p) && (p[end] == '\n' || p[end] == '\r') {
		end++
	}
	return end
}

func plainNextQwen2(p []byte, i int) int { return plainNextLetters(p, i, 1) }

func plainNextKimi(p []byte, i int) int {
	if class, size := plainDecode(p, i); class&SetHan != 0 {
		return plainRunOf(p, i+size, SetHan)
	}
	return plainNextCased(p, i, ClassUpper|classCaseless|classMark, ClassLower|classCaseless|classMark, false)
}

func plainNextGPT2(p []byte, i int) int {
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
	class, size := plainDecode(p, i)
	if class&SetSpaces != 0 {
		if p[i] != ' ' || i+1 == len(p) {
			return plainBlanks(p, i)
		}
		next, n := plainDecode(p, i+1)
		if next&SetSpaces != 0 {
			return plainBlanks(p, i)
		}
		class, size = next, n+1
	}
	switch {
	case class&SetLetters != 0:
		return plainRunOf(p, i+size, SetLetters)
	case class&SetNumbers != 0:
		return plainRunOf(p, i+size, SetNumbers)
	}
	return plainRunOf(p, i+size, setOther)
}

func plainNextDeepSeek(p []byte, i int) int {
	switch class, size := plainStretch(p, i); {
	case class != 0:
	case plainIsEastAsian(p, i):
		for i += size; i < len(p) && plainIsEastAsian(p, i); i += size {
			_, size = plainDecode(p, i)
		}
		return i
	default:
		return plainRunUpTo(p, i, SetNumbers, 3)
	}
	if end := plainMatchDeepSeek(p, i); end > i {
		return end
	}
	for i < len(p) {
		class, size := plainStretch(p, i)
		if class == 0 || plainMatchDeepSeek(p, i) > i {
			break
		}
		i += size
	}
	return i
}

func plainIsEastAsian(p []byte, i int) bool {
	c, _ := DecodeRune(p, i)
	return c >= 0x4E00 && c <= 0x9FA5 || c >= 0x3040 && c <= 0x30FF
}

func plainStretch(p []byte, i int) (class uint32, size int) {
	if i >= len(p) {
		return 0, 0
	}
	class, size = plainDecode(p, i)
	if class&SetNumbers != 0 || size == 3 && plainIsEastAsian(p, i) {
		return 0, size
	}
	return class, size
}

func plainRunInStretch(p []byte, i int, set uint32) int {
	for {
		class, size := plainStretch(p, i)
		if class&set == 0 {
			return i
		}
		i += size
	}
}

func plainMatchDeepSeek(p []byte, i int) int {
	const word = SetLetters | SetMarks
	class, size := plainStretch(p, i)
	next, _ := plainStretch(p, i+size)
	if class == classOther && p[i] < 0x80 && i+1 < len(p) && isASCIILetter(p[i+1]) {
		for i += 2; i < len(p) && isASCIILetter(p[i]); i++ {
		}
		return i
	}
	switch {
	case class&word != 0:
		return plainRunInStretch(p, i, word)
	case class&(SetSymbols|ClassNewline) == 0 && next&word != 0:
		return plainRunInStretch(p, i+size, word)
	case class&SetSymbols != 0 || p[i] == ' ' && next&SetSymbols != 0:
		end := plainRunInStretch(p, i+size, SetSymbols)
		for end < len(p) && (p[end] == '\n' || p[end] == '\r') {
			end++
		}
		return end
	case class&SetSpaces != 0:
		end := plainRunInStretch(p, i, SetSpaces)
		if class, _ := plainStretch(p, end); class == 0 {
			return plainSpaces(p[:end], i)
		}
		return plainSpaces(p, i)
	}
	return i
}
