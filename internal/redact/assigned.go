// Copyright The ctx-lsp authors. MIT licence.

package redact

import (
	"math"
	"slices"
	"strings"
)

// assigned finds secret values of assignments: in an environment, JSON, YAML, TOML, a program, a query, a flag or an
// XML element. A flag may have its value after a space, and a quoted name after a comma.
func assigned(line string) (found []span) {
	for at := 1; at < len(line); at++ {
		name, value := span{}, at+1
		switch c := line[at]; c {
		case '=', ':', '>':
			for value < len(line) && (line[value] == '=' || line[value] == '>') {
				value++
			}
			name = nameBefore(line, at)
		case 0xef: // a full-width colon or sign of equality
			if !strings.HasPrefix(line[at:], "：") && !strings.HasPrefix(line[at:], "＝") {
				continue
			}
			name, value = nameBefore(line, at), at+len("：")
		case 0xe2: // an arrow or a dash
			if sign := line[at:min(at+3, len(line))]; sign != "→" && sign != "⇒" && sign != "–" && sign != "—" {
				continue
			}
			name, value = nameBefore(line, at), at+len("→")
		case '(':
			if name = nameBefore(line, at); name.to != at || !quotedNext(line, at+1) {
				continue
			}
		case ',':
			if name = nameBefore(line, at); name.to == at { // it is not quoted
				continue
			}
		case ' ':
			if name = nameBefore(line, at); name.to != at || !isFlag(line, name) && !quotedAfter(line, name, value) {
				continue
			}
		default:
			continue
		}
		if n := name.to - name.from; n == 0 || n > longestName { // a longer name is itself a value
			continue
		}
		of, quoted := valueAt(line, value)
		if of.from >= of.to {
			continue
		}
		text := line[of.from:of.to]
		if line[at] == '(' && !(namesPassword(line[name.from:name.to]) && likeSpoken(text) || anyOf(words(line[name.from:name.to]), secrets) && strong(text)) {
			continue // most arguments are no secrets
		}
		if isSecret(wholeName(line, name), text, quoted) || quoted && line[at] == '=' && isSecret(typedName(line, name), text, quoted) {
			found = append(found, of)
			at = of.to - 1
		}
	}
	return found
}

// quotedNext reports whether a text in quotation marks begins at an offset.
func quotedNext(line string, at int) bool {
	for at < len(line) && line[at] == '\\' {
		at++
	}
	return at < len(line) && strings.IndexByte("\"'`", line[at]) >= 0
}

// typedName returns the name before the type at a place in the line: "token: &str", "apiKey string". It is empty if
// there is none.
func typedName(line string, of span) string {
	end := of.from
	for end > 0 && strings.IndexByte(" &?*[]", line[end-1]) >= 0 {
		end--
	}
	if end == of.from || end == 0 || line[end-1] != ':' && !inWord(line[end-1]) {
		return ""
	}
	name := nameBefore(line, end)
	return line[name.from:name.to]
}

// quotedAfter reports whether a name is followed by its value in quotation marks, in a sentence or as a keyword of
// Lisp: "the password `x`", {:password "x"}. Names of keys need a value that cannot be anything else.
func quotedAfter(line string, name span, value int) bool {
	switch {
	case strings.HasPrefix(line[value:], `"`), strings.HasPrefix(line[value:], `\"`), strings.HasPrefix(line[value:], "'"):
		if name.from > 0 && line[name.from-1] == ':' {
			return true
		}
		if all := words(line[name.from:name.to]); len(all) > 1 && (anyOf(all, passwords) || anyOf(all, secrets)) {
			return true // the name of a setting
		}
		of, _ := valueAt(line, value)
		return namesPassword(line[name.from:name.to]) && likeSpoken(line[of.from:of.to])
	case !strings.HasPrefix(line[value:], "`"):
		return false
	case namesPassword(line[name.from:name.to]):
		return true
	}
	of, _ := valueAt(line, value)
	return strong(line[of.from:of.to])
}

// strong reports whether a value is neither a word nor a name: letters of both cases and digits, or a long hash.
func strong(value string) bool {
	kinds := classes(value)
	return len(value) >= 12 && kinds.digit && kinds.lower && (kinds.upper || len(value) >= 24) && likeKey(value)
}

