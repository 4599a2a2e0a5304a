// Copyright The ctx-lsp authors. MIT licence.

package agent_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/core"
	"github.com/ctx-lsp/ctx-lsp/core/agent"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

var update = flag.Bool("update", false, "write the .events files anew")

// sessions are the transcripts written by hand, by path.
func sessions(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/sessions/*/*.json*")
	if err != nil || len(files) < 9 {
		t.Fatalf("only %d transcripts found: %v", len(files), err)
	}
	lined, err := filepath.Glob("../../testdata/lines/*/*.json*")
	if err != nil || len(lined) < 8 {
		t.Fatalf("only %d transcripts of lines found: %v", len(lined), err)
	}
	return append(files, lined...)
}

// rareSessions are transcripts with each rare record of an agent.
func rareSessions(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/sessions/*/*.json*")
	if err != nil || len(files) < 2 {
		t.Fatalf("only %d transcripts of rare records found: %v", len(files), err)
	}
	return files
}

// recordsOf cuts a transcript the way hosts do: lines, or the head of a document and then its messages.
func recordsOf(t *testing.T, path string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if packed, ok := strings.CutSuffix(path, ".zst"); ok {
		decoder, err := zstd.NewReader(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer decoder.Close()
		if text, err = decoder.DecodeAll(text, nil); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		path = packed
	}
	if filepath.Ext(path) == ".jsonl" {
		var lines [][]byte
		for _, line := range bytes.Split(text, []byte("\n")) {
			if len(line) > 0 {
				lines = append(lines, line)
			}
		}
		return lines
	}
	v, err := json.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	messages := v.Get("messages")
	head := append(append(append([]byte(nil), text[:messages.Offset()]...), "[]"...), text[messages.Offset()+len(messages.Raw()):]...)
	records := [][]byte{head}
	for e := messages.Elements(); e.Next(); {
		records = append(records, e.Value.Raw())
	}
	return records
}

func parse(t *testing.T, record []byte) json.Value {
	t.Helper()
	v, err := json.Parse(record)
	if err != nil {
		t.Fatalf("%v in %.80q", err, record)
	}
	return v
}

// TestTranscriptsBecomeTheseEvents protects the translation of every record:
// the .events file beside a transcript says what each of its records means.
func TestTranscriptsBecomeTheseEvents(t *testing.T) {
	for _, path := range append(sessions(t), rareSessions(t)...) {
		want := filepath.Base(filepath.Dir(path))
		t.Run(want+"/"+filepath.Base(path), func(t *testing.T) {
			var got strings.Builder
			var reader agent.Reader
			for i, record := range recordsOf(t, path) {
				v := parse(t, record)
				if reader == nil {
					if found := agent.Recognise(v); found != want {
						t.Fatalf("the first record is taken for %q's", found)
					}
					reader = agent.New(want)
				}
				fmt.Fprintf(&got, "record %d\n", i+1)
				reader.Record(v, func(e core.Event) { fmt.Fprintf(&got, "  %s\n", describe(e)) })
			}
			file := strings.TrimSuffix(path, filepath.Ext(path)) + ".events"
			if *update {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			expected, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			compareLines(t, got.String(), string(expected))
		})
	}
}

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; i < len(a) || i < len(b); i++ {
		x, y := "nothing", "nothing"
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			t.Fatalf("line %d:\n got %s\nwant %s", i+1, x, y)
		}
	}
}

// describe writes an event on one line: what it says, not how it is stored.
func describe(e core.Event) string {
	switch e := e.(type) {
	case core.At:
		return fmt.Sprintf("at %d", e.Milliseconds)
	case core.AgentSeen:
		return fmt.Sprintf("agent %s %s", e.Agent, e.Version)
	case core.WorkspaceSeen:
		return "workspace " + e.Path
	case core.ModelSet:
		return fmt.Sprintf("model %s at %q by %q", e.Model, e.Provider, e.Route)
	case core.LimitsKnown:
		return fmt.Sprintf("limits window %d from the agent %v", e.Window, e.Source == core.FromAgent)
	case core.ContextSet:
		s := fmt.Sprintf("context %v:", e.Kind)
		for _, p := range e.Parts {
			s += fmt.Sprintf(" %s of %d bytes", p.Label, len(p.Text))
		}
		return s
	case core.PrefixKnown:
		s := fmt.Sprintf("surrounded, by source %d, by %v:", e.Source, e.Kind)
		for _, p := range e.Parts {
			if s += " " + p.Label.String(); len(p.Text) > 0 {
				s += fmt.Sprintf(" %.60q of %d bytes", p.Text, len(p.Text))
			}
			if p.Tokens > 0 {
				s += fmt.Sprintf(" of %d tokens", p.Tokens)
			}
			s += fmt.Sprintf(" (%v %v %v)", p.Cached, p.Optional, p.Reference)
		}
		return s
	case core.Appended:
		return "item " + describeItem(&e.Item)
	case core.Replaced:
		return fmt.Sprintf("replace %d (%s) with %s", e.Index, e.Reason, describeItem(&e.Item))
	case core.Inserted:
		return fmt.Sprintf("insert at %d %s", e.Index, describeItem(&e.Item))
	case core.Dropped:
		return fmt.Sprintf("drop %d (%s)", e.Index, e.Reason)
	case core.Truncated:
		return fmt.Sprintf("truncate from %d", e.From)
	case core.Compacted:
		s := fmt.Sprintf("compacted auto %v, kept %d, before %d, left %d, put back %d and like %v", e.Auto, e.Kept, e.Before, e.Tokens, e.Reattached, e.Again)
		if e.Summary != nil {
			s += ", " + describeItem(e.Summary)
		}
		return s
	case core.Metered:
		s := fmt.Sprintf("metered %s in %d (cache %d read, %d written) out %d (%d reasoning) through %d", e.Request, e.In, e.CacheRead, e.CacheWrite, e.Out, e.Reasoning, e.Through)
		for _, flag := range []struct {
			set  bool
			name string
		}{{e.OutPlaceholder, "placeholder"}, {e.ServerTools, "server tools"}, {e.ServerStays, "that stay"}, {e.Volatile, "unsteady"}, {e.Ambiguous, "ambiguous"}, {e.Own, "its own count"}, {e.SideRequest, "beside the conversation"}, {e.Sum, "a sum"}} {
			if flag.set {
				s += ", " + flag.name
			}
		}
		if e.Model.Model != "" {
			s += ", by " + e.Model.Model + " at " + e.Model.Provider
		}
		return s
	case core.Overflowed:
		return fmt.Sprintf("overflow: %d tokens in a window of %d", e.Prompt, e.Limit)
	case core.ForChild:
		return fmt.Sprintf("child %s: %s", e.Child, describe(e.Event))
	case core.Skipped:
		return "skipped: " + e.Reason.String()
	case core.Warned:
		return "warning: " + e.Sentence.String()
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T%+v", e, e), "core."))
}

func describeItem(it *core.Item) string {
	s := it.Kind.String()
	if !it.Label.Empty() {
		s += " " + it.Label.String()
	}
	if it.About.What != core.OfNothing {
		s += fmt.Sprintf(" about %v %q", it.About.What, strings.TrimSpace(it.About.Holder+" "+it.About.Name))
	}
	if it.Answers > 0 {
		s += fmt.Sprintf(" answering %d", it.Answers-1)
	}
	if it.Name != "" && it.Name != it.Label.String() {
		s += " named " + it.Name
	}
	if len(it.Text) > 0 {
		s += fmt.Sprintf(" %.60q", it.Text)
	}
	for _, n := range []struct {
		value int64
		name  string
	}{{it.Tokens, "tokens"}, {it.Wrapping, "wrapping"}, {it.Opaque, "opaque"}, {it.Parameters, "parameters"}, {it.Width, "wide"}, {it.Height, "high"}} {
		if n.value > 0 {
			s += fmt.Sprintf(", %s %d", n.name, n.value)
		}
	}
	if it.Error {
		s += ", an error"
	}
	if it.Hidden {
		s += ", hidden"
	}
	if it.NotReply {
		s += ", not measured"
	}
	return s
}

// TestEveryRecordIsRecognisedAlone: a file is recognised by its content, and hosts may begin in the middle of one.
func TestEveryRecordIsRecognisedAlone(t *testing.T) {
	for _, path := range sessions(t) {
		want := filepath.Base(filepath.Dir(path))
		known, records := 0, recordsOf(t, path)
		for i, record := range records {
			switch found := agent.Recognise(parse(t, record)); found {
			case want:
				known++
			case "":
			case agent.Cline: // what is shown looks alike in the extensions made from it
				if want != agent.RooCode && want != agent.KiloCode {
					t.Errorf("%s: record %d is taken for %s's", path, i+1, found)
				}
			default:
				t.Errorf("%s: record %d is taken for %s's", path, i+1, found)
			}
		}
		if known*10 < len(records)*7 && want != agent.MiniSWEAgent && want != agent.Cline && want != agent.RooCode && want != agent.KiloCode {
			t.Errorf("%s: only %d of %d records are recognised alone", path, known, len(records))
		}
	}
	for _, other := range []string{`{}`, `[]`, `7`, `"user"`, `{"type":"user"}`, `{"role":"user","content":"hello"}`, `{"jsonrpc":"2.0","id":1}`} {
		if found := agent.Recognise(parse(t, []byte(other))); found != "" {
			t.Errorf("%s is taken for %s's", other, found)
		}
	}
}
