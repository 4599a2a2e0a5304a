// Copyright The ctx-lsp authors. MIT licence.

package telemetry_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/telemetry"
)

// reading contains the fields of a Reading that the Meter uses and a test sets.
type reading struct {
	agent, model, workspace, activity, level       string
	used, threshold, in, calls, compactions, steps int64
	breaks                                         int64
	cause                                          string // of the last break
	miss                                           string
}

func (r reading) text() []byte {
	if r.agent == "" {
		r.agent = "claude-code"
	}
	if r.model == "" {
		r.model = "claude-sonnet-4-5"
	}
	if r.activity == "" {
		r.activity = "working"
	}
	if r.level == "" {
		r.level = "ok"
	}
	if r.miss == "" {
		r.miss = "0"
	}
	last := "null"
	if r.in > 0 {
		last = fmt.Sprintf(`{"in":%d,"out":5,"carry":5,"carryBasis":"measured","percent":1.5}`, r.in)
	}
	return fmt.Appendf(nil, `{"session":"secret-id","agent":%q,"model":%q,"workspace":%q,"activity":%q,"basis":"measured","used":%d,"limit":200000,"free":%d,
		"percent":50,"lastRequest":%s,"breakdown":[{"kind":"system","label":{"text":"private"},"tokens":3000},{"kind":"tools","label":{"text":"t"},"tokens":12000},
		{"kind":"tools","label":{"text":"later"},"tokens":900,"deferred":true},{"kind":"user","label":{"text":"u"},"tokens":%d}],
		"compaction":{"threshold":%d,"left":%d,"percent":%d,"level":%q,"count":%d},"accuracy":{"last":{"predicted":1,"actual":1,"error":1,"percent":%s,"cause":""},"steps":%d},
		"spent":{"calls":%d},"cache":{"breaks":{"count":%d,"last":{"cause":%q}}},"asOf":1790000000000}`, r.agent, r.model, r.workspace, r.activity, r.used, 200000-r.used, last, r.used-15000,
		r.threshold, r.threshold-r.used, r.used*100/max(r.threshold, 1), r.level, r.compactions, r.miss, r.steps, r.calls, r.breaks, r.cause)
}

func written(m *telemetry.Meter) string {
	var b bytes.Buffer
	m.WritePrometheus(&b)
	return b.String()
}

func holds(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("%s\nis missing in\n%s", line, text)
		}
	}
}

func TestTheSessionNearestItsThresholdIsShown(t *testing.T) {
	m := telemetry.New(telemetry.Options{})
	defer m.Close()
	m.RecordReading("a", reading{used: 60_000, threshold: 167_000, calls: 1, in: 59_000}.text(), false)
	m.RecordReading("b", reading{used: 120_000, threshold: 167_000, calls: 1, in: 119_000, level: "soon"}.text(), false)
	m.RecordReading("c", reading{used: 160_000, threshold: 167_000, calls: 1, in: 159_000, activity: "idle", level: "now"}.text(), false)
	text := written(m)
	const series = `gen_ai_agent_name="claude-code",gen_ai_request_model="claude-sonnet-4-5",ctx_basis="measured"`
	holds(t, text,
		"ctx_context_used{"+series+"} 120000", "ctx_context_window{"+series+"} 200000", "ctx_context_threshold{"+series+"} 167000",
		"ctx_context_headroom{"+series+"} 47000", "ctx_context_utilization_ratio{"+series+"} 0.71",
		"ctx_context_composition{"+series+`,ctx_kind="tools"} 12000`, "ctx_context_composition{"+series+`,ctx_kind="user"} 105000`,
		`ctx_sessions{ctx_level="ok"} 1`, `ctx_sessions{ctx_level="soon"} 1`, `ctx_sessions{ctx_level="now"} 1`, `ctx_sessions{ctx_level="over"} 0`)
	if strings.Contains(text, "ctx_requests_at") {
		t.Error("what happened before the meter began is counted")
	}
	m.Forget("b", true)
	holds(t, written(m), "ctx_context_used{"+series+"} 60000")
}