// wholeName returns the name at a place in the line. If that is only "key", the word before belongs to it: "API key".
func wholeName(line string, name span) string {
	text := line[name.from:name.to]
	if !strings.EqualFold(text, "key") || name.from < 2 || line[name.from-1] != ' ' {
		return text
	}
	before := nameBefore(line, name.from-1)
	return line[before.from:before.to] + "_" + text
}

// namesPassword reports whether a word of a sentence names a password. "pass" is a verb there.
func namesPassword(word string) bool {
	return !strings.EqualFold(word, "pass") && anyOf(words(word), passwords)
}

// isFlag reports whether a name is that of a flag: --token, or -password as in programs of Windows, Go and Java.
func isFlag(line string, name span) bool {
	before := line[max(name.from-2, 0):name.from]
	return strings.HasPrefix(line[name.from:], "--") || before == "--" ||
		line[name.from] == '-' && name.to-name.from > 4 && (before == "" || strings.HasSuffix(before, " "))
}

// longestName is the maximum length of an assignment's name.
const longestName = 50

// nameBefore returns the name that ends before end, without quotation marks or brackets.
func nameBefore(line string, end int) span {
	for end > 0 && (strings.IndexByte(" \t)]\"'`\\:=*!|?", line[end-1]) >= 0 || end > 1 && line[end-1] == '-' && line[end-2] == ' ') {
		end--
	}
	start := end
	for start > 0 && end-start <= longestName {
		if c := line[start-1]; !lower(c) && !upper(c) && !digit(c) && c != '_' && c != '-' && c != '.' {
			break
		}
		start--
	}
	if start > 0 && start+1 < end && escaped(line, start+1) {
		start++
	}
	return span{start, end}
}

// yamlTag matches the type of a value in YAML.
var yamlTag = compiled(`^!{1,2}(?:str|binary|Ref|Sub|unsafe|secret)\s+`)

// valueAt returns the value that starts at an offset, without its quotation marks.
func valueAt(line string, at int) (of span, quoted bool) {
	for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
		at++
	}
	if strings.HasPrefix(line[at:], "**") { // the end of a bold name, or a bold value
		at += 2
		for at < len(line) && line[at] == ' ' {
			at++
		}
	}
	for n := 0; n < 2 && at+1 < len(line) && strings.IndexByte("rbuf", line[at]) >= 0 && strings.IndexByte("rbuf\"'", line[at+1]) >= 0; n++ {
		if strings.IndexByte("\"'", line[at+1]) >= 0 || n == 0 && at+2 < len(line) && strings.IndexByte("\"'", line[at+2]) >= 0 {
			at++
		}
	}
	if tag := yamlTag().FindStringIndex(line[at:]); tag != nil {
		at += tag[1]
	}
	escape := ""
	if at+1 < len(line) && line[at] == '\\' { // JSON inside JSON
		escape, at = "\\", at+1
	}
	if escape != "" && at+1 < len(line) && line[at] == '\\' { // in another JSON
		for at < len(line) && line[at] == '\\' {
			at++
		}
		if at < len(line) && line[at] == '"' {
			end := at + 1
			for end < len(line) && line[end] != '\\' && line[end] != '"' {
				end++
			}
			return span{at + 1, end}, true
		}
	}
	if at < len(line) && strings.IndexByte("\"'`", line[at]) >= 0 {
		mark := line[at]
		for end := at + 1; end < len(line); end++ {
			switch {
			case line[end] == mark && (escape == "" || line[end-1] == '\\'):
				return span{at + 1, end - len(escape)}, true
			case line[end] == '\\' && escape == "":
				end++
			}
		}
		return span{at + 1, len(line)}, true // a text that was cut off
	}
	end := at
	for end < len(line) && strings.IndexByte(" \t\r\n\"'`,;&<>(){}[]|\\", line[end]) < 0 {
		end++
	}
	return span{at, end}, false
}

