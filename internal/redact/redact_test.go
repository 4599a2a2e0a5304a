// Copyright The ctx-lsp authors. MIT licence.

package redact

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// The corpus is created when the test runs, because repository scanners would take a stored one for real secrets.

const (
	small    = "abcdefghijklmnopqrstuvwxyz"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits   = "0123456789"
	alnum    = small + capitals + digits
	hexes    = digits + "abcdef"
	urlsafe  = alnum + "-_"
)

type source struct{ *rand.Rand }

func (r source) of(alphabet string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(out)
}

// word returns a random text with all classes of characters; a purely random short text may lack one. A text that is
// about as regular as a name, such as kgzDraWvE3002V, is drawn again: in a sentence it is not struck.
func (r source) word(n int) string {
	for {
		text := r.of(small, 1) + r.of(alnum, n-4) + r.of(digits, 2) + r.of(capitals, 1)
		if n < 14 || arbitrary(text) {
			return text
		}
	}
}

// secrets returns a hundred secrets: seventy in vendors' formats, and thirty in none.
func (r source) secrets() (shaped, plain []string) {
	kinds := []func() string{
		func() string { return "AKI" + "A" + r.of(capitals+digits, 16) },
		func() string { return "ASI" + "A" + r.of(capitals+digits, 16) },
		func() string { return "AI" + "za" + r.of(urlsafe, 35) },
		func() string { return "ya" + "29." + r.of(urlsafe, 60) },
		func() string { return "GOC" + "SPX-" + r.of(urlsafe, 28) },
		func() string { return "gh" + "p_" + r.of(alnum, 36) },
		func() string { return "gh" + "s_" + r.of(alnum, 36) },
		func() string { return "github" + "_pat_" + r.of(alnum, 22) + "_" + r.of(alnum, 59) },
		func() string { return "gl" + "pat-" + r.of(urlsafe, 20) },
		func() string { return "npm" + "_" + r.of(alnum, 36) },
		func() string { return "py" + "pi-AgEIcHlwaS5vcmc" + r.of(urlsafe, 60) },
		func() string { return "dckr" + "_pat_" + r.of(urlsafe, 27) },
		func() string { return "sk" + "-ant-api03-" + r.of(urlsafe, 93) + "AA" },
		func() string { return "sk" + "-proj-" + r.of(urlsafe, 100) },
		func() string { return "sk" + "-" + r.of(alnum, 48) },
		func() string { return "sk" + "-or-v1-" + r.of(hexes, 64) },
		func() string { return "hf" + "_" + r.of(alnum, 34) },
		func() string { return "gsk" + "_" + r.of(alnum, 52) },
		func() string { return "xai" + "-" + r.of(alnum, 80) },
		func() string { return "r8" + "_" + r.of(alnum, 37) },
		func() string { return "sk" + "_live_" + r.of(alnum, 24) },
		func() string { return "rk" + "_test_" + r.of(alnum, 24) },
		func() string { return "wh" + "sec_" + r.of(alnum, 32) },
		func() string { return "xox" + "b-" + r.of(digits, 12) + "-" + r.of(digits, 12) + "-" + r.of(alnum, 24) },
		func() string { return "xap" + "p-1-A" + r.of(alnum, 40) },
		func() string { return "SG" + "." + r.of(urlsafe, 22) + "." + r.of(urlsafe, 43) },
		func() string { return "shp" + "at_" + r.of(hexes, 32) },
		func() string { return "dop" + "_v1_" + r.of(hexes, 64) },
		func() string { return "dap" + "i" + r.of(hexes, 32) },
		func() string { return "hv" + "s." + r.of(alnum, 24) },
		func() string { return "ntn" + "_" + r.of(alnum, 46) },
		func() string { return "lin" + "_api_" + r.of(alnum, 40) },
		func() string {
			return "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "J" + r.of(urlsafe, 40) + "." + r.of(urlsafe, 43)
		},
		func() string { return "AGE-SECRET" + "-KEY-1" + r.of(capitals+digits, 58) },
		func() string { return r.of(digits, 9) + ":A" + "A" + r.of(urlsafe, 33) },
	}
	for i := range 70 {
		shaped = append(shaped, kinds[i%len(kinds)]())
	}
	others := []func() string{
		func() string { return r.word(40) },                                            // like AWS's secret keys
		func() string { return base64.StdEncoding.EncodeToString([]byte(r.word(64))) }, // like Azure's account keys
		func() string { return r.of(hexes, 30) + "7f" },
		func() string { return r.word(16) },
		func() string { return r.word(12) + "!" + r.of(small, 2) },
		func() string { return r.word(24) + "_" + r.word(8) },
	}
	for i := range 30 {
		plain = append(plain, others[i%len(others)]())
	}
	return shaped, plain
}

