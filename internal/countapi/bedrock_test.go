// Copyright The ctx-lsp authors. MIT licence.

package countapi

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// The vectors that AWS publishes for Signature Version 4.
func TestSignaturesAreAmazons(t *testing.T) {
	at := time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC)
	keys := credentials{id: "AKIDEXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}
	for _, c := range []struct {
		name, method, address, contentType, body, service string
		signed, signature                                 string
	}{
		{"get-vanilla", "GET", "https://example.amazonaws.com/", "", "", "service", "host;x-amz-date", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
		{"post-vanilla", "POST", "https://example.amazonaws.com/", "", "", "service", "host;x-amz-date", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
		{"get-vanilla-query-order-key-case", "GET", "https://example.amazonaws.com/?Param2=value2&Param1=value1", "", "", "service", "host;x-amz-date", "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
		{"post-x-www-form-urlencoded", "POST", "https://example.amazonaws.com/", "application/x-www-form-urlencoded", "Param1=value1", "service", "content-type;host;x-amz-date", "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
		{"the documentation's ListUsers", "GET", "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08", "application/x-www-form-urlencoded; charset=utf-8", "", "iam", "content-type;host;x-amz-date", "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"},
	} {
		r, err := http.NewRequest(c.method, c.address, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if c.contentType != "" {
			r.Header.Set("Content-Type", c.contentType)
		}
		keys.sign(r, []byte(c.body), "us-east-1", c.service, at)
		want := "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/" + c.service + "/aws4_request, SignedHeaders=" + c.signed + ", Signature=" + c.signature
		if got := r.Header.Get("Authorization"); got != want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, want)
		}
	}
}

// A model's colon is escaped in the path that is sent, and again in the one that is signed.
func TestAModelsColonIsSigned(t *testing.T) {
	r, _ := http.NewRequest("POST", "https://h/model/us.anthropic.claude-v1%3A0/count-tokens", nil)
	if got := canonicalPath(r.URL); got != "/model/us.anthropic.claude-v1%253A0/count-tokens" {
		t.Error(got)
	}
	if got := r.URL.RequestURI(); got != "/model/us.anthropic.claude-v1%3A0/count-tokens" {
		t.Error(got)
	}
}

func TestBedrockSignsWithASession(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		authorization := r.Header.Get("Authorization")
		for _, part := range []string{"Credential=AKID/", "/eu-west-1/bedrock/aws4_request", "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token"} {
			if !strings.Contains(authorization, part) {
				t.Errorf("%s is not in %s", part, authorization)
			}
		}
		if r.Header.Get("X-Amz-Security-Token") != "session-token-0123456789" {
			t.Error("no session token")
		}
		// The signature that the server computes must be the one that the client sent.
		body, _ := io.ReadAll(r.Body)
		again, _ := http.NewRequest(r.Method, "http://"+r.Host+r.URL.RequestURI(), nil)
		again.Header.Set("Content-Type", r.Header.Get("Content-Type"))
		at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
		if err != nil {
			t.Error(err)
		}
		credentials{"AKID", "secret-secret-secret", "session-token-0123456789"}.sign(again, body, "eu-west-1", "bedrock", at)
		if again.Header.Get("Authorization") != authorization {
			t.Errorf("signatures differ:\n%s\n%s", again.Header.Get("Authorization"), authorization)
		}
		fmt.Fprint(w, `{"inputTokens":3}`)
	}))
	defer server.Close()
	result, err := Count(context.Background(), Request{API: "bedrock", Model: "anthropic.claude-v1:0", BaseURL: server.URL, Body: []byte(`{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}`)},
		Options{Getenv: variables("AWS_ACCESS_KEY_ID", "AKID", "AWS_SECRET_ACCESS_KEY", "secret-secret-secret", "AWS_SESSION_TOKEN", "session-token-0123456789", "AWS_DEFAULT_REGION", "eu-west-1")})
	if err != nil || result.Tokens != 3 {
		t.Errorf("%+v, %v", result, err)
	}
}
