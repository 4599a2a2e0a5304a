// Copyright The ctx-lsp authors. MIT licence.

//go:build !no_otlp

package telemetry

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
)

// scope is the name under which the instruments are known.
const scope = "github.com/ctx-lsp/ctx-lsp"

// A Sender sends what a Meter measures to a collector, again and again. It has goroutines of its own, and nobody waits
// for it.
type Sender struct {
	reader   *sdk.ManualReader
	provider *sdk.MeterProvider
	queue    *queue

	stop    context.CancelFunc
	stopped sync.WaitGroup
}

// Send begins to send.
func (m *Meter) Send(s Settings) (*Sender, error) {
	at, err := s.address()
	if err != nil {
		return nil, err
	}
	post, err := newPost(s)
	if err != nil {
		return nil, err
	}
	otel.SetLogger(logr.Discard())
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {})) // what matters comes back from Export
	ctx, stop := context.WithCancel(context.Background())
	exporter, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(at.String()), otlpmetrichttp.WithHTTPClient(post.client()),
		otlpmetrichttp.WithRetry(otlpmetrichttp.RetryConfig{Enabled: false})) // the queue tries again
	if err != nil {
		stop()
		return nil, fmt.Errorf("measurements cannot be sent: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", "ctx-lsp"), attribute.String("service.version", s.Version),
		attribute.String("service.instance.id", strings.ToLower(rand.Text())),
		attribute.String("host.arch", runtime.GOARCH), attribute.String("os.type", runtime.GOOS),
	), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		stop()
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES cannot be read: %w", err)
	}
	out := &Sender{stop: stop, queue: newQueue(exporter, post, s.Say)}
	out.reader = sdk.NewManualReader(sdk.WithTemporalitySelector(exporter.Temporality), sdk.WithAggregationSelector(exporter.Aggregation))
	out.provider = sdk.NewMeterProvider(sdk.WithReader(out.reader), sdk.WithResource(about))
	if err := m.instrument(out.provider.Meter(scope, metric.WithInstrumentationVersion(s.Version)), out.queue); err != nil {
		stop()
		return nil, err
	}
	out.stopped.Add(2)
	go func() {
		defer out.stopped.Done()
		out.queue.run(ctx)
	}()
	go func() {
		defer out.stopped.Done()
		out.report(ctx, interval(s.Getenv("OTEL_METRIC_EXPORT_INTERVAL")))
	}()
	return out, nil
}

// interval is the time between two reports, of a variable in milliseconds.
func interval(text string) time.Duration {
	if ms, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil && ms > 0 {
		return time.Duration(max(ms, 100)) * time.Millisecond
	}
	return time.Minute
}

// report hands over what is measured, again and again.
func (s *Sender) report(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.collect(ctx)
		}
	}
}

func (s *Sender) collect(ctx context.Context) {
	all := new(metricdata.ResourceMetrics)
	if err := s.reader.Collect(ctx, all); err == nil && len(all.ScopeMetrics) > 0 {
		s.queue.push(all)
	}
}

// Close sends a last report, and waits no longer for it than it is told. What no collector has taken by then is lost.
func (s *Sender) Close(within time.Duration) {
	if s == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	s.collect(ctx)
	s.queue.drain(ctx)
	s.stop()
	s.stopped.Wait()
	_ = s.provider.Shutdown(ctx) // nothing is held any more
}

// Sent is how many bytes of reports were sent, without what HTTP puts around them.
func (s *Sender) Sent() int64 { return s.queue.post.sent.Load() }

// An instrumented hands to OpenTelemetry's instruments what the Meter counts.
type instrumented struct {
	counters   map[*Instrument]metric.Int64Counter
	tokens     map[*Instrument]metric.Int64Histogram
	shares     map[*Instrument]metric.Float64Histogram
	attributes map[string]metric.MeasurementOption
}

// instrument makes the instruments, and has the Meter use them.
func (m *Meter) instrument(by metric.Meter, q *queue) error {
	to := &instrumented{
		map[*Instrument]metric.Int64Counter{},
		map[*Instrument]metric.Int64Histogram{},
		map[*Instrument]metric.Float64Histogram{},
		map[string]metric.MeasurementOption{},
	}
	whole, shares := map[*Instrument]metric.Int64ObservableGauge{}, map[*Instrument]metric.Float64ObservableGauge{}
	var observed []metric.Observable
	for _, of := range Instruments {
		var err error
		unit, text := metric.WithUnit(of.Unit), metric.WithDescription(of.Text)
		switch {
		case of == Dropped:
			_, err = by.Int64ObservableCounter(of.Name, unit, text, metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
				o.Observe(q.lost())
				return nil
			}))
		case of.Kind == Counter:
			to.counters[of], err = by.Int64Counter(of.Name, unit, text)
		case of.Kind == Histogram && of.Unit == "1":
			to.shares[of], err = by.Float64Histogram(of.Name, unit, text, metric.WithExplicitBucketBoundaries(of.Bounds...))
		case of.Kind == Histogram:
			to.tokens[of], err = by.Int64Histogram(of.Name, unit, text, metric.WithExplicitBucketBoundaries(of.Bounds...))
		case of.Unit == "1":
			shares[of], err = by.Float64ObservableGauge(of.Name, unit, text)
			observed = append(observed, shares[of])
		default:
			whole[of], err = by.Int64ObservableGauge(of.Name, unit, text)
			observed = append(observed, whole[of])
		}
		if err != nil {
			return fmt.Errorf("%s cannot be measured: %w", of.Name, err)
		}
	}
	_, err := by.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		for _, p := range m.Gauges() {
			if gauge := shares[p.Of]; gauge != nil {
				o.ObserveFloat64(gauge, p.Value, option(p.Attributes))
			} else {
				o.ObserveInt64(whole[p.Of], int64(p.Value), option(p.Attributes))
			}
		}
		return nil
	}, observed...)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sinks = append(m.sinks, to)
	return err
}

func option(attributes []Attribute) metric.MeasurementOption {
	set := make([]attribute.KeyValue, len(attributes))
	for i, a := range attributes {
		set[i] = attribute.String(a.Key, cmp.Or(a.Value, "unknown"))
	}
	return metric.WithAttributeSet(attribute.NewSet(set...))
}

func (to *instrumented) option(attributes []Attribute) metric.MeasurementOption {
	key := keyOf(Compactions, attributes)
	known := to.attributes[key]
	if known == nil {
		known = option(attributes)
		to.attributes[key] = known
	}
	return known
}

func (to *instrumented) add(of *Instrument, n int64, attributes []Attribute) {
	to.counters[of].Add(context.Background(), n, to.option(attributes))
}

func (to *instrumented) record(of *Instrument, value float64, attributes []Attribute) {
	if shares := to.shares[of]; shares != nil {
		shares.Record(context.Background(), value, to.option(attributes))
		return
	}
	to.tokens[of].Record(context.Background(), int64(value), to.option(attributes))
}
