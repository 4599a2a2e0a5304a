// Copyright The ctx-lsp authors. MIT licence.

package redact

import (
	"regexp"
	"strings"
	"sync"
)

// The lengths of the shortest and the longest key.
const (
	shortestShape = 14
	longestShape  = 8 << 10
)

// shapes match keys by the prefixes of their vendors. A prefix is enough if nothing else starts with it.
var shapes = compiled(`^(?:` + strings.Join([]string{
	// Clouds.
	`(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}`,             // AWS access keys
	`ABSK[A-Za-z0-9+/]{60,}=*`,                        // AWS Bedrock
	`AIza[\w-]{35}`,                                   // Google API keys
	`ya29\.[\w-]{20,}`,                                // Google access tokens
	`1//0[\w-]{30,}`,                                  // Google refresh tokens
	`GOCSPX-[\w-]{20,}`,                               // Google client secrets
	`do[opr]_v1_[a-f0-9]{40,}`,                        // DigitalOcean
	`[\w-]{3}8Q~[\w.~-]{31,34}`,                       // Azure client secrets
	`dapi[a-f0-9]{32}`,                                // Databricks
	`LTAI[A-Za-z0-9]{12,20}`,                          // Alibaba Cloud
	`[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}`,            // Terraform Cloud
	`hv[sbr]\.[\w-]{24,}`,                             // Vault
	`dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}`,     // Doppler
	`CFPAT-[\w-]{40,}`,                                // Contentful
	`flyv1_[\w-]{20,}`, `fm[12][a-z]?_[\w+/=,-]{40,}`, // Fly.io
	`nfp_[A-Za-z0-9]{30,}`, `vercel_[A-Za-z0-9_]{20,}`, // Netlify, Vercel
	`sbp_[a-f0-9]{40}`, `sb_secret_[\w-]{20,}`, `pscale_\w+_[\w=.-]{32,}`, // Supabase, PlanetScale
	// Code.
	`gh[pousr]_[A-Za-z0-9]{30,}`, `github_pat_\w{22,}`, // GitHub
	`gl(?:pat|dt|rt|ptt|ft|soat|cbt|imt|agent|oas)-[\w.-]{20,}`, // GitLab
	`ATATT3[\w=-]{30,}`, `ATBB[A-Za-z0-9]{28,}`, // Atlassian
	`npm_[A-Za-z0-9]{36}`, `pypi-[\w-]{40,}`, `rubygems_[a-f0-9]{48}`, `cio[A-Za-z0-9]{32}`, `oy2[a-z0-9]{43}`,
	`dckr_(?:pat|oat)_[\w-]{20,}`,                                             // Docker
	`sntry[su]_[\w+/=-]{20,}`, `NRAK-[A-Z0-9]{27}`, `gl(?:c|sa)_[\w+/=]{30,}`, // Sentry, New Relic, Grafana
	`PMAK-[a-f0-9]{24}-[a-f0-9]{34}`, `lin_(?:api|oauth)_[A-Za-z0-9]{30,}`, `figd_[\w-]{30,}`, // Postman, Linear, Figma
	`ntn_[A-Za-z0-9]{40,}`, `secret_[A-Za-z0-9]{43}`, // Notion
	`pul-[a-f0-9]{40}`, `tskey-[a-z]+-[\w-]{16,}`, `bkua_[a-z0-9]{40}`, // Pulumi, Tailscale, Buildkite
	// Models.
	`sk-(?:ant|proj|svcacct|admin|or|lf|None)-[\w-]{20,}`, `sk-[A-Za-z0-9]{20,}`, // Anthropic, OpenAI, OpenRouter and many
	`hf_[A-Za-z0-9]{30,}`, `r8_[A-Za-z0-9]{30,}`, `gsk_[A-Za-z0-9]{40,}`, `xai-[A-Za-z0-9]{40,}`, // model hosts
	`pplx-[A-Za-z0-9]{40,}`, `fw_[A-Za-z0-9]{20,}`, `tgp_v1_[\w-]{30,}`, `csk-[a-z0-9]{40,}`, `nvapi-[\w-]{40,}`,
	`lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}`, `jina_[A-Za-z0-9]{40,}`, `tvly-[\w-]{20,}`, `pcsk_\w{40,}`,
	// Money and messages.
	`[rs]k_(?:live|test)_[A-Za-z0-9]{16,}`, `whsec_[\w+/=-]{24,}`, // Stripe
	`shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}`, `sq0(?:atp|csp)-[\w-]{22,}`, `EAAA[\w-]{60}`, // Shopify, Square
	`xox[abeoprs]-[\w-]{10,}`, `xapp-[\w-]{20,}`, `xwfp-[\w-]{20,}`, // Slack
	`SG\.[\w-]{20,24}\.[\w-]{39,50}`, `SK[0-9a-f]{32}`, `key-[0-9a-f]{32}`, `[0-9a-f]{32}-us[0-9]{1,2}`, // mail and SMS
	`[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,}`, `[0-9]{8,10}:AA[\w-]{33}`, // Discord, Telegram
	`xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}`, `re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}`, // Brevo, Resend
	// Forms that several vendors use.
	`eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?`, // JSON Web Tokens
	`AGE-SECRET-KEY-1[A-Z0-9]{40,}`,
}, "|") + `)`)