// Words in a name that mark its value as a secret, or as harmless.
var (
	passwords = []string{"password", "passwd", "passphrase", "passwort", "kennwort", "pwd", "pass", "passcode", "pw", "pgpassword"}
	secrets   = []string{"secret", "secrets", "token", "apikey", "accesskey", "secretkey", "privatekey", "auth", "authtoken", "authorization", "credential", "credentials", "bearer", "cookie", "sig", "signature", "sas", "jwt", "dsn", "otp", "pat", "psk", "salt", "webhook"}
	keys      = []string{"api", "access", "account", "private", "secret", "signing", "encryption", "master", "storage", "shared", "auth", "primary", "secondary", "service", "deploy", "license", "session", "client", "app", "admin", "hmac", "recovery", "root", "subscription", "bot", "vault", "server", "license", "host", "function", "webhook", "cookie", "jwt", "crypto", "cipher", "aes", "ssh", "gpg", "stripe"}
	harmless  = []string{
		"hash", "sha", "sha1", "sha256", "sha384", "sha512", "md5", "digest", "checksum", "integrity", "fingerprint", "etag", "count", "counts", "id", "ids", "uuid", "guid",
		"type", "name", "names", "limit", "max", "min", "length", "size", "file", "path", "dir", "expires", "expiry", "ttl", "public", "url", "uri", "href", "src", "image", "img", "icon", "png", "data",
		"commit", "rev", "ref", "refs", "revision", "version", "tree", "parent", "blob", "object", "resolved", "base64", "content", "body", "cursor", "nonce", "tokens", "tokenizer", "kind", "field", "mapping", "mappings", "trace", "span", "request", "session_id", "color", "class", "font",
		"h1", "module", "import", "package", "host", "digestvalue", "certificate", "cert", "d", "points", "transform",
	}
)

// words splits a name at separators and capital letters.
func words(name string) (all []string) {
	start := 0
	add := func(end int) {
		if end > start {
			word := strings.ToLower(name[start:end])
			if bare := strings.TrimRight(word, "0123456789"); len(bare) > 4 && slices.Contains(passwords, bare) {
				word = bare // password1
			}
			all = append(all, word)
		}
	}
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '_' || c == '-' || c == '.':
			add(i)
			start = i + 1
		case i > start && upper(c) && (!upper(name[i-1]) || i+1 < len(name) && lower(name[i+1])):
			add(i)
			start = i
		}
	}
	add(len(name))
	return all
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }
func lower(c byte) bool { return c >= 'a' && c <= 'z' }
func digit(c byte) bool { return c >= '0' && c <= '9' }

func anyOf(all, wanted []string) bool {
	return slices.ContainsFunc(all, func(word string) bool { return slices.Contains(wanted, word) })
}

// endsIn reports whether a word ends in one of these, such as dbpassword.
func endsIn(all []string, ends ...string) bool {
	return slices.ContainsFunc(all, func(word string) bool {
		return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(word, end) })
	})
}

// isSecret reports whether the value with a name is a secret.
func isSecret(name, value string, quoted bool) bool {
	return suggestsSecret(name, value, quoted) && !placeholder(value)
}

// suggestsSecret is isSecret without the check for placeholders.
func suggestsSecret(name, value string, quoted bool) bool {
	all := words(name)
	innocent := anyOf(all, harmless) && !(len(all) == 2 && (all[0] == "id" && all[1] == "token" || all[0] == "secret" && all[1] == "id"))
	switch {
	case (anyOf(all, passwords) || endsIn(all, "password", "passwd", "passwort", "passphrase")) && !innocent:
		return likePassword(value, quoted)
	case innocent:
		return false
	case anyOf(all, secrets) || keyed(all) || endsIn(all, "apikey", "secretkey", "accesskey", "privatekey", "authtoken", "accesstoken", "refreshtoken", "secret"):
		return likeKey(value)
	}
	return random(value) || len(all) > 1 && all[len(all)-1] == "key" && (arbitrary(value) || strings.HasPrefix(name, "--") && isHex(value))
}

// keyed reports whether the words of a name name a key, such as api_key or storageAccountKey.
func keyed(all []string) bool {
	at := slices.Index(all, "key")
	return at > 0 && slices.Contains(keys, all[at-1]) || at > 0 && len(all) == at+1 && anyOf(all, secrets) ||
		slices.Contains(all, "connection") && (slices.Contains(all, "string") || slices.Contains(all, "str"))
}

