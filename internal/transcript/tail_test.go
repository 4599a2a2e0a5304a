// Copyright The ctx-lsp authors. MIT licence.

package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/ctx-lsp/ctx-lsp/internal/dirs/dirstest"
	"github.com/ctx-lsp/ctx-lsp/internal/json"
)

func TestAGrowingFileReturnsOnlyNewRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n\n{\"a\":2}\r\n")
	tail := Open(Session{Path: path})
	got, _ := drainTail(t, tail)
	dirstest.Expect(t, "at first", got, `{"a":1}`, `{"a":2}`)
	dirstest.Add(t, path, `{"a":`)
	got, _ = drainTail(t, tail)
	dirstest.Expect(t, "half a record", got)
	dirstest.Add(t, path, `3}`)
	got, _ = drainTail(t, tail)
	dirstest.Expect(t, "a closed record without its newline", got, `{"a":3}`)
	dirstest.Add(t, path, "\n{\"a\":4}\n")
	got, reset := drainTail(t, tail)
	dirstest.Expect(t, "the next", got, `{"a":4}`)
	if reset {
		t.Error("growing is not a reset")
	}
	if tail.Position() != 34 {
		t.Errorf("position %d", tail.Position())
	}
}

func TestAReplacedFileIsReread(t *testing.T) {
	for name, change := range map[string]func(path string){
		"truncated": func(path string) { dirstest.Write(t, path, "{\"b\":1}\n") },
		"rewritten longer in place": func(path string) {
			dirstest.Write(t, path, "{\"b\":1}\n"+strings.Repeat(" ", 100)+"\n")
			os.Chtimes(path, dirstest.FileTime, dirstest.FileTime)
		},
		"replaced by another of the same age": func(path string) {
			dirstest.Write(t, path+".new", "{\"b\":1}\n"+strings.Repeat("\n", 100))
			before, _ := os.Stat(path)
			os.Chtimes(path+".new", before.ModTime(), before.ModTime())
			os.Rename(path+".new", path)
		},
		"replaced by another": func(path string) {
			dirstest.Write(t, path+".new", "{\"b\":1}\n"+strings.Repeat("\n", 100))
			os.Rename(path+".new", path)
		},
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		dirstest.Write(t, path, "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n")
		tail := Open(Session{Path: path})
		drainTail(t, tail)
		change(path)
		got, reset := drainTail(t, tail)
		dirstest.Expect(t, name, got, `{"b":1}`)
		if !reset {
			t.Errorf("%s: no reset", name)
		}
	}
}

// An editor or an agent may replace a file with a longer copy of itself. The part already read is not read again.
func TestAReplacementThatContinuesTheFileIsNotReadTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	tail := Open(Session{Path: path})
	drainTail(t, tail)
	dirstest.Write(t, path+".new", "{\"a\":1}\n{\"a\":2}\n")
	os.Rename(path+".new", path)
	got, reset := drainTail(t, tail)
	dirstest.Expect(t, "after the replacement", got, `{"a":2}`)
	if reset {
		t.Error("it was read anew")
	}
}

func TestAFileThatVanishesMayComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n")
	tail := Open(Session{Path: path})
	drainTail(t, tail)
	os.Rename(path, path+".away")
	var b Batch
	if err := tail.Next(context.Background(), &b); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("while it is away: %v", err)
	}
	dirstest.Add(t, path+".away", "{\"a\":2}\n")
	os.Rename(path+".away", path)
	got, _ := drainTail(t, tail)
	dirstest.Expect(t, "when it is back", got, `{"a":2}`)
}

func TestBadLinesCostOnlyThemselves(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, strings.Join([]string{
		`{"k":1}`,
		`not JSON`,
		`{"k":2,"text":"cut in the mid{"k":3}`, // a writer died, the next one continued
		`{"k":4}{"k":5}`,                       // two writers, one line
		`{"k":[1,2}}`,                          // mismatched brackets are left to the parser
		strings.Repeat("\x00", 50),             // a file system after a crash
		`{"k":"\ud800 \u0000 \\"}`,
		`[1,2]`,
		`{"k":6}`,
	}, "\n"))
	got, _ := drainTail2(t, Open(Session{Path: path}))
	dirstest.Expect(t, "records", got,
		`{"k":1}`, `{"skipped":8}`, `{"skipped":29}`, `{"k":3}`, `{"k":4}`, `{"k":5}`, `{"k":[1,2}}`, `{"k":"\ud800 \u0000 \\"}`, `{"skipped":5}`, `{"k":6}`)
}

