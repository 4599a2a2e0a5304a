// Copyright The ctx-lsp authors. MIT licence.

package redact

import (
	"regexp"
	"strings"
)

// A flagged is a group of programs that take a secret with a flag whose name says nothing about it, such as -p.
// Elsewhere the same flag is a port, a path or a page.
type flagged struct {
	with    []string // lower-case texts, one of which every matching line contains
	pattern func() *regexp.Regexp
	check   func(value string) bool // whether a value is a secret; nil if each one is
}

// value is the pattern of a flag's value, with or without quotation marks, as a group.
const value = `\\?["']?([^\s"'|;&<>\\$-][^\s"'|;&<>\\]{2,})`

// command returns the pattern of a program that is followed on its command line by something.
func command(programs, then string) func() *regexp.Regexp {
	return compiled(`(?:^|[\s;&|(/"'` + "`" + `]|\\[nrt])(?:` + programs + `)(?:\.exe)?\s(?:[^\n|;&]*?\s)?` + then)
}

// flags are the programs that take secrets with flags, by what they do.
var flags = []flagged{
	// Programs that log in: the subcommand distinguishes -p from that of others, such as docker run -p 8080:80.
	{[]string{"login"}, command(`docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|regctl|az|oc|cf|ibmcloud|argocd|rancher|tsh|vercel|npm|nuget|conan|jfrog|jf|bw|heroku|scw|doctl|kubectl|fly|nomad|consul|tanzu|pks|cloudctl|dcos|faas-cli|sf|sfdx`, `login\s(?:[^\n|;&]*?\s)?-(?:p|P|k|w)(?:[ =]|\b)`+value), nil},
	// Databases.
	{[]string{"mysql", "mariadb"}, command(`mysql(?:dump|admin|import|check|show|slap|pump|sh)?|mariadb(?:-\w+)?`, `-p`+value), nil},
	{[]string{"mongo"}, command(`mongo(?:sh|dump|restore|export|import|stat|top|files)?`, `-p[ =]?`+value), nil},
	{[]string{"redis-cli", "valkey-cli", "keydb-cli"}, command(`redis-cli|valkey-cli|keydb-cli`, `-a\s+`+value), nil},
	{[]string{"sqlcmd", "bcp", "osql", "isql", "tsql", "sqlplus", "mssql-cli", "dtutil"}, command(`sqlcmd|bcp|osql|isql|tsql|mssql-cli|dtutil`, `-P[ =]?`+value), nil},
	{[]string{"sqlplus", "sqlldr", "expdp", "impdp", "rman"}, command(`sqlplus|sqlldr|expdp|impdp|rman`, `\w+/([^\s"'@/|;&]{3,})@`), nil},
	{[]string{"cqlsh", "cypher-shell", "beeline", "vsql", "nzsql", "arangosh", "arangodump", "clickhouse", "influx", "snowsql", "trino", "couchbase", "cbq", "rabbitmqadmin", "neo4j", "exasol", "exaplus", "db2"},
		command(`cqlsh|cypher-shell|beeline|vsql|nzsql|arango\w+|influx|couchbase-cli|cbq|cbbackup\w*|rabbitmqadmin|exaplus`, `-(?:p|w|P)[ =]?`+value), nil},
	{[]string{"snowsql"}, command(`snowsql`, `-p[ =]?`+value), hasLettersAndDigits}, // with a number alone it is a port
	{[]string{"rabbitmqctl"}, command(`rabbitmqctl`, `(?:add_user|change_password|authenticate_user)\s+["']?[^\s"']+["']?\s+`+value), nil},
	// Archives and documents.
	{[]string{"zip"}, command(`zip|unzip|zipcloak|zipnote|fcrackzip`, `-\w*P[ =]?`+value), nil},
	{[]string{"7z"}, command(`7z|7za|7zr|7zz|p7zip`, `-p`+value), nil},
	{[]string{"rar", "unace", " arj"}, command(`rar|unrar|winrar|unace|arj`, `-h?p`+value), nil},
	{[]string{"openssl", "enc "}, command(`openssl`, `-(?:k|K|pass|passin|passout|passwd|password)[ =](?:pass:)?`+value), nil},
	{[]string{"pass:"}, compiled(`(?:^|[\s"'=])pass:` + value), nil},
	{[]string{"pdftk", "qpdf"}, command(`pdftk`, `(?:user_pw|owner_pw|input_pw)\s+(?:\w=)?`+value), nil},
	{[]string{"keytool", "jarsigner", "apksigner"}, command(`keytool|jarsigner|apksigner`, `-{1,2}(?:store|key|src\w*|dest\w*|ks-|new)pass(?:[ =])(?:pass:)?`+value), nil},
	{[]string{"ccrypt", "mcrypt", "aescrypt", "scrypt"}, command(`ccrypt|ccat|ccencrypt|ccdecrypt`, `-K\s+`+value), nil},
	{[]string{"mcrypt", "aescrypt"}, command(`mcrypt|aescrypt`, `-[kp]\s+`+value), nil},
	{[]string{"restic", "borg", "duplicity"}, command(`aescrypt`, `-p\s+`+value), nil},
	// Directories, remote machines and mail.
	{[]string{"ldap", "kadmin", "dsconf", "dsidm", "dsctl"}, command(`kadmin(?:\.local)?|ldap(?:search|add|modify|delete|passwd|whoami|compare|modrdn|exop|vc|url)|ds(?:conf|idm|ctl)`, `-[wsa][ =]?`+value), nil},
	{[]string{"samba-tool", "smbclient", "rpcclient", "smbget", "net ", "winexe", "wmic", "smbmap", "crackmapexec", "netexec", "nxc", "evil-winrm"},
		command(`smbclient|rpcclient|smbget|smbcacls|smbtree|winexe|net|samba-tool|wmic`, `-U\s*["']?[^\s"'%]+%([^\s"'|;&]{3,})`), nil},
	{[]string{"smbmap", "crackmapexec", "netexec", "nxc", "evil-winrm", "psexec", "kinit", "rdesktop", "ncftp", "ncat", "sshpass", "snmp"},
		command(`smbmap|crackmapexec|netexec|nxc|evil-winrm|psexec(?:64)?|kinit|rdesktop|ncftp(?:get|put|ls)?|sshpass`, `-p[ =]?`+value), nil},
	{[]string{"snmp"}, command(`snmp(?:get|walk|set|bulkwalk|bulkget|getnext|trap|inform|table|status|df)`, `-[AXc]\s+`+value), nil},
	{[]string{"plink", "pscp", "psftp", "putty", "winscp"}, command(`plink|pscp|psftp|putty|kitty`, `-pw\s+`+value), nil},
	{[]string{"ipmitool", "ipmi"}, command(`ipmitool|ipmipower|ipmi-\w+`, `-(?:P|p)\s+`+value), nil},
	{[]string{"mosquitto"}, command(`mosquitto_(?:pub|sub|rr|passwd)`, `-(?:P|b\s+\S+\s+\S+)\s+`+value), nil},
	{[]string{"lftp", "ncftp"}, command(`lftp`, `-u\s+["']?[^\s,"']+,([^\s"'|;&]{3,})`), nil},
	{[]string{"freerdp", "cmdkey", "net use", "wmic", "schtasks", "mstsc", "/p:", "/pass:"}, compiled(`(?i)\s/(?:p|pass|password|rp):` + value), nil},
	{[]string{"schtasks"}, command(`schtasks`, `/(?:p|rp)\s+`+value), nil},
	{[]string{"net use", "net user"}, compiled(`(?i)(?:^|[\s;&|"'(]|\\[nrt])net\s+use\s+(?:\w:\s+)?\\\\\S+\s+` + value + `.*?/user:`), nil},
	{[]string{"net user"}, compiled(`(?i)(?:^|[\s;&|"'(]|\\[nrt])net\s+user\s+[\w.-]+\s+([^\s"'/|;&*][^\s"'|;&]{2,})`), nil},
	{[]string{"security"}, command(`security`, `(?:add-(?:generic|internet)-password|unlock-keychain|set-keychain-password|create-keychain|import)\s(?:[^\n|;&]*?\s)?-[wpPo]\s+`+value), nil},
	{[]string{"htpasswd"}, command(`htpasswd`, `-\w*b\w*\s+(?:-\S+\s+)*\S+\s+(?:\S+\s+)?`+value+`["']?\s*(?:$|[\n|;&>"'\\])`), nil},
	{[]string{"chpasswd"}, compiled(`["']?\b[\w.-]+:([^\s"'|;:]{3,})["']?\s*\|\s*(?:sudo\s+)?(?:/\S*/)?chpasswd`), nil},
	{[]string{"sudo"}, compiled(`(?:echo|printf)\s+(?:-\w+\s+)?(?:'%s\\n'\s+)?\\?["']?([^\s"'|;&$\\]{3,})(?:\\n)?\\?["']?\s*\|\s*sudo\s+(?:-\w+\s+)*?-\w*S`), nil},
	{[]string{"passwd", "kinit", "cryptsetup", "--password-stdin", "--passphrase-fd", "login"}, compiled(`(?:echo|printf)\s+(?:-\w+\s+)?\\?["']?([^\s"'|;&$\\]{3,})(?:\\n)?\\?["']?\s*\|\s*(?:sudo\s+)?(?:passwd|kinit|cryptsetup|[^\n|;&]*--password-stdin|[^\n|;&]*--passphrase-fd|[^\n|;&]*--with-token)`), nil},
	{[]string{"vault"}, command(`vault`, `login\s+(?:-\S+\s+)*`+value), nil},
	{[]string{"mc "}, command(`mc`, `(?:alias|config\s+host)\s+(?:set|add)\s+\S+\s+\S+\s+\S+\s+`+value), nil},
	{[]string{"securestring"}, compiled(`(?i)ConvertTo-SecureString\s+(?:-\w+\s+)*\\?["']([^"'\n$]{3,})["']`), nil},
	{[]string{"wpa_passphrase"}, command(`wpa_passphrase`, `(?:"[^"]+"|\S+)\s+`+value), nil},
	{[]string{"nmcli"}, command(`nmcli`, `(?:password|wifi-sec\.psk|802-1x\.password)\s+`+value), nil},
	// Of any program, if the value cannot be anything else.
	{[]string{" -p", " -w", " -n", " -a", " -x", " -k", " -t", " -u", " --p", " --key", " -o", " --encrypt"}, compiled(`\s-{1,2}(?:p|P|w|W|N|A|X|k|t|key|psk|pw|upw|opw|xp|pass|encrypt)(?:[ =:]\\?["']?|["'])([^\s"'\\;|&<>]{8,})`), hasNoOrder},
	{[]string{" /p"}, compiled(`\s/(?:p|P)[ :]["']?([^\s"'\\;|&<>]{8,})`), hasNoOrder},
	// Requests.
	{[]string{"-u", "--user", "--proxy-user", "-a", "--auth"}, compiled(`(?:^|\s|")(?:-u|--user|--proxy-user|-a|--auth)[ =]?["']?[^\s:"'/@-][^\s:"'/@]*:([^\s"'\\]{3,})`), nil},
	{[]string{"curl", "wget", "http", "xh ", "fetch"}, command(`curl|wget|http|https|xh|fetch`, `-\w*u\s*["']?[^\s:"'/@]+:([^\s"'\\]{3,})`), nil},
}

