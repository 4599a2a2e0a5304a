// Copyright The ctx-lsp authors. MIT licence.

package reader

// Version is a dotted version of up to four numbers, packed so that plain
// comparison orders it. Anything after the numbers is ignored.
type Version uint64

// ParseVersion returns the version in a text, 0 if it contains no version.
func ParseVersion(s string) Version {
	if len(s) > 0 && s[0] == 'v' {
		s = s[1:]
	}
	packed := Version(0)
	part, parts := uint64(0), 0
	digits := false
	for i := 0; i <= len(s) && parts < 4; i++ {
		if i < len(s) && s[i]-'0' < 10 {
			digits = true
			if part = part*10 + uint64(s[i]-'0'); part > 0xffff {
				part = 0xffff
			}
			continue
		}
		if !digits {
			break
		}
		packed |= Version(part) << (48 - 16*parts)
		parts++
		part, digits = 0, false
		if i < len(s) && s[i] != '.' {
			break
		}
	}
	return packed
}

// AtLeast reports whether a version is at least another one. An unknown version is assumed to be the newest, because
// installed versions are usually recent.
func (v Version) AtLeast(s string) bool { return v == 0 || v >= ParseVersion(s) }

// IsSameMinor reports whether two versions begin with the same two numbers.
func (v Version) IsSameMinor(w Version) bool { return v>>32 == w>>32 }

// IsJustAfter reports whether a version is newer than another, with a third number that is larger by only a few.
func (v Version) IsJustAfter(w Version) bool {
	const few = 10
	return v > w && v.IsSameMinor(w) && v>>16-w>>16 <= few
}
