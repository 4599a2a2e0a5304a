// Copyright The ctx-lsp authors. MIT licence.

package redact

import "regexp"

// A frame is a pattern, and a lower-case text that every matching line contains.
type frame struct {
	with    string
	pattern func() *regexp.Regexp
	check   func(value string) bool // whether a value is a secret; nil if each one is
}

var (
	// configured are lines of a server's settings whose names suggest nothing to other rules.
	configured = compiled(`(?:^|\s|\\[nrt])(?:requirepass|masterauth|rootpw|bindpw|auth_pass|ldap_default_authtok)\s+\\?["']?([^\s"'\\]{4,})`)
	// paired are a user's name and the password after a slash.
	paired = compiled(`(?i)\b(?:login|log-?in|user(?:name)?|credentials?|creds|account|zugang|benutzer)[*_"'` + "`" + `]*\s*[:=]\s*[*_"'` + "`" + `]*[\w.@+-]+[*_"'` + "`" + `]*\s*/\s*[*_"'` + "`" + `]*([^\s"'` + "`" + `<>(){}/]{6,})`)
	// pgpass are lines of a file of that name, and curlrc of the file of options of curl.
	pgpass = compiled(`(?:^|[\s"'])[\w.*-]+:(?:\*|\d{4,5}):[A-Za-z_*][\w*-]*:[\w*.-]+:([^\s:"'\\]{4,})\s*$`)
	curlrc = compiled(`(?:^|\s|["'])user\s*=\s*\\?["']?[^\s:"'=]+:([^\s"'\\:]{6,})`)
	// stated are sentences about a key, whose value has letters of both cases and digits, or is a long hash.
	stated = compiled(`(?i)\b(?:key|token|secret|credential)[*_"'` + "`" + `]*\s+(?:is|was|to)(?:\s+now)?:?\s+\\?[*_"'` + "`" + `]*([A-Za-z0-9_+/=.~-]{12,})`)
)

// hasLettersAndDigits reports whether a value has both.
func hasLettersAndDigits(value string) bool {
	kinds := classes(value)
	return kinds.digit && (kinds.lower || kinds.upper)
}

// hasNoOrder reports whether a value is a key or a password by itself.
func hasNoOrder(value string) bool {
	return isHex(value) || arbitrary(value) || random(value) && changes(value)*9 >= len(value)*2
}

// framed match secrets by the text around them; their groups are the secrets.
var framed = []frame{
	// Keys whose prefix is not at their beginning.
	{"8q~", compiled(`([\w-]{3}8Q~[\w.~-]{31,34})`), nil},                  // Azure client secrets
	{".atlasv1.", compiled(`([A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,})`), nil}, // Terraform Cloud
	{"-us", compiled(`(?:\b|\\[nrt])([0-9a-f]{32}-us[0-9]{1,2})\b`), nil},  // Mailchimp
	{":aa", compiled(`(?:\b|\\[nrt])([0-9]{8,10}:AA[\w-]{33})`), nil},      // Telegram
	{"_mmk", compiled(`\b([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)\b`), nil},    // MaxMind
	// The password in an address, a key in place of its user, and addresses that are secret as a whole.
	{"://", compiled(`[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@"'<>]*:([^\s/@"'<>]+)@`), nil},
	{"hooks.slack.com/", compiled(`https://hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,})`), nil},
	{"/api/webhooks/", compiled(`https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/([\w/-]{20,})`), nil},
	{".webhook.office.com/", compiled(`https://[\w.-]+\.webhook\.office\.com/([\w/@-]{20,})`), nil},
	// Headers.
	{"authorization", compiled(`(?i)(?:\b|\\[nrt])authorization\\?["']?\s*[:=]\s*\\?["']?(?:bearer|basic|token|apikey|digest|negotiate|aws4-hmac-sha256)\s+([^\s"',;\\]{6,})`), nil},
	{"bearer", compiled(`(?i)(?:\b|\\[nrt])bearer\s+([A-Za-z0-9._~+/=-]{16,})`), nil},
	{"cookie:", compiled(`(?im)(?:\b|\\[nrt])(?:set-)?cookie:\s*([^\r\n"'\\]{8,})`), nil},
	// Files of credentials.
	{"machine", compiled(`(?i)(?:\b|\\[nrt])machine\s+\S+\s+login\s+\S+\s+password\s+([^\s\\"]+)`), nil},
	{"-key-data", compiled(`(?:\b|\\[nrt])client-key-data\\?["']?\s*:\s*\\?["']?([A-Za-z0-9+/=]{16,})`), nil},
	{"requirepass", configured, nil}, {"masterauth", configured, nil}, {"rootpw", configured, nil}, {"bindpw", configured, nil}, {"auth_pass", configured, nil}, {"authtok", configured, nil},
	{"password", compiled(`(?i)^\s*(?:default\s+)?(?:login\s+\S+\s+)?(?:account\s+\S+\s+)?password\s+["']?([^\s"'\\]+)["']?\s*$`), likeSpoken},
	{"login", compiled(`(?i)(?:^|\s|\\[nrt])login\s+\S+\s+(?:account\s+\S+\s+)?password\s+([^\s"'\\]+)`), nil},
	{"pass", compiled(`^\s*PASS\s+(\S+)\s*$`), likeSpoken},
	{"@tcp(", compiled(`([^\s:"'/@]{4,})@tcp\(`), nil},
	{"thin:", compiled(`:thin:[\w$#]+/([^\s@/"']{4,})@`), nil},
	{":pserver:", compiled(`:pserver:[\w.-]+:([^\s@"']{3,})@`), nil},
	{"kty", compiled(`"(?:d|k|p|q|dp|dq|qi)\\?"\s*:\s*\\?"([^"\\\s]{8,})`), nil}, // a key of JOSE
	{"<<<", compiled(`<<<\s*\$?["']?([^\s"'<>$]{8,})`), hasNoOrder},
	{"-b", compiled(`(?:^|\s)curl\s(?:[^\n|;&]*?\s)?-b\s*["']?[\w.-]+=([^\s"';]{8,})`), nil},
	{"--cookie", compiled(`--cookie[ =]["']?[\w.-]+=([^\s"';]{8,})`), nil},
	{"login", paired, likeSpoken}, {"user", paired, likeSpoken}, {"credential", paired, likeSpoken}, {"account", paired, likeSpoken}, {"zugang", paired, likeSpoken}, {"benutzer", paired, likeSpoken},
	{":5432:", pgpass, likeSpoken}, {":*:", pgpass, likeSpoken}, {"user = ", curlrc, likeSpoken}, {"user=", curlrc, likeSpoken},
	{"pwd={", compiled(`(?i)\bpwd=\{([^}\n]{4,})\}`), nil},
	// Sentences.
	{" is ", stated, strong}, {" was ", stated, strong}, {" to ", stated, strong},
	// Queries.
	{"identified", compiled(`(?i)(?:\b|\\[nrt])identified\s+(?:with\s+\w+\s+)?by\s+['"]([^'"\n]{3,})['"]`), nil},
	{"password", compiled(`(?i)(?:\b|\\[nrt])(?:with\s+password|user\s+\S+\s+password|(?:login|role)\s+(?:\S+\s+)*?password|password\s*\()\s*=?\s*['"]([^'"\n]{3,})['"]`), nil},
	{"pragma", compiled(`(?i)pragma\s+(?:key|rekey|hexkey)\s*=\s*["']([^'"\n]{3,})["']`), nil},
	{" key ", compiled(`(?i)\battach\s+.{1,200}\skey\s+'([^'\n]{3,})'`), nil},
}
