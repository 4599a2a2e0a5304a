// Copyright The ctx-lsp authors. MIT licence.

package json

import "unicode/utf8"

// Writer builds a JSON text. It writes the commas; the caller keeps brackets balanced.
//
// Buf grows in place, by room, and only its length changes while the text fits: no pointer is written, so a running
// garbage collector needs no notice. An append would write one, and is a function call if TinyGo compiles it
// (BenchmarkUpdateNative, BenchmarkUpdateWasm).
type Writer struct {
	Buf   []byte
	comma bool
}

// room makes the text n bytes longer and returns these bytes to be filled in.
func (w *Writer) room(n int) []byte {
	from := len(w.Buf)
	if cap(w.Buf)-from < n {
		w.grow(n)
	}
	w.Buf = w.Buf[:from+n]
	return w.Buf[from:]
}

func (w *Writer) grow(n int) {
	w.Buf = append(make([]byte, 0, 2*cap(w.Buf)+n+256), w.Buf...)
}

// put writes a single byte.
func (w *Writer) put(c byte) { w.room(1)[0] = c }

// text writes a text unchanged.
func (w *Writer) text(s string) { copy(w.room(len(s)), s) }

func (w *Writer) value() {
	if w.comma {
		w.put(',')
	}
	w.comma = true
}

// open writes a bracket, after a comma if one is needed.
func (w *Writer) open(bracket byte) {
	w.value()
	w.put(bracket)
	w.comma = false
}

// BeginObject opens an object.
func (w *Writer) BeginObject() { w.open('{') }

// EndObject closes the object.
func (w *Writer) EndObject() { w.put('}'); w.comma = true }

// BeginArray opens an array.
func (w *Writer) BeginArray() { w.open('[') }

// EndArray closes the array.
func (w *Writer) EndArray() { w.put(']'); w.comma = true }

// Key writes a field's name, which may contain any characters; its value follows.
func (w *Writer) Key(name string) {
	w.String(name)
	w.put(':')
	w.comma = false
}

// Field writes the name of a field in the form that it has in the text: `,"used":`. The comma is left out if none
// belongs there. Such a name is copied at once, and there are as many names as values (BenchmarkUpdateNative).
func (w *Writer) Field(name string) {
	if !w.comma {
		name = name[1:]
	}
	w.text(name)
	w.comma = false
}

// Reopen writes an object that is already JSON without its closing bracket; further fields and EndObject follow.
func (w *Writer) Reopen(object []byte) {
	end := len(object)
	for end > 1 && object[end-1] != '}' {
		end--
	}
	end--
	w.value()
	copy(w.room(end), object[:end])
	for end > 1 && (object[end-1] == ' ' || object[end-1] == '\n' || object[end-1] == '\t' || object[end-1] == '\r') {
		end--
	}
	w.comma = object[end-1] != '{'
}

// Fields writes fields that are already JSON, without the comma before the first one.
func (w *Writer) Fields(text []byte) {
	w.value()
	copy(w.room(len(text)), text)
}

// String writes a string value.
func (w *Writer) String(s string) {
	if n := plain(s); n < len(s) {
		w.BeginString()
		w.escaped(s, n)
		w.EndString()
		return
	}
	w.Plain(s)
}

// BeginString begins a string value that is written in parts.
func (w *Writer) BeginString() { w.value(); w.put('"') }

// Part writes a part of a string.
func (w *Writer) Part(s string) {
	if n := plain(s); n < len(s) {
		w.escaped(s, n)
		return
	}
	w.text(s)
}

// EndString ends a string that was written in parts.
func (w *Writer) EndString() { w.put('"') }

// Plain writes a string value that needs no escaping, such as a name.
func (w *Writer) Plain(s string) {
	w.value()
	quoted(w.room(len(s)+2), s)
}

// PlainField writes a field with a text that needs no escaping. name has the form of Field's.
func (w *Writer) PlainField(name, s string) {
	if !w.comma {
		name = name[1:]
	}
	b := w.room(len(name) + len(s) + 2)
	copy(b, name)
	quoted(b[len(name):], s)
	w.comma = true
}

// quoted fills b with s in quotation marks.
func quoted(b []byte, s string) {
	b[0] = '"'
	copy(b[1:], s)
	b[len(s)+1] = '"'
}

