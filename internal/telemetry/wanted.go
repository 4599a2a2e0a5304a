// Copyright The ctx-lsp authors. MIT licence.

package telemetry

import (
	"cmp"
	"strings"
)

// Settings say where measurements are sent, and how. The rest is in the variables of OpenTelemetry.
type Settings struct {
	Endpoint string // of a flag; it comes before the variables
	Version  string // of this program
	Getenv   func(string) string
	// Say is told a sentence when sending begins to fail, or works again.
	Say func(sentence string, trouble bool)
}

// Wanted says whether somebody asked for measurements to be sent: by a flag, or by the variables of OpenTelemetry.
func (s Settings) Wanted() bool {
	if s.Endpoint != "" {
		return true
	}
	if strings.EqualFold(s.Getenv("OTEL_SDK_DISABLED"), "true") {
		return false
	}
	for _, exporter := range strings.Split(cmp.Or(s.Getenv("OTEL_METRICS_EXPORTER"), "otlp"), ",") {
		if strings.TrimSpace(exporter) == "otlp" {
			return s.of("ENDPOINT") != ""
		}
	}
	return false
}

// of is a variable of the exporter: the one for metrics, or the one for everything.
func (s Settings) of(name string) string {
	return cmp.Or(strings.TrimSpace(s.Getenv("OTEL_EXPORTER_OTLP_METRICS_"+name)), strings.TrimSpace(s.Getenv("OTEL_EXPORTER_OTLP_"+name)))
}
