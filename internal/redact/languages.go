// Copyright The ctx-lsp authors. MIT licence.

package redact

import "strings"

// spoken are words for a password and for a key in the languages of the interface, in lower case.
var spoken = struct{ password, key []string }{
	password: []string{
		"passwort", "kennwort", "passphrase", "geheimwort", "zugangscode", "losungswort",
		"パスワード", "パスフレーズ", "パスコード", "暗証番号", "合言葉",
		"密码", "密碼", "口令", "通行码", "密钥短语",
	},
	key: []string{
		"schlüssel", "geheimnis", "zugangstoken", "zugriffstoken", "zugangsdaten", "anmeldetoken",
		"シークレット", "トークン", "apiキー", "秘密鍵", "アクセスキー", "秘密キー", "鍵", "キー",
		"密钥", "密鑰", "令牌", "凭证", "凭据", "秘钥", "私钥",
	},
}

// spokenWords are all of them.
var spokenWords = append(append([]string{"password", "passphrase", "passcode"}, spoken.password...), spoken.key...)

// after matches the text between such a word and its value. The value is the group.
var after = compiled(`^[a-zäöü]*(?:\s+(?:for|of|von|für)\s+[^\s:：]+(?:\s+[^\s:：]+)?)?(?:\s*[（(][^)）\n]{0,40}[)）])?["'` + "`" + `*_」』”\s]*(?:[:=：＝＞>]+|→|->|\bist\b|\blautet\b|\bis\b|\bwas\b|は|が|是|为|為|\|)[\s:：]*\\?["'` + "`" + `*_「『“]*([^\s"'` + "`" + `*,;|「」『』“”、。，；）)\\]+)`)

// inLanguages returns the values that follow a word for a password or a key, which need not be a name of a program.
// small is the line in lower case, with the same length.
func (r *rules) inLanguages(line, small string) (found []span) {
	for _, i := range r.spoken {
		word := spokenWords[i]
		for at := 0; ; {
			n := strings.Index(small[at:], word)
			if n < 0 {
				break
			}
			at += n + len(word)
			m := after().FindStringSubmatchIndex(small[at:])
			if m == nil {
				continue
			}
			of := span{at + m[2], at + m[3]}
			text := strings.TrimRight(line[of.from:of.to], ".!?:")
			of.to = of.from + len(text)
			isPassword := i < 3+len(spoken.password)
			if placeholder(text) || strings.HasPrefix(text, "$") {
				continue
			}
			if isPassword && likeSpoken(text) || !isPassword && likeKey(text) {
				found = append(found, of)
			}
		}
	}
	return found
}

// likeSpoken is likePassword for a value in a sentence, where the next word of the sentence is likelier.
func likeSpoken(value string) bool {
	kinds := classes(value)
	for i := 0; i < len(value); i++ {
		if value[i] >= 0x80 {
			return false
		}
	}
	if strings.ContainsAny(value, "()[]{}<>") {
		return false
	}
	return len(value) >= 6 && (kinds.lower || kinds.upper) && kinds.digit && likePassword(value, false)
}