// drainTail2 is drainTail for records that the parser will reject, and returns the number of skipped ones.
func drainTail2(t *testing.T, tail Tail) (records []string, skipped int) {
	t.Helper()
	var b Batch
	for {
		if err := tail.Next(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		if b.Count == 0 {
			return records, skipped
		}
		skipped += b.Skipped
		for i := range b.Count {
			records = append(records, string(b.Record(i)))
		}
	}
}

// A line of 200 MB is skipped in pieces, so that memory does not grow with it.
func TestAnEndlessLineIsSteppedOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, `{"a":1}`)
	fmt.Fprint(f, `{"a":"`)
	const long = 200 << 20
	piece := bytes.Repeat([]byte("x"), 1<<20)
	for range long / len(piece) {
		f.Write(piece)
	}
	f.Close()
	tail := Open(Session{Path: path})
	got, _ := drainTail(t, tail)
	dirstest.Expect(t, "while the line is unfinished", got, `{"a":1}`)
	dirstest.Add(t, path, "\"}\n{\"a\":2}\n")
	got, _ = drainTail(t, tail)
	dirstest.Expect(t, "when it has ended", got, fmt.Sprintf(`{"skipped":%d}`, long+8), `{"a":2}`)
}

// The newline of a line that was skipped may be all that is missing of it.
func TestAnEndlessLineEndsWithANewline(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	dirstest.Write(t, path, `{"a":"`+strings.Repeat("x", maxLine))
	tail := Open(Session{Path: path})
	got, _ := drainTail(t, tail)
	dirstest.Expect(t, "while the line is unfinished", got)
	dirstest.Add(t, path, "\n{\"a\":2}\n")
	got, _ = drainTail(t, tail)
	dirstest.Expect(t, "when it has ended", got, fmt.Sprintf(`{"skipped":%d}`, maxLine+6), `{"a":2}`)
}

// A screenshot makes a line of megabytes; the message around it must not be lost.
func TestALongLineOfPicturesIsKeptWithoutTheirEnds(t *testing.T) {
	dir := t.TempDir()
	picture := strings.Repeat("iVBORw0KGgo+/AAA", 1<<17)
	record := `{"content":[{"type":"image","source":{"data":"` + picture + `"}},{"text":"` + strings.Repeat("words stay ", 1000) + `"}],"copy":"data:image/png;base64,` + picture + `"}`
	path := filepath.Join(dir, "s.jsonl")
	dirstest.Write(t, path, "{\"a\":1}\n"+record+"\n{\"a\":2}\n")
	got, _ := drainTail(t, Open(Session{Path: path}))
	if len(got) != 3 || got[0] != `{"a":1}` || got[2] != `{"a":2}` {
		t.Fatalf("%d records", len(got))
	}
	want := `{"content":[{"type":"image","source":{"data":"` + picture[:pictureHead] + `"}},{"text":"` + strings.Repeat("words stay ", 1000) + `"}],"copy":"` + ("data:image/png;base64," + picture)[:pictureHead] + `"}`
	if got[1] != want {
		t.Errorf("the record has %d bytes, want %d", len(got[1]), len(want))
	}
	// Only texts of more than 64 KB are pictures, and 48 KB of them stay.
	words := strings.Repeat("words stay ", MaxRecord/11)
	for length, stays := range map[int]int{64 << 10: 64 << 10, 64<<10 + 1: 48 << 10} {
		record := `{"a":"` + words + `","b":"` + strings.Repeat("a", length) + `","c":"` + strings.Repeat("b", 100<<10) + `"}`
		want := `{"a":"` + words + `","b":"` + strings.Repeat("a", stays) + `","c":"` + strings.Repeat("b", 48<<10) + `"}`
		if got := string(withoutPictures([]byte(record))); got != want {
			t.Errorf("a text of %d bytes: the record has %d bytes, want %d", length, len(got), len(want))
		}
	}
	for _, broken := range []string{`{"a":"` + picture, `{"a":1} x`, ``} {
		if got := string(withoutPictures([]byte(broken))); got != broken {
			t.Errorf("a record of %d bytes becomes one of %d", len(broken), len(got))
		}
	}
	// It has a batch of its own, because it may fill one.
	nearly := `{"a":"` + strings.Repeat(".", MaxRecord-pictureHead-100) + `","b":"` + picture + `"}`
	dirstest.Write(t, path, `{"a":"`+strings.Repeat(".", 5000)+"\"}\n"+nearly+"\n")
	if got, _ = drainTail(t, Open(Session{Path: path})); len(got) != 2 || len(got[1]) < MaxRecord-200 {
		t.Errorf("after another: %d records", len(got))
	}
	// While the line is being written, it waits.
	dirstest.Write(t, path, "{\"a\":1}\n"+record[:len(record)/2])
	tail := Open(Session{Path: path})
	got, _ = drainTail(t, tail)
	dirstest.Expect(t, "half of it", got, `{"a":1}`)
	dirstest.Add(t, path, record[len(record)/2:]+"\n")
	if got, _ = drainTail(t, tail); len(got) != 1 || got[0] != want {
		t.Errorf("when it is whole: %d records", len(got))
	}
}

func TestBatchesKeepTheirSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	var text strings.Builder
	sizes := []int{10, MaxRecord - 9, MaxRecord - 8, MaxRecord - 7, MaxRecord + 100, 100, MaxRecord / 2, MaxRecord/2 + 100, MaxRecord / 2}
	for _, n := range sizes {
		fmt.Fprintf(&text, "{\"a\":\"%s\"}\n", strings.Repeat(".", n)) // not a picture
	}
	dirstest.Write(t, path, text.String())
	got, _ := drainTail(t, Open(Session{Path: path}))
	if len(got) != len(sizes) {
		t.Fatalf("%d records", len(got))
	}
	for i, n := range sizes {
		want := n + 8
		if want > MaxRecord {
			if got[i] != fmt.Sprintf(`{"skipped":%d}`, want) {
				t.Errorf("record %d is %.60s", i, got[i])
			}
		} else if len(got[i]) != want {
			t.Errorf("record %d has %d bytes, want %d", i, len(got[i]), want)
		}
	}
}

// TestTheLongestRecordIsReadAsItIs checks that a record of the greatest length is read as soon as it is closed, and a
// longer one, without the end of its picture, when its line has ended.
func TestTheLongestRecordIsReadAsItIs(t *testing.T) {
	for length, want := range map[int]string{MaxRecord: fmt.Sprint(MaxRecord, " "), MaxRecord + 1: fmt.Sprint(" ", pictureHead+8)} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		record := `{"a":"` + strings.Repeat("A", length-8) + `"}`
		dirstest.Write(t, path, record)
		tail := Open(Session{Path: path})
		lengths := func(tail Tail) (list []string) {
			got, _ := drainTail(t, tail)
			for _, each := range got {
				list = append(list, fmt.Sprint(len(each)))
			}
			return list
		}
		got := strings.Join(lengths(tail), ",") + " "
		dirstest.Add(t, path, "\n")
		if got += strings.Join(lengths(tail), ","); got != want {
			t.Errorf("a record of %d bytes has %q before and after its newline, want %q", length, got, want)
		}
		if again := lengths(Open(Session{Path: path})); again[0] != strings.TrimSpace(want) {
			t.Errorf("a line of %d bytes has %s", length, again)
		}
	}
}

func TestACompressedTranscriptReadsLikeAPlainOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rollout.jsonl.zst")
	var text strings.Builder
	for i := range 30000 {
		fmt.Fprintf(&text, "{\"n\":%d,\"text\":\"%s\"}\n", i, strings.Repeat("word ", 20))
	}
	encoder, _ := zstd.NewWriter(nil)
	compressed := encoder.EncodeAll([]byte(text.String()), nil)
	dirstest.Write(t, path, string(compressed))
	s := Session{Path: path, Form: Compressed}
	tail := Open(s)
	got, _ := drainTail(t, tail)
	if len(got) != 30000 || !strings.HasPrefix(got[29999], `{"n":29999,`) {
		t.Fatalf("%d records", len(got))
	}
	if again, _ := drainTail(t, tail); len(again) != 0 {
		t.Errorf("%d records a second time", len(again))
	}

	dirstest.Write(t, path, string(compressed[:len(compressed)/2]))
	var b Batch
	broken := Open(s)
	count := 0
	for {
		err := broken.Next(context.Background(), &b)
		if err != nil {
			var after int64
			if _, text, _ := strings.Cut(err.Error(), " is damaged after "); text != "" {
				fmt.Sscan(text, &after)
			}
			if after <= broken.Position() || after > int64(text.Len()) {
				t.Errorf("a damaged file, of which %d bytes were returned, says %v", broken.Position(), err)
			}
			break
		}
		if b.Count == 0 {
			t.Error("the damage is not reported")
			break
		}
		count += b.Count
	}
	if count < 1000 {
		t.Errorf("only %d records of the good half", count)
	}
}

