// Copyright The ctx-lsp authors. MIT licence.

package countapi

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"time"
)

// countBedrock calls CountTokens, with either a Converse request or a body of InvokeModel.
func countBedrock(ctx context.Context, c *call) (Result, error) {
	if c.model == "" {
		c.model = text(c.body["modelId"])
	}
	if c.model == "" {
		return Result{}, errNoModel
	}
	region := c.env("AWS_REGION", "AWS_DEFAULT_REGION")
	if region == "" {
		return Result{}, errors.New("set AWS_REGION")
	}
	var auth sign
	if token := c.optionalKey("AWS_BEARER_TOKEN_BEDROCK"); token != "" {
		auth = bearer(token)
	} else {
		id, err := c.key("AWS_ACCESS_KEY_ID")
		if err != nil {
			return Result{}, errors.New("no key: set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
		}
		secret, err := c.key("AWS_SECRET_ACCESS_KEY")
		if err != nil {
			return Result{}, err
		}
		auth = credentials{id, secret, c.optionalKey("AWS_SESSION_TOKEN")}.signer(region, "bedrock", c.now)
	}
	address, err := c.url("https://bedrock-runtime."+region+".amazonaws.com", "/model/"+escape(c.model)+"/count-tokens")
	if err != nil {
		return Result{}, err
	}
	var answer struct {
		InputTokens *int64 `json:"inputTokens"`
	}
	if err := c.post(ctx, address, map[string]any{"input": bedrockInput(c.body)}, &answer, auth); err != nil {
		return Result{}, err
	}
	n, err := positive(answer.InputTokens)
	return Result{Tokens: n}, err
}

// bedrockInput returns the input for CountTokens. It distinguishes a Converse request, whose contents are blocks
// without a type, from a body that InvokeModel passes to the model.
func bedrockInput(body object) map[string]any {
	var messages []struct {
		Content json.RawMessage `json:"content"`
	}
	converse := !body.has("anthropic_version") && !body.has("max_tokens") && json.Unmarshal(body["messages"], &messages) == nil && len(messages) > 0
	for _, m := range messages {
		var blocks []object
		if json.Unmarshal(m.Content, &blocks) != nil {
			converse = false
			break
		}
		for _, b := range blocks {
			if b.has("type") {
				converse = false
			}
		}
	}
	if converse {
		return map[string]any{"converse": body.only("messages", "system", "toolConfig", "additionalModelRequestFields")}
	}
	whole, _ := json.Marshal(body)
	return map[string]any{"invokeModel": map[string]any{"body": base64.StdEncoding.EncodeToString(whole)}}
}

// credentials sign requests with AWS's Signature Version 4.
type credentials struct{ id, secret, session string }

func (k credentials) signer(region, service string, now func() time.Time) sign {
	return func(r *http.Request, body []byte) error {
		k.sign(r, body, region, service, now().UTC())
		return nil
	}
}

func (k credentials) sign(r *http.Request, body []byte, region, service string, at time.Time) {
	stamp, day := at.Format("20060102T150405Z"), at.Format("20060102")
	r.Header.Set("X-Amz-Date", stamp)
	if k.session != "" {
		r.Header.Set("X-Amz-Security-Token", k.session)
	}
	names, headers := canonicalHeaders(r)
	request := strings.Join([]string{r.Method, canonicalPath(r.URL), canonicalQuery(r.URL), headers, names, hexHash(body)}, "\n")
	scope := day + "/" + region + "/" + service + "/aws4_request"
	toSign := strings.Join([]string{"AWS4-HMAC-SHA256", stamp, scope, hexHash([]byte(request))}, "\n")
	key := []byte("AWS4" + k.secret)
	for _, part := range []string{day, region, service, "aws4_request", toSign} {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+k.id+"/"+scope+", SignedHeaders="+names+", Signature="+hex.EncodeToString(key))
}

func hexHash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// canonicalHeaders lists the signed headers: the host, the content type and Amazon's own. Proxies may change others.
func canonicalHeaders(r *http.Request) (names, lines string) {
	values := map[string]string{"host": r.URL.Host}
	if r.Host != "" {
		values["host"] = r.Host
	}
	for name, list := range r.Header {
		name = strings.ToLower(name)
		if name != "content-type" && !strings.HasPrefix(name, "x-amz-") {
			continue
		}
		trimmed := make([]string, len(list))
		for i, v := range list {
			trimmed[i] = strings.Join(strings.Fields(v), " ")
		}
		values[name] = strings.Join(trimmed, ",")
	}
	sorted := make([]string, 0, len(values))
	for name := range values {
		sorted = append(sorted, name)
	}
	sort.Strings(sorted)
	for _, name := range sorted {
		lines += name + ":" + values[name] + "\n"
	}
	return strings.Join(sorted, ";"), lines
}

// canonicalPath escapes the path a second time, as every service except S3
// requires.
func canonicalPath(u *url.URL) string {
	sent := u.EscapedPath()
	if sent == "" {
		return "/"
	}
	segments := strings.Split(sent, "/")
	for i, s := range segments {
		segments[i] = escape(s)
	}
	return strings.Join(segments, "/")
}

func canonicalQuery(u *url.URL) string {
	var pairs []string
	for name, values := range u.Query() {
		for _, v := range values {
			pairs = append(pairs, escape(name)+"="+escape(v))
		}
	}
	sort.Strings(pairs)
	return strings.Join(pairs, "&")
}

// escape percent-encodes all but the unreserved characters.
func escape(s string) string {
	const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(unreserved, s[i]) >= 0 {
			b.WriteByte(s[i])
		} else {
			b.WriteString("%" + strings.ToUpper(hex.EncodeToString([]byte{s[i]})))
		}
	}
	return b.String()
}
