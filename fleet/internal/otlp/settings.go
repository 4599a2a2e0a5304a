// Copyright The ctx-lsp authors. MIT licence.

package otlp

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Settings specify the collector. OpenTelemetry's environment variables set everything else.
type Settings struct {
	Endpoint string // overrides the variables
	Version  string // ctx-lsp's version
	Getenv   func(string) string
}

// of returns a variable of the exporter: the one for metrics, otherwise the general one.
func (s Settings) of(name string) string {
	return cmp.Or(strings.TrimSpace(s.Getenv("OTEL_EXPORTER_OTLP_METRICS_"+name)), strings.TrimSpace(s.Getenv("OTEL_EXPORTER_OTLP_"+name)))
}

// address returns the URL for reports. The endpoint for metrics is used unchanged; any other endpoint is its base.
func (s Settings) address() (*url.URL, error) {
	text, base := s.Endpoint, true
	if text == "" {
		text = strings.TrimSpace(s.Getenv("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"))
		base = text == ""
	}
	if text == "" {
		text = strings.TrimSpace(s.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"))
	}
	at, err := url.Parse(text)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, fmt.Errorf("the endpoint of OpenTelemetry is an address like http://localhost:4318, and not %q", text)
	}
	if at.User != nil {
		return nil, errors.New("the endpoint of OpenTelemetry holds a password; OTEL_EXPORTER_OTLP_HEADERS is the place for it")
	}
	if base {
		at = at.JoinPath("v1", "metrics")
	} else if at.Path == "" {
		at.Path = "/"
	}
	return at, nil
}

// json reports whether reports are sent as JSON.
func (s Settings) json() (bool, error) {
	switch protocol := s.of("PROTOCOL"); protocol {
	case "", "http/protobuf":
		return false, nil
	case "http/json":
		return true, nil
	default:
		return false, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is http/protobuf or http/json here, and not %q; collectors take both at port 4318", protocol)
	}
}