func TestADocumentIsCutIntoItsMessages(t *testing.T) {
	for text, want := range map[string][]string{
		`{"info":{"id":"s","messages":[0]},"messages":[{"id":"1"}, {"id":"2","x":"]}"}],"kind":"main"}`: {
			`{"info":{"id":"s","messages":[0]},"messages":[],"kind":"main"}`, `{"id":"1"}`, `{"id":"2","x":"]}"}`,
		},
		`{"messages":[]}`:                        {`{"messages":[]}`},
		`{"a":1,"messages":"none"}`:              {`{"a":1,"messages":"none"}`},
		`[{"id":"1"},{"id":"2"},3]`:              {`{"id":"1"}`, `{"id":"2"}`},
		`{"a":1,"messages":[{"id":"1"},{"id":"2`: {`{"a":1,"messages":[]}`, `{"id":"1"}`},
		"\xef\xbb\xbf{\"a\":1}\n":                {`{"a":1}`},
		``:                                       nil,
		`null`:                                   nil,
	} {
		pieces, _ := SplitDocument([]byte(text))
		var got []string
		for _, p := range pieces {
			got = append(got, string(p))
		}
		dirstest.Expect(t, text, got, want...)
	}
}

func TestARewrittenDocumentReturnsItsChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session.json")
	tick := dirstest.FileTime
	save := func(text string) {
		dirstest.Write(t, path, text)
		tick = tick.Add(1e9)
		os.Chtimes(path, tick, tick)
	}
	save(`{"sessionId":"s","messages":[{"id":"1","content":"a"}],"lastUpdated":1}`)
	tail := Open(Session{Path: path, Form: Document})
	got, _ := drainTail(t, tail)
	dirstest.Expect(t, "at first", got, `{"sessionId":"s","messages":[],"lastUpdated":1}`, `{"id":"1","content":"a"}`)
	save(`{"sessionId":"s","messages":[{"id":"1","content":"ab"},{"id":"2"}],"lastUpdated":2}`)
	got, reset := drainTail(t, tail)
	dirstest.Expect(t, "grown", got, `{"sessionId":"s","messages":[],"lastUpdated":2}`, `{"id":"1","content":"ab"}`, `{"id":"2"}`)
	if reset {
		t.Error("growing is a reset")
	}
	save(`{"sessionId":"s","messages":[{"id":"1","cont`)
	got, _ = drainTail(t, tail)
	dirstest.Expect(t, "half written", got)
	save(`{"sessionId":"s","messages":[{"id":"1","content":"ab"}],"lastUpdated":3}`)
	got, reset = drainTail(t, tail)
	dirstest.Expect(t, "shrunk", got, `{"sessionId":"s","messages":[],"lastUpdated":3}`, `{"id":"1","content":"ab"}`)
	if !reset {
		t.Error("shrinking is no reset")
	}
}

func FuzzLinesAreWholeValues(f *testing.F) {
	f.Add([]byte(`{"a":1}{"a":"}"}`))
	f.Add([]byte(`{"a":"\\"} x {"a":[`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var b Batch
		b.addLine(line)
		for i := range b.Count {
			if end := json.ContainerEnd(b.Record(i)); end != len(b.Record(i)) {
				t.Fatalf("record %q ends at %d", b.Record(i), end)
			}
		}
	})
}

