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

// A shape is the form of a vendor's key. It begins with a prefix, which the pattern of the rest follows.
type shape struct {
	prefix string
	rest   func() *regexp.Regexp
	check  func(rest string) bool // whether the rest may be a key's; nil if each one may
}

// ambiguous are the prefixes that other words have too.
var ambiguous = map[string]func(rest string) bool{
	"key":   func(rest string) bool { return strong(rest) && changes(rest) >= 3 }, // Airtable
	"live_": hasLettersAndDigits,
	"test_": arbitrary,
}

// shaped are the shapes by their first byte. A prefix is enough if nothing else starts with it.
var shaped = sync.OnceValue(func() (list [256][]shape) {
	for _, line := range strings.Split(strings.TrimSpace(shapeTable), "\n") {
		prefixes, rest, _ := strings.Cut(line, " ")
		pattern := compiled(`^(?:` + strings.TrimSpace(rest) + `)`)
		for prefix := range strings.SplitSeq(prefixes, "|") {
			list[prefix[0]] = append(list[prefix[0]], shape{prefix, pattern, ambiguous[prefix]})
		}
	}
	return list
})

// shapeTable has a line for each shape: its prefixes and the pattern of the rest. docs/redaction.md names the vendors.
const shapeTable = `
AKIA|ASIA|ABIA|ACCA [A-Z0-9]{16}
ABSK [A-Za-z0-9+/]{60,}=*
AIza [\w-]{35}
ya29. [\w-]{20,}
1//0 [\w-]{30,}
GOCSPX- [\w-]{20,}
doo_v1_|dop_v1_|dor_v1_ [a-f0-9]{40,}
dapi [a-f0-9]{32}
LTAI [A-Za-z0-9]{12,20}
hvs.|hvb.|hvr. [\w-]{24,}
dp.pt.|dp.st.|dp.ct.|dp.sa.|dp.scim.|dp.audit. [\w.-]{20,}
CFPAT- [\w-]{40,}
flyv1_ [\w-]{20,}
fo1_ [\w-]{40,}
fm1|fm2 [a-z]?_[\w+/=,-]{40,}
nfp_ [A-Za-z0-9]{30,}
vercel_ [A-Za-z0-9_]{20,}
vcp_|vci_|vca_|vcr_|vck_ [A-Za-z0-9]{24,}
sbp_ (?:v0_)?[a-f0-9]{40}
sb_secret_ [\w-]{20,}
pscale_ \w+_[\w=.-]{32,}
HRKU- [\w-]{30,}
ocid1. [a-z]+\.oc\d\.\.[a-z0-9]{60}:[\w+/=-]{20,}
sha256~ [\w-]{43}
v1.0- [a-f0-9]{24}-[a-f0-9]{146}
dt0c01.|dt0s01.|dt0s16. [A-Z0-9]{24}\.[A-Z0-9]{64}
tk-us- [\w-]{48}
t1. [A-Z0-9a-z_-]{60,}
t1. [\w-]+={0,2}\.[\w-]{60,}={0,2}
y0_ [\w-]{40,}
AKID [A-Za-z0-9]{32}
AQVN [\w-]{35,38}
sl. (?:u\.)?[\w-]{60,}
pat [A-Za-z0-9]{14}\.[a-f0-9]{64}
AKCp [A-Za-z0-9]{60,}
cmVmd [A-Za-z0-9]{59}
sk.eyJ|tk.eyJ [\w-]{20,}\.[\w-]{10,}
CLOJARS_ [a-z0-9]{50,}
ghp_|gho_|ghu_|ghs_|ghr_ [A-Za-z0-9_]{30,}
github_pat_ \w{22,}
glpat-|gldt-|glrt-|glrtr-|glptt-|glft-|glsoat-|glcbt-|glimt-|glagent-|glffct-|gloas-|glwt- [\w.-]{20,}
GR1348941 [\w-]{20,}
ATATT3|ATCTT3 [\w=-]{30,}
ATBB [A-Za-z0-9]{28,}
BBDC- [A-Za-z0-9+/]{40,}
npm_ [A-Za-z0-9]{36}
pypi- [\w-]{40,}
rubygems_ [a-f0-9]{48}
cio [A-Za-z0-9]{32}
oy2 [a-z0-9]{43}
dckr_pat_|dckr_oat_ [\w-]{20,}
bkua_ [a-z0-9]{40}
CCIPAT_|CCIPRJ_ \w{20,}
sgp_ (?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}
API- [A-Z0-9]{26,}
squ_|sqp_|sqa_ [a-f0-9]{40}
sntrys_|sntryu_ [\w+/=-]{20,}
NRAK-|NRAL-|NRII-|NRRA- [A-Za-z0-9_-]{20,}
NRJS- [a-f0-9]{19}
glc_|glsa_ [\w+/=]{30,}
phx_ [A-Za-z0-9]{40,}
PMAK- [a-f0-9]{24}-[a-f0-9]{34}
lin_api_|lin_oauth_|lin_wh_ [A-Za-z0-9]{30,}
figd_|figu_|figo_ [\w-]{30,}
ntn_ [A-Za-z0-9]{40,}
secret_ [A-Za-z0-9]{43}
rdme_ [a-z0-9]{70}
tfp_ [\w.=-]{40,}
pul- [a-f0-9]{40}
tskey- [a-z]+-[\w-]{16,}
dnkey- [\w=-]{20,}
ico- [A-Za-z0-9]{32}
pnu_|pnb_ [A-Za-z0-9]{36}
api-|sdk-|mob- [a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}
key [A-Za-z0-9]{14}\b
live_|test_ [A-Za-z0-9]{30,40}\b
ops_eyJ [\w-]{40,}={0,3}
eyJrIjoi [\w+/=-]{40,}
zpka_ [a-z0-9]{32}(?:_[a-z0-9]{8})?
rnd_ [A-Za-z0-9]{28,}
ddp_ [A-Za-z0-9]{30,}
dG9rO [\w+/=-]{40,}
rzp_live_|rzp_test_ [A-Za-z0-9]{14}
AAAA [\w-]{7}:[\w-]{100,}
A3- [A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}
p8e- [A-Za-z0-9]{32}\b
sk-ant-|sk-proj-|sk-svcacct-|sk-admin-|sk-or-|sk-lf-|sk-None- [\w-]{20,}
sk- [A-Za-z0-9]{20,}
hf_|api_org_ [A-Za-z0-9]{30,}
r8_ [A-Za-z0-9]{30,}
gsk_ [A-Za-z0-9]{40,}
xai- [A-Za-z0-9]{40,}
pplx- [A-Za-z0-9]{40,}
fw_ [A-Za-z0-9]{20,}
tgp_v1_ [\w-]{30,}
csk- [a-z0-9]{40,}
nvapi- [\w-]{40,}
lsv2_pt_|lsv2_sk_ [a-f0-9]{32}_[a-f0-9]{10}
jina_ [A-Za-z0-9]{40,}
tvly- [\w-]{20,}
pcsk_ \w{40,}
wandb_v1_ [\w-]{40,}
sk_live_|sk_test_|rk_live_|rk_test_|sk_prod_|rk_prod_ [A-Za-z0-9]{16,}
whsec_ [\w+/=-]{24,}
shpat_|shpca_|shppa_|shpss_ [A-Fa-f0-9]{32}
sq0atp-|sq0csp- [\w-]{22,}
EAAA [\w-]{60}
EZAK|EZTK [A-Za-z0-9]{54}
FLWSECK_TEST-|FLWSECK- [a-hA-H0-9]{12,}
access-sandbox-|access-production-|access-development- [a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}
shippo_live_|shippo_test_ [a-fA-F0-9]{40}
duffel_live_|duffel_test_ [\w=-]{43}
xoxa-|xoxb-|xoxe-|xoxo-|xoxp-|xoxr-|xoxs-|xoxc-|xoxd-|xoxe.xoxb-|xoxe.xoxp- [\w%-]{10,}
xapp- [\w-]{20,}
xwfp- [\w-]{20,}
SG. [\w-]{20,24}\.[\w-]{39,50}
SK [0-9a-f]{32}
key- [0-9a-f]{32}
pat-na1-|pat-eu1- [a-f0-9-]{36}
xkeysib-|xsmtpsib- [a-f0-9]{64}-[A-Za-z0-9]{16}
re_ [A-Za-z0-9]{8}_[A-Za-z0-9]{20,}
mlsn. [a-f0-9]{64}
EAA [A-Za-z0-9]{100,}
M|N|O [A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,}
eyJ [\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?
AGE-SECRET-KEY-1 [A-Z0-9]{40,}
LS0tLS1CRUdJTiBQUklW|LS0tLS1CRUdJTiBSU0EgUFJJ|LS0tLS1CRUdJTiBFQyBQUklW|LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZB|LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJ|LS0tLS1CRUdJTiBQR1AgUFJJ|LS0tLS1CRUdJTiBEU0EgUFJJ|LS0tLS1CRUdJTiBFQyBQQVJBTUVURVJT [A-Za-z0-9+/=]{20,}
MII [A-Za-z0-9+/]{3}IBA[AD][A-Za-z0-9+/=]*
MHcCAQEE|MHQCAQEE|MIGHAgEA|MIGkAgEB|MC4CAQAw|b3BlbnNzaC1rZXktdjE [A-Za-z0-9+/=]{20,}
`

// compiled returns a function that compiles a pattern when it is first called: most commands redact nothing, and
// compiling all patterns takes a millisecond.
func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
