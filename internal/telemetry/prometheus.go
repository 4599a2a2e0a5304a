// Copyright The ctx-lsp authors. MIT licence.

package telemetry

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// PrometheusName returns the name of an instrument by OpenTelemetry's rules for Prometheus, so that one dashboard works
// with both.
func PrometheusName(of *Instrument) string {
	name := strings.ReplaceAll(of.Name, ".", "_")
	switch {
	case of.Kind == Counter:
		return name + "_total"
	case of.Kind == Gauge && of.Unit == "1":
		return name + "_ratio"
	}
	return name
}

// WritePrometheus writes the current measurements in Prometheus's text format.
func (m *Meter) WritePrometheus(w io.Writer) {
	points, distributions := m.Snapshot()
	var at *Instrument
	begin := func(of *Instrument, kind string) string {
		name := PrometheusName(of)
		if at != of {
			fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, of.Text, name, kind)
			at = of
		}
		return name
	}
	for _, p := range points {
		kind := "gauge"
		if p.Of.Kind == Counter {
			kind = "counter"
		}
		fmt.Fprintf(w, "%s%s %s\n", begin(p.Of, kind), labels(p.Attributes, ""), number(p.Value))
	}
	for _, d := range distributions {
		name, total := begin(d.Of, "histogram"), int64(0)
		for i, n := range d.Counts {
			total += n
			end := "+Inf"
			if i < len(d.Of.Bounds) {
				end = number(d.Of.Bounds[i])
			}
			fmt.Fprintf(w, "%s_bucket%s %d\n", name, labels(d.Attributes, end), total)
		}
		fmt.Fprintf(w, "%s_sum%s %s\n%s_count%s %d\n", name, labels(d.Attributes, ""), number(d.Sum), name, labels(d.Attributes, ""), total)
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// labels formats attributes as labels, with the upper bound of a bucket unless end is "".
func labels(attributes []Attribute, end string) string {
	var all []string
	for _, a := range attributes {
		all = append(all, strings.ReplaceAll(a.Key, ".", "_")+`="`+escaped.Replace(a.Value)+`"`)
	}
	if end != "" {
		all = append(all, `le="`+end+`"`)
	}
	if len(all) == 0 {
		return ""
	}
	return "{" + strings.Join(all, ",") + "}"
}