// TestTheLineOfTheFirstRecordIsReturned checks the line numbers that lists of large items open: a batch contains the
// line of its first record, or 0 if its records have no consecutive lines.
func TestTheLineOfTheFirstRecordIsReturned(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write := func(text string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(text)
			f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var b Batch
	var tail Tail
	for i, step := range []struct {
		add  string
		line int64
	}{
		{"{\"a\":1}\n{\"a\":2}\n", 1},
		{"{\"a\":3}", 3},                // its newline comes later
		{"\n{\"a\":4}\n\n", 4},          // a blank line at the end
		{"{\"a\":6}\n", 6},              // is counted
		{"{\"a\":7}\n\n{\"a\":9}\n", 0}, // the blank line between breaks the sequence
		{"{\"a\":10}{\"a\":11}\n", 0},
		{"broken\n{\"a\":12}\n", 11},
	} {
		write(step.add)
		if tail == nil {
			tail = Open(Session{Path: path})
		}
		if err := tail.Next(t.Context(), &b); err != nil || b.Line != step.line {
			t.Errorf("step %d: line %d, want %d: %v", i, b.Line, step.line, err)
		}
	}
	if recent, err := RecentTail(path, &Marks{Compacted: `"subtype":"compact_boundary"`, Measured: `"usage":{`}); err != nil || recent.Next(t.Context(), &b) != nil || b.Line != 0 {
		t.Errorf("a tail that begins somewhere says line %d", b.Line)
	} else if write("{\"a\":13}\n"); recent.Next(t.Context(), &b) != nil || b.Count != 1 || b.Line != 0 {
		t.Errorf("its next record, of %d, is at line %d", b.Count, b.Line)
	}
}

// TestShortRecordsTravelInSmallBatches checks that short records come in small batches, for memory: a batch passes
// through several buffers and a WebAssembly instance, which all stay as large as the largest one. Longer lines are
// still read, wherever they are.
func TestShortRecordsTravelInSmallBatches(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	var want []string
	for i := range 300 {
		length := 10_000
		switch i {
		case 0, 150, 299:
			length = MaxRecord - 20
		case 100, 101:
			length = ordinaryBatch
		}
		want = append(want, fmt.Sprintf(`{"n":%d,"t":"%s"}`, i, strings.Repeat("x", length-15)))
	}
	dirstest.Write(t, path, strings.Join(want, "\n")+"\n")
	tail := Open(Session{Path: path})
	var got []string
	var b Batch
	for {
		if err := tail.Next(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		if b.Count == 0 {
			break
		}
		if len(b.Body) > ordinaryBatch && b.Count > 1 {
			t.Errorf("%d records are a batch of %d bytes", b.Count, len(b.Body))
		}
		if b.Line != int64(len(got)+1) {
			t.Errorf("the record after %d stands on line %d", len(got), b.Line)
		}
		for i := range b.Count {
			got = append(got, string(b.Record(i)))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d records were read of %d, or others", len(got), len(want))
	}
}

// endsAfter is a context that ends after it was asked a number of times.
type endsAfter struct {
	context.Context
	asked int
}

func (c *endsAfter) Err() error {
	if c.asked--; c.asked < 0 {
		return context.Canceled
	}
	return nil
}

// TestACanceledReadLosesNothing checks that a caller that ends within a read, of a file that was there or has replaced
// another, has every record once after the next reads.
func TestACanceledReadLosesNothing(t *testing.T) {
	write := map[Form]func(t *testing.T, path string, records []string){
		Lines: func(t *testing.T, path string, records []string) {
			dirstest.Write(t, path, strings.Join(records, "\n"))
		},
		Document: func(t *testing.T, path string, records []string) {
			dirstest.Write(t, path, "["+strings.Join(records, ",")+"]")
		},
		Compressed: func(t *testing.T, path string, records []string) {
			dirstest.Write(t, path, packed(t, strings.Join(records, "\n"))["zstd"])
		},
	}
	var first, other []string
	for i := range 12 {
		first = append(first, fmt.Sprintf(`{"a":%d,"text":"%s"}`, i, strings.Repeat("word ", 20_000+i%2*20_000)))
		other = append(other, fmt.Sprintf(`{"b":%d,"text":"%s"}`, i, strings.Repeat("word ", 30_000-i%2*10_000)))
	}
	for form, write := range write {
		for asked := range 12 {
			path := filepath.Join(t.TempDir(), "s")
			write(t, path, first)
			tail := Open(Session{Path: path, Form: form})
			var got []string
			read := func(ctx context.Context) {
				var b Batch
				for tail.Next(ctx, &b) == nil {
					if b.Reset {
						got = nil
					}
					if b.Count == 0 {
						return
					}
					for i := range b.Count {
						got = append(got, string(b.Record(i)))
					}
				}
			}
			for n, records := range [][]string{first, other} {
				if os.Remove(path) != nil {
					t.Fatal("it cannot be replaced")
				}
				write(t, path, records)
				if read(&endsAfter{t.Context(), asked}); asked == 0 && n == 0 && got != nil {
					t.Errorf("form %d: %d records after its caller has ended", form, len(got))
				}
				read(t.Context())
				if !slices.Equal(got, records) {
					t.Errorf("form %d, canceled after %d looks: %d records, want %d, or others", form, asked, len(got), len(records))
				}
			}
		}
	}
}