// TestBreaksOfTheCacheAreCountedByCause checks single breaks, several between two Readings, and one that a later report
// of the request withdrew.
func TestBreaksOfTheCacheAreCountedByCause(t *testing.T) {
	history := &api.HistoryAnswer{}
	m := telemetry.New(telemetry.Options{History: func(string) (*api.HistoryAnswer, error) { return history, nil }})
	defer m.Close()
	record := func(r reading) { m.RecordReading("a", r.text(), true) }
	record(reading{used: 20_000, threshold: 167_000, calls: 1, in: 19_000})
	record(reading{used: 20_000, threshold: 167_000, calls: 2, in: 19_000, breaks: 1, cause: "model"})
	record(reading{used: 20_000, threshold: 167_000, calls: 3, in: 19_000, breaks: 1, cause: "model"})
	history.Breaks = []api.DetailedBreak{{Cause: "model"}, {Cause: "time"}, {Cause: "tools"}}
	record(reading{used: 20_000, threshold: 167_000, calls: 5, in: 19_000, breaks: 3, cause: "tools"})
	record(reading{used: 20_000, threshold: 167_000, calls: 6, in: 19_000, breaks: 2, cause: "time"})
	record(reading{used: 20_000, threshold: 167_000, calls: 7, in: 19_000, breaks: 3, cause: "time"})
	const series = `ctx_cache_breaks_total{gen_ai_agent_name="claude-code",gen_ai_request_model="claude-sonnet-4-5",ctx_cache_break_cause="`
	holds(t, written(m), series+`model"} 1`, series+`time"} 1`, series+`tools"} 1`)
}

func TestRequestsAndCompactionsAreCountedOnce(t *testing.T) {
	history := &api.HistoryAnswer{}
	m := telemetry.New(telemetry.Options{History: func(string) (*api.HistoryAnswer, error) { return history, nil }})
	defer m.Close()
	record := func(r reading) { m.RecordReading("a", r.text(), true) }
	record(reading{used: 20_000, threshold: 167_000, calls: 1, in: 19_000})
	record(reading{used: 50_000, threshold: 167_000, calls: 2, in: 49_000, steps: 1, miss: "-2.5"})
	record(reading{used: 50_100, threshold: 167_000, calls: 2, in: 49_000, steps: 1, miss: "-2.5"}) // no new request
	history.Points = []api.HistoryPoint{{Call: 2, Used: 49_000}, {Call: 3, Used: 90_000}, {Call: 4, Used: 130_000}}
	record(reading{used: 131_000, threshold: 167_000, calls: 4, in: 130_000, steps: 3, miss: "0.1"})
	before := int64(140_000)
	history.Compactions = []api.HistoryCompaction{{Call: 4, Before: &before, Trigger: "manual"}}
	record(reading{used: 25_000, threshold: 167_000, calls: 4, compactions: 1, steps: 3})
	record(reading{used: 31_000, threshold: 167_000, calls: 5, in: 30_000, compactions: 1, steps: 4, miss: "30"})
	const series = `gen_ai_agent_name="claude-code",gen_ai_request_model="claude-sonnet-4-5"`
	want := []string{
		"ctx_requests_at_count{" + series + "} 5", "ctx_requests_at_sum{" + series + "} 318000", "ctx_requests_at_bucket{" + series + `,le="48000"} 2`,
		"ctx_prediction_error_count{" + series + "} 3", "ctx_prediction_error_bucket{" + series + `,le="0.025"} 2`,
		"ctx_compactions_total{" + series + `,ctx_compaction_trigger="manual",gen_ai_conversation_compacted="true"} 1`, "ctx_compaction_before_sum{" + series + "} 140000", "ctx_compaction_after_sum{" + series + `,gen_ai_conversation_compacted="true"} 30000`,
	}
	holds(t, written(m), want...)
	m.Forget("a", true) // the session is no longer followed, and later its transcript is read again
	for calls := range int64(5) {
		record(reading{used: 20_000, threshold: 167_000, calls: calls + 1, in: 19_000, steps: calls})
	}
	holds(t, written(m), want...)
}

func TestIndistinguishableRequestsAreCountedAsMissed(t *testing.T) {
	m := telemetry.New(telemetry.Options{})
	defer m.Close()
	m.RecordReading("a", reading{used: 20_000, threshold: 167_000, calls: 1, in: 19_000}.text(), false)
	m.RecordReading("a", reading{used: 90_000, threshold: 167_000, calls: 5, in: 89_000}.text(), false)
	holds(t, written(m), "ctx_telemetry_missed_total 3", `ctx_requests_at_count{gen_ai_agent_name="claude-code",gen_ai_request_model="claude-sonnet-4-5"} 1`)
}