// placeholders match values that are placeholders for a secret, or its type.
var placeholders = compiled(`(?i)^(?:[*x•.…_#?-]+|\$.*|%.*%|<.*>?|\{\{?.*|\[.*\]|@.*|.*\.\.\.|.*…|(?:your|my|the|some|example|dummy|fake|placeholder|change)(?:[-_ .][a-z_. -]*)?|changeme|redacted|hidden|masked|process\.env.*|os\.(?:environ|getenv).*|env[.:].*|vault:.*|op://.*|ref\+.*|file:.*|string|str|bytes|number|int|integer|boolean|bool|any|object|text|true|false|null|nil|none|undefined|required|optional|prompt|ask|yes|no|on|off|default|unknown|empty|missing|invalid|expired)$`)

func placeholder(value string) bool {
	value = strings.TrimSpace(value)
	return len(value) < 4 || placeholders().MatchString(value)
}

// likePassword reports whether a value may be a password: it is not a word of a natural or programming language.
func likePassword(value string, quoted bool) bool {
	kinds := classes(value)
	if strings.Contains(value, " ") && !quoted {
		return false
	}
	if strings.ContainsAny(value, "()") && !quoted {
		return false
	}
	if kinds.digit || kinds.other {
		return !isPath(value) && !(kinds.other && !kinds.digit && isReference(value))
	}
	return kinds.lower && kinds.upper && len(value) >= 10 && entropy(value) > 3.3
}

// isReference reports whether a value refers to another: config.password, password_field.
func isReference(value string) bool {
	for i := 0; i < len(value); i++ {
		if c := value[i]; !lower(c) && !upper(c) && c != '.' && c != '_' && c != '-' && c != ' ' && c != '\'' && c != ':' && c != '/' {
			return false
		}
	}
	return true
}

func isPath(value string) bool {
	return strings.HasPrefix(value, "/") && strings.Count(value, "/") > 1 || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "~/") || strings.Contains(value, "://")
}

// likeKey reports whether the value of a key's name may be a key: long enough, and not made of words.
func likeKey(value string) bool {
	kinds := classes(value)
	switch {
	case len(value) < 8 || strings.Contains(strings.TrimSpace(value), " ") || isPath(value) || isReference(value) && !random(value) && !mixed(value):
		return false
	case kinds.digit && !kinds.lower && !kinds.upper:
		return false // a number
	case kinds.digit && (kinds.lower || kinds.upper):
		return entropy(value) >= 2.5
	}
	return mixed(value)
}

// mixed reports whether the case of letters changes too often for a name.
func mixed(value string) bool {
	changes := 0
	for i := 1; i < len(value); i++ {
		if upper(value[i-1]) != upper(value[i]) {
			changes++
		}
	}
	return len(value) >= 16 && changes*3 >= len(value) && entropy(value) >= 3.4
}

// random reports whether a value is a secret whatever its name: long, of all classes, and without order.
func random(value string) bool {
	if len(value) < 32 || len(value) > 512 || isPath(value) || strings.ContainsAny(value, " ,;:(){}<>\"'@") {
		return false
	}
	for _, prefix := range []string{"sha1-", "sha256-", "sha384-", "sha512-", "h1:", "data:", "iVBOR", "/9j/", "R0lGOD", "UklGR", "PHN2Zy", "AAAA", "d09GM"} {
		if strings.HasPrefix(value, prefix) {
			return false
		}
	}
	kinds := classes(value)
	return kinds.digit && kinds.lower && kinds.upper && strings.Count(value, "-") < 4 && strings.Count(value, "/") < 6 && strings.Count(value, ".") < 3 && entropy(value) >= 4.2
}

type classesOf struct{ lower, upper, digit, other bool }

func classes(value string) (c classesOf) {
	for i := 0; i < len(value); i++ {
		switch b := value[i]; {
		case lower(b):
			c.lower = true
		case upper(b):
			c.upper = true
		case digit(b):
			c.digit = true
		default:
			c.other = true
		}
	}
	return c
}

// entropy returns the average bits per byte of a value, from the frequency of each byte in it.
func entropy(value string) float64 {
	var counts [256]int
	for i := 0; i < len(value); i++ {
		counts[value[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(value))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
