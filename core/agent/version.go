// Copyright The ctx-lsp authors. MIT licence.

package agent

// version is a dotted version of up to four numbers, packed so that plain
// comparison orders it. Anything after the numbers is ignored.
type version uint64

func parseVersion(s string) version {
	if len(s) > 0 && s[0] == 'v' {
		s = s[1:]
	}
	packed := version(0)
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
		packed |= version(part) << (48 - 16*parts)
		parts++
		part, digits = 0, false
		if i < len(s) && s[i] != '.' {
			break
		}
	}
	return packed
}

// since is true from a version on. If the version is not known the newest is
// assumed, because what is installed is usually recent.
func (v version) since(s string) bool { return v == 0 || v >= parseVersion(s) }

// sameMinor is true if two versions begin with the same two numbers.
func (v version) sameMinor(w version) bool { return v>>32 == w>>32 }

// justAfter is true if a version is newer than another by a few of the third
// number.
func (v version) justAfter(w version) bool {
	const few = 10
	return v > w && v.sameMinor(w) && v>>16-w>>16 <= few
}

// AtLeast is true if a version of an agent is another one or newer, and for an
// unknown version.
func AtLeast(of, least string) bool { return parseVersion(of).since(least) }
