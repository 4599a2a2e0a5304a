// Copyright The ctx-lsp authors. MIT licence.

// Package otlp sends measurements, which it reads as JSON lines, to an OpenTelemetry collector.
package otlp

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// scope is the instrumentation scope of the instruments.
const scope = "github.com/ctx-lsp/ctx-lsp"

// longestLine is the maximum length of an input line: all gauges of a machine.
const longestLine = 64 << 20

// Run sends measurements until the input ends or a line closes it. An error in the settings is written as a reply.
func Run(in io.Reader, out io.Writer, settings Settings) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	var first line
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &first) != nil || len(first.Instruments) == 0 {
		return errors.Join(errors.New("the first line of the input has no instruments"), lines.Err())
	}
	replies := &replies{to: json.NewEncoder(out)}
	s, err := newSender(settings, first.Instruments, replies)
	if err != nil {
		replies.send(reply{Error: err.Error()})
		return nil
	}
	defer s.close(0)
	replies.send(reply{Ready: true})
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("a line of the input cannot be read: %w", err)
		}
		switch {
		case l.Count != nil:
			s.count(l.Count)
		case l.Asked > 0:
			s.answered(l.Asked, l.Gauges)
		case l.Close != nil:
			s.mu.Lock()
			s.last, s.closing = l.Gauges, true
			s.mu.Unlock()
			s.close(time.Duration(*l.Close) * time.Millisecond)
			return nil
		}
	}
	return lines.Err()
}

// replies writes lines to ctx-lsp.
type replies struct {
	mu sync.Mutex
	to *json.Encoder
}

func (r *replies) send(what reply) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.to.Encode(what) // if ctx-lsp has ended, the input ends too
}

// A sender sends its measurements to a collector at an interval, in its own goroutines.
type sender struct {
	reader   *sdk.ManualReader
	provider *sdk.MeterProvider
	queue    *queue
	replies  *replies
	counters map[string]metric.Int64Counter
	tokens   map[string]metric.Int64Histogram
	shares   map[string]metric.Float64Histogram

	stop    context.CancelFunc
	stopped sync.WaitGroup
	closed  sync.Once

	mu      sync.Mutex // guards the fields below
	asked   int64
	arrived chan []point // receives the answer to the Ask with the number asked
	last    []point      // the gauges for the last report
	closing bool         // ctx-lsp no longer answers
}

// newSender returns a sender that has started to send.
func newSender(settings Settings, instruments []instrument, replies *replies) (*sender, error) {
	at, err := settings.address()
	if err != nil {
		return nil, err
	}
	post, err := newPost(settings)
	if err != nil {
		return nil, err
	}
	otel.SetLogger(logr.Discard())
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {})) // Export returns the errors that matter
	ctx, stop := context.WithCancel(context.Background())
	exporter, err := otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(at.String()), otlpmetrichttp.WithHTTPClient(post.client()),
		otlpmetrichttp.WithRetry(otlpmetrichttp.RetryConfig{Enabled: false})) // the queue retries
	if err != nil {
		stop()
		return nil, fmt.Errorf("measurements cannot be sent: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", "ctx-lsp"), attribute.String("service.version", settings.Version),
		attribute.String("service.instance.id", strings.ToLower(rand.Text())),
		attribute.String("host.arch", runtime.GOARCH), attribute.String("os.type", runtime.GOOS),
	), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		stop()
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES cannot be read: %w", err)
	}
	s := &sender{
		replies: replies, stop: stop, arrived: make(chan []point, 1),
		queue:    newQueue(exporter, post, func(sentence string, trouble bool) { replies.send(reply{Say: sentence, Trouble: trouble}) }),
		counters: map[string]metric.Int64Counter{}, tokens: map[string]metric.Int64Histogram{}, shares: map[string]metric.Float64Histogram{},
	}
	s.reader = sdk.NewManualReader(sdk.WithTemporalitySelector(exporter.Temporality), sdk.WithAggregationSelector(exporter.Aggregation))
	s.provider = sdk.NewMeterProvider(sdk.WithReader(s.reader), sdk.WithResource(about))
	if err := s.instrument(s.provider.Meter(scope, metric.WithInstrumentationVersion(settings.Version)), instruments); err != nil {
		stop()
		return nil, err
	}
	s.stopped.Add(2)
	go func() {
		defer s.stopped.Done()
		s.queue.run(ctx)
	}()
	go func() {
		defer s.stopped.Done()
		s.report(ctx, interval(settings.Getenv("OTEL_METRIC_EXPORT_INTERVAL")))
	}()
	return s, nil
}

// interval returns the time between two reports, from a variable in milliseconds.
func interval(text string) time.Duration {
	if ms, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil && ms > 0 {
		return time.Duration(max(ms, 100)) * time.Millisecond
	}
	return time.Minute
}

