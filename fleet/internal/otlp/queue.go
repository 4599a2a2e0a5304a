// Copyright The ctx-lsp authors. MIT licence.

package otlp

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// maxReports is how many reports may wait for a collector. A new one displaces the oldest.
const maxReports = 30

// How long the queue waits before it retries: twice as long each time, and at least as long as the collector asks for.
const (
	firstWait   = time.Second
	longestWait = time.Minute
	longestAsk  = time.Hour
)

// A queue contains the reports that the collector has not accepted yet.
type queue struct {
	exporter sdk.Exporter
	post     *post
	say      func(sentence string, trouble bool)
	wake     chan struct{}

	mu      sync.Mutex // guards the fields below
	reports []*metricdata.ResourceMetrics
	taken   uint64 // how many reports have left the front, which shows a sender whether its own was displaced
	dropped int64
	empty   chan struct{} // closed when no report waits; nil if no caller waits for that
	last    string        // the last message; empty if sending works
}

func newQueue(exporter sdk.Exporter, post *post, say func(string, bool)) *queue {
	return &queue{exporter: exporter, post: post, say: say, wake: make(chan struct{}, 1)}
}

// push adds a report at the end, and never waits.
func (q *queue) push(report *metricdata.ResourceMetrics) {
	q.mu.Lock()
	if len(q.reports) >= maxReports {
		q.reports[0] = nil
		q.reports = q.reports[1:]
		q.taken++
		q.dropped++
	}
	q.reports = append(q.reports, report)
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// lost returns the number of reports given up.
func (q *queue) lost() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}

// front returns the report to send next, and its number; nil if there is none.
func (q *queue) front() (*metricdata.ResourceMetrics, uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.reports) == 0 {
		if q.empty != nil {
			close(q.empty)
			q.empty = nil
		}
		return nil, 0
	}
	return q.reports[0], q.taken
}

// leave removes a report that was accepted or refused, unless a newer one has displaced it in the meantime.
func (q *queue) leave(number uint64, lost bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.taken != number {
		return
	}
	q.reports[0] = nil
	q.reports = q.reports[1:]
	q.taken++
	if lost {
		q.dropped++
	}
}

// drain waits until no reports are left, or ctx ends.
func (q *queue) drain(ctx context.Context) {
	q.mu.Lock()
	if len(q.reports) == 0 {
		q.mu.Unlock()
		return
	}
	empty := make(chan struct{})
	q.empty = empty
	q.mu.Unlock()
	select {
	case <-empty:
	case <-ctx.Done():
	}
}

// run sends the reports, the oldest first.
func (q *queue) run(ctx context.Context) {
	wait := firstWait
	for {
		report, number := q.front()
		if report == nil {
			select {
			case <-ctx.Done():
				return
			case <-q.wake:
			}
			continue
		}
		err := q.exporter.Export(ctx, report)
		if ctx.Err() != nil {
			return
		}
		answer := q.post.last()
		again, asked := answer.again(err)
		q.tell(answer, err)
		if !again {
			q.leave(number, err != nil && !answer.accepted())
			wait = firstWait
			continue
		}
		pause := max(asked, wait/2+rand.N(wait)) //nolint:gosec // machines that failed together do not come back together
		wait = min(2*wait, longestWait)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// tell reports why sending fails, once for each reason, and when it works again.
func (q *queue) tell(a answer, err error) {
	sentence := ""
	if err != nil {
		sentence = a.sentence(q.post.host, err)
	}
	q.mu.Lock()
	news := sentence != q.last
	q.last = sentence
	q.mu.Unlock()
	switch {
	case !news || q.say == nil:
	case err != nil:
		q.say(sentence, true)
	default:
		q.say("measurements reach "+q.post.host+" again", false)
	}
}

// An answer is the collector's response to a report.
type answer struct {
	status int // 0 if there was no response
	after  time.Duration
}

func (a answer) accepted() bool { return a.status/100 == 2 }

// again reports whether the report should be sent again, and how long the collector asks to wait. The statuses are
// those in the protocol; a report without a response is sent again too.
func (a answer) again(err error) (bool, time.Duration) {
	if err == nil {
		return false, 0
	}
	switch a.status {
	case 0, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true, min(a.after, longestAsk)
	}
	return false, 0
}

func (a answer) sentence(host string, err error) string {
	var unknown x509.UnknownAuthorityError
	var named x509.HostnameError
	var invalid x509.CertificateInvalidError
	var alert tls.AlertError
	var failed *url.Error
	var network net.Error
	var lookup *net.DNSError
	var operation *net.OpError
	if errors.As(err, &failed) {
		err = failed.Err // without the address, which may contain a token
	}
	timeout := errors.As(err, &network) && network.Timeout()
	if errors.As(err, &operation) {
		err = operation.Err // without the local port, which is different each time
	}
	begin := "measurements do not reach " + host + ": "
	switch {
	case a.status == http.StatusUnauthorized, a.status == http.StatusForbidden:
		return fmt.Sprintf("%sit answers %d; OTEL_EXPORTER_OTLP_HEADERS holds what it asks for", begin, a.status)
	case a.status == http.StatusTooManyRequests:
		return begin + "it asks to wait (429)"
	case a.accepted():
		return host + " has taken a part of a report only: " + short(err.Error())
	case a.status/100 == 3:
		return fmt.Sprintf("%sit answers %d, and nothing is sent to where it leads; name that address", begin, a.status)
	case a.status != 0:
		return fmt.Sprintf("%sit answers %d", begin, a.status)
	case errors.As(err, &unknown), errors.As(err, &invalid):
		return begin + "nobody whom this machine trusts has signed its certificate; OTEL_EXPORTER_OTLP_CERTIFICATE names a file with who has"
	case errors.As(err, &named):
		return begin + "its certificate is of another host"
	case errors.As(err, &alert):
		return begin + "it wants no connection with this certificate (" + short(alert.Error()) + ")"
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return begin + "there is no host of this name"
	case errors.As(err, &lookup):
		return begin + "nobody says where this host is"
	case timeout:
		return begin + "it does not answer in time"
	case slices.ContainsFunc(connectionEnds, func(end error) bool { return errors.Is(err, end) }):
		return begin + "it ends the connection in the middle of a report"
	}
	return begin + short(err.Error())
}

// connectionEnds are the errors of a connection ended by the other side. On Windows, Go's POSIX names do not match the
// numbers of WSAECONNRESET and WSAECONNABORTED.
var connectionEnds = []error{
	io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE, syscall.Errno(10054), syscall.Errno(10053),
}

// short shortens an untrusted text.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return text
}
