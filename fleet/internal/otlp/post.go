// Copyright The ctx-lsp authors. MIT licence.

package otlp

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// A post sends reports to the collector. The SDK encodes them as protocol buffers; if JSON is set, the post converts
// them. It follows no redirects, so that nothing is sent to an address that the user has not named.
type post struct {
	transport http.RoundTripper
	timeout   time.Duration
	json      bool
	host      string
	sent      atomic.Int64

	mu     sync.Mutex
	answer answer // the result of the last report
}

func newPost(s Settings) (*post, error) {
	asJSON, err := s.json()
	if err != nil {
		return nil, err
	}
	at, err := s.address()
	if err != nil {
		return nil, err
	}
	trust, err := s.trust()
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = trust
	p := &post{transport: transport, timeout: 10 * time.Second, json: asJSON, host: at.Host}
	if ms, err := strconv.ParseInt(s.of("TIMEOUT"), 10, 64); err == nil && ms > 0 {
		p.timeout = time.Duration(ms) * time.Millisecond
	}
	return p, nil
}

// trust returns a TLS configuration with the certificates named by the variables.
func (s Settings) trust() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if path := s.of("CERTIFICATE"); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE cannot be read: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE names %s, which holds no certificate in PEM", path)
		}
	}
	certificate, key := s.of("CLIENT_CERTIFICATE"), s.of("CLIENT_KEY")
	if certificate != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_CLIENT_KEY are no pair: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

func (p *post) client() *http.Client {
	return &http.Client{
		Transport: p, Timeout: p.timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// last returns the result of the last report.
func (p *post) last() answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answer
}

// RoundTrip sends a report and keeps its result.
func (p *post) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	p.answer = answer{}
	p.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	r = r.Clone(r.Context())
	if err == nil && p.json {
		body, err = reencoded(body, r.Header)
	}
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", "ctx-lsp")
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	response, err := p.transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	p.sent.Add(int64(len(body)))
	if p.json {
		answered(response)
	}
	p.mu.Lock()
	p.answer = answer{response.StatusCode, retryAfter(response.Header.Get("Retry-After"))}
	p.mu.Unlock()
	return response, nil
}

// reencoded returns a report as JSON, compressed if body is.
func reencoded(body []byte, header http.Header) ([]byte, error) {
	compressed := header.Get("Content-Encoding") == "gzip"
	if compressed {
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		if body, err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
	var report collector.ExportMetricsServiceRequest
	if err := proto.Unmarshal(body, &report); err != nil {
		return nil, err
	}
	text, err := protojson.MarshalOptions{UseEnumNumbers: true}.Marshal(&report)
	if err != nil {
		return nil, err
	}
	header.Set("Content-Type", "application/json")
	if !compressed {
		return text, nil
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// mostAnswered is how many bytes of a response are read.
const mostAnswered = 1 << 20

// answered converts a JSON response from a collector to the protocol buffers that the SDK reads. A response that cannot
// be read stays as it is.
func answered(response *http.Response) {
	text, err := io.ReadAll(io.LimitReader(response.Body, mostAnswered))
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(text))
	var said collector.ExportMetricsServiceResponse
	if err != nil || len(text) == 0 || (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(text, &said) != nil {
		return
	}
	if body, err := proto.Marshal(&said); err == nil {
		response.Header.Set("Content-Type", "application/x-protobuf")
		response.Body = io.NopCloser(bytes.NewReader(body))
	}
}

// retryAfter parses how long a collector asks to wait: seconds, or a date. It returns 0 for any other text.
func retryAfter(text string) time.Duration {
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