// report queues a report at an interval.
func (s *sender) report(ctx context.Context, every time.Duration) {
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

// longestAnswer is how long a report waits for the gauges. If they do not arrive in time, it has none.
const longestAnswer = 5 * time.Second

// collect requests the gauges and queues a report.
func (s *sender) collect(ctx context.Context) {
	s.mu.Lock()
	closing := s.closing
	s.asked++
	number := s.asked
	select {
	case <-s.arrived: // a late answer to an earlier Ask
	default:
	}
	s.mu.Unlock()
	if !closing {
		s.replies.send(reply{Ask: number})
		var gauges []point
		select {
		case gauges = <-s.arrived:
		case <-time.After(longestAnswer):
		case <-ctx.Done():
			return
		}
		s.mu.Lock()
		if !s.closing {
			s.last = gauges
		}
		s.mu.Unlock()
	}
	all := new(metricdata.ResourceMetrics)
	if err := s.reader.Collect(ctx, all); err == nil && len(all.ScopeMetrics) > 0 {
		s.queue.push(all)
	}
}

// answered passes on the gauges, unless they answer an earlier Ask.
func (s *sender) answered(number int64, gauges []point) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number != s.asked {
		return
	}
	select {
	case s.arrived <- gauges:
	default: // it is already answered
	}
}

// close sends a last report and waits for the collector, but no longer than within.
func (s *sender) close(within time.Duration) {
	s.closed.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), within)
		defer cancel()
		if within > 0 {
			s.collect(ctx)
			s.queue.drain(ctx)
		}
		s.stop()
		s.stopped.Wait()
		_ = s.provider.Shutdown(ctx) // nothing is left to send
	})
}

// instrument creates the instruments.
func (s *sender) instrument(by metric.Meter, instruments []instrument) error {
	whole, shares := map[string]metric.Int64ObservableGauge{}, map[string]metric.Float64ObservableGauge{}
	var observed []metric.Observable
	for _, of := range instruments {
		var err error
		unit, text := metric.WithUnit(of.Unit), metric.WithDescription(of.Text)
		switch {
		case of.Kind == "dropped":
			_, err = by.Int64ObservableCounter(of.Name, unit, text, metric.WithInt64Callback(func(_ context.Context, o metric.Int64Observer) error {
				o.Observe(s.queue.lost())
				return nil
			}))
		case of.Kind == "counter":
			s.counters[of.Name], err = by.Int64Counter(of.Name, unit, text)
		case of.Kind == "histogram" && of.Unit == "1":
			s.shares[of.Name], err = by.Float64Histogram(of.Name, unit, text, metric.WithExplicitBucketBoundaries(of.Bounds...))
		case of.Kind == "histogram":
			s.tokens[of.Name], err = by.Int64Histogram(of.Name, unit, text, metric.WithExplicitBucketBoundaries(of.Bounds...))
		case of.Unit == "1":
			shares[of.Name], err = by.Float64ObservableGauge(of.Name, unit, text)
			observed = append(observed, shares[of.Name])
		default:
			whole[of.Name], err = by.Int64ObservableGauge(of.Name, unit, text)
			observed = append(observed, whole[of.Name])
		}
		if err != nil {
			return fmt.Errorf("%s cannot be measured: %w", of.Name, err)
		}
	}
	_, err := by.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, p := range s.last {
			if gauge := shares[p.Of]; gauge != nil {
				o.ObserveFloat64(gauge, p.Value, option(p.Attributes))
			} else if gauge := whole[p.Of]; gauge != nil {
				o.ObserveInt64(gauge, int64(p.Value), option(p.Attributes))
			}
		}
		return nil
	}, observed...)
	return err
}

func option(attributes map[string]string) metric.MeasurementOption {
	set := make([]attribute.KeyValue, 0, len(attributes))
	for key, value := range attributes {
		if key == "gen_ai.conversation.compacted" { // the conventions define it as a boolean
			set = append(set, attribute.Bool(key, value == "true"))
			continue
		}
		set = append(set, attribute.String(key, cmp.Or(value, "unknown")))
	}
	return metric.WithAttributeSet(attribute.NewSet(set...))
}

// count adds to a counter, or records a value in a histogram.
func (s *sender) count(p *point) {
	ctx, with := context.Background(), option(p.Attributes)
	if counter := s.counters[p.Of]; counter != nil {
		counter.Add(ctx, int64(p.Value), with)
	} else if shares := s.shares[p.Of]; shares != nil {
		shares.Record(ctx, p.Value, with)
	} else if tokens := s.tokens[p.Of]; tokens != nil {
		tokens.Record(ctx, int64(p.Value), with)
	}
}
