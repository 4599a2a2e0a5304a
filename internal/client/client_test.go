// Copyright The ctx-lsp authors. MIT licence.

package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/client"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/phrase"
)

// core starts a native engine and returns its calls; last receives the parameters of each.
func core(t *testing.T, last *string) client.Call {
	e, err := engine.Native(engine.Options{Instances: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return func(ctx context.Context, method string, params []byte) ([]byte, error) {
		*last = string(params)
		return e.Call(ctx, method, params)
	}
}

// TestCallsAreAnswered checks the calls of Go's own callers in their order, from the first record to the ledger.
func TestCallsAreAnswered(t *testing.T) {
	ctx, last := context.Background(), ""
	call := core(t, &last)
	window, percent, one, yes := int64(100_000), int64(70_000), int64(1), true
	open := &api.OpenParams{
		ID: "a", Model: "claude-sonnet-4-5", Limits: &api.Limits{Window: &window}, HidePaths: true, Label: "one\xff",
		Settings: map[string]string{"b": "2", "a": "1"},
	}
	if _, err := call.Open(ctx, open).Read(); err != nil {
		t.Fatal(err)
	}
	if want := `{"id":"a","model":"claude-sonnet-4-5","limits":{"window":100000},"label":"one` + "\uFFFD" + `","settings":{"a":"1","b":"2"},"hidePaths":true}`; last != want {
		t.Errorf("open is %s,\nwant %s", last, want)
	}
	update := &api.UpdateParams{
		ID: "a", Memory: []api.Part{{Label: "m", Text: "Remember."}}, Complete: &yes,
		Loaded: api.Loaded{Servers: []string{"s"}, Unknown: []api.Sentence{"of the host", phrase.FolderGone.Text()}},
		Append: []api.Appendix{api.Item{Kind: "user", Text: "hello", Wrapping: &one}, json.RawMessage(`{"role":"assistant","content":"hi"}`)},
	}
	reading, err := call.Update(ctx, update).Read()
	if err != nil || !strings.Contains(strings.Join(api.Sentences(reading.Warnings), "\n"), "of the host") || !strings.Contains(last, `{"id":"folderGone"}`) {
		t.Fatalf("%v %+v %s", err, reading, last)
	}
	if _, err := call.Usage(ctx, &api.UsageParams{ID: "a", Provider: "ctx", Usage: api.Usage{In: &percent}}).Read(); err != nil {
		t.Fatal(err)
	}
	if reading, err = call.Reading(ctx, &api.ReadingParams{ID: "a", Mode: "provider"}).Read(); err != nil || reading.Used != percent {
		t.Fatalf("%v %+v", err, reading)
	}
	if last != `{"id":"a","mode":"provider"}` {
		t.Errorf("reading is %s", last)
	}
	history, err := call.History(ctx, &api.HistoryParams{ID: "a", Points: &one}).Read()
	if err != nil || len(history.Points) != 1 {
		t.Errorf("%v %+v", err, history)
	}
	items, err := call.Items(ctx, &api.ItemsParams{ID: "a", Top: &one}).Read()
	if err != nil || len(items.Items) != 1 || items.Total != 2 {
		t.Errorf("%v %+v", err, items)
	}
	fit, err := call.Fits(ctx, &api.FitsParams{ID: "a", Parts: []api.Part{{Label: "p", Text: "x"}}}).Read()
	if err != nil || len(fit.Parts) != 1 {
		t.Errorf("%v %+v", err, fit)
	}
	counted, err := call.Count(ctx, &api.CountParams{Texts: []api.Body{"a", "b"}, Model: "claude-sonnet-4-5"}).Read()
	if err != nil || len(counted.Texts) != 2 {
		t.Errorf("%v %+v", err, counted)
	}
	saved, err := call.Save(ctx, &api.SessionParams{ID: "a"}).JSON()
	if err != nil {
		t.Fatal(err)
	}
	var ledger struct{ Ledger json.RawMessage }
	if err := json.Unmarshal(saved, &ledger); err != nil {
		t.Fatal(err)
	}
	if _, err := call.Restore(ctx, &api.RestoreParams{ID: "b", Ledger: ledger.Ledger}).Read(); err != nil {
		t.Error(err)
	}
	sessions, err := call.Sessions(ctx, &api.SessionsParams{}).Read()
	if err != nil || len(sessions.Sessions) != 2 {
		t.Errorf("%v %+v", err, sessions)
	}
	if _, err := call.LearnedSet(ctx, &api.LearnedParams{}).JSON(); err != nil || last != `{"learned":null}` {
		t.Errorf("%v %s", err, last)
	}
	if _, err := call.LearnedGet(ctx, &api.NoParams{}).JSON(); err != nil {
		t.Error(err)
	}
	if _, err := call.Close(ctx, &api.SessionParams{ID: "a"}).JSON(); err != nil {
		t.Error(err)
	}
	if _, err := call.Reading(ctx, &api.ReadingParams{ID: "a"}).Read(); !client.Refused(err, api.UnknownSession) || client.Refused(err, api.ParseError) {
		t.Errorf("a closed session: %v", err)
	}
}

func TestRecordsAreWrittenAsTheyAre(t *testing.T) {
	last := ""
	call := core(t, &last)
	params := &api.RecordsParams{ID: "a", Records: []api.Foreign{client.Joined(`{"a":1},{"b":2}`)}, Open: &api.OpenParams{Workspace: "/w"}, Reading: new(bool)}
	call.Records(context.Background(), params)
	if want := `{"id":"a","records":[{"a":1},{"b":2}],"open":{"workspace":"/w"},"reading":false}`; last != want {
		t.Errorf("records are %s,\nwant %s", last, want)
	}
	call.Records(context.Background(), &api.RecordsParams{ID: "a", Wanted: true})
	if want := `{"id":"a","records":[],"wanted":true}`; last != want {
		t.Errorf("no records are %s,\nwant %s", last, want)
	}
}

// TestEveryFieldIsWritten fills each field of the parameters, and expects its name in what is written.
func TestEveryFieldIsWritten(t *testing.T) {
	for method, params := range map[string]any{
		"Open": new(api.OpenParams), "Update": new(api.UpdateParams), "Usage": new(api.UsageParams), "Error": new(api.ErrorParams),
		"Compacted": new(api.CompactedParams), "Records": new(api.RecordsParams), "Reading": new(api.ReadingParams),
		"History": new(api.HistoryParams), "Items": new(api.ItemsParams), "Fits": new(api.FitsParams), "Restore": new(api.RestoreParams),
		"Count": new(api.CountParams),
	} {
		v := reflect.ValueOf(params).Elem()
		var names []string
		for i := range v.NumField() {
			if tag := v.Type().Field(i).Tag; tag.Get("by") != "daemon" {
				name, _, _ := strings.Cut(tag.Get("json"), ",")
				names = append(names, name)
			}
			fill(v.Field(i))
		}
		last := ""
		reflect.ValueOf(core(t, &last)).MethodByName(method).Call([]reflect.Value{reflect.ValueOf(context.Background()), reflect.ValueOf(params)})
		var written map[string]json.RawMessage
		if err := json.Unmarshal([]byte(last), &written); err != nil || len(written) != len(names) {
			t.Fatalf("%s: %v %s, want %v", method, err, last, names)
		}
		for _, name := range names {
			if written[name] == nil {
				t.Errorf("%s does not write %s: %s", method, name, last)
			}
		}
	}
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64:
		v.SetInt(1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"a": "b"}))
	case reflect.Interface:
		v.Set(reflect.ValueOf("x"))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}

func TestCallsThatFail(t *testing.T) {
	broken := client.Call(func(context.Context, string, []byte) ([]byte, error) { return nil, context.Canceled })
	if _, err := broken.Reading(context.Background(), &api.ReadingParams{}).Read(); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that fails: %v", err)
	}
	odd := client.Call(func(context.Context, string, []byte) ([]byte, error) { return []byte(`{"result":{"used":"x"}}`), nil })
	if _, err := odd.Reading(context.Background(), &api.ReadingParams{}).Read(); err == nil || !strings.Contains(err.Error(), "ctx/session/reading") {
		t.Errorf("a result of another type: %v", err)
	}
	if _, err := odd.Fits(context.Background(), &api.FitsParams{Parts: 1.5}).Read(); err == nil || !strings.Contains(err.Error(), "float64") {
		t.Errorf("a value without a writer: %v", err)
	}
}