// A setting is a command that gives a variable or an option a value, without a sign between both.
var settings = compiled(`(?i)(?:^|[\s;&|(` + "`" + `"']|\\[nrt])(?:ENV|ARG|setenv|setx|export-env|set\s+(?:-\w*[xgU]\w*|--export|--global|--universal)(?:\s+--?\w+)*|aws\s+(?:--?\S+\s+(?:[^-\s]\S*\s+)?)*configure\s+set|` +
	`(?:npm|pnpm|yarn|bun)\s+(?:--?\S+\s+)*(?:config\s+)?(?:--?\S+\s+)*set|(?:git|composer|poetry|pip3?|bundle|conda|gem|gcloud|flyctl|heroku|vercel|netlify|wrangler|doppler|pulumi|yarn|cargo|dotnet|nuget|hub|glab|gh|kubectl|terraform|firebase|supabase|railway|fnm|go|helm|minikube|snap|launchctl|systemctl|cpan|luarocks|sentry-cli)` +
	`(?:\s+(?:config|configuration|env|environment|secrets?|user-secrets|variable|functions:config|functions:secrets))?(?:[\s:]+(?:set|add|put|setenv|set-environment|login))?)` +
	`((?:\s+--?[A-Za-z][\w-]*(?:=\S+)?)*)\s+\\?["']?([\w./:@$-]+)\\?["']?\s+(?:--?(?:body|value|plaintext|b|v)[ =])?\\?(?:"([^"\n\\]+)|'([^'\n\\]+)|([^\s"'|;&<>\\-][^\s"'|;&<>\\]*))`)

