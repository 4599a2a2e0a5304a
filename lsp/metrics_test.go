// Copyright The ctx-lsp authors. MIT licence.

package lsp

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestAHistogramCountsEachTimeInItsBucket checks the text that Prometheus reads: cumulative buckets with their upper
// ends, the sum and the count.
func TestAHistogramCountsEachTimeInItsBucket(t *testing.T) {
	var h histogram
	for _, took := range []time.Duration{0, 100 * time.Microsecond, 100*time.Microsecond + 1, 3 * time.Millisecond, 3 * time.Second, 4 * time.Second} {
		h.add(took)
	}
	var text strings.Builder
	h.write(&text, "x_seconds", "A help.")
	want := `# HELP x_seconds A help.
# TYPE x_seconds histogram
x_seconds_bucket{le="0.0001"} 2
x_seconds_bucket{le="0.0003"} 3
x_seconds_bucket{le="0.001"} 3
x_seconds_bucket{le="0.003"} 4
x_seconds_bucket{le="0.01"} 4
x_seconds_bucket{le="0.03"} 4
x_seconds_bucket{le="0.1"} 4
x_seconds_bucket{le="0.3"} 4
x_seconds_bucket{le="1"} 4
x_seconds_bucket{le="3"} 5
x_seconds_bucket{le="+Inf"} 6
x_seconds_sum 7.003200001
x_seconds_count 6
`
	if text.String() != want {
		t.Errorf("the text is\n%s", text.String())
	}
}

// TestMetricsCountTheWorkOfTheDaemon checks each counter after a few requests, and that there is no fullness without a
// session.
func TestMetricsCountTheWorkOfTheDaemon(t *testing.T) {
	s := newTestServer(t, Options{})
	read := func() string {
		request := httptest.NewRequest("GET", "/metrics", nil)
		request.Host = "localhost"
		answer := httptest.NewRecorder()
		s.MetricsHandler("127.0.0.1").ServeHTTP(answer, request)
		if kind := answer.Header().Get("Content-Type"); !strings.HasPrefix(kind, "text/plain; version=0.0.4") {
			t.Errorf("the type is %q", kind)
		}
		return answer.Body.String()
	}
	if text := read(); !strings.Contains(text, "ctx_connections 0\n") || strings.Contains(text, "ctx_fullest_percent") {
		t.Errorf("without a client: %s", text)
	}
	c := start(t, s) // two messages
	c.call("ctx/session/open", `{"id":"a"}`)
	if text := read(); !strings.Contains(text, "\nctx_fullest_percent 0\n") {
		t.Errorf("with an empty session: %s", text)
	}
	c.call("ctx/session/open", `{"id":"b"}`)
	c.call("ctx/session/update", `{"id":"a","system":30}`)
	c.call("ctx/session/update", `{"id":"b","system":20}`)
	c.ask("ctx/session/update", `{"id":"gone"}`)
	c.call("ctx/session/close", `{"id":"b"}`) // nothing of b is sent any more
	for used(t, c.note("ctx/reading").Params) != 30 {
	}
	text := read()
	for _, want := range []string{
		"# HELP ctx_messages_total Messages received.\n# TYPE ctx_messages_total counter\nctx_messages_total 8\n",
		"\nctx_errors_total 1\n", "\nctx_changes_total 4\n", "\nctx_saves_total 0\n", "\nctx_save_errors_total 0\n", "\nctx_engine_errors_total 0\n",
		"\nctx_defects_total 0\n", "\nctx_fullest_percent 30\n", "# TYPE ctx_connections gauge\nctx_connections 1\n", "\nctx_uptime_seconds ", "\nctx_heap_bytes ", "\nctx_goroutines ",
		"\nctx_answer_seconds_count 6\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
