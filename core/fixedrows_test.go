// Copyright The ctx-lsp authors. MIT licence.

package core

import "testing"

func tokens(n int64) []Part { return []Part{{Tokens: n}} }

func TestAFixedRowIsTheSumOfItsPartsInTheWindow(t *testing.T) {
	var f fixedRows
	sum := f.set(Memory, []Part{{Tokens: 100}, {Tokens: Unknown, Text: []byte("12345678")}, {Tokens: 5000, Deferred: true}}, plain{}, &ratio{actual: 1, estimated: 1})
	if sum != 102 || f.now[Memory] != 102 || len(f.parts[Memory]) != 3 {
		t.Errorf("sum %d, row %d of %d parts", sum, f.now[Memory], len(f.parts[Memory]))
	}
	if p := f.parts[Memory]; p[0].basis != Counted || p[1].basis != Estimated {
		t.Errorf("%v", p)
	}
}

func TestFixedRowsComeAndGoByTheirDifference(t *testing.T) {
	for _, c := range []struct {
		name           string
		kind           Kind
		measured, then int64
		gone, come     int64
	}{
		{"a row grows", Memory, 100, 150, 0, 50},
		{"a row shrinks", Tools, 100, 30, 70, 0},
		{"a row stays", System, 100, 100, 0, 0},
		{"documents are exchanged as a whole", Documents, 100, 150, 100, 150},
		{"the same documents stay", Documents, 100, 100, 0, 0},
	} {
		var f fixedRows
		f.set(c.kind, tokens(c.measured), plain{}, &ratio{actual: 1, estimated: 1})
		f.setMeasured(0, 1000)
		f.set(c.kind, tokens(c.then), plain{}, &ratio{actual: 1, estimated: 1})
		if gone, come := f.changes(); gone != c.gone || come != c.come {
			t.Errorf("%s: %d gone, %d come", c.name, gone, come)
		}
	}
}

func TestDocumentsLeaveWithTheirTurn(t *testing.T) {
	var f fixedRows
	f.set(Documents, tokens(100), plain{}, &ratio{actual: 1, estimated: 1})
	f.endTurn()
	if f.now[Documents] != 100 {
		t.Error("documents for the next turn left with the one before it")
	}
	f.setMeasured(0, 1000)
	f.endTurn()
	if gone, come := f.changes(); gone != 100 || come != 0 {
		t.Errorf("after the turn: %d gone, %d come", gone, come)
	}
}

func TestARewindFindsTheRowsOfItsRequest(t *testing.T) {
	var f fixedRows
	for request, memory := range []int64{100, 100, 200, 300} {
		f.set(Memory, tokens(memory), plain{}, &ratio{actual: 1, estimated: 1})
		f.setMeasured(request, 1000+memory)
	}
	if len(f.earlier) != 3 {
		t.Errorf("%d states are kept of three that differ", len(f.earlier))
	}
	f.goBack(2)
	if f.measured[Memory] != 200 || f.density != 1200 {
		t.Errorf("the third request had %d, density %d", f.measured[Memory], f.density)
	}
	f.goBack(1)
	if f.measured[Memory] != 100 || f.density != 1100 {
		t.Errorf("the second request had %d, density %d", f.measured[Memory], f.density)
	}
	if f.now[Memory] != 300 {
		t.Error("going back changed what is set now")
	}
}

func TestRowsToldAfterTheFirstPromptWereInIt(t *testing.T) {
	var f fixedRows
	f.setMeasured(0, 1000)
	if !f.undescribed {
		t.Fatal("a prompt without rows counts as described")
	}
	f.set(System, tokens(400), plain{}, &ratio{actual: 1, estimated: 1})
	f.describe(System, 400)
	if gone, come := f.changes(); gone != 0 || come != 0 || f.earlier[0].rows[System] != 400 {
		t.Errorf("%d gone, %d come", gone, come)
	}
	f.setMeasured(1, 1000)
	if f.undescribed {
		t.Error("a second prompt counts as undescribed")
	}
}

func TestStatesOfFixedRowsAreBounded(t *testing.T) {
	var f fixedRows
	for i := range 3 * fixedStatesKept {
		f.set(Memory, tokens(int64(i)), plain{}, &ratio{actual: 1, estimated: 1})
		f.setMeasured(i, 1000)
	}
	if len(f.earlier) > fixedStatesKept {
		t.Errorf("%d states", len(f.earlier))
	}
	f.forgetOldest(1000)
	f.goBack(3*fixedStatesKept - 1002)
	if f.measured[Memory] != 3*fixedStatesKept-2 {
		t.Errorf("after renumbering the rows of another request are found: %d", f.measured[Memory])
	}
}

// TestAStatedPromptContainsTheFixedRows checks that a row set after a compaction of stated size is part of it.
func TestAStatedPromptContainsTheFixedRows(t *testing.T) {
	s := after(item(User, 10), Compacted{Tokens: 20_000, Before: Unknown}, fixed(System, 3000))
	if used := s.Reading().Used; used != 20_000 {
		t.Errorf("used %d", used)
	}
}

// TestWhatCameWithATurnIsExpectedInTheNextTwo checks the size that is expected after turns with and without documents.
func TestWhatCameWithATurnIsExpectedInTheNextTwo(t *testing.T) {
	for _, c := range []struct {
		had  []int64
		want int64
	}{{nil, 0}, {[]int64{1}, 1}, {[]int64{700, 300}, 300}, {[]int64{700, 0}, 700}, {[]int64{700, 0, 0}, 0}, {[]int64{700, 0, 5, 0}, 5}} {
		var p perTurn
		for i, tokens := range c.had {
			p.ended(int64(i+1), tokens)
			p.ended(int64(i+1), 9999) // each turn ends once
			p.expect()
		}
		if p.ended(int64(len(c.had)), 0); p.expected != 0 {
			t.Errorf("%d are expected before the next turn", p.expected)
		}
		if p.expect(); p.expected != c.want {
			t.Errorf("after turns with %v tokens %d are expected", c.had, p.expected)
		}
		p.noted()
		if p.expect(); p.expected != 0 {
			t.Errorf("%d are expected although the turn has its own", p.expected)
		}
	}
}

func TestAnEstimatedPartKeepsTheSizeThatAPromptHasShown(t *testing.T) {
	var f fixedRows
	texts := func(n int) []Part { return []Part{{Label: Named("a"), Tokens: Unknown, Text: make([]byte, n)}} }
	f.set(Documents, texts(400), plain{}, &ratio{actual: 3, estimated: 2})
	if f.now[Documents] != 150 {
		t.Errorf("%d tokens, the ratio makes 150 of 100", f.now[Documents])
	}
	f.size(180, 100)
	f.settle(false)
	f.setMeasured(0, 1000)
	f.set(Documents, texts(400), plain{}, &ratio{actual: 1, estimated: 2})
	if leaving, added := f.changes(); f.now[Documents] != 180 || leaving+added != 0 {
		t.Errorf("the same text has %d tokens, %d leave and %d come", f.now[Documents], leaving, added)
	}
	f.set(Documents, texts(800), plain{}, &ratio{actual: 1, estimated: 2})
	if leaving, added := f.changes(); leaving != 180 || added != 100 {
		t.Errorf("another text: %d leave and %d come", leaving, added)
	}
}
