// Copyright The ctx-lsp authors. MIT licence.

package reader

import (
	"bytes"

	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// maxImageHead is how many bytes of an image are decoded to find its size.
const maxImageHead = 64 << 10

// DataURL returns the type and the size of an image in a data: URL; zero for other URLs.
func DataURL(v json.Value) (mediaType string, width, height int64) {
	if v.Kind() != json.String {
		return "", 0, 0
	}
	raw := v.Raw()
	raw = raw[1 : len(raw)-1]
	if !bytes.HasPrefix(raw, []byte("data:")) {
		return "", 0, 0
	}
	head := raw[5:min(len(raw), 105)]
	for i, c := range head {
		if c == ';' && mediaType == "" {
			mediaType = string(head[:i])
		}
		if c == ',' {
			w, h := sizeOf(decodeBase64(raw[5+i+1:], maxImageHead))
			return mediaType, w, h
		}
	}
	return "", 0, 0
}

// ImageSize returns the size of an image in base64, zero if it is not found.
func ImageSize(v json.Value) (width, height int64) {
	if v.Kind() != json.String {
		return 0, 0
	}
	raw := v.Raw()
	return sizeOf(decodeBase64(raw[1:len(raw)-1], maxImageHead))
}

// maxAttached is how many bytes of an attached text are decoded.
const maxAttached = 4 << 20

// AppendBase64 appends a base64-encoded text.
func AppendBase64(text []byte, v json.Value) []byte {
	if v.Kind() != json.String {
		return text
	}
	raw := v.Raw()
	return append(text, decodeBase64(raw[1:len(raw)-1], maxAttached)...)
}

// decodeBase64 decodes at most the given number of bytes. It skips line ends and JSON's escaped slashes, and stops at
// anything else.
func decodeBase64(text []byte, most int) []byte {
	out := make([]byte, 0, min(len(text), most))
	word, bits := uint32(0), 0
	for i := 0; i < len(text) && len(out) < most; i++ {
		c := text[i]
		var six byte
		switch {
		case c-'A' < 26:
			six = c - 'A'
		case c-'a' < 26:
			six = c - 'a' + 26
		case c-'0' < 10:
			six = c - '0' + 52
		case c == '+' || c == '-':
			six = 62
		case c == '/' || c == '_':
			six = 63
		case c == '\\' && i+1 < len(text):
			if text[i+1] != '/' {
				i++
			}
			continue
		case c == '\n' || c == '\r':
			continue
		default:
			return out
		}
		word = word<<6 | uint32(six)
		if bits += 6; bits >= 8 {
			bits -= 8
			out = append(out, byte(word>>bits))
		}
	}
	return out
}

// sizeOf returns width and height from the head of a PNG, GIF, WebP or JPEG.
func sizeOf(b []byte) (width, height int64) {
	switch {
	case len(b) >= 24 && bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return big32(b[16:]), big32(b[20:])
	case len(b) >= 10 && bytes.HasPrefix(b, []byte("GIF8")):
		return little16(b[6:]), little16(b[8:])
	case len(b) >= 30 && bytes.HasPrefix(b, []byte("RIFF")) && bytes.HasPrefix(b[8:], []byte("WEBP")):
		return webpSize(b[12:])
	case len(b) >= 4 && b[0] == 0xff && b[1] == 0xd8:
		return jpegSize(b[2:])
	}
	return 0, 0
}

func webpSize(b []byte) (width, height int64) {
	switch {
	case bytes.HasPrefix(b, []byte("VP8 ")):
		return little16(b[14:]) & 0x3fff, little16(b[16:]) & 0x3fff
	case bytes.HasPrefix(b, []byte("VP8L")):
		n := little16(b[9:]) | little16(b[11:])<<16
		return n&0x3fff + 1, n>>14&0x3fff + 1
	case bytes.HasPrefix(b, []byte("VP8X")):
		return (little16(b[12:]) | int64(b[14])<<16) + 1, (little16(b[15:]) | int64(b[17])<<16) + 1
	}
	return 0, 0
}

// jpegSize walks the segments to the first frame header.
func jpegSize(b []byte) (width, height int64) {
	for len(b) >= 9 && b[0] == 0xff {
		marker := b[1]
		if marker == 0xff {
			b = b[1:]
			continue
		}
		if marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc {
			return big16(b[7:]), big16(b[5:])
		}
		size := int(big16(b[2:])) + 2
		if size > len(b) {
			break
		}
		b = b[size:]
	}
	return 0, 0
}

func big16(b []byte) int64 {
	if len(b) < 2 {
		return 0
	}
	return int64(b[0])<<8 | int64(b[1])
}

func big32(b []byte) int64 { return big16(b)<<16 | big16(b[2:]) }

func little16(b []byte) int64 {
	if len(b) < 2 {
		return 0
	}
	return int64(b[0]) | int64(b[1])<<8
}
