// Copyright The ctx-lsp authors. MIT licence.

package telemetry

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ctx-lsp/ctx-lsp/internal/sink"
)

// A Sender runs ctx-lsp-fleet, which periodically sends a Meter's measurements to a collector. It never blocks the
// Meter.
type Sender struct {
	meter  *Meter
	sink   *sink.Sink
	report func(sentence string, trouble bool)
	wake   chan struct{}
	ended  chan struct{} // closed when the program has ended

	mu      sync.Mutex // guards the fields below
	waiting [][]byte   // lines not written yet
	closing bool
}

// maxLines limits the number of lines waiting for the program. It reads them at once, unless it was stopped.
const maxLines = 100_000

// readyWithin is the time limit for the program to check its settings.
const readyWithin = 10 * time.Second

// A sentPoint is a Point in the program's format.
type sentPoint struct {
	Of         string            `json:"of"`
	Value      float64           `json:"value"`
	Attributes map[string]string `json:"attributes,omitempty"`
}

func sentPointOf(of *Instrument, value float64, attributes []Attribute) sentPoint {
	p := sentPoint{Of: of.Name, Value: value, Attributes: make(map[string]string, len(attributes))}
	for _, a := range attributes {
		p.Attributes[a.Key] = a.Value
	}
	return p
}

// sentInstruments returns the first line for the program.
func sentInstruments() []byte {
	type instrument struct {
		Name   string    `json:"name"`
		Unit   string    `json:"unit"`
		Kind   string    `json:"kind"`
		Text   string    `json:"text"`
		Bounds []float64 `json:"bounds,omitempty"`
	}
	var all []instrument
	for _, of := range Instruments {
		kind := []string{Gauge: "gauge", Counter: "counter", Histogram: "histogram"}[of.Kind]
		if of == Dropped {
			kind = "dropped" // the program itself keeps this number
		}
		all = append(all, instrument{of.Name, of.Unit, kind, of.Text, of.Bounds})
	}
	return lineOf(map[string]any{"instruments": all})
}

// lineOf returns a value as a line of JSON. It contains only numbers and texts, which can always be encoded.
func lineOf(value any) []byte {
	text, _ := json.Marshal(value)
	return append(text, '\n')
}

// Send starts sending. It returns an error if the program is missing or refuses the settings.
func (m *Meter) Send(s Settings) (*Sender, error) {
	args := []string{"otlp", "--service-version=" + s.Version}
	if s.Endpoint != "" {
		args = append(args, "--endpoint="+s.Endpoint)
	}
	program, err := sink.Start(args...)
	if err != nil {
		return nil, err
	}
	out := &Sender{meter: m, sink: program, report: s.Report, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	started := make(chan error, 1)
	go out.read(started)
	out.write(sentInstruments())
	go out.run()
	select {
	case err = <-started:
	case <-time.After(readyWithin):
		err = fmt.Errorf("%s did not check its settings in time", sink.Name)
	}
	if err != nil {
		out.sink.Close(time.Second)
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.senders = append(m.senders, out)
	return out, nil
}

// read handles the program's lines until it ends. The result of the first one is sent to started.
func (s *Sender) read(started chan<- error) {
	first := true
	err := s.sink.Lines(func(line []byte) {
		var reply struct {
			Ask     int64  `json:"ask"`
			Say     string `json:"say"`
			Trouble bool   `json:"trouble"`
			Error   string `json:"error"`
		}
		if json.Unmarshal(line, &reply) != nil {
			return
		}
		switch {
		case first && reply.Error != "":
			started <- errors.New(reply.Error)
		case first:
			started <- nil
		case reply.Ask > 0:
			s.write(lineOf(map[string]any{"asked": reply.Ask, "gauges": s.gauges()}))
		case reply.Say != "" && s.report != nil:
			s.report(reply.Say, reply.Trouble)
		}
		first = false
	})
	if err == nil {
		err = errors.New("it has ended")
	}
	err = fmt.Errorf("%s: %w", sink.Name, err)
	if first {
		started <- err
	}
	close(s.ended)
	s.mu.Lock()
	closing := s.closing
	s.closing = true
	s.mu.Unlock()
	if !closing && !first && s.report != nil {
		s.report("measurements are no longer sent: "+err.Error(), true)
	}
}

func (s *Sender) gauges() []sentPoint {
	points := []sentPoint{}
	for _, p := range s.meter.Gauges() {
		points = append(points, sentPointOf(p.Of, p.Value, p.Attributes))
	}
	return points
}

// write queues a line for the program. If the program does not read, no more lines are sent.
func (s *Sender) write(line []byte) {
	s.mu.Lock()
	stuck := !s.closing && len(s.waiting) >= maxLines
	switch {
	case s.closing:
	case stuck:
		s.closing, s.waiting = true, nil
	default:
		s.waiting = append(s.waiting, line)
	}
	s.mu.Unlock()
	if stuck && s.report != nil {
		s.report("measurements are no longer sent: "+sink.Name+" does not read them", true)
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run writes the queued lines to the program.
func (s *Sender) run() {
	for {
		select {
		case <-s.wake:
		case <-s.ended:
			return
		}
		s.mu.Lock()
		lines := s.waiting
		s.waiting = nil
		s.mu.Unlock()
		for _, line := range lines {
			if _, err := s.sink.Write(line); err != nil {
				return // the program has ended, and read reports it
			}
		}
	}
}

func (s *Sender) add(of *Instrument, n int64, attributes []Attribute) {
	s.write(lineOf(map[string]any{"count": sentPointOf(of, float64(n), attributes)}))
}

func (s *Sender) record(of *Instrument, value float64, attributes []Attribute) {
	s.write(lineOf(map[string]any{"count": sentPointOf(of, value, attributes)}))
}

// endWithin is the extra time the program has to exit after its last report.
const endWithin = 2 * time.Second

// Close has the program send a last report, and waits for the collector no longer than within.
func (s *Sender) Close(within time.Duration) {
	if s == nil {
		return
	}
	s.write(lineOf(map[string]any{"close": within.Milliseconds(), "gauges": s.gauges()}))
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	select {
	case <-s.ended:
	case <-time.After(within + endWithin):
	}
	s.sink.Close(0)
}