// A session may end while the queue is full, with its last Reading outside the queue.
func TestTheLastReadingOfAnEndedSessionIsCounted(t *testing.T) {
	reached, open := make(chan bool, 1), make(chan bool)
	m := telemetry.New(telemetry.Options{History: func(string) (*api.HistoryAnswer, error) {
		select {
		case reached <- true:
		default:
		}
		<-open
		return nil, errors.New("nobody knows")
	}})
	defer m.Close()
	calls := int64(1)
	record := func(further int64) {
		calls += further
		m.RecordReading("a", reading{used: 20_000, threshold: 167_000, calls: calls, in: 19_000}.text(), true)
	}
	record(0)
	record(2)
	<-reached
	for range 5000 {
		record(1)
	}
	m.Forget("a", false)
	close(open)
	holds(t, written(m), "ctx_telemetry_missed_total 904", `ctx_requests_at_count{gen_ai_agent_name="claude-code",gen_ai_request_model="claude-sonnet-4-5"} 4099`)
}

// TestTenThousandSessionsAreFewSeries checks that the number of series stays small for those who store them, and that
// nothing private leaves the machine.
func TestTenThousandSessionsAreFewSeries(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	m := telemetry.New(telemetry.Options{Project: func(workspace string) string { return "hash-" + workspace[len("/home/secret/"):] }})
	defer m.Close()
	for i := range 10_000 {
		model := fmt.Sprintf("own-model-%d", random.IntN(5000))
		switch random.IntN(4) {
		case 0:
			model = "/home/secret/models/x.gguf"
		case 1:
			model = `C:\Users\secret\x.gguf`
		case 2:
			model = "please summarise: secret words"
		}
		agent := "agent-" + fmt.Sprint(random.IntN(500))
		r := reading{agent: agent, model: model, workspace: fmt.Sprintf("/home/secret/%d", i), used: 30_000 + int64(i), threshold: 167_000, calls: 1, in: 29_000}
		m.RecordReading(fmt.Sprintf("session-%d", i), r.text(), true)
		r.calls, r.in, r.compactions, r.steps = 2, 35_000, 1, 1
		m.RecordReading(fmt.Sprintf("session-%d", i), r.text(), true)
		if i%1000 == 0 {
			m.Gauges()
		}
	}
	text := written(m)
	for _, secret := range []string{"secret", "session-", "private", "later"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is among what is measured", secret)
		}
	}
	points, distributions := m.Snapshot()
	bySeries := map[*telemetry.Instrument]int{}
	for _, p := range points {
		bySeries[p.Of]++
	}
	for _, d := range distributions {
		bySeries[d.Of]++
	}
	const pairs = 96 + 49 // pairs of agent and model, and "other" models of each agent
	for of, n := range bySeries {
		most := pairs
		switch of {
		case telemetry.ContextComposition:
			most = 17 * pairs
		case telemetry.FirstRequest:
			most = 100
		case telemetry.Compactions:
			most = 3 * pairs
		}
		if n > most {
			t.Errorf("%s has %d series, more than %d", of.Name, n, most)
		}
	}
	if total := len(points) + len(distributions); total > 2_500 || bySeries[telemetry.RequestsAt] < 90 {
		t.Errorf("10,000 sessions are %d series, of them %d of requests", total, bySeries[telemetry.RequestsAt])
	}
	count := 0.0
	for _, d := range distributions {
		if d.Of == telemetry.RequestsAt {
			for _, n := range d.Counts {
				count += float64(n)
			}
		}
	}
	for _, p := range points {
		if p.Of == telemetry.Missed {
			count += p.Value
		}
	}
	if count != 20_000 {
		t.Errorf("of 20,000 requests %g are counted", count)
	}
}

// TestTheDocumentNamesEveryMetric checks that docs/telemetry.md lists every metric.
func TestTheDocumentNamesEveryMetric(t *testing.T) {
	text, err := os.ReadFile("../../docs/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := []string{"gauge", "counter", "histogram"}
	for _, of := range telemetry.Instruments {
		if !strings.Contains(string(text), "| `"+of.Name+"` | "+kinds[of.Kind]+" `"+of.Unit+"` |") {
			t.Errorf("docs/telemetry.md does not say that %s is a %s in %s", of.Name, kinds[of.Kind], of.Unit)
		}
	}
}
