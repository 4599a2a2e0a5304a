// Copyright The ctx-lsp authors. MIT licence.

package redact

import (
	"encoding/base64"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

// planted are texts with a secret at %s, by class. In all but the vendors' forms, only the text around shows that the
// value is one.
var planted = map[string][]string{
	"written by agents": {
		"**API_KEY**: `%s`", "- **API_KEY**: `%s`", "**API_KEY:** `%s`", "**Password**: %s", "* **DB_PASSWORD** = `%s`",
		"- `STRIPE_SECRET_KEY`: `%s`", "1. **Access token** → `%s`", "API_KEY -> %s", "`AUTH_TOKEN` => `%s`",
		"I set **JWT_SECRET** to:\n\nJWT_SECRET=`%s`", "> **Client secret:** **%s**", "_Password_: `%s`",
		"The config now has `password: %s` in it.", "Here it is: `export API_TOKEN=%s`.", "- Admin password: `%s` (change it)",
		"Login with user **ada** and password `%s`", "### Token: %s",
		"**Secret key:** %s", "**DB password** – `%s`", "- **GITHUB_TOKEN** — %s", "* API key: **%s**", "Password for user ada: %s", "{:password \"%s\"}",
		"<property name=\"password\" value=\"%s\"/>", "<add key=\"ApiKey\" value=\"%s\"/>", "requirepass %s", "rootpw %s",
	},
	"tables": {
		"| password | %s |", "| `API_KEY` | `%s` |", "| **DB_PASSWORD** | `%s` | the database |", "|secret|%s|",
		"| name | password |\n|---|---|\n| ada | %s |", "| user | role | token |\n| --- | :-: | --- |\n| ada | admin | `%s` |",
		"│ password │ %s │", "│ POSTGRES_PASSWORD │ %s │", " username | password \n----------+----------\n ada      | %s\n",
		"┃ api_key ┃ %s ┃", "| id | api_key | active |\n| 7 | %s | t |",
		"| API key | `%s` |", "<tr><td>password</td><td>%s</td></tr>", "<th>API key</th><td><code>%s</code></td>",
	},
	"colors": {
		"API_KEY=\x1b[32m%s\x1b[0m", "\x1b[1;36mpassword\x1b[0m: \x1b[33m%s\x1b[0m", "\x1b[1mTOKEN\x1b[22m=%s", "secret_key: \x1b[38;5;208m%s\x1b[39m",
		`API_KEY=\u001b[32m%s\u001b[0m`, `password: \x1b[31m%s\x1b[0m`, `DB_PASSWORD=\033[0;32m%s\033[0m`, `\e[1mauth_token\e[0m=\e[32m%s\e[0m`,
		"\x1b[36m\"password\"\x1b[39m: \x1b[32m\"%s\"\x1b[39m,",
	},
	"settings": {
		"ENV API_KEY %s", "ENV DATABASE_PASSWORD %s\nRUN make", "ARG NPM_TOKEN=%s", "set -gx OPENAI_API_KEY %s", "set -x GITHUB_TOKEN %s",
		"set -Ux DB_PASSWORD '%s'", "set --export API_KEY %s", "aws --profile ci configure set aws_secret_access_key %s", "npm config --global set //r.example.com/:_authToken %s", "setenv API_TOKEN %s", "setenv DB_PASSWORD \"%s\"", "setx API_KEY %s", "setx SERVICE_PASSWORD \"%s\" /M",
		"aws configure set aws_secret_access_key %s", "aws configure set aws_secret_access_key %s --profile prod", "aws configure set profile.ci.aws_session_token %s",
		"npm config set //registry.example.com/:_authToken %s", "npm config set _authToken %s", "pnpm config set //npm.example.com/:_authToken=%s",
		"yarn config set npmAuthToken %s", "npm set //registry.example.com/:_password %s", "git config --global http.token %s", "git config user.password %s",
		"composer config http-basic.example.com.password %s", "poetry config pypi-token.main %s", "pulumi config set --secret dbPassword %s",
		"dotnet user-secrets set \"Stripe:SecretKey\" \"%s\"", "doppler secrets set API_KEY %s", "gh secret set DEPLOY_TOKEN --body %s", "gh secret set DEPLOY_TOKEN -b %s",
		"heroku config:set SECRET_KEY=%s", "fly secrets set DB_PASSWORD=%s", "launchctl setenv API_TOKEN %s", "$env:API_KEY = \"%s\"",
		"[Environment]::SetEnvironmentVariable(\"API_TOKEN\", \"%s\")", "kubectl create secret generic db --from-literal=password=%s",
		"- name: DB_PASSWORD\n  value: %s", "{\"name\": \"API_TOKEN\",\n \"value\": \"%s\"}",
	},
	"flags": {
		"docker login -u ada -p %s registry.example.com", "docker login registry.example.com -u ada -p '%s'", "podman login -p %s -u ada quay.example", "helm registry login -u ada -p %s example.com",
		"az login --service-principal -u app -p %s --tenant t", "oc login https://example.com -u ada -p %s", "cf login -a api.example.com -u ada -p %s", "skopeo login -u ada -p %s example.com",
		"mysql -uroot -p%s shop", "mysqldump -u root -p'%s' shop > shop.sql", "mariadb -h db -p%s", "mongosh -u ada -p %s shop", "mongodump --host db -u ada -p %s", "redis-cli -h cache -a %s ping",
		"sqlcmd -S db -U sa -P %s -Q 'select 1'", "bcp shop.t out t.csv -U sa -P %s", "sqlplus ada/%s@orcl", "cqlsh -u ada -p %s", "cypher-shell -u neo4j -p %s", "beeline -n ada -p %s",
		"unzip -P %s backup.zip", "zip -P %s -r backup.zip src", "zip -rP %s backup.zip src", "7z x -p%s backup.7z", "7za a -p'%s' backup.7z src", "rar a -hp%s backup.rar src", "unrar x -p%s backup.rar",
		"openssl enc -aes-256-cbc -k %s -in a -out b", "openssl pkcs12 -in a.p12 -passin pass:%s", "openssl rsa -in key.pem -passout pass:'%s'", "pdftk a.pdf output b.pdf user_pw %s",
		"keytool -list -keystore a.jks -storepass %s", "ldapsearch -x -D cn=admin -w %s -b dc=example", "ldapadd -D cn=admin -w '%s' -f a.ldif", "ldappasswd -s %s uid=ada", "ldapmodify -x -w%s -f a.ldif",
		"smbclient //host/share -U ada%%%s", "rpcclient -U 'ada%%%s' host", "plink -ssh ada@host -pw %s uptime", "pscp -pw %s a.txt ada@host:", "ipmitool -H bmc -U admin -P %s power status",
		"mosquitto_pub -h mq -u ada -P %s -t a -m b", "lftp -u ada,%s sftp://host", "xfreerdp /u:ada /p:%s /v:host", "cmdkey /add:host /user:ada /pass:%s", "net use Z: \\\\host\\share %s /user:ada",
		"security add-generic-password -a ada -s svc -w %s", "security unlock-keychain -p %s build.keychain", "htpasswd -bc .htpasswd ada %s", "htpasswd -nbB ada %s", "echo 'ada:%s' | chpasswd",
		"echo %s | sudo -S apt-get update", "echo \"%s\" | docker login -u ada --password-stdin", "curl -su ada:%s https://example.com", "curl --user 'ada:%s' https://example.com", "http -a ada:%s example.com/v1",
		"kadmin -p admin/admin -w %s", "snmpwalk -v3 -u ada -A %s host", "sshpass -p %s ssh host", "sshpass -p'%s' ssh host", "psexec \\\\host -u ada -p %s cmd", "winscp.com /command \"open sftp://ada:%s@host\"", "rclone --password %s ls r:",
		"crackmapexec smb host -u ada -p %s", "nmcli dev wifi connect home password %s", "deploy -token %s", "java -jar a.jar -password %s", "gpg --batch --passphrase %s -d a.gpg",
	},
	"keys in text": {
		"https://%s:abc@o1.ingest.example.io/2", "https://%s@o4505.ingest.example.io/42", "SENTRY_DSN=https://%s@sentry.example.com/7", "amqp://ada:%s@mq.example.com/%%2f", "redis://:%s@cache:6379/0", "mongodb+srv://ada:%s@c0.example.net/shop",
		"Server=db;User Id=sa;Password=%s;Encrypt=true", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=%s;EndpointSuffix=example.net",
	},
	"users of services": {
		"snowsql -a acct -u ada -p %s", "imapsync --host1 a --user1 ada --password1 %s --host2 b", "imapsync --password2 '%s' --host1 a", "rabbitmqctl add_user ada %s", "rabbitmqctl change_password ada '%s'",
		"sudo rabbitmqctl -n rabbit@host add_user ada %s", "rabbitmqctl authenticate_user ada %s",
	},
	"headings": {
		"### API key\n\n```\n%s\n```", "## Password\n```text\n%s\n```", "**Client secret**\n\n    %s", "Your access token:\n\n```\n%s\n```", "The new database password:\n`%s`", "#### Das Passwort:\n\n~~~\n%s\n~~~",
		"The password for staging is %s", "the password for the staging database is `%s`", "the password for ada on the old server is now: %s",
	},
	"languages": {
		"Das Kennwort ist „%s“.", "Das Passwort lautet «%s»", "Kennwort: ‚%s‘", "密码是“%s”", "パスワードは『%s』です", "le mot de passe est « %s »", "The password is “%s”.",
		"Passwort: %s", "Das Passwort lautet %s", "Kennwort：%s", "Das Kennwort ist `%s`.", "DB-Passwort: \"%s\"", "Zugangscode: %s", "API-Schlüssel: %s", "Zugriffstoken: `%s`", "**Passwort**: `%s`",
		"パスワード：%s", "パスワード: %s", "パスワードは「%s」です", "パスワードは %s です", "暗証番号：%s", "APIキー：%s", "アクセストークン: `%s`", "**パスワード**：`%s`", "| パスワード | %s |",
		"密码：%s", "密码: %s", "密码是 %s", "数据库密码为：%s", "口令：%s", "API密钥：%s", "访问令牌: %s", "**密码**：`%s`", "登录密码=%s", "私钥：%s", "| 密码 | %s |",
		"The API key is `%s`.", "Your new token is %s", "use the token `%s`", "set the secret to \"%s\"", "Password：%s", "API_KEY：%s", "token＝%s", "Password is %s", "the password was: %s", "Passphrase: %s",
	},
}

// vendors returns keys of vendors whose forms need no text around.
func (r source) vendors() map[string]string {
	return map[string]string{
		"Airtable": "pat" + r.of(alnum, 14) + "." + r.of(hexes, 64), "Dropbox": "sl" + ".u." + r.of(urlsafe, 130), "Dropbox, short": "sl" + "." + r.of(urlsafe, 136),
		"Artifactory": "AKC" + "p" + r.of(alnum, 69), "Artifactory reference": "cmV" + "md" + r.of(alnum, 59), "Mapbox": "sk.ey" + "J" + r.of(urlsafe, 80) + "." + r.of(urlsafe, 22),
		"Heroku": "HRK" + "U-AA" + r.of(urlsafe, 58), "Heroku, older": "HRK" + "U-" + r.of(hexes, 8) + "-" + r.of(hexes, 4) + "-4" + r.of(hexes, 3) + "-a" + r.of(hexes, 3) + "-" + r.of(hexes, 12),
		"Clojars": "CLOJARS" + "_" + r.of(small+digits, 60), "GitLab": "glrt" + "-" + r.of(urlsafe, 20), "Grafana": "glsa" + "_" + r.of(alnum, 32) + "_" + r.of(hexes, 8), "Sourcegraph": "sgp" + "_" + r.of(hexes, 40),
		"SonarQube": "squ" + "_" + r.of(hexes, 40), "OpenShift": "sha256" + "~" + r.of(urlsafe, 43), "HubSpot": "pat" + "-na1-" + r.of(hexes, 8) + "-" + r.of(hexes, 4) + "-" + r.of(hexes, 4) + "-" + r.of(hexes, 4) + "-" + r.of(hexes, 12),
		"Dynatrace": "dt0c01" + "." + r.of(capitals+digits, 24) + "." + r.of(capitals+digits, 64), "Azure": r.of(alnum, 3) + "8Q" + "~" + r.of(alnum, 34), "Terraform": r.of(alnum, 14) + ".atlas" + "v1." + r.of(urlsafe, 67),
		"Mailchimp": r.of(hexes, 32) + "-us" + "12", "Telegram": r.of(digits, 9) + ":A" + "A" + r.of(urlsafe, 33), "Discord": "M" + r.of(alnum, 25) + "." + r.of(urlsafe, 6) + "." + r.of(urlsafe, 38),
		"Airtable, older": "key" + r.of(small, 1) + r.of(digits, 1) + r.of(capitals, 2) + r.of(small, 1) + r.of(digits, 1) + r.of(capitals, 1) + r.of(small, 2) + r.of(digits, 1) + r.of(alnum, 4), "Grafana, older": "eyJr" + "Ijoi" + r.of(alnum, 60) + "==", "Tencent": "AKI" + "D" + r.of(alnum, 32), "Zuplo": "zpk" + "a_" + r.of(small+digits, 32) + "_" + r.of(hexes, 8),
		"1Password": "ops" + "_eyJ" + r.of(alnum, 180), "Render": "rnd" + "_" + r.of(alnum, 28), "Intercom": "dG9r" + "Oj" + r.of(alnum, 55) + "=", "Yandex": "t1" + "." + r.of(alnum, 9) + "." + r.of(urlsafe, 86),
		"Lob": "live" + "_" + r.of(hexes, 34) + "7", "Razorpay": "rzp" + "_live_" + r.of(alnum, 14), "FCM": "AAAA" + r.of(urlsafe, 7) + ":APA91b" + r.of(urlsafe, 134), "LaunchDarkly": "sdk" + "-" + r.of(hexes, 8) + "-" + r.of(hexes, 4) + "-" + r.of(hexes, 4) + "-" + r.of(hexes, 4) + "-" + r.of(hexes, 12),
		"ddp":                 "ddp" + "_" + r.of(alnum, 36),
		"key in base64":       base64.StdEncoding.EncodeToString([]byte("-----BEGIN " + "PRIVATE KEY-----\n" + r.of(alnum, 200))),
		"key of RSA":          base64.StdEncoding.EncodeToString([]byte("-----BEGIN RSA " + "PRIVATE KEY-----\n" + r.of(alnum, 200))),
		"key of EC":           base64.StdEncoding.EncodeToString([]byte("-----BEGIN EC " + "PRIVATE KEY-----\n" + r.of(alnum, 200))),
		"key of OpenSSH":      base64.StdEncoding.EncodeToString([]byte("-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + r.of(alnum, 200))),
		"key without its PEM": "MIIE" + "vQIBADANBgkqhkiG9w0BAQEFAASC" + r.of(alnum, 120),
		"key of RSA, DER":     "MIIE" + "pAIBAAKCAQEA" + r.of(alnum, 120),
	}
}

// TestPlantedSecretsAreStruck plants secrets of several forms in texts of each class, also inside JSON.
func TestPlantedSecretsAreStruck(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := source{rand.New(rand.NewPCG(seed, 1))}
	n, missed := 0, 0
	check := func(class, text, secret string) {
		t.Helper()
		n++
		if out := (&Redactor{}).Strike(text); strings.Contains(out, secret) {
			missed++
			t.Errorf("%s: %q is left as %q", class, text, out)
		}
	}
	for class, texts := range planted {
		for _, text := range texts {
			for _, secret := range []string{r.word(24), r.word(14), r.of(hexes, 30) + "7f"} {
				of := strings.Replace(strings.ReplaceAll(strings.Replace(text, "%s", "\x00", 1), "%%", "%"), "\x00", secret, 1)
				check(class, of, secret)
				check(class+", in a script", "cd /w\n"+of+"\nls -l", secret)
				if !strings.Contains(of, `\`) {
					check(class+", in JSON", `{"command":"cd /w\n`+strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(of)+`"}`, secret)
				}
			}
		}
	}
	for vendor, secret := range r.vendors() {
		check(vendor, "use "+secret+" for now", secret)
		check(vendor, `x\n`+secret, secret)
		check(vendor, "`"+secret+"`", secret)
	}
	if kinds := n / 9; kinds < 160 {
		t.Errorf("there are %d kinds of texts", kinds)
	}
	t.Logf("%d of %d are struck", n-missed, n)
}

// TestUnfinishedKeysAreStruck cuts keys with headers and short last lines off.
func TestUnfinishedKeysAreStruck(t *testing.T) {
	r := source{rand.New(rand.NewPCG(2, 1))}
	body := strings.Repeat(r.of(alnum+"+/", 64)+"\n", 12)
	for name, key := range map[string]string{
		"PGP":              "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\n\n" + body,
		"PGP with headers": "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\nComment: made with care\n\n" + body,
		"encrypted":        "-----BEGIN RSA " + "PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC," + r.of(hexes, 32) + "\n\n" + body,
		"OpenSSH":          "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + body,
	} {
		for _, cut := range []int{len(key), len(key) - 20, len(key) - 45, len(key) - 64, len(key) - 130} {
			for _, end := range []string{"", "\n", "\n[output cut]\n", "\nThat was the key.\n"} {
				text := "before\n" + key[:cut] + end
				out := (&Redactor{}).Strike(text)
				for line := range strings.Lines(key[:cut]) {
					if line = strings.TrimSpace(line); len(line) > 10 && strings.Contains(out, line) {
						t.Fatalf("%s, cut at %d, before %q: %q is left in %q", name, cut, end, line, out)
					}
				}
				if end = strings.TrimSpace(end); !strings.HasSuffix(strings.TrimSpace(out), end) || !strings.HasPrefix(out, "before\n") {
					t.Errorf("%s: the text around is lost: %q", name, out)
				}
				escaped := strings.ReplaceAll(text, "\n", `\n`)
				if out := (&Redactor{}).Strike(`{"k":"` + escaped + `"}`); strings.Contains(out, strings.TrimSpace(body[:64])) {
					t.Errorf("%s, in JSON: %q", name, out)
				}
			}
		}
	}
	text := "    client-key-data: " + r.of(alnum, 300) + "\n    certificate-authority-data: LS0tLS1CRUdJTiBDRVJU" + r.of(alnum, 60)
	if out := (&Redactor{}).Strike(text); strings.Count(out, Mark) != 1 || !strings.HasSuffix(out, text[len(text)-60:]) {
		t.Errorf("%q", out)
	}
}

// harmless are texts next to the forms above that contain no secret.
var harmlessTexts = []string{
	"The key is to keep the token count below 200000", "the token is stored in config.v2.json", "a secret to share", "the key is sha256", "The token `o200k_base` is unknown", "use token `input_tokens_v2`", "the API key — see docs/api2.md", "Password – at least 12 characters",
	"<td>tokens</td><td>12345</td>", "<add key=\"LogLevel\" value=\"debug2\"/>", "the key is README.md and the token is unknown",
	"Always pass `--config config/a1.ini` to it", "All files pass `lint-2` now", "| local | 100% PASS | 333/4180ms |", "| PASS | 13137ms |",
	"docker run -p 8080:80 -v /w:/w nginx", "docker run --rm -p 127.0.0.1:5432:5432 postgres", "ssh -p 2222 host", "scp -P 2222 a host:", "mkdir -p /var/lib/app", "cp -p a b", "tar -xpf a.tar", "ps -p 4711",
	"mysql -u root -p shop", "mysql -P 3307 -h db", "psql -p 5433 -U ada shop", "redis-cli -p 6380 ping", "zip -r backup.zip src", "unzip -p a.zip file.txt", "7z x backup.7z", "openssl x509 -in cert.pem -noout -text",
	"ldapsearch -x -b dc=example,dc=org", "curl -k https://localhost:8443", "grep -P '\\d+' file.txt", "rsync -avzP src/ host:/dst/", "python -m pytest -k test_login -p no:cacheprovider", "go test -p 4 ./...", "nmap -p 1-1000 host",
	"wget -P downloads https://example.com/a.tgz", "patch -p1 < fix.diff", "git log -p -k", "npm login --registry https://example.com", "docker login ghcr.io", "tsc -p tsconfig.json", "dotnet build -p:Configuration=Release", "set -euo pipefail",
	"set -x", "set -gx PATH $HOME/bin $PATH", "set -gx EDITOR nvim", "ENV NODE_ENV production", "ENV PATH /usr/local/bin:$PATH", "ENV PYTHONUNBUFFERED 1", "setenv EDITOR vim", "npm config set registry https://example.com/", "npm config set fund false",
	"git config --global user.name Ada", "git config user.email ada@example.com", "git config --global core.editor vim", "aws configure set region eu-central-1", "aws configure set output json", "pip config set global.index-url https://example.com/simple",
	"| field | type | default |", "|---|---|---|", "| password | string | required |", "| `token` | `string` | the user's token |", "| api_key | The key that the provider gives you |", "| id | name | email |\n|---|---|---|\n| 7 | ada | ada@example.com |",
	"| Method | Path | Auth |\n|---|---|---|\n| GET | /v1/users | bearer |", "cat a.txt | grep password | sort", "password | hash | salt", "│ tokens │ 12,345 │", "| max_tokens | 4096 |", "| tokens | 200000 |", "| password | at least 12 characters |",
	"**Password**: at least 12 characters", "**Token usage**: 12,345 of 200,000", "**API key**: set `OPENAI_API_KEY` before you start", "- `password` — the user's password", "**Auth**: bearer token in the header", "`token`: see `tokens.md`",
	"The password is stored as a hash.", "The password is checked in auth.go", "Your password was changed yesterday.", "password is required", "A password is too short below 12 characters.", "the token is read from the environment",
	"### Token\n```\nclaude-sonnet-4-5-20250929\n```", "## Password\n\nAt least 12 characters.", "### Secrets\n```sh\nmake secrets\n```", "Tokens:\n12345", "the auth file is:\n/etc/app/auth2.json", "**Token**\ntokens_used_2", "password1 must equal password2", "snowsql -a acct -p 8443", "rabbitmqctl list_users",
	"keyboardEvent2Foo", "keyof2Something1", "live_reload_server2", "rnd_seed", "test_login_flow_2", "AAAA records: a.example.com", "sdk-2.1.0-rc1", "the password for the database is in config2.json",
	"Das Passwort ist zu kurz.", "Passwort: mindestens 12 Zeichen", "Das Kennwort wird nicht gespeichert.", "Passwort ändern", "Der Schlüssel ist in der Datei keys.go", "パスワードは12文字以上です", "パスワードを入力してください", "パスワード：必須", "トークンは環境変数から読みます",
	"密码长度至少为12位", "密码：必填", "请输入密码", "密码是必需的", "令牌数：12345", "密钥在环境变量中设置", "口令错误", "トークン数：12345", "キー：name",
	"https://example.com/a@b", "https://github.com/ada/shop.git", "git@github.com:ada/shop.git", "ssh://git@example.com:22/ada/shop.git", "https://ada@example.com/shop.git", "npm i @scope/package@1.2.3", "mailto:ada@example.com",
	"- name: CACHE_DIR\n  value: /var/cache/app2", "- name: LOG_LEVEL\n  value: debug", "{\"name\": \"password\", \"value\": \"\"}", "- name: TOKEN_LIMIT\n  value: \"200000\"",
	"certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURCVENDQWUyZ0F3SUJBZ0lJ", "-----BEGIN CERTIFICATE-----\nMIIDBTCCAe2gAwIBAgIIQ2d4c3RhdGVtZW50\n-----END CERTIFICATE-----", "-----BEGIN PGP PUBLIC KEY BLOCK-----\nmQINBF\n-----END PGP PUBLIC KEY BLOCK-----",
	"-----BEGIN PGP SIGNATURE-----\niQIzBAABCAAdFiEE\n-----END PGP SIGNATURE-----", "MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ",
	"SKIPPED tests/test_login.py::test_password_reset", "pat = re.compile(pattern)", "slice sl.append(item)", "sl.items[0].children[1].name", "key := cache.Key(request, user)", "token := strings.TrimPrefix(header, \"Bearer \")",
	"const apiKey = getApiKey();", "api_key=settings.API_KEY", "password=form.cleaned_data['password']", "secret: !vault |", "token: ${{ secrets.GITHUB_TOKEN }}", "password: {{ vault_db_password }}", "PASSWORD=$(pass show db)", "export TOKEN=\"$(gh auth token)\"",
	"echo $PASSWORD | sudo -S make install", "echo \"$TOKEN\" | docker login -u ada --password-stdin", "sshpass -p \"$PASS\" ssh host", "docker login -u \"$USER\" -p \"$PASSWORD\"", "curl -u \"$USER:$PASS\" https://example.com", "az login --use-device-code",
	"https://$TOKEN@github.com/ada/shop.git", "postgres://${USER}:${PASSWORD}@db/shop", "3b18e512dba79e4c8300dd08aeb37f8e728b8dad refs/heads/main", "\x1b[32mPASS\x1b[0m src/login.test.ts", "\x1b[33mwarning\x1b[0m: unused variable `token`",
	"\x1b[36mtokens\x1b[0m: \x1b[32m12345\x1b[0m", "yarn: resolved \"https://example.com/a-1.2.3.tgz#3b18e512dba79e4c8300dd08aeb37f8e728b8dad\"", "Cargo.lock: checksum = \"c1f8e512dba79e4c8300dd08aeb37f8e728b8dadc1f8e512dba79e4c8300dd08\"",
	"login failed for user ada at 10:22:33.444Z", "password reset commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad", "git log -p 3b18e512dba79e4c8300dd08aeb37f8e728b8dad", "claude --resume 0197f1c2-8c1e-7d4a-b0f3-2f6f6a1b9c33 -p 'go on'", "token count of o3-mini-2025-01-31",
	"{\"login\":\"ada\",\"id\":351934,\"node_id\":\"MDQ6VXNlcjM1MTkzNA\"}", "agentId: a176210299a3b8dd6 has the login page", "uses: docker/login-action@5e57cd118135c172c3672efd75eb46360885c0ef", "create-github-app-token v2.2.1@29824e69f54612133e76f7eaac726eef6c875baf", "password hashing uses argon2id$v=19$m=65536",
	"-H 'Accept: application/vnd.docker.distribution.manifest.v2+json' # after login", "mkdir -p src3/com/example/gradle", "checkPass(\"content\\n\")", "root@c9f8a7b6d5e4:/# ls", "expect(view.token).toBe('agentv/results-sync/20260625T0000Z-main')", "getPassword(\"db_password\")", "t(\"password.tooShort\")", "setToken(user.token)",
	"user: gpt-4o-2024-08-06", "login: read / write", "account: a / b", "user: ada / bob", "user: src/v2/login2.go", "login.spec.ts:42:13 passes in 1.2s", "secret: !vault |\n  $ANSIBLE_VAULT;1.1;AES256", "description: |\n  Version2 of this", "variable \"region\" {\n  default = \"eu-central-1\"\n}", "<<< \"$PASSWORD\"", "kubectl -n kube-system2 get pods -o wide", "la clave es el nombre", "mot de passe : obligatoire", "Пароль: не менее 12 символов",
	"sha256:3b18e512dba79e4c8300dd08aeb37f8e728b8dad3b18e512dba79e4c8300dd08", "uuid 0197f1c2-8c1e-7d4a-b0f3-2f6f6a1b9c33", "request id req_011CSHoEeqs5C35K2UUqR7Fy", "net user /domain", "security find-identity -v -p codesigning", "openssl dgst -sha256 file",
}

// TestTheDocumentListsTheShapes checks that docs/redaction.md has each prefix of a key.
func TestTheDocumentListsTheShapes(t *testing.T) {
	page, err := os.ReadFile("../../docs/redaction.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, of := range shaped() {
		for _, s := range of {
			if n++; !strings.Contains(string(page), "`"+s.prefix+"`") {
				t.Errorf("docs/redaction.md does not list %s", s.prefix)
			}
			s.rest() // each pattern compiles
		}
	}
	if n < 150 {
		t.Errorf("there are %d prefixes", n)
	}
}

// TestTextsNextToSecretsStay checks texts that resemble those with planted secrets.
func TestTextsNextToSecretsStay(t *testing.T) {
	for _, text := range harmlessTexts {
		if out := (&Redactor{}).Strike(text); out != text {
			t.Errorf("%q became %q", text, out)
		}
	}
}
