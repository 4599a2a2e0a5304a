// Copyright The ctx-lsp authors. MIT licence.

package telemetry

import (
	"cmp"
	"strings"
)

// Settings are where and how to send measurements. Other settings come from OpenTelemetry's environment variables.
type Settings struct {
	Endpoint string // the flag's value; it overrides the variables
	Version  string // this program's version
	Getenv   func(string) string
	// Report receives a message when sending starts to fail or works again.
	Report func(sentence string, trouble bool)
}

// Wanted reports whether the user asked to send measurements, with a flag or with OpenTelemetry's variables.
func (s Settings) Wanted() bool {
	if s.Endpoint != "" {
		return true
	}
	if strings.EqualFold(s.Getenv("OTEL_SDK_DISABLED"), "true") {
		return false
	}
	for _, exporter := range strings.Split(cmp.Or(s.Getenv("OTEL_METRICS_EXPORTER"), "otlp"), ",") {
		if strings.TrimSpace(exporter) == "otlp" {
			return s.variable("ENDPOINT") != ""
		}
	}
	return false
}

// variable returns a variable of the exporter: the one for metrics, otherwise the one for everything; "" if neither is
// set.
func (s Settings) variable(name string) string {
	return cmp.Or(strings.TrimSpace(s.Getenv("OTEL_EXPORTER_OTLP_METRICS_"+name)), strings.TrimSpace(s.Getenv("OTEL_EXPORTER_OTLP_"+name)))
}
