// Copyright The ctx-lsp authors. MIT licence.

package telemetry

import (
	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

// readingFields are the fields of a Reading that the Meter uses. Unknown values are nil.
type readingFields struct {
	agent, model, workspace, activity, basis, level string

	used, calls, compactions, steps   int64
	breaks                            int64  // of the cache
	breakCause                        string // the cause of the last one
	window, free, threshold, left, in *int64
	asOf                              *int64
	percent, thresholdPercent, missed *api.Hundredths
	kinds                             map[api.Kind]int64 // tokens of the rows in the prompt
}

// A fieldReader reads one Reading after another, quickly: a busy daemon has hundreds a second, and updates of sessions
// may need the same CPU.
type fieldReader struct{ doc json.Document }

func (f *fieldReader) read(reading []byte) (*readingFields, error) {
	v, err := f.doc.Parse(reading)
	if err != nil {
		return nil, err
	}
	compaction, accuracy := v.Get("compaction"), v.Get("accuracy")
	r := &readingFields{
		agent: v.Get("agent").String(), model: v.Get("model").String(), workspace: v.Get("workspace").String(),
		activity: v.Get("activity").String(), basis: v.Get("basis").String(), level: compaction.Get("level").String(),
		used: whole(v.Get("used")), calls: whole(v.Path("spent", "calls")),
		breaks: whole(v.Path("cacheBreaks", "count")), breakCause: v.Path("cacheBreaks", "last").Get("cause").String(),
		compactions: whole(v.Get("compactions")), steps: whole(accuracy.Get("steps")),
		window: known(v.Get("limit")), free: known(v.Get("free")), in: known(v.Path("lastRequest", "in")),
		threshold: known(compaction.Get("threshold")), left: known(compaction.Get("left")), asOf: known(v.Get("asOf")),
		percent: share(v.Get("percent")), thresholdPercent: share(compaction.Get("percent")),
		missed: share(accuracy.Path("last", "percent")),
		kinds:  map[api.Kind]int64{},
	}
	for row := v.Get("breakdown").Elements(); row.Next(); {
		if !row.Value.Get("deferred").Bool() {
			r.kinds[api.Kind(row.Value.Get("kind").String())] += whole(row.Value.Get("tokens"))
		}
	}
	return r, nil
}

// known returns a number, or nil if the value is not one.
func known(v json.Value) *int64 {
	if n, fault := v.Int64(); v.Kind() == json.Number && fault == json.NumberOK {
		return &n
	}
	return nil
}

func whole(v json.Value) int64 {
	if n := known(v); n != nil {
		return *n
	}
	return 0
}

func share(v json.Value) *api.Hundredths {
	if thousandths, fault := v.Milli(); v.Kind() == json.Number && fault == json.NumberOK {
		hundredths := api.Hundredths(thousandths / 10)
		return &hundredths
	}
	return nil
}