// forms are twenty ways to write a secret.
var forms = []string{
	"export API_TOKEN=%s\n",
	"DATABASE_PASSWORD=%s npm start",
	"OPENAI_API_KEY='%s'",
	`{"user": "ada", "password": "%s", "n": 1}`,
	`{"headers": {"Authorization": "Bearer %s"}}`,
	"client_secret: %s\n",
	`apiKey: "%s",`,
	"[auth]\nsecret_key = \"%s\"\n",
	`const authToken = "%s";`,
	"self.api_key = '%s'  # for now",
	`os.environ["SECRET_KEY"] = "%s"`,
	"curl -H 'Authorization: Bearer %s' https://api.example.com/v1",
	"curl -u ada:%s https://example.com/",
	"https://ada:%s@db.example.com:5432/app",
	"GET /v1?page=2&access_token=%s&x=1 HTTP/1.1",
	"deploy --environment prod --token %s --yes",
	"deploy --api-key=%s",
	"machine example.com login ada password %s",
	"//registry.example.com/:_authToken=%s",
	"<add><clientSecret>%s</clientSecret></add>",
}

// percented escapes the characters that must be escaped in an address.
var percented = strings.NewReplacer("/", "%2F", "+", "%2B", "=", "%3D", "!", "%21", ":", "%3A")

func TestAHundredSecretsInTwentyForms(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := source{rand.New(rand.NewPCG(seed, 1))}
	shaped, plain := r.secrets()
	all := append(append([]string{}, shaped...), plain...)
	missed, n := 0, 0
	for _, form := range forms {
		for _, secret := range all {
			if strings.Contains(form, "://ada:") || strings.Contains(form, "?page") {
				secret = percented.Replace(secret)
			}
			text := fmt.Sprintf(form, secret)
			red := Redactor{}
			out := red.Text(text)
			n++
			if strings.Contains(out, secret) || red.Struck == 0 {
				missed++
				t.Errorf("%q is left as %q", text, out)
			}
			var inside strings.Builder // like recorded arguments of a command
			encoder := json.NewEncoder(&inside)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(map[string]string{"command": "cd /w\n" + text + "\nls"}); err != nil {
				t.Fatal(err)
			}
			if out := (&Redactor{}).Strike(inside.String()); strings.Contains(out, secret) || !json.Valid([]byte(out)) {
				missed++
				t.Errorf("in JSON, %q is left as %q", inside.String(), out)
			}
			if before, _, _ := strings.Cut(form, "%s"); len(before) > 6 && !strings.HasPrefix(out, before[:6]) {
				t.Errorf("of %q too much is struck: %q", text, out)
			}
		}
	}
	for _, secret := range shaped { // a vendor's format needs no context
		n++
		if red := (Redactor{}); strings.Contains(red.Text("use "+secret+" for now, please"), secret) {
			missed++
			t.Errorf("%q is left in a sentence", secret)
		}
	}
	t.Logf("%d of %d are struck", n-missed, n)
}

func TestPrivateKeysAreStruck(t *testing.T) {
	r := source{rand.New(rand.NewPCG(1, 1))}
	for _, kind := range []string{"", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "} {
		key := "-----BEGIN " + kind + "PRIVATE" + " KEY-----\n" + strings.Repeat(r.of(alnum+"+/", 64)+"\n", 20) + "-----END " + kind + "PRIVATE" + " KEY-----"
		for _, text := range []string{key, key[:600]} {
			red := Redactor{}
			if out := red.Text("before\n" + text + "\nafter"); strings.Count(out, "\n") > 3 || !strings.HasPrefix(out, "before\n"+Mark) || red.Struck != 1 {
				t.Errorf("%q", out)
			}
		}
	}
}

