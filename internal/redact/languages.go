// Copyright The ctx-lsp authors. MIT licence.

package redact

import "strings"

// spoken are words for a password and for a key in the languages of the interface and in others, in lower case. Words
// of Latin letters that are parts of other words need a word's boundary before them.
var spoken = struct{ password, key []string }{
	password: []string{
		"passwort", "kennwort", "passphrase", "geheimwort", "zugangscode", "losungswort",
		"パスワード", "パスフレーズ", "パスコード", "暗証番号", "合言葉",
		"密码", "密碼", "口令", "通行码", "密钥短语", "通關密語",
		"contraseña", "contrasena", "clave", "código de acceso", "palabra clave", "mot de passe", "motdepasse", "mdp", "code d'accès", "code d’accès", "senha", "palavra-passe", "palavra passe",
		"parola", "parola d'ordine", "codice di accesso", "пароль", "пароля", "паролем", "пароли", "парола", "лозинка", "hasło", "hasla", "hasłem", "heslo", "jelszó", "geslo", "zaporka", "lozinka", "slaptažodis", "parole", "salasõna",
		"wachtwoord", "toegangscode", "lösenord", "adgangskode", "kodeord", "passord", "salasana", "lykilorð", "şifre", "sifre", "κωδικός", "κωδικος", "συνθηματικό", "סיסמה", "סיסמא", "كلمة المرور", "كلمة السر", "گذرواژه", "رمز عبور",
		"비밀번호", "암호", "패스워드", "mật khẩu", "kata sandi", "sandi", "kata laluan", "รหัสผ่าน", "पासवर्ड", "কূটশব্দ", "পাসওয়ার্ড", "fjalëkalimi", "pasahitza", "contrasenya",
	},
	key: []string{
		"schlüssel", "geheimnis", "zugangstoken", "zugriffstoken", "zugangsdaten", "anmeldetoken",
		"シークレット", "トークン", "apiキー", "秘密鍵", "アクセスキー", "秘密キー", "鍵", "キー",
		"密钥", "密鑰", "令牌", "凭证", "凭据", "秘钥", "私钥", "權杖", "金鑰",
		"clé", "clave api", "clave de api", "chave", "chiave", "ключ", "ключа", "токен", "токена", "секрет", "klucz", "klíč", "kulcs", "sleutel", "nyckel", "nøgle", "nøkkel", "avain", "anahtar", "κλειδί", "מפתח", "مفتاح", "키", "토큰", "khóa", "kunci", "คีย์", "token lautet", "token est", "token es",
	},
}

// latin reports whether a word needs a boundary before it, because its letters are parts of other words.
func latin(word string) bool { return word[0] < 0x80 && len(word) <= 7 }

// spokenWords are all of them.
var spokenWords = append(append([]string{"password", "passphrase", "passcode"}, spoken.password...), spoken.key...)

// after matches the text between such a word and its value. The value is the group.
var after = compiled(`^[a-zäöü]*(?:\s+(?:for|of|von|für|de|del|du|da|di|para|pour|per|do|для|voor|för|til)\s+[^\s:：]+(?:\s+[^\s:：]+){0,4}?|\s+api)?(?:\s*[（(][^)）\n]{0,40}[)）])?["'` + "`" + `*_」』”\s]*(?:[:=：＝＞>]+|→|->|➜|➡|⇒|»|–|—|\bist\b|\blautet\b|\bis\b|\bwas\b|\bwas set to\b|\best\b|\bes\b|\sé\s|\sè\s|\bto\b|は|が|是|为|為|는|은|\|)[\s:：]*\\?["'` + "`" + `*_「『“„‚«‹‘’]*\s?([^\s"'` + "`" + `,;|)\\\x{80}-\x{10ffff}]+)`)

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
			begins := at + n
			at = begins + len(word)
			if begins > 0 && inWord(small[begins-1]) && latin(word) && !escaped(line, begins) {
				continue
			}
			of := span{}
			if m := after().FindStringSubmatchIndex(small[at:]); m != nil {
				of = span{at + m[2], at + m[3]}
			} else if of = nextWord(line, at); !arbitrary(line[of.from:of.to]) && !isHex(line[of.from:of.to]) {
				continue
			}
			text := strings.TrimRight(line[of.from:of.to], ".!?:*_")
			of.to = of.from + len(text)
			if placeholder(text) || strings.HasPrefix(text, "$") {
				continue
			}
			if isPassword := i < 3+len(spoken.password); isPassword && likeSpoken(text) || likeKey(text) && (!isPassword || arbitrary(text) || isHex(text)) {
				found = append(found, of)
			}
		}
	}
	return found
}

// nextWord returns the word after white space at an offset.
func nextWord(line string, at int) span {
	for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
		at++
	}
	end := at
	for end < len(line) && line[end] > ' ' && line[end] < 0x80 && strings.IndexByte("\"'`,;|)\\", line[end]) < 0 {
		end++
	}
	return span{at, end}
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
