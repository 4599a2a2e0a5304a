// Copyright The ctx-lsp authors. MIT licence.

package redact

import "strings"

// near are words next to which a value without order is a secret, however both are connected: names of secrets, and
// programs and commands that take one. A word is followed by nothing that continues it, unless it is open. The value
// may also be a hash if the word is certain.
var near = []struct {
	word          string
	certain, open bool
}{
	{"password", true, true},
	{"passwd", true, true},
	{"passphrase", true, true},
	{"passcode", true, true},
	{"pass", true, false},
	{"pwd", true, false},
	{"pw", true, false},
	{"pin", true, false},
	{"secret", true, true},
	{"credential", true, true},
	{"credentials", true, false},
	{"creds", true, false},
	{"token", true, false},
	{"tokens\"", true, true},
	{"authtoken", true, false},
	{"apikey", true, false},
	{"api_key", true, false},
	{"api-key", true, false},
	{"api key", true, false},
	{"authkey", true, false},
	{"auth-key", true, false},
	{"secretkey", true, false},
	{"keymaterial", true, false},
	{"private key", true, false},
	{"recovery key", true, false},
	{"license key", true, false},
	{"access key", true, false},
	{"encryption key", true, false},
	{"master key", true, false},
	{"pragma key", true, false},
	{" key '", true, true},
	{"bearer", true, false},
	{"authorization", true, false},
	{"auth", true, false},
	{"basicauth", true, false},
	{"psk", true, false},
	{"community", true, false},
	{"requirepass", true, false},
	{"cookie", true, false},
	{"identify", true, false},
	{"identified", true, false},
	{"unseal", true, false},
	{"unlock", true, false},
	{"login", true, false},
	{"signin", true, false},
	{"kinit", true, false},
	{"cryptsetup", true, false},
	{"veracrypt", true, false},
	{"truecrypt", true, false},
	{"gpg", true, false},
	{"sudo", false, false},
	{"su -", true, false},
	{"sshpass", true, false},
	{"usermod", true, false},
	{"useradd", true, false},
	{"net user", true, false},
	{"runas", true, false},
	{"ssh-keygen", true, false},
	{"user", false, false},
	{"username", false, false},
	{"admin", false, false},
	{"root", false, false},
	{"connect", false, false},
	{"getconnection", false, false},
	{"add_user", true, false},
	{"curlrc", false, false},
	{"basic", false, false},
	{"connect(", true, true},
	{"connection(", true, true},
	{"setuser", true, false},
	{"pdo", true, false},
	{"smbclient", true, false},
	{"qpdf", true, false},
	{"pdftk", true, false},
	{"networksetup", true, false},
	{"rclone obscure", true, false},
	{"plaintext", true, true},
	{"authorize-account", true, false},
	{"secret-set-value", true, true},
	{"etcdctl", false, false},
	{"vault", false, false},
	{"initdb", true, false},
}

// The distances between such a word and a value, before and after it.
const (
	nearBefore = 72
	nearAfter  = 48
)

// hashes are words of a line whose hexadecimal values are no secrets.
var hashes = []string{"hash", "sha", "md5", "commit", "digest", "checksum", "etag", "fingerprint", "revision", "uuid", "guid", "object", "integrity", " id ", " id:", "_id\"", "\"id\"", "\"id\\", "refs/", "blob"}

// inNear returns the values without order that are near a word of the list. small is the line in lower case, with the
// same length.
func (r *rules) inNear(line, small string) (found []span) {
	if len(r.near) == 0 {
		return nil
	}
	type place struct {
		at, to  int
		certain bool
	}
	var places []place
	for _, i := range r.near {
		n := &near[i]
		for from := 0; ; {
			k := strings.Index(small[from:], n.word)
			if k < 0 {
				break
			}
			at := from + k
			from = at + len(n.word)
			if (n.open || from == len(small) || !inWord(small[from]) || small[from] == '_') && (n.open || at == 0 || !inWord(small[at-1]) || small[at-1] == '_' || escaped(line, at) || len(n.word) > 4 && upper(line[at])) {
				places = append(places, place{at, from, n.certain})
			}
		}
	}
	if len(places) == 0 {
		return nil
	}
	hashed := -1
	for at := 0; at < len(line); {
		if divides(line[at]) {
			at += escapeAt(line, at)
			continue
		}
		from := at
		for at < len(line) && !divides(line[at]) {
			at++
		}
		if at-from < 8 || at-from > longestKeyNear {
			continue
		}
		value := line[from:at]
		hex := isHex(value)
		free := hasNoOrder(value)
		if !free && (!strong(value) || strings.ContainsAny(value, "@./")) || namedHarmless(line, from) {
			continue
		}
		for _, p := range places {
			if !free && (!p.certain || p.to != from-1 && !(p.to == from-2 && strings.IndexByte("\"'`", line[from-1]) >= 0) || line[p.to] != ' ' || isNumbered(value)) {
				continue // only the word itself shows it
			}
			if p.to > from && p.at < at || p.to <= from && from-p.to > nearBefore || p.at >= at && p.at-at > nearAfter {
				continue
			}
			if hex {
				if hashed < 0 {
					hashed = 0
					for _, word := range hashes {
						if strings.Contains(small, word) {
							hashed = 1
						}
					}
				}
				if !p.certain || hashed == 1 {
					continue
				}
			}
			if text := strings.TrimRight(value, ".!?"); !placeholder(text) {
				found = append(found, span{from, from + len(text)})
			}
			break
		}
	}
	return found
}