// StringField writes a field with a text. name has the form of Field's.
func (w *Writer) StringField(name, s string) {
	if plain(s) == len(s) {
		w.PlainField(name, s)
		return
	}
	w.Field(name)
	w.String(s)
}

// Int writes a whole number, as a field without a name.
func (w *Writer) Int(n int64) { w.IntField(",", n) }

// someZeros is copied for several zeros in a row, which are frequent in ledgers.
const someZeros = "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"

// Ints writes an array of whole numbers.
func (w *Writer) Ints(list []int64) {
	w.BeginArray()
	for i := 0; i < len(list); i++ {
		zeros := 0
		for zeros < len(someZeros)/2 && i+zeros < len(list) && list[i+zeros] == 0 {
			zeros++
		}
		if zeros == 0 {
			w.Int(list[i])
			continue
		}
		w.value()
		copy(w.room(2*zeros-1), someZeros)
		i += zeros - 1
	}
	w.EndArray()
}

// int writes a number.
func (w *Writer) int(n int64) {
	var digits [maxDigits]byte
	at := printed(&digits, n)
	copy(w.room(len(digits)-at), digits[at:])
}

// IntField writes a field with a whole number. name has the form of Field's.
func (w *Writer) IntField(name string, n int64) {
	if !w.comma {
		name = name[1:]
	}
	var digits [maxDigits]byte
	at := printed(&digits, n)
	b := w.room(len(name) + len(digits) - at)
	copy(b, name)
	copy(b[len(name):], digits[at:])
	w.comma = true
}

// maxDigits is the number of characters in the longest whole number.
const maxDigits = 20

// printed prints a number to the end of digits and returns its start. Most numbers are small, and dividing 32 bits is
// much cheaper than 64 on 32-bit machines.
func printed(digits *[maxDigits]byte, n int64) (at int) {
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	at = len(digits)
	for u >= 1<<32 {
		at--
		digits[at] = byte('0' + u%10)
		u /= 10
	}
	v := uint32(u)
	for v >= 10 {
		at--
		digits[at] = byte('0' + v%10)
		v /= 10
	}
	at--
	digits[at] = byte('0' + v)
	if n < 0 {
		at--
		digits[at] = '-'
	}
	return at
}

// Bool writes a boolean.
func (w *Writer) Bool(b bool) {
	w.value()
	if b {
		w.text("true")
	} else {
		w.text("false")
	}
}

// Null writes null.
func (w *Writer) Null() { w.value(); w.text("null") }

// Raw writes text that is already JSON.
func (w *Writer) Raw(text []byte) { w.value(); copy(w.room(len(text)), text) }

// Hundredths writes n/100 without trailing zeros: 2605 is 26.05, 2600 is 26.
func (w *Writer) Hundredths(n int64) {
	w.value()
	if n < 0 {
		w.put('-')
		n = -n
	}
	w.int(n / 100)
	if n %= 100; n != 0 {
		w.put('.')
		w.put(byte('0' + n/10))
		if n %= 10; n != 0 {
			w.put(byte('0' + n))
		}
	}
}

// AppendHundredths appends n/100 as a JSON number.
func AppendHundredths(dst []byte, n int64) []byte {
	w := Writer{Buf: dst}
	w.Hundredths(n)
	return w.Buf
}

const hexDigits = "0123456789abcdef"

// plain returns how many bytes at the beginning of s need no escaping. The result may be too small if characters beyond
// ASCII follow.
func plain(s string) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		quote, slash := w^ones*'"', w^ones*'\\'
		if (w|(quote-ones)|(slash-ones)|(w-ones*0x20))&highs != 0 {
			break
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x80 || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

// AppendString appends s quoted. Bytes that are not UTF-8 become U+FFFD, and the two line separators that older
// JavaScript did not allow in strings are escaped.
func AppendString(dst []byte, s string) []byte {
	w := Writer{Buf: dst}
	w.String(s)
	return w.Buf
}

// escaped writes a part of a string. Its first i bytes need no escaping.
func (w *Writer) escaped(s string, i int) {
	dst := w.Buf
	from := 0
	for i < len(s) {
		c := s[i]
		if c >= 0x20 && c < 0x80 && c != '"' && c != '\\' {
			i++
			continue
		}
		if c >= 0x80 {
			r, size := utf8.DecodeRuneInString(s[i:])
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
	w.Buf = append(dst, s[from:]...)
}