// compiled returns a function that compiles a pattern when it is first called: most commands redact nothing, and
// compiling all patterns takes a millisecond.
func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// A frame is a pattern, and a lower-case text that every matching line contains.
type frame struct {
	with    string
	pattern func() *regexp.Regexp
}

// framed match secrets by the text around them; their groups are the secrets.
var framed = []frame{
	// The password in an address, and addresses that are secret as a whole.
	{"://", compiled(`[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@"'<>]*:([^\s/@"'<>]+)@`)},
	{"hooks.slack.com/", compiled(`https://hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,})`)},
	{"/api/webhooks/", compiled(`https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/([\w/-]{20,})`)},
	{".webhook.office.com/", compiled(`https://[\w.-]+\.webhook\.office\.com/([\w/@-]{20,})`)},
	// Headers.
	{"authorization", compiled(`(?i)(?:\b|\\[nrt])authorization\\?["']?\s*[:=]\s*\\?["']?(?:bearer|basic|token|apikey|digest|negotiate|aws4-hmac-sha256)\s+([^\s"',;\\]{6,})`)},
	{"bearer", compiled(`(?i)(?:\b|\\[nrt])bearer\s+([A-Za-z0-9._~+/=-]{16,})`)},
	{"cookie:", compiled(`(?im)(?:\b|\\[nrt])(?:set-)?cookie:\s*([^\r\n"'\\]{8,})`)},
	// Command lines.
	{"-u", compiled(`(?:^|\s|")(?:-u|--user|--proxy-user)[ =]["']?[^\s:"'/@]+:([^\s"'\\]{3,})`)},
	{"sshpass", compiled(`(?:\b|\\[nrt])sshpass\s+-p\s*["']?([^\s"']+)`)},
	{" -p", compiled(`(?:\b|\\[nrt])(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]*\s-p([^\s"'\\]{3,})`)},
	{"redis-cli", compiled(`(?:\b|\\[nrt])redis-cli\b[^\n|;&]*\s-a\s+["']?([^\s"']+)`)},
	// Files of credentials.
	{"machine", compiled(`(?i)(?:\b|\\[nrt])machine\s+\S+\s+login\s+\S+\s+password\s+([^\s\\"]+)`)},
	{" ", compiled(`(?i)(?:\b|\\[nrt])(?:identified\s+(?:with\s+\w+\s+)?by|with\s+password|user\s+\S+\s+password)\s+['"]([^'"\n]{3,})['"]`)},
}

var (
	keyBegins = compiled(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[0-9]`)
	keyEnds   = compiled(`-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|Private-MAC: [0-9a-f]+`)
)

// longestKey is the maximum length of a private key; a key that was cut off has no end.
const longestKey = 16 << 10

// privateKeys returns the private keys in a text, which have several lines. If the text was cut off, the last key ends
// with the text, or with the last line that can belong to it.
func privateKeys(text string) (found []span) {
	for at := 0; ; {
		begin := keyBegins().FindStringIndex(text[at:])
		if begin == nil {
			return found
		}
		rest := text[at+begin[1]:]
		rest = rest[:min(len(rest), longestKey)]
		length := len(rest)
		if end := keyEnds().FindStringIndex(rest); end != nil {
			length = end[1]
		} else if end := notOfKey().FindStringIndex(rest); end != nil {
			length = end[0]
		}
		found = append(found, span{at + begin[0], at + begin[1] + length})
		at += begin[1] + length
	}
}

// notOfKey matches the end of the last line that can belong to a key.
var notOfKey = compiled(`\n[^\n]{0,200}?[^A-Za-z0-9+/=:,\-\s\\"][^\n]*|\n[^\n]{1,40}(?:\n|\z)`)