// innocent returns a thousand lines without secrets, of the kinds that conversations contain.
func (r source) innocent() (lines []string) {
	sum := func() []byte { s := sha512.Sum512([]byte(r.word(20))); return s[:] }
	hash := func(n int) string { return hex.EncodeToString(sum())[:n] }
	uuid := func() string {
		h := hash(32)
		return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
	}
	picture := func() string {
		bytes := make([]byte, 300)
		for i := range bytes {
			bytes[i] = byte(r.IntN(256))
		}
		return base64.StdEncoding.EncodeToString(append([]byte("\x89PNG\r\n\x1a\n"), bytes...))
	}
	kinds := []func() string{
		func() string { return "commit " + hash(40) },
		func() string { return hash(7) + " core: check a ledger's values" },
		func() string { return "index " + hash(7) + ".." + hash(7) + " 100644" },
		func() string { return `      "integrity": "sha512-` + base64.StdEncoding.EncodeToString(sum()) + `",` },
		func() string { return "  integrity sha512-" + base64.StdEncoding.EncodeToString(sum()) },
		func() string {
			return "    resolution: {integrity: sha512-" + base64.StdEncoding.EncodeToString(sum()) + "}"
		},
		func() string { return `checksum = "` + hash(64) + `"` },
		func() string { return "github.com/a/b v1.2.3 h1:" + base64.StdEncoding.EncodeToString(sum()[:32]) },
		func() string { return "    --hash=sha256:" + hash(64) + " \\" },
		func() string { return `{"id": "` + uuid() + `", "parentUuid": "` + uuid() + `"}` },
		func() string { return `"sessionId":"` + uuid() + `","requestId":"req_011C` + r.of(alnum, 20) + `"` },
		func() string { return `{"type":"tool_use","id":"toolu_01` + r.of(alnum, 22) + `","name":"Read"}` },
		func() string { return "msg_01" + r.of(alnum, 22) },
		func() string { return "call_" + r.of(alnum, 24) },
		func() string { return "data:image/png;base64," + picture() },
		func() string { return `{"type":"base64","media_type":"image/png","data":"` + picture() + `"}` },
		func() string { return `<img src="data:image/png;base64,` + picture() + `">` },
		func() string { return "docker pull example/app@sha256:" + hash(64) },
		func() string { return `ETag: "` + hash(32) + `"` },
		func() string { return "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA" + r.of(alnum, 42) + " ada@example.com" },
		func() string {
			return fmt.Sprintf(`"usage":{"input_tokens":%d,"output_tokens":%d,"cache_read_input_tokens":%d}`, r.IntN(200000), r.IntN(9000), r.IntN(90000))
		},
		func() string { return fmt.Sprintf("max_tokens=%d, tokens: %d", r.IntN(99999), r.IntN(9999999)) },
		func() string { return `tokenizer: o200k_base` },
		func() string { return `const token = await getToken(request, { secure: true });` },
		func() string { return `password: string;` },
		func() string { return `if (user.password === form.password) {` },
		func() string { return `  "password": "Password",` },
		func() string { return `API_KEY=${API_KEY:?set it}` },
		func() string { return `apiKey: process.env.OPENAI_API_KEY,` },
		func() string { return `api_key = os.environ["ANTHROPIC_API_KEY"]` },
		func() string { return `export GITHUB_TOKEN=<your token>` },
		func() string { return `secretKeyRef: {name: app-secrets, key: api-key}` },
		func() string { return `func TestTokensAreCountedInPieces(t *testing.T) {` },
		func() string { return `https://example.com/a/` + hash(40) + `/file.go?ref=` + hash(40) },
		func() string { return `/home/ada/.cache/go-build/` + hash(2) + "/" + hash(64) + "-d" },
		func() string { return `/nix/store/` + r.of(digits+small, 32) + "-openssl-3.0.13" },
		func() string {
			return `version = "` + fmt.Sprintf("%d.%d.%d-%s", r.IntN(9), r.IntN(30), r.IntN(9), hash(12)) + `"`
		},
		func() string { return `"trace_id": "` + hash(32) + `", "span_id": "` + hash(16) + `"` },
		func() string { return "tokens = tokenize(text); secret = secrets.choice(words)" },
		func() string { return `the token is passed as a header, and the password is never logged` },
		func() string { return `sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })` },
		func() string {
			return `  key: "` + []string{"name", "created_at", "workspace", "line"}[r.IntN(4)] + `",`
		},
		func() string { return "Sec-WebSocket-Version: 13" },
		func() string {
			return `{"name": "auth-service", "version": "1.4.` + r.of(digits, 1) + `", "port": 8080}`
		},
		func() string {
			return "go: downloading golang.org/x/sys v0.0.0-20240" + r.of(digits, 9) + "-" + hash(12)
		},
		func() string { return "drwxr-xr-x 2 ada ada 4096 Nov 24 18:13 secrets" },
		func() string { return `  auth: required` },
		func() string { return "M 10.5 20.25 L" + fmt.Sprintf(" %d.%d", r.IntN(99), r.IntN(99)) },
		func() string { return "AWS_REGION=eu-central-1 LOG_LEVEL=debug node dist/server.js" },
		func() string {
			return `"lockfileVersion": 3, "resolved": "https://packages.example.org/a/-/a-1.2.` + r.of(digits, 1) + `.tgz"`
		},
	}
	for i := range 1000 {
		lines = append(lines, kinds[i%len(kinds)]())
	}
	return lines
}

