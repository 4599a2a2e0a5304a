// Copyright The ctx-lsp authors. MIT licence.

package otlp

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	"google.golang.org/protobuf/proto"
)

// TestACollectorMayAskWhoWeAre checks sending to a collector that accepts only clients with a known certificate.
func TestACollectorMayAskWhoWeAre(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	signed, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	known, err := x509.ParseCertificate(signed)
	if err != nil {
		t.Fatal(err)
	}
	s := &sink{}
	server := httptest.NewUnstartedServer(s)
	server.TLS = &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: x509.NewCertPool()}
	server.TLS.ClientCAs.AddCert(known)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	folder := t.TempDir()
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	variables := map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT":    server.URL,
		"OTEL_EXPORTER_OTLP_CERTIFICATE": write("ca.pem", "CERTIFICATE", server.Certificate().Raw),
	}
	words := sending(t, variables)
	within(t, 5*time.Second, "a sentence about the certificate", func() bool { return strings.Contains(words.all(), "certificate") })
	words.close(t, 0)
	if s.seen() > 0 {
		t.Error("a collector that asks for a certificate got a report without one")
	}
	variables["OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE"] = write("client.pem", "CERTIFICATE", signed)
	variables["OTEL_EXPORTER_OTLP_CLIENT_KEY"] = write("client.key", "EC PRIVATE KEY", private)
	words = sending(t, variables)
	within(t, 5*time.Second, "a report", func() bool { return s.seen() > 0 })
	if words.all() != "" {
		t.Errorf("it said %q", words.all())
	}
}

// TestDeltasAreWhatHasHappenedSince checks delta reports, which some backends add up.
func TestDeltasAreWhatHasHappenedSince(t *testing.T) {
	s := &sink{}
	server := httptest.NewServer(s)
	defer server.Close()
	r := sending(t, map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": server.URL, "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE": "delta",
	})
	counted := func() (requests uint64) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, body := range s.bodies {
			var request collector.ExportMetricsServiceRequest
			if err := proto.Unmarshal(body, &request); err != nil {
				t.Fatal(err)
			}
			for _, metric := range request.GetResourceMetrics()[0].GetScopeMetrics()[0].GetMetrics() {
				if metric.GetName() != "ctx.requests.at" {
					continue
				}
				if how := metric.GetHistogram().GetAggregationTemporality().String(); how != "AGGREGATION_TEMPORALITY_DELTA" {
					t.Fatalf("the histogram is %s", how)
				}
				for _, point := range metric.GetHistogram().GetDataPoints() {
					requests += point.GetCount()
				}
			}
		}
		return requests
	}
	within(t, 5*time.Second, "the first request", func() bool { return counted() == 1 })
	r.count(t, "ctx.requests.at", 39_000)
	within(t, 5*time.Second, "the second request", func() bool { return counted() == 2 })
	before := s.seen()
	within(t, 5*time.Second, "two more reports", func() bool { return s.seen() >= before+2 })
	if n := counted(); n != 2 {
		t.Errorf("two requests are %d in the sum of all reports", n)
	}
}