// settingWords are lower-case texts, one of which each line with a setting contains.
var settingWords = []string{"env ", "env\t", "setx ", "set -", " set ", " config", ":set", "secret", "arg "}

// inCommands returns the secrets that a command line has as values of flags and settings. small is the line in lower
// case.
func (r *rules) inCommands(line, small string) (found []span) {
	for _, f := range r.flags {
		for _, word := range f.with {
			if !strings.Contains(small, word) {
				continue
			}
			for _, at := range f.pattern().FindAllStringSubmatchIndex(line, -1) {
				if of := (span{at[2], at[3]}); !placeholder(line[of.from:of.to]) && (f.check == nil || f.check(line[of.from:of.to])) {
					found = append(found, of)
				}
			}
			break
		}
	}
	for _, word := range r.settings {
		if !strings.Contains(small, word) {
			continue
		}
		for _, at := range settings().FindAllStringSubmatchIndex(line, -1) {
			name := line[at[4]:at[5]]
			name = name[strings.LastIndexAny(name, ":/")+1:]
			for group := 6; group < len(at); group += 2 {
				if at[group] >= 0 && isSecret(name, line[at[group]:at[group+1]], group < 10) {
					found = append(found, span{at[group], at[group+1]})
				}
			}
		}
		break
	}
	return found
}