func TestInnocentTextsStay(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := source{rand.New(rand.NewPCG(seed, 1))}
	lines := r.innocent()
	struck := 0
	for _, line := range lines {
		red := Redactor{}
		if out := red.Text(line); out != line {
			struck++
			t.Logf("%.200q became %.200q", line, out)
		}
	}
	t.Logf("%d of %d are struck", struck, len(lines))
	if struck*100 > len(lines) {
		t.Errorf("%d of %d innocent lines are struck", struck, len(lines))
	}
}

func TestControlCharactersBecomeVisible(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1b]52;c;aGk=\x07b":      `a\x1b]52;c;aGk=\ab`,
		"one\r\ntwo\tthree\n":       "one\ntwo\tthree\n",
		"over\rwritten":             `over\rwritten`,
		"c1 \u009b2J":               `c1 \u009b2J`,
		"\u202etxt.exe":             `\u202etxt.exe`,
		"broken \xff":               `broken \xff`,
		"漢字 and ümlaute stay 🎉\n\n": "漢字 and ümlaute stay 🎉\n\n",
	} {
		for _, unredacted := range []bool{false, true} {
			red := Redactor{Unredacted: unredacted}
			if got := red.Text(text); got != want {
				t.Errorf("%q became %q, want %q", text, got, want)
			}
		}
	}
	if got := (&Redactor{}).Line("a\nb\tc"); got != `a\nb\tc` {
		t.Errorf("%q", got)
	}
}

func TestSecretsAreKeptOnRequest(t *testing.T) {
	r := source{rand.New(rand.NewPCG(1, 1))}
	text := "PASSWORD=" + r.word(20)
	red := Redactor{Unredacted: true}
	if got := red.Text(text); got != text || red.Struck != 0 {
		t.Errorf("%q, %d", got, red.Struck)
	}
	red = Redactor{}
	if got := red.Text(text + " " + text); got != "PASSWORD="+Mark+" PASSWORD="+Mark || Note(red.Struck) != "2 values that look like secrets were removed." || Count(got) != 2 {
		t.Errorf("%q, %d", got, red.Struck)
	}
}

// TestALongTextIsSearchedWhole places secrets at the boundaries of the pieces in which a long line is searched.
func TestALongTextIsSearchedWhole(t *testing.T) {
	r := source{rand.New(rand.NewPCG(1, 1))}
	secret := "gh" + "p_" + r.of(alnum, 36)
	for at := longestLine - 50; at < longestLine+10; at += 7 {
		red := Redactor{}
		out := red.Text(strings.Repeat(".", at) + " " + secret + " " + strings.Repeat(",", 2*longestLine))
		if strings.Contains(out, secret) || red.Struck != 1 || len(out) != at+2+2*longestLine+len(Mark) {
			t.Fatalf("at %d: %d struck, %d bytes", at, red.Struck, len(out))
		}
	}
}

func BenchmarkText(b *testing.B) {
	r := source{rand.New(rand.NewPCG(1, 1))}
	text := strings.Join(r.innocent(), "\n")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		(&Redactor{}).Text(text)
	}
}

// BenchmarkShortText has a text of a line each.
func BenchmarkShortText(b *testing.B) {
	r := source{rand.New(rand.NewPCG(1, 1))}
	lines := r.innocent()
	b.SetBytes(int64(len(strings.Join(lines, ""))))
	for b.Loop() {
		for _, line := range lines {
			(&Redactor{}).Text(line)
		}
	}
}
