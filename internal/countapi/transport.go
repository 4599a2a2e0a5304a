// Copyright The ctx-lsp authors. MIT licence.

package countapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// call is one count in progress.
type call struct {
	options Options
	base    string
	model   string
	body    object
	keyless bool     // no key is sent
	secrets []string // must not appear in an error
}

const (
	maxAnswer  = 64 << 20 // bytes; vLLM and llama.cpp return every token's number
	maxPause   = 30 * time.Second
	firstPause = 500 * time.Millisecond
)

// env returns the first variable that is set.
func (c *call) env(names ...string) string {
	if c.options.Getenv == nil {
		return ""
	}
	for _, name := range names {
		if v := strings.TrimSpace(c.options.Getenv(name)); v != "" {
			return v
		}
	}
	return ""
}

// key reads a secret from the environment. strike removes it from every error.
func (c *call) key(names ...string) (string, error) {
	if c.keyless {
		return "", errors.New("keys are sent only to addresses that the user named")
	}
	v := c.env(names...)
	if v == "" {
		return "", fmt.Errorf("no key: set %s", strings.Join(names, " or "))
	}
	c.secrets = append(c.secrets, v)
	return v, nil
}

// optionalKey reads a key that a local server may not need.
func (c *call) optionalKey(names ...string) string {
	if c.keyless {
		return ""
	}
	v := c.env(names...)
	if v != "" {
		c.secrets = append(c.secrets, v)
	}
	return v
}

// url joins a path to the user's base URL, otherwise to the provider's own.
func (c *call) url(usual, path string) (string, error) {
	base := c.base
	if base == "" {
		base = strings.TrimRight(usual, "/")
	}
	if base == "" {
		return "", errors.New("no address: use --base-url")
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", errors.New("the base URL must look like https://host")
	}
	if strings.ContainsAny(base, "?#") {
		return "", errors.New("the base URL must not have a query or a fragment")
	}
	if u.User != nil {
		return "", errors.New("the base URL must not contain a user name or password")
	}
	if u.Scheme == "http" && len(c.secrets) > 0 && !loopback(u.Hostname()) {
		return "", errors.New("the base URL uses http and another host, so the key would be sent unencrypted; use https")
	}
	return base + path, nil
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// A sign adds the authorization to a request after everything else in it is set.
type sign func(*http.Request, []byte) error

func bearer(key string) sign {
	return func(r *http.Request, _ []byte) error {
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		return nil
	}
}

func header(name, value string) sign {
	return func(r *http.Request, _ []byte) error {
		r.Header.Set(name, value)
		return nil
	}
}

// post sends a JSON body and decodes the JSON response into out.
func (c *call) post(ctx context.Context, address string, body, out any, signs ...sign) error {
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.do(ctx, http.MethodPost, address, sent, out, signs...)
}

func (c *call) get(ctx context.Context, address string, out any, signs ...sign) error {
	return c.do(ctx, http.MethodGet, address, nil, out, signs...)
}

// do sends a request, and repeats it after a pause if the provider is busy.
func (c *call) do(ctx context.Context, method, address string, sent []byte, out any, signs ...sign) error {
	attempts := c.options.Attempts
	if attempts <= 0 {
		attempts = 4
	}
	pause := firstPause
	for attempt := 1; ; attempt++ {
		status, after, answer, err := c.once(ctx, method, address, sent, signs)
		if err != nil {
			return c.strike(err)
		}
		if status == http.StatusOK {
			if err := json.Unmarshal(answer, out); err != nil {
				return errors.New("the response is not the expected JSON; check the base URL")
			}
			return nil
		}
		busy := status == http.StatusTooManyRequests || status >= 500 && status != http.StatusNotImplemented
		if !busy || attempt >= attempts {
			return c.strike(refusal(status, answer, attempt))
		}
		wait := pause + time.Duration(rand.Int64N(int64(pause/4))) //nolint:gosec // random, but not secret
		if after > 0 {
			wait = after
		}
		if wait > maxPause {
			return c.strike(fmt.Errorf("%w; it asks to wait %s", refusal(status, answer, attempt), wait.Round(time.Second)))
		}
		if c.options.Retrying != nil {
			c.options.Retrying(status, wait)
		}
		if err := c.pause(ctx, wait); err != nil {
			return c.strike(fmt.Errorf("stopped while waiting to retry: %w", err))
		}
		pause *= 2
	}
}

func (c *call) pause(ctx context.Context, d time.Duration) error {
	if c.options.Wait != nil {
		return c.options.Wait(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// once sends one request. The timeout includes reading the response body.
func (c *call) once(ctx context.Context, method, address string, sent []byte, signs []sign) (status int, after time.Duration, answer []byte, err error) {
	timeout := c.options.Timeout
	if timeout <= 0 {
		timeout = 30 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var body io.Reader
	if sent != nil {
		body = bytes.NewReader(sent)
	}
	request, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return 0, 0, nil, errors.New("the address is not valid")
	}
	if sent != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "ctx-lsp")
	for _, s := range signs {
		if err := s(request, sent); err != nil {
			return 0, 0, nil, err
		}
	}
	client := http.Client{
		Transport: c.options.Transport,
		// A redirect would send the key or the conversation to another address.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, 0, nil, unreachable(err, request.URL.Host, timeout)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 && response.StatusCode < 400 {
		to := "elsewhere"
		if where, err := response.Location(); err == nil {
			to = "to " + where.Host
		}
		return 0, 0, nil, fmt.Errorf("%s redirects %s; redirects are not followed, because they would receive the key; use that address with --base-url if it is right", request.URL.Host, to)
	}
	answer, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return 0, 0, nil, unreachable(err, request.URL.Host, timeout)
	}
	if len(answer) > maxAnswer {
		return 0, 0, nil, errors.New("the response is larger than 64 MB")
	}
	return response.StatusCode, retryAfter(response.Header.Get("Retry-After"), c.now()), answer, nil
}

func (c *call) now() time.Time {
	if c.options.Now != nil {
		return c.options.Now()
	}
	return time.Now()
}

func unreachable(err error, host string, timeout time.Duration) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s did not respond within %s", host, timeout)
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err // without the address, which may contain more than a host
	}
	return fmt.Errorf("%s cannot be reached: %w", host, err)
}

