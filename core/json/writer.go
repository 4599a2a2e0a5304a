// Copyright The ctx-lsp authors. MIT licence.

package json

import (
	"strconv"
	"unicode/utf8"
)

// Writer builds a JSON text. It places the commas; the caller keeps brackets
// balanced.
type Writer struct {
	Buf   []byte
	comma bool
}

func (w *Writer) value() {
	if w.comma {
		w.Buf = append(w.Buf, ',')
	}
	w.comma = true
}

// BeginObject opens an object.
func (w *Writer) BeginObject() { w.value(); w.Buf = append(w.Buf, '{'); w.comma = false }

// EndObject closes it.
func (w *Writer) EndObject() { w.Buf = append(w.Buf, '}'); w.comma = true }

// BeginArray opens an array.
func (w *Writer) BeginArray() { w.value(); w.Buf = append(w.Buf, '['); w.comma = false }

// EndArray closes it.
func (w *Writer) EndArray() { w.Buf = append(w.Buf, ']'); w.comma = true }

// Key writes a field's name; its value follows.
func (w *Writer) Key(name string) {
	w.value()
	w.Buf = AppendString(w.Buf, name)
	w.Buf = append(w.Buf, ':')
	w.comma = false
}

// String writes a string value.
func (w *Writer) String(s string) { w.value(); w.Buf = AppendString(w.Buf, s) }

// Int writes a whole number.
func (w *Writer) Int(n int64) { w.value(); w.Buf = strconv.AppendInt(w.Buf, n, 10) }

// Bool writes a boolean.
func (w *Writer) Bool(b bool) { w.value(); w.Buf = strconv.AppendBool(w.Buf, b) }

// Null writes null.
func (w *Writer) Null() { w.value(); w.Buf = append(w.Buf, "null"...) }

// Raw writes text that is JSON already.
func (w *Writer) Raw(text []byte) { w.value(); w.Buf = append(w.Buf, text...) }

// Hundredths writes n/100 without trailing zeros: 2605 is 26.05, 2600 is 26.
func (w *Writer) Hundredths(n int64) {
	w.value()
	w.Buf = AppendHundredths(w.Buf, n)
}

// AppendHundredths adds n/100 as a JSON number.
func AppendHundredths(dst []byte, n int64) []byte {
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	dst = strconv.AppendInt(dst, n/100, 10)
	if n %= 100; n != 0 {
		dst = append(dst, '.', byte('0'+n/10))
		if n %= 10; n != 0 {
			dst = append(dst, byte('0'+n))
		}
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// AppendString adds s quoted. Bytes that are not UTF-8 become U+FFFD, and the
// two line separators that JavaScript once tripped over are escaped.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < 0x80 && c != '"' && c != '\\' {
			i++
			continue
		}
		if c >= 0x80 {
			r, size := decodeRune(s[i:])
			if r != utf8.RuneError && r != 0x2028 && r != 0x2029 || r == utf8.RuneError && size > 1 {
				i += size
				continue
			}
			dst = append(dst, s[from:i]...)
			if r == utf8.RuneError {
				dst = append(dst, "\uFFFD"...)
			} else {
				dst = append(dst, '\\', 'u', '2', '0', '2', hexDigits[r&15])
			}
			i += size
			from = i
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		from = i
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

func decodeRune[T string | []byte](s T) (rune, int) {
	if len(s) > utf8.UTFMax {
		s = s[:utf8.UTFMax]
	}
	return utf8.DecodeRuneInString(string(s))
}