// escapeAt returns the length of the escape at an offset, 1 if there is none.
func escapeAt(line string, at int) int {
	switch {
	case line[at] != '\\' || at+1 == len(line):
	case line[at+1] == 'u' && at+6 <= len(line):
		return 6
	case strings.IndexByte("nrt", line[at+1]) >= 0:
		return 2
	}
	return 1
}

// namedHarmless reports whether the value at a place in the line has a name of its own, which is that of no secret.
func namedHarmless(line string, at int) bool {
	for at > 0 && strings.IndexByte(" \t\"'`\\", line[at-1]) >= 0 {
		at--
	}
	if at == 0 || line[at-1] != ':' && line[at-1] != '=' {
		return false
	}
	name := nameBefore(line, at)
	all := words(line[name.from:name.to])
	return anyOf(all, harmless) && !anyOf(all, passwords) && !anyOf(all, secrets)
}

// longestKeyNear is the length of the longest value that is searched for near a word.
const longestKeyNear = 200

// divides reports whether a byte separates values.
func divides(b byte) bool { return b <= ' ' || strings.IndexByte("\"'`,;|&<>()[]{}=:\\", b) >= 0 }

// isHex reports whether a value consists of hexadecimal digits of one case, is as long as a key, and not as long as the
// name of a commit or a file's checksum.
func isHex(value string) bool {
	if len(value) < 24 || len(value) == 40 || len(value) >= 64 {
		return false
	}
	letters, numbers := 0, 0
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case digit(c):
			numbers++
		case c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F':
			letters++
		default:
			return false
		}
	}
	return letters > 2 && numbers > 2
}

// arbitrary reports whether a value has no order: letters and digits alternate as in no name, or letters and digits are
// mixed with characters that names do not have. A value that begins with a word and a sign is the id of something.
func arbitrary(value string) bool {
	kinds := classes(value)
	if !kinds.digit || !kinds.lower && !kinds.upper || isNumbered(value) || strings.Trim(value, "0123456789abcdefABCDEF-") == "" {
		return false
	}
	signs, run, best := 0, 0, 0
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case strings.IndexByte("!#%^*+~@", c) >= 0:
			signs++
			run = 0
		case c == '-' || c == '_' || c == '.':
			run = 0
		case lower(c) || upper(c) || digit(c):
			run++
			best = max(best, run)
		default:
			return false
		}
	}
	switch {
	case signs > 0:
		return signs <= len(value)/2 && ordinary(value) && changes(value) >= 2
	case best < 10:
		return false
	}
	return changes(value)*9 >= len(value)*2 && entropy(value) >= 3
}

// ordinary reports whether the characters of a value other than letters and digits are not those of an address, a
// version, a format or a place in a file.
func ordinary(value string) bool {
	if strings.IndexByte("^~*+#$%@!?-.", value[0]) >= 0 || strings.Contains(value, "#L") || strings.Contains(value, "++") || strings.Contains(value, "**") {
		return false
	}
	if addressed().MatchString(value) {
		return false
	}
	if sign := strings.IndexByte(value, '#'); sign > 0 && strings.Trim(value[sign+1:], "0123456789") == "" {
		return false // the number of an issue
	}
	return !strings.Contains(value, "$") && !digit(value[0])
}

// addressed matches the name of a host or a version after @, the escape of a sign in an address, and a verb of a
// format.
var addressed = compiled(`\+(?:json|xml|yaml|zip|incompatible|dirty|build|git|deb|dfsg|ubuntu)|@(?:[a-zA-Z][\w-]*\.[a-zA-Z]|[0-9a-f]{7,}$|[~^]?v?\d+(?:\.\d+)+(?:[-+][\w.]+)?$|v?\d+$|$)|%(?:2[0-9A-F]|3[A-F]|40|5[B-F]|7[B-F]|[sdvqxTw]\b)`)

// isNumbered reports whether a value is a word and a sign, then the rest: an id like req_011CSH, or a version.
func isNumbered(value string) bool {
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '_' || c == '-':
			return i >= 2
		case !lower(c) && !upper(c):
			return false
		}
	}
	return false
}

// changes returns how often the kind of character changes in a value, except at the beginning of a word with a capital
// letter.
func changes(value string) (n int) {
	kind := func(i int) byte {
		switch c := value[i]; {
		case lower(c):
			return 'a'
		case upper(c):
			return 'A'
		case digit(c):
			return '0'
		}
		return '.'
	}
	for i := 1; i < len(value); i++ {
		a, b := kind(i-1), kind(i)
		switch {
		case a == b:
		case a == 'A' && b == 'a' && (i < 2 || kind(i-2) != 'A'):
		case a == 'a' && b == 'A' && i+1 < len(value) && kind(i+1) == 'a' && (i < 2 || kind(i-2) != 'A'):
		case (a == '.' || b == '.') && strings.IndexByte("-_.", value[i-1])+strings.IndexByte("-_.", value[i]) > -2:
		default:
			n++
		}
	}
	return n
}