func retryAfter(value string, now time.Time) time.Duration {
	if value == "" {
		return 0
	}
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 && seconds < 1<<20 {
		return time.Duration(seconds) * time.Second
	}
	if when, err := http.ParseTime(value); err == nil && when.After(now) {
		return when.Sub(now)
	}
	return 0
}

// refusal converts a provider's error to a sentence.
func refusal(status int, answer []byte, attempts int) error {
	detail := message(answer)
	what := fmt.Sprintf("HTTP %d", status)
	switch status {
	case 400, 422:
		what = fmt.Sprintf("it rejected the request (HTTP %d)", status)
	case 401, 403:
		what = fmt.Sprintf("it rejected the key (HTTP %d)", status)
	case 404:
		what = "the model is unknown, or this address has no count API (HTTP 404)"
	case 413:
		what = "the request is too large (HTTP 413)"
	case 429:
		what = "too many requests (HTTP 429)"
	}
	if attempts > 1 {
		what += fmt.Sprintf(", after %d attempts", attempts)
	}
	if detail != "" {
		what += ": " + detail
	}
	return errors.New(what)
}

// message returns the sentence in the body of an error.
func message(answer []byte) string {
	var v any
	if json.Unmarshal(answer, &v) != nil {
		return ""
	}
	return printable(sentence(v, 0))
}

func sentence(v any, depth int) string {
	if depth > 4 {
		return ""
	}
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if len(v) > 0 {
			return sentence(v[0], depth+1)
		}
	case map[string]any:
		for _, key := range []string{"error", "message", "Message", "detail", "msg"} {
			if s := sentence(v[key], depth+1); s != "" {
				return s
			}
		}
	}
	return ""
}

// printable makes a third-party text fit for one line of a terminal.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, s)
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + "…"
	}
	return strings.TrimSpace(s)
}

// strike removes every key from an error.
func (c *call) strike(err error) error {
	detail := err.Error()
	struck := detail
	for _, secret := range c.secrets {
		struck = strings.ReplaceAll(struck, secret, "[key]")
		// Providers quote the beginning and the end of a key that they refuse.
		if len(secret) > 12 {
			struck = strings.ReplaceAll(struck, secret[:8], "[key]")
			struck = strings.ReplaceAll(struck, secret[len(secret)-4:], "[key]")
		}
	}
	if struck == detail {
		return err
	}
	return errors.New(struck)
}
