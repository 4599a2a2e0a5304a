// Copyright The ctx-lsp authors. MIT licence.

package json

const sextets = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// Base64 writes bytes as a string in padded base64.
func (w *Writer) Base64(b []byte) {
	w.value()
	to := w.room(2 + (len(b)+2)/3*4)
	to[0], to[len(to)-1] = '"', '"'
	at := 1
	for ; len(b) >= 3; b = b[3:] {
		n := uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
		to[at], to[at+1], to[at+2], to[at+3] = sextets[n>>18], sextets[n>>12&63], sextets[n>>6&63], sextets[n&63]
		at += 4
	}
	switch len(b) {
	case 1:
		to[at], to[at+1], to[at+2], to[at+3] = sextets[b[0]>>2], sextets[b[0]<<4&63], '=', '='
	case 2:
		n := uint32(b[0])<<8 | uint32(b[1])
		to[at], to[at+1], to[at+2], to[at+3] = sextets[n>>10], sextets[n>>4&63], sextets[n<<2&63], '='
	}
}

// Base64 returns the bytes of a string that Writer.Base64 wrote; ok is false for anything else. Another writer may have
// escaped some of its characters: some write every / as \/.
func (v Value) Base64() (b []byte, ok bool) {
	if v.Kind() != String {
		return nil, false
	}
	raw, _ := v.Text(nil)
	if len(raw)%4 != 0 {
		return nil, false
	}
	b = make([]byte, 0, len(raw)/4*3)
	for at := 0; at < len(raw); at += 4 {
		n, filled := uint32(0), 4
		for i, c := range raw[at : at+4] {
			six, known := sextet(c)
			switch {
			case known && filled == 4:
			case c == '=' && at+4 == len(raw) && i >= 2:
				filled = min(filled, i)
			default:
				return nil, false
			}
			n = n<<6 | six
		}
		b = append(b, byte(n>>16), byte(n>>8), byte(n))[:len(b)+filled-1]
	}
	return b, true
}

func sextet(c byte) (uint32, bool) {
	switch {
	case c-'A' < 26:
		return uint32(c - 'A'), true
	case c-'a' < 26:
		return uint32(c-'a') + 26, true
	case c-'0' < 10:
		return uint32(c-'0') + 52, true
	case c == '+':
		return 62, true
	case c == '/':
		return 63, true
	}
	return 0, false
}
